"""Releases of Spark frames, written by as many machines as the cluster has."""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Collection, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from compdp_core.accounting import Ledger
from compdp_core.engines.arrow_types import placed_by_type
from compdp_core.engines.batch_plan import BatchPlan, certified_columns
from compdp_core.engines.batches import KeyedBatches
from compdp_core.engines.file_plan import FilePlan, Plans
from compdp_core.engines.file_release import FileRelease
from compdp_core.engines.files import Book, BrokenRunError, StoppedRunError, book_of
from compdp_core.engines.spark_session import (
    arrow_schema,
    check_frame,
    check_free,
    check_workers,
    reason,
    released_schema,
    rows_of,
)
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.randomness import new_key
from compdp_core.release import Plan, Released
from compdp_core.tables import Table, read
from compdp_core.tables.containers.csv_text import quoted
from compdp_core.validation import one_of

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

Format = Literal["parquet", "orc"]
"""Of the files: these keep types, and say how many rows they hold."""


def privatize(
    frame: DataFrame,
    plans: Plans,
    path: str | os.PathLike[str],
    *,
    format: Format = "parquet",
    dataset: str | None = None,
    ledger: Ledger | Book | str | os.PathLike[str] | None = None,
    omit: Collection[Hashable] = (),
    answered: int | None = None,
) -> FileRelease:
    """Privatise columns of a Spark frame and write it to ``path``, once, in this call.

    ``plans``: by label or position, settings, or the JSON text of settings. ``path``: a folder that
    is not there yet, wherever Spark can write. ``omit``: columns that are left out of the files, by
    label or position. ``answered``: as in :func:`~compdp_core.privatize`. ``ledger``: is charged
    before anything is drawn, under ``dataset``, the name that the owner gives to the data: the same
    name wherever the same data is released; go on with ``release.ledger``.

    Types: released numbers are double, whole ones bigint; categories are strings; dates,
    timestamps and intervals stay what they were, and texts stay texts in the plan's format, which
    has to be said for them. A timestamp needs a zone in its format, which is UTC where none is
    said, a ``timestamp_ntz`` none. Columns of strings are read as those of a file. What is missing
    in a released column is null.

    Noise is drawn once, however often Spark computes: that of a batch is a keyed function of all
    cells of the batches of its partition up to it, of the partition's number and of the column. A
    task that is tried again or run twice, and a cache that is lost, give the same bytes. The key is
    drawn here for this call, travels to the workers in the job, is written to no file, log or plan,
    and ends with the call. Assumed is that

    - the frame is computed the same way again: rows of a partition in the same order. Where it is
      not, as behind ``rand()``, a ``limit`` without an order or a shuffle that was lost, what is
      computed again gets fresh noise, and Spark writes one of the two. Write such a frame first.
    - only what Spark commits is read: attempts that failed may leave files in ``path`` under
      ``_temporary``, which are nobody's to see.
    - nobody else reads what the cluster sends or spills: ``spark.network.crypto.enabled`` and
      ``spark.io.encryption.enabled`` see to that where others are on it.

    Calling again is another release: it has another key and costs its budget again. For another
    file format or partitioning, read what was written and write it anew, which costs nothing.

    The workers need Python with this library. Raises :class:`~compdp_core.errors.CompdpError` that
    says what to do. Nothing has changed then, but where it is a
    :class:`~compdp_core.engines.files.BrokenRunError`, which carries the charged ledger and says
    what may lie in ``path`` all the same.
    """
    one_of("format", format, get_args(Format))
    check_frame(frame)
    place = _address(path)
    asked, schema = FilePlan.of(plans), arrow_schema(frame)
    asked.refuse_persons(None, "row")
    table = _table(list(frame.columns), dataset)
    plan = _plan(asked, table, schema, answered)
    labels = [table.columns[column.position].label for column in plan.columns]
    columns = certified_columns(plan, labels)
    made = uuid.uuid4().hex, datetime.now(UTC).replace(microsecond=0)
    released = Released(table, plan, columns, *made)
    gone = released.omitted(asked.left_out(table, omit))
    sent = BatchPlan.of(plan, columns, schema, gone)
    book = _book(ledger, dataset)
    spends = () if book is None else plan.spends(table)
    session = frame.sparkSession
    check_free(session, place)
    check_workers(session)
    drawn = drawn_frame(frame, sent, schema, new_key())
    charged = None if book is None else book.charge(*spends)
    with _telling(place, charged, _IN_PARTS):
        drawn.write.mode("error").format(format).save(place)
    with _telling(place, charged, _UNCOUNTED):
        rows = rows_of(session, place, format)
    if not rows:
        why = "the frame has no row, or each misses a value"
        left = f"no row was written, and {place} holds files without any"
        raise BrokenRunError(Path(place), why, charged, left=left)
    return FileRelease(
        table,
        plan,
        columns,
        *made,
        path=place if "://" in place else Path(place),
        rows=rows,
        engine="spark",
        keyed=True,
        ledger=None if book is None else book.finish(*(spend.id for spend in spends)),
        gone=gone,
        statements=asked.said_of(plan),
    )


