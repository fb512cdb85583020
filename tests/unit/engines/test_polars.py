"""The Polars engine: plain files as the own engine writes them, and lazy frames drawn once."""

from __future__ import annotations

import gzip
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

import compdp_core as cdp
from compdp_core.accounting import BudgetExceededError
from compdp_core.engines import own
from compdp_core.engines import polars as engine
from compdp_core.engines.files import BrokenRunError, privatize_file
from compdp_core.engines.plain_csv import NotPlainError
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.randomness import SeededSource, Words

X = cdp.ColumnPlan(inputs=(10, 70), epsilon=1)


class OneWord:
    """Every word is the same, so that a cell's noise is the same in whatever block it lies."""

    def words(self, count: int) -> Words:
        return np.full(count, 0x5555_1234_9ABC_DEF1, dtype=np.uint64)


def files_of(folder: Path, data: bytes, plans: Any, **options: Any) -> list[bytes]:
    """What both engines write."""
    (folder / "in.csv").write_bytes(data)
    found = []
    for name in ("own", "polars"):
        target = folder / f"{name}.csv"
        with (
            patch.object(own.write_released, "__defaults__", (OneWord,)),
            patch.object(engine.release_file, "__defaults__", (OneWord,)),
        ):
            release = privatize_file(
                folder / "in.csv", target, plans, engine=name, **options
            )  # fmt: skip
        assert release.engine == name
        found.append(target.read_bytes())
    return found


ODD = ["", " 12.5 ", "abc", "1e1", "-3", "NA", "9007199254740993", "0x10", "1.", ".5", "inf", "٣"]
LINES = ["id,näme,bmi,smokes,day,z"] + [
    f"{i},n{i % 7} x,{ODD[i % 12] if i % 5 else i / 100},{('yes', 'no', '', 'zz')[i % 4]},"
    f"2024-0{i % 9 + 1}-11,{-i}.50"
    for i in range(600)
]
PLANS: dict[str, dict[Any, cdp.ColumnPlan]] = {
    "a number": {"bmi": X},
    "whole ones, kept": {
        2: cdp.ColumnPlan(
            inputs=(10, 70), epsilon=1, kind="whole", missing="keep", missing_as="none"
        )
    },
    "rows dropped": {"bmi": cdp.ColumnPlan(inputs=(10, 70), epsilon=1, missing="drop")},
    "categories": {"smokes": cdp.ColumnPlan(epsilon=1, kind="category", categories=["yes", "no"])},
    "dates": {
        "day": cdp.ColumnPlan(
            inputs=("2024-01-01", "2024-12-31"), epsilon=1, kind="date", format=cdp.DateFormat()
        ),
        "bmi": X,
    },
}


