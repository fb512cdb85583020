"""What a Spark session is asked before and behind a release, by its public interface alone."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from compdp_core.engines.batch_plan import BatchPlan, OtherMachineError
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.report.version import version
from compdp_core.tables.errors import some

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import DataType, StructType

_NO_SPARK = "Spark frames need PySpark, which is not installed: pip install composite-dp[spark]"
_PACKAGE = "compdp_core"
_MISSING = "without "
_LACKING = re.compile(r"No module named '([\w.]+)'")


class NoSparkError(CompdpError):
    """PySpark is missing here, or this library in the Python of Spark's workers."""


def check_frame(frame: object) -> None:
    """Raise :class:`NoSparkError` without PySpark, and :class:`ParameterError` for what is no frame
    that can be written to files with types.
    """
    try:
        from pyspark.sql import DataFrame
    except ImportError:
        raise NoSparkError(_NO_SPARK) from None
    if not isinstance(frame, DataFrame):
        raise ParameterError("frame", type(frame).__name__, "must be a DataFrame of Spark")
    if frame.isStreaming:
        raise ParameterError(
            "frame", "a stream", "must have an end: write it to files first, and release those"
        )
    names = Counter(name.casefold() for name in frame.columns)
    twice = [name for name in frame.columns if names[name.casefold()] > 1]
    if twice or not names:
        what = "must have columns, each of another name (large and small letters are the same)"
        raise ParameterError("frame", some(twice) or "no column", what)


def arrow_schema(frame: DataFrame) -> pa.Schema:
    """Names and Arrow types of the columns; no row is computed.

    Raises :class:`ParameterError` for a column of a type that Spark cannot hand to Python.
    """
    from pyspark.errors import PySparkException

    try:
        return frame.limit(0).toArrow().schema
    except PySparkException as error:
        what = "must have columns that Spark can hand over by Arrow: cast or drop the others"
        raise ParameterError("frame", reason(error), what) from None


def released_schema(frame: DataFrame, plan: BatchPlan, before: pa.Schema) -> StructType:
    """The Spark schema of the released frame: of the plan and the schema ``before`` alone."""
    from pyspark.sql.types import StructField, StructType

    stays = [place for place in range(len(before)) if place not in plan.gone]
    planned = {column.plan.position for column in plan.columns}
    made = []
    for place, now in zip(stays, plan.schema(before).types, strict=True):
        field = frame.schema.fields[place]
        kind = field.dataType if now == before.types[place] else _spark_type(now)
        # Missing cells may be anywhere in a released column, whatever was said of the old one.
        made.append(StructField(field.name, kind, field.nullable or place in planned))
    return StructType(made)


def _spark_type(kind: pa.DataType) -> DataType:
    from pyarrow import types
    from pyspark.sql.types import DateType, DoubleType, LongType, StringType, TimestampNTZType

    made: tuple[tuple[Callable[[Any], bool], Callable[[], DataType]], ...] = (
        (types.is_integer, LongType),
        (types.is_floating, DoubleType),
        (types.is_date, DateType),
        (types.is_timestamp, TimestampNTZType),
    )
    return next((make for test, make in made if test(kind)), StringType)()


def check_free(session: SparkSession, path: str) -> None:
    """Raise :class:`ParameterError` where something is at the path already, or none can be."""
    from pyspark.errors import PySparkException

    try:
        # Named twice: of one path alone Spark would warn at length where nothing is there. It looks
        # when it is asked for the schema.
        session.read.format("text").load([path, path]).schema  # noqa: B018
    except PySparkException as error:
        if error.getCondition() == "PATH_NOT_FOUND":
            return
        what = f"must be where Spark can write ({reason(error)})"
        raise ParameterError("path", path, what) from None
    raise ParameterError("path", path, "must be of a folder that is not there yet")


def check_workers(session: SparkSession) -> None:
    """Raise :class:`NoSparkError` where a worker's Python lacks this library, or has another
    version of it.
    """
    from pyspark.errors import PySparkException

    here = version()
    probe = session.range(0, 1, 1, 1).mapInArrow(_probe(_PACKAGE), "found string")
    try:
        found = str(probe.collect()[0][0])
    except PySparkException as error:
        lacking = _LACKING.search(str(error))
        if lacking is None:
            raise NoSparkError(f"Spark's workers cannot run Python ({reason(error)})") from error
        found = _MISSING + lacking[1]
    if found.startswith(_MISSING):
        name = found.removeprefix(_MISSING)
        raise NoSparkError(
            f"the Python of Spark's workers has no {name}: install composite-dp[spark] on every "
            "machine or send an environment with it (spark.archives), and say which Python it is "
            "(PYSPARK_PYTHON)"
        )
    if found != here:
        raise NoSparkError(
            f"the Python of Spark's workers has version {found} of composite-dp, and this one "
            f"{here}: install the same version on both"
        )


def _probe(package: str) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What a worker does to say which version it has; sent as it is, without this library."""
    missing = _MISSING

    def probe(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        try:
            importlib.import_module("cryptography")
            importlib.import_module(f"{package}.engines.batches")
            found = importlib.import_module(f"{package}.report.version").version()
        except ImportError as error:
            found = missing + str(error.name)
        for batch in batches:
            yield pa.record_batch({"found": [found] * batch.num_rows})

    return probe


def rows_of(session: SparkSession, path: str, form: str) -> int:
    """How many rows were written, as the files say it. What counts in tasks counts tasks that
    failed, too.
    """
    return session.read.format(form).load(path).count()


def reason(error: BaseException) -> str:
    """What broke, without what Spark quotes, which may be cells; the error behind it says more."""
    if OtherMachineError.__name__ in str(error):
        return str(OtherMachineError())
    condition = getattr(error, "getCondition", lambda: None)()
    kind = type(error).__name__
    return f"{kind}: {condition}" if condition else kind