_IN_PARTS = "{} was not written whole, and parts of it may lie there: remove it"
_UNCOUNTED = (
    "all of {} was written, but its rows could not be counted, so no card is of it: remove it"
)


@contextmanager
def _telling(place: str, charged: Ledger | None, left: str) -> Iterator[None]:
    """What broke behind the charge, with what of the release is ``left``."""
    said = left.format(place)
    try:
        yield
    except KeyboardInterrupt:
        raise StoppedRunError(charged) from None
    except CompdpError as error:
        raise BrokenRunError(Path(place), str(error), charged, left=said) from error
    except Exception as error:  # of Spark, Java or the wire: what it said may quote cells
        raise BrokenRunError(Path(place), reason(error), charged, left=said) from error


def drawn_frame(frame: DataFrame, sent: BatchPlan, schema: pa.Schema, key: bytes) -> DataFrame:
    """The released frame, of the Arrow ``schema``, which Spark computes as often as it likes."""
    return frame.mapInArrow(drawing(sent, key), released_schema(frame, sent, schema))


def drawing(
    sent: BatchPlan, key: bytes
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """What each task does: it carries plan and key, and nothing else."""

    def release_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        context = TaskContext.get()
        if context is None:
            raise RuntimeError("a batch is released by a task of Spark")
        part = KeyedBatches(sent, key, f"partition {context.partitionId()}")
        for batch in batches:
            yield part.release(batch)

    return release_batches


def _address(path: object) -> str:
    """Where to write, as Spark takes it."""
    if not isinstance(path, str | os.PathLike):
        raise ParameterError("path", type(path).__name__, "must be the path of a new folder")
    place = os.fsdecode(path)
    if not place.strip() or set(place) & set("*?[]{}\\"):
        raise ParameterError(
            "path", place, r"must be the path of a new folder, without any of * ? [ ] { } \ "
        )
    return place


def _table(names: list[str], dataset: str | None) -> Table:
    """A table of these columns and nothing in them: what card and settings call them."""
    lines = [",".join(map(quoted, names)), ",".join('""' for _ in names), ""]
    table = read(
        "\n".join(lines).encode("utf-8", "replace"),
        encoding="utf-8",
        separator=",",
        decimal=".",
        header=True,
        skip_lines=0,
        columns=len(names),
        comment_rows="row",
        blank_lines="missing" if len(names) == 1 else None,
    )
    return replace(table, fingerprint=dataset or "")


def _plan(asked: FilePlan, table: Table, schema: pa.Schema, answered: int | None) -> Plan:
    """The plans at their places, read by the types of the columns."""
    placed = tuple(
        placed_by_type(plan, place, schema.names[place], schema.types[place])
        for place, plan in asked.at(table)
    )
    return Plan(placed, None, asked.answered if answered is None else answered)


def _book(ledger: Any, dataset: object) -> Book | None:
    book = book_of(ledger)
    if book is not None and not (isinstance(dataset, str) and dataset.strip()):
        raise ParameterError(
            "dataset",
            dataset,
            "must name the data where a ledger is charged: what is released under one name shares "
            "one budget",
        )
    return book