@pytest.mark.parametrize("name", PLANS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_plain_files_are_written_as_the_own_engine_writes_them(
    name: str, end: str, tmp_path: Path
) -> None:
    for last in ("", end):
        data = (end.join(LINES) + last).encode()
        with patch.object(engine, "_ROWS", 100):
            one, other = files_of(tmp_path, data, PLANS[name], processes=2)
        assert one == other
        assert one != data


@pytest.mark.parametrize("rows", [1, 2, 3, 100])
@pytest.mark.parametrize("last", ["", "\n"])
@pytest.mark.parametrize("gone", ["4,", "4,\n5,", "4,\n5,\n6,7", "4,3\n5,"])
def test_last_rows_that_are_dropped_take_their_line_ends(
    last: str, gone: str, rows: int, tmp_path: Path
) -> None:
    dropped = {"x": cdp.ColumnPlan(inputs=(10, 70), epsilon=1, missing="drop")}
    data = f"a,x\n1,20\n2,30\n3,\n{gone}{last}".encode()
    with patch.object(engine, "_ROWS", rows):
        one, other = files_of(tmp_path, data, dropped)
    assert one == other


def test_numbers_with_exponents_are_no_formulas(tmp_path: Path) -> None:
    data = b"a,x\n-1.5e3,1\n+2E-7,2\n-3e+10,3\n"
    one, other = files_of(tmp_path, data, {"x": X})
    assert one == other
    assert b"\n-1.5e3," in one
    for cell in (b"-1.5e", b"+2E-", b"-e3"):  # which are text
        (tmp_path / "in.csv").write_bytes(b"a,x\n1,2\n" + cell + b",3\n")
        with pytest.raises(NotPlainError, match="formula"):
            privatize_file(tmp_path / "in.csv", tmp_path / "o.csv", {"x": X}, engine="polars")


@pytest.mark.parametrize(
    ("data", "options"),
    [
        (b"a;x;c\n1;2,5;=1\n2;;-\n", {"guard_formulas": False}),
        (b"a\tx\tc\n1\t2.5\t-1.5\n2\t\t\n", {}),
        (b"u,11,c\nv,12,d\n", {"reading": {"header": False}}),
        (b"a,x,c\n1,2,3\n\xe2\x82\xac,50, b \n", {"omit": ["c"]}),
        (b"a,x,c\n1,2,3\n4,5,6\n", {"omit": [0]}),
        (b"a,x,c\n#1,2,3\n#4,5,6\n", {}),
        (b"a,x,c\n1,2,3\n4,5,6\n", {"answered": 1}),
    ],
    ids=["semicolons", "tabs", "no names", "omitted", "first omitted", "marks", "answered"],
)
def test_layouts_that_are_plain(data: bytes, options: Any, tmp_path: Path) -> None:
    plans = {1: X, 0: X} if "answered" in options else {1: X}
    one, other = files_of(tmp_path, data, plans, **options)
    assert one == other


NOT_PLAIN: dict[str, tuple[bytes, str, int | None]] = {
    "quotes": (b'a,x\n1,2\n"b",3\n', "stand in quotes", 3),
    "mixed line ends": (b"a,x\n1,2\r\n3,4\n", "line ends differ", 2),
    "a lone return": (b"a,x\r\n1,2\r\n3,4\n", "line ends differ", 3),
    "blank lines": (b"a,x\n1,2\n\n3,4\n", "blank lines", None),
    "titles": (b"Title\na,x\n1,2\n3,4\n", "above the names", None),
    "one column": (b"x\n1\n2\n", "one column", None),
    "another encoding": (b"a,x\n\xe4\xf6,2\n\xfc,3\n", "encoding", None),
    "a byte order mark": (b"\xef\xbb\xbfa,x\n1,2\n", "byte order mark", None),
    "a formula": (b"a,x\n1,2\n=1+1,3\n", "formula", 3),
    "a formula that looks like a number": (b"x,a\n1,2\n3,-2x\n", "formula", 3),
}


@pytest.mark.parametrize("name", NOT_PLAIN)
def test_what_is_not_plain_is_refused_before_anything_is_changed(name: str, tmp_path: Path) -> None:
    data, words, line = NOT_PLAIN[name]
    source, target = tmp_path / "in.csv", tmp_path / "out.csv"
    source.write_bytes(data)
    reading = {"skip_lines": 1} if name == "titles" else {}
    with pytest.raises(NotPlainError, match=words) as refused:
        privatize_file(source, target, {"x": X}, engine="polars", reading=reading)
    assert refused.value.line == line
    assert "engine='own'" in str(refused.value)
    assert [each.name for each in tmp_path.iterdir()] == ["in.csv"]
    assert privatize_file(source, target, {"x": X}, reading=reading).rows


def test_cells_that_need_quotes_are_refused(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes(b"a,x\n1,yes\n2,no\n")
    plan = cdp.ColumnPlan(epsilon=1, kind="category", categories=["yes", "no, thanks"])
    with pytest.raises(NotPlainError, match="needs quotes"):
        privatize_file(tmp_path / "in.csv", tmp_path / "out.csv", {"x": plan}, engine="polars")


def test_packed_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes(gzip.compress(b"a,x\n1,2\n"))
    with pytest.raises(NotPlainError, match="packed"):
        privatize_file(tmp_path / "in.csv", tmp_path / "out.csv", {"x": X}, engine="polars")


def lazy() -> pl.LazyFrame:
    rows = 300
    return pl.LazyFrame(
        {
            "x": [20.0, None, 60.0] * (rows // 3),
            "l": [[1], None, []] * (rows // 3),
            "e": pl.Series(["a", "b", None] * (rows // 3), dtype=pl.Enum(["a", "b"])),
        }
    )


def released(path: Path, data: pl.LazyFrame | None = None, **options: Any) -> Any:
    return cdp.privatize(lazy() if data is None else data, {"x": X}, path=path, **options)


@pytest.mark.parametrize("rows", [7, 100, 1000])
def test_a_lazy_frame_is_written_as_the_eager_one_is_given_back(rows: int, tmp_path: Path) -> None:
    with patch("compdp_core.engines.typed_release.BATCH_ROWS", rows):
        release = released(tmp_path / "x.parquet", source=OneWord())
    made = pl.read_parquet(tmp_path / "x.parquet")
    eager = cdp.privatize(lazy().collect(), {"x": X}, source=OneWord())
    assert made["x"].to_list() == eager.frame["x"].to_list()
    assert made["l"].to_list() == lazy().collect()["l"].to_list()
    assert made["e"].cast(pl.String).to_list() == lazy().collect()["e"].to_list()
    assert (release.rows, release.engine, release.keyed) == (300, "polars", False)
    assert release.card["privacy"] == eager.card["privacy"]


def test_estimates_take_what_was_written(tmp_path: Path) -> None:
    release = released(tmp_path / "x.parquet", lazy().select("x"), source=SeededSource(2))
    both: list[Any] = [tmp_path / "x.parquet", pl.read_parquet(tmp_path / "x.parquet")]
    for data in both:
        assert cdp.Estimates(data, release.card).received.rows == 300


@pytest.mark.parametrize("kind", ["arrow", "csv", "jsonl"])
def test_other_kinds_of_files_hold_the_same(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.{kind}"
    cdp.privatize(lazy().select("x"), {"x": X}, path=path, source=OneWord())
    read: dict[str, Callable[..., Any]] = {
        "arrow": pl.read_ipc, "csv": pl.read_csv, "jsonl": pl.read_ndjson
    }  # fmt: skip
    eager = cdp.privatize(lazy().collect(), {"x": X}, source=OneWord())
    assert read[kind](path)["x"].to_list() == eager.frame["x"].to_list()


class Counted:
    """How many values were drawn."""

    def __init__(self) -> None:
        self.values, self._draw = 0, CompositeMechanism.draw

    def __call__(self, mechanism: CompositeMechanism, values: Any, source: Any) -> Any:
        self.values += len(values)
        return self._draw(mechanism, values, source)


def drawn_by(run: Callable[[], object]) -> int:
    counted = Counted()

    def draw(mechanism: CompositeMechanism, values: Any, source: Any) -> Any:
        return counted(mechanism, values, source)

    with patch.object(CompositeMechanism, "draw", draw):
        run()
    return counted.values


def test_every_row_is_drawn_once_however_often_polars_computes(tmp_path: Path) -> None:
    """A twin that draws within the plan draws again for each time that the plan is computed."""
    seen = []

    def looked(part: pl.DataFrame) -> pl.DataFrame:
        seen.append(part.height)
        return part

    data = lazy().map_batches(looked)
    ledger = cdp.Ledger(limit=1)
    assert drawn_by(lambda: released(tmp_path / "x.parquet", data, ledger=ledger)) == 300
    assert sum(seen) > 300  # it was computed more than once
    mechanism = cdp.CompositeMechanism(epsilon=1.0, inputs=(10, 70))

    def twin(part: pl.DataFrame) -> pl.DataFrame:
        values = mechanism.draw(part["x"].fill_null(40).to_numpy(), SeededSource(1))
        return part.with_columns(x=pl.Series(values))

    inside = lazy().map_batches(twin)
    assert drawn_by(lambda: [inside.collect(), inside.collect()]) == 600


def test_a_ledger_is_charged_for_a_lazy_frame_and_knows_its_cells(tmp_path: Path) -> None:
    ledger = released(tmp_path / "x.parquet", ledger=cdp.Ledger(limit=1)).ledger
    before = (tmp_path / "x.parquet").read_bytes()
    with pytest.raises(BudgetExceededError):
        released(tmp_path / "x.parquet", ledger=ledger)
    assert (tmp_path / "x.parquet").read_bytes() == before
    other = lazy().with_columns(pl.col("x") + 1)
    assert released(tmp_path / "y.parquet", other, ledger=ledger).ledger.entries


def test_a_run_that_breaks_leaves_no_file_and_says_nothing_of_a_cell(tmp_path: Path) -> None:
    def broken(part: pl.DataFrame) -> pl.DataFrame:
        if part.height == 300:
            raise pl.exceptions.ComputeError("could not read 'private'")
        return part

    data = lazy().map_batches(broken, slice_pushdown=True, schema=lazy().collect_schema())
    with pytest.raises(CompdpError) as refused:
        released(tmp_path / "x.parquet", data.filter(pl.col("x").is_null() | True))
    assert "private" not in str(refused.value)
    assert not list(tmp_path.iterdir())


def test_a_disk_that_is_full_keeps_the_charge_and_no_file(tmp_path: Path) -> None:
    with (
        patch("compdp_core.tables.file_replacement.os.fsync", side_effect=OSError(28, "No space")),
        pytest.raises(BrokenRunError, match="No space") as broken,
    ):
        released(tmp_path / "x.parquet", ledger=cdp.Ledger(limit=1))
    assert broken.value.ledger is not None
    assert broken.value.ledger.entries
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "path must be named for a lazy frame"),
        ({"path": "x.xlsx"}, "must end with one of"),
        ({"path": "x.csv"}, "nested"),
        ({"path": "x.parquet", "person": cdp.Person("id", at_most=2)}, "collect"),
        ({"path": "x.parquet", "omit": ["x"]}, "cannot be left out"),
        ({"path": "nowhere/x.parquet"}, "folder that is there"),
    ],
)
def test_what_a_lazy_frame_cannot_be_is_refused(options: Any, words: str, tmp_path: Path) -> None:
    if "path" in options:
        options = {**options, "path": tmp_path / options["path"]}
    with pytest.raises(CompdpError, match=words):
        cdp.privatize(lazy(), {"x": X}, **options)
    assert not list(tmp_path.iterdir())


def test_path_and_omit_are_for_lazy_frames_alone() -> None:
    frame: Any = lazy().collect()
    with pytest.raises(ParameterError, match="lazy frame"):
        cdp.privatize(frame, {"x": X}, path="x.parquet")
    with pytest.raises(ParameterError, match="csv"):
        cdp.privatize(frame, {"x": X}, omit=["l"])


def test_columns_of_a_lazy_frame_are_left_out(tmp_path: Path) -> None:
    release = released(tmp_path / "x.parquet", omit=["l"])
    assert [*pl.read_parquet_schema(tmp_path / "x.parquet")] == ["x", "e"]
    assert release.gone == {1}


def test_a_parquet_file_keeps_types_and_notes(tmp_path: Path) -> None:
    cells = (
        lazy()
        .collect()
        .to_arrow()
        .drop(["e"])
        .append_column("spans", pa.array([b"\0", None, b"x"] * 100, pa.large_binary()))
    )
    cells = cells.replace_schema_metadata({"made": "by me"})
    parquet.write_table(cells, tmp_path / "in.parquet", row_group_size=70)
    ledger = cdp.Ledger(limit=1)
    release = privatize_file(
        tmp_path / "in.parquet", tmp_path / "out.parquet", {"x": X}, engine="polars", ledger=ledger
    )
    made = parquet.read_table(tmp_path / "out.parquet")
    assert made.schema.metadata[b"made"] == b"by me"
    assert made.schema.types == cells.schema.types
    assert made.drop(["x"]).equals(cells.drop(["x"]))
    assert made["x"].to_pylist() != cells["x"].to_pylist()
    assert (release.rows, release.engine) == (300, "polars")
    with pytest.raises(BudgetExceededError):
        privatize_file(
            tmp_path / "in.parquet", tmp_path / "again.parquet", {"x": X}, engine="polars",
            ledger=release.ledger,
        )  # fmt: skip


def test_a_parquet_file_that_changes_is_not_written(tmp_path: Path) -> None:
    lazy().collect().write_parquet(tmp_path / "in.parquet")

    def changed(share: float) -> None:
        lazy().tail(20).collect().write_parquet(tmp_path / "in.parquet")

    with pytest.raises(BrokenRunError, match="changed"):
        privatize_file(
            tmp_path / "in.parquet", tmp_path / "out.parquet", {"x": X}, engine="polars",
            progress=changed,
        )  # fmt: skip
    assert [each.name for each in tmp_path.iterdir()] == ["in.parquet"]
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(CompdpError, match="cannot be read"):
        privatize_file(tmp_path / "bad.parquet", tmp_path / "o", {"x": X}, engine="polars")


WITHOUT = """
import sys, pathlib
sys.modules["polars"] = None  # what is not installed
import compdp_core as cdp
from compdp_core.engines.files import privatize_file
here = pathlib.Path(sys.argv[1])
(here / "in.csv").write_bytes(b"a,x\\n1,20\\n")
plans = {"x": cdp.ColumnPlan(inputs=(10, 70), epsilon=1)}
privatize_file(here / "in.csv", here / "own.csv", plans)
try:
    privatize_file(here / "in.csv", here / "out.csv", plans, engine="polars")
except cdp.errors.ParameterError as error:
    sys.exit("pip install 'composite-dp[polars]'" not in str(error))
sys.exit(1)
"""


def test_without_polars_the_engine_says_how_to_get_it(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT, str(tmp_path)], check=False)
    assert done.returncode == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["in.csv", "own.csv"]
