"""Spark on two workers: drawn once, however often and wherever it is computed.

The key is a fixed one here, so that two releases may be compared. Two draws of a hundred cells or
more agree by chance with a probability below 0.9^200 < 1e-9, the false alarm of each check that
noise differs. Each check that it is the same has a twin beside it that draws anew and fails it.
"""

from __future__ import annotations

import base64
import io
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import compdp_core as cdp
from compdp_core.accounting import LedgerFile
from compdp_core.engines import spark, spark_session
from compdp_core.engines.arrow_types import placed_by_type
from compdp_core.engines.batch_plan import BatchPlan, certified_columns
from compdp_core.engines.files import BrokenRunError
from compdp_core.engines.spark_session import NoSparkError, arrow_schema
from compdp_core.errors import CompdpError
from compdp_core.release import Plan
from tests.conftest import IN_CI
from tests.unit.engines.spark_cluster import BATCH_ROWS, spark_in, why_not

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [
    # PySpark says so at the first call; what it hands over here is Arrow, and no pandas.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    # Its sockets to Java are closed when they are collected.
    pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning"),
]

ROWS, PARTS = 400, 2
KEY = bytes.fromhex("c0ffee" + "5eed" * 14 + "42")
BMI = cdp.ColumnPlan(inputs=(10, 70), epsilon=1)
SMOKES = cdp.ColumnPlan(epsilon=1, kind="category", categories=["yes", "no"])
PLANS = {"bmi": BMI, "smokes": SMOKES}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("spark")


@pytest.fixture(scope="module")
def session(folder: Path) -> Iterator[SparkSession]:
    """Skips where there is no Spark, except in CI, where it fails."""
    if reason := why_not():
        if IN_CI:
            pytest.fail(reason)
        pytest.skip(reason)
    with spark_in(folder) as running:
        yield running


@pytest.fixture(autouse=True)
def known_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spark, "new_key", lambda: KEY)


@pytest.fixture
def frame(session: SparkSession) -> DataFrame:
    """Two partitions of four batches."""
    assert ROWS // PARTS > 3 * BATCH_ROWS
    return session.range(0, ROWS, 1, PARTS).selectExpr(
        "id", "cast(10 + id % 60 as double) bmi", "if(id % 3 = 0, 'yes', 'no') smokes"
    )


Rows = list[tuple[Any, ...]]


def rows_of(frame: DataFrame) -> Rows:
    return sorted(tuple(row) for row in frame.collect())


def written(frame: DataFrame, path: Path) -> Rows:
    release = cdp.spark.privatize(frame, PLANS, path)
    assert release.rows == ROWS
    return rows_of(frame.sparkSession.read.parquet(str(path)))


def drawn(frame: DataFrame) -> DataFrame:
    """The released frame before it is written, which Spark may compute again and again."""
    schema = arrow_schema(frame)
    plan = Plan(tuple(placed_by_type(each, schema.names.index(name), name, pa.float64()
                if name == "bmi" else pa.string()) for name, each in PLANS.items()))  # fmt: skip
    sent = BatchPlan.of(plan, certified_columns(plan, list(PLANS)), schema)
    return spark.drawn_frame(frame, sent, schema, KEY)


def draws_anew() -> type:
    """A twin, made here so that it travels to the workers whole: it draws from the system."""

    class DrawsAnew:
        def __init__(self, plan: Any, key: bytes, place: str) -> None:
            self._plan = plan

        def release(self, batch: Any) -> Any:
            from compdp_core.engines.batches import released_batch  # noqa: PLC0415
            from compdp_core.randomness import SystemSource  # noqa: PLC0415

            return released_batch(batch, self._plan, lambda what: SystemSource())

    return DrawsAnew


def forgets_place() -> type:
    """A twin whose noise is a function of the rows alone, wherever they stand."""

    class ForgetsPlace:
        def __init__(self, plan: Any, key: bytes, place: str) -> None:
            self._plan, self._key = plan, key

        def release(self, batch: Any) -> Any:
            from compdp_core.engines.batches import KeyedBatches  # noqa: PLC0415

            return KeyedBatches(self._plan, self._key, "anywhere").release(batch)

    return ForgetsPlace


def after_actions(frame: DataFrame, folder: Path) -> Rows:
    """Looked at before: each look computes it again."""
    found = drawn(frame)
    found.count()
    found.collect()
    return rows_of(found)


def after_a_lost_cache(frame: DataFrame, folder: Path) -> Rows:
    """Kept in memory, looked at, and put out of it."""
    found = drawn(frame).persist()
    assert len(rows_of(found)) == ROWS
    found.unpersist(blocking=True)
    return rows_of(found)


def at_the_same_time(frame: DataFrame, folder: Path) -> Rows:
    """Each task twice at a time, as a copy of a slow one runs: Spark itself starts such copies on
    another host only.
    """
    found = drawn(frame)
    with ThreadPoolExecutor(2) as threads:
        one, other = threads.map(rows_of, [found, found])
    return one if one == other else []


def tried_again(frame: DataFrame, folder: Path) -> Rows:
    """Written in a job of which one task fails in the midst of its rows."""
    marks = folder / "attempts"
    marks.mkdir()

    def fails_once(batches: Iterator[Any]) -> Iterator[Any]:
        from pyspark import TaskContext  # noqa: PLC0415

        context: Any = TaskContext.get()
        first = context.partitionId() == 0 and context.attemptNumber() == 0
        (marks / f"{context.partitionId()}-{context.attemptNumber()}").touch()
        for number, batch in enumerate(batches):
            if first and number == 2:
                raise RuntimeError("this attempt fails")
            yield batch

    found = written(frame.mapInArrow(fails_once, frame.schema), folder / "again.parquet")
    assert {each.name for each in marks.iterdir()} == {"0-0", "0-1", "1-0"}
    return found


@pytest.fixture(scope="module")
def plain() -> dict[str, Rows]:
    return {}


@pytest.mark.parametrize(
    "computed", [after_actions, after_a_lost_cache, at_the_same_time, tried_again]
)
def test_noise_is_drawn_once(
    frame: DataFrame,
    tmp_path: Path,
    plain: dict[str, Rows],
    monkeypatch: pytest.MonkeyPatch,
    computed: Callable[[DataFrame, Path], Rows],
) -> None:
    if not plain:
        plain["rows"] = written(frame, tmp_path / "plain.parquet")
    assert computed(frame, tmp_path) == plain["rows"]
    # The twin draws other noise at each of these, and in the rows of both tries of a task.
    monkeypatch.setattr(spark, "KeyedBatches", draws_anew())
    (tmp_path / "twin").mkdir()
    assert computed(frame, tmp_path / "twin") != plain["rows"]


def noise_by_batch(session: SparkSession) -> list[tuple[float, ...]]:
    """What stands in the batches of a frame whose rows are all the same."""
    same = session.range(0, ROWS, 1, PARTS).selectExpr("21.5D bmi", "'yes' smokes")
    values = [row.bmi for row in drawn(same).collect()]
    return [
        tuple(values[start : start + BATCH_ROWS]) for start in range(0, len(values), BATCH_ROWS)
    ]


def test_equal_rows_get_other_noise_in_every_place(
    session: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    batches = noise_by_batch(session)
    assert len(set(batches)) == len(batches) == ROWS // BATCH_ROWS
    monkeypatch.setattr(spark, "KeyedBatches", forgets_place())
    assert len(set(noise_by_batch(session))) < len(batches)


def spellings(key: bytes) -> list[bytes]:
    return [key, key.hex().encode(), key.hex().upper().encode(), base64.b64encode(key)[:40]]


def test_the_key_is_written_nowhere(
    frame: DataFrame, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from pyspark import cloudpickle  # noqa: PLC0415

    packed: Callable[[Any], bytes] = cloudpickle.dumps

    schema = arrow_schema(frame)
    plan = Plan((placed_by_type(BMI, 1, "bmi", schema.field(1).type),))
    sent = BatchPlan.of(plan, certified_columns(plan, ["bmi"]), schema)
    # The job has it, and this search would find it there.
    assert any(each in packed(spark.drawing(sent, KEY)) for each in spellings(KEY))
    spark.drawn_frame(frame, sent, schema, KEY).explain("extended")
    plans = capsys.readouterr().out
    assert "MapInArrow" in plans
    written(frame, tmp_path / "out.parquet")
    files = [each for each in [*folder.rglob("*"), *tmp_path.rglob("*")] if each.is_file()]
    logs = [each.read_bytes() for each in files if "jars" not in each.parts]
    assert any(b"MapInArrow" in each for each in logs)
    for text in [plans.encode(), *logs]:
        assert not any(each in text for each in spellings(KEY))
        assert str(list(KEY))[1:-1].encode() not in text


def test_file_card_and_ledger_belong_together(session: SparkSession, tmp_path: Path) -> None:
    frame = session.range(0, 60, 1, 1).selectExpr(
        "id",
        "if(id % 10 = 0, null, cast(10 + id as decimal(6, 2))) bmi",
        "date_add(date'2024-01-01', cast(id as int)) seen",
        "timestamp'2024-05-01 12:00:00' as taken",
        "array(id, null) codes",
        "named_struct('a', id) about",
        "'x' gone",
    )
    ends: Any = ("2024-01-01", "2024-12-31")
    plans = {
        "bmi": cdp.ColumnPlan(inputs=(10, 70), epsilon=1, missing="drop"),
        "seen": cdp.ColumnPlan(inputs=ends, epsilon=1, kind="date"),
        "taken": cdp.ColumnPlan(inputs=ends, epsilon=1, kind="datetime", missing="keep"),
    }
    path, book = tmp_path / "out.parquet", LedgerFile.new(tmp_path / "ledger.json", limit=3)
    release = cdp.spark.privatize(
        frame, plans, path, ledger=tmp_path / "ledger.json", dataset="visits", omit=["gone"]
    )
    assert (release.rows, release.engine, release.keyed) == (54, "spark", True)
    assert release.path == path
    assert release.ledger is not None
    assert book.ledger.remaining("visits") == 0
    assert not any(each.unfinished for each in book.ledger.entries)
    found = session.read.parquet(str(path))
    kinds = {field.name: field.dataType.simpleString() for field in found.schema.fields}
    assert kinds == {
        "id": "bigint", "bmi": "double", "seen": "date", "taken": "timestamp",
        "codes": "array<bigint>", "about": "struct<a:bigint>",
    }  # fmt: skip
    stays = sorted((row.id, tuple(row.codes), row.about.a) for row in found.collect())
    assert stays == [(n, (n, None), n) for n in range(60) if n % 10]
    assert any("compute a row again" in each
               for each in release.card["not_covered"])  # fmt: skip
    # Whoever gets the file opens it with the card.
    (part,) = path.glob("part-*.parquet")
    data = io.BytesIO()
    pq.write_table(pq.read_table(part).select(["id", "bmi", "seen", "taken"]), data)
    mean = cdp.Estimates(data.getvalue(), release.card).mean("bmi")
    assert mean.n == 54
    assert "gone" not in release.card["unchanged_columns"]
    assert '"omitted": [\n    "gone"\n  ]' in release.settings()
    # The ledger is used up: nothing is written.
    with pytest.raises(CompdpError, match="does not fit into the budget"):
        cdp.spark.privatize(frame, plans, tmp_path / "more.parquet", ledger=book, dataset="visits")
    assert not (tmp_path / "more.parquet").exists()


def test_a_run_that_breaks_leaves_the_charge_with_its_mark(
    frame: DataFrame, tmp_path: Path
) -> None:
    def fails(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            if batch.num_rows:
                raise RuntimeError("cell 21.5 of Ada")
            yield batch

    book = LedgerFile.new(tmp_path / "ledger.json", limit=2)
    broken = frame.mapInArrow(fails, frame.schema)
    with pytest.raises(
        BrokenRunError, match=r"parts of it may lie there.*keeps the charge"
    ) as caught:
        cdp.spark.privatize(broken, PLANS, tmp_path / "out", ledger=book, dataset="visits")
    assert "Ada" not in str(caught.value)
    assert [each.unfinished for each in book.ledger.entries] == [True, True]
    assert caught.value.ledger is not None
    with pytest.raises(BrokenRunError, match="no row was written"):
        cdp.spark.privatize(frame.where("id < 0"), PLANS, tmp_path / "empty")


def test_what_was_written_and_could_not_be_counted_is_said_to_be_there(
    frame: DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: Any) -> int:
        raise OSError("cell 21.5 of Ada")

    monkeypatch.setattr("compdp_core.engines.spark.rows_of", fails)
    with pytest.raises(BrokenRunError, match="was written, but its rows could not") as caught:
        cdp.spark.privatize(
            frame, PLANS, tmp_path / "out", ledger=cdp.Ledger(limit=2), dataset="visits"
        )
    assert "was not written" not in str(caught.value)
    assert "Ada" not in str(caught.value)
    assert caught.value.ledger is not None
    assert caught.value.ledger.entries
    assert (tmp_path / "out" / "_SUCCESS").exists()


def test_workers_without_the_library_are_told_before_the_charge(
    frame: DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ledger = LedgerFile.new(tmp_path / "ledger.json")
    told: dict[str, Any] = {"ledger": ledger, "dataset": "visits"}
    monkeypatch.setattr(spark_session, "_PACKAGE", "no_such_library")
    with pytest.raises(NoSparkError, match="has no no_such_library: install"):
        cdp.spark.privatize(frame, PLANS, tmp_path / "out", **told)
    monkeypatch.undo()
    monkeypatch.setattr(spark_session, "version", lambda: "0.0.1")
    with pytest.raises(NoSparkError, match=r"and this one 0\.0\.1: install the same"):
        cdp.spark.privatize(frame, PLANS, tmp_path / "out", **told)
    assert not (tmp_path / "out").exists()
    assert not ledger.ledger.entries


def test_what_cannot_be_is_refused_before_anything_is_computed(
    session: SparkSession, frame: DataFrame, tmp_path: Path
) -> None:
    here, taken = tmp_path / "out", tmp_path / "taken"
    taken.mkdir()
    twice = frame.selectExpr("bmi", "smokes", "id BMI")
    months = frame.selectExpr("bmi", "smokes", "make_ym_interval(1, 1) m")
    stream = session.readStream.format("rate").load()
    lists = frame.selectExpr("array(bmi) bmi", "smokes")
    cases: list[tuple[Any, Any, Any, dict[str, Any], str]] = [
        (frame, PLANS, taken, {}, "not there yet"),
        (frame, PLANS, tmp_path / "out*", {}, "without any of"),
        (frame, PLANS, 7, {}, "path of a new folder"),
        (frame, PLANS, here, {"format": "csv"}, "format"),
        (frame, PLANS, here, {"ledger": cdp.Ledger()}, "dataset"),
        (frame, PLANS, here, {"ledger": 7}, "ledger"),
        (frame, PLANS, here, {"omit": ["bmi"]}, "cannot be left out"),
        (frame, {"weight": BMI}, here, {}, "weight"),
        (frame, {"bmi": 1}, here, {}, "must be a ColumnPlan"),
        (lists, PLANS, here, {}, "must hold numbers"),
        (twice, PLANS, here, {}, "another name"),
        (months, PLANS, here, {}, "hand over by Arrow"),
        (stream, PLANS, here, {}, "must have an end"),
        ({"bmi": [1]}, PLANS, here, {}, "DataFrame of Spark"),
    ]
    for data, plans, path, options, told in cases:
        with pytest.raises(CompdpError, match=told):
            cdp.spark.privatize(data, plans, path, **options)
    assert not here.exists()


def test_without_pyspark_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    with pytest.raises(NoSparkError, match=r"pip install composite-dp\[spark\]"):
        cdp.spark.privatize(None, PLANS, "out")  # type: ignore[arg-type]
