"""Releases of Polars frames: read as other frames of the same cells are, and given back so."""

from __future__ import annotations

import datetime as dt
import math
import subprocess
import sys
from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest

import compdp_core as cdp
from compdp_core.randomness import SeededSource

X = cdp.ColumnPlan(inputs=(0, 10), epsilon=1)
WHOLE = cdp.ColumnPlan(inputs=(0, 10), epsilon=1, kind="whole", missing="keep")
LISTED = {"yes": ["yes", "y"], "no": ["no"], "other": []}
MOMENT = dt.datetime.fromisoformat("2024-03-01 12:00:00")
YEAR = ("2024-01-01 00:00:00", "2024-12-31 00:00:00")


def drawn(data: Any, plans: dict[Any, cdp.ColumnPlan], **options: Any) -> Any:
    return cdp.privatize(data, plans, source=SeededSource(3), **options)


def frame() -> pl.DataFrame:
    return pl.DataFrame(
        {
            "lists": [[1, 2], None, []],
            "records": [{"a": 1, "b": ["x"]}, None, {"a": None, "b": []}],
            "x": [0.1, None, math.nan],
            "arrays": pl.Series([[1, 2], None, [3, 4]], dtype=pl.Array(pl.Int8, 2)),
            "bytes": [b"\0\xff", None, b""],
            "large": pl.Series([2**100, None, -1], dtype=pl.Int128),
            "any": pl.Series([object(), None, {1, 2}], dtype=pl.Object),
            "exact": [Decimal("1.10"), None, Decimal(0)],
            "enum": pl.Series(["a", None, "b"], dtype=pl.Enum(["b", "a"])),
            "listed": pl.Series(["a", None, "b"], dtype=pl.Categorical),
            "single": pl.Series([0.1, None, math.nan], dtype=pl.Float32),
            "half": pl.Series([0.5, None, 1], dtype=pl.Float16),
            "when": pl.Series([MOMENT] * 3).dt.replace_time_zone("Europe/Berlin"),
            "clock": [dt.time(1, 2, 3, 4), None, dt.time(0)],
            "none": pl.Series([None] * 3),
        }
    )


def cells(data: pl.DataFrame) -> str:
    return repr([column.to_list() for column in data.get_columns()])


@pytest.mark.parametrize("missing", ["fill", "drop"])
def test_untouched_columns_are_the_same_of_whatever_dtype(missing: Any) -> None:
    data = frame()
    before = cells(data)
    plan = cdp.ColumnPlan(inputs=(0, 10), epsilon=1, missing=missing)
    release = drawn(data, {"x": plan})
    made = release.frame
    assert isinstance(made, pl.DataFrame)
    assert made.schema == data.schema
    kept = data if missing == "fill" else data.head(1)
    assert cells(made.drop("x")) == cells(kept.drop("x"))
    assert cells(data) == before
    assert release.frame.equals(made) or cells(release.frame) == cells(made)
    assert release.columns[0].missing == 2


def test_a_release_keeps_its_frame_whatever_becomes_of_it() -> None:
    data = pl.DataFrame({"x": [1.0, 2.0], "y": [3, 4]})
    release = drawn(data, {"x": X})
    data[0, "y"] = 77
    data.replace_column(1, pl.Series("z", [0, 0]))
    assert release.frame["y"].to_list() == [3, 4]


NUMBERS: list[tuple[Any, list[Any]]] = [
    *((each, [0.1, None, 7.5]) for each in (pl.Float64, pl.Float32, pl.Float16)),
    *(
        (each, [1, None, 120])
        for each in (
            pl.Int8, pl.Int16, pl.Int32, pl.Int64, pl.Int128,
            pl.UInt8, pl.UInt16, pl.UInt32, pl.UInt64, pl.UInt128,
        )
    ),
    (pl.UInt64, [2**64 - 1, None, 2**53 + 1]),
    (pl.Boolean, [True, None, False]),
    (pl.Decimal(10, 2), [Decimal("0.10"), None, Decimal("-7.25")]),
]  # fmt: skip


@pytest.mark.parametrize(("dtype", "values"), NUMBERS, ids=str)
def test_numbers_of_every_dtype_are_the_nearest_floats(dtype: Any, values: list[Any]) -> None:
    given = pl.Series("x", values, dtype=dtype)
    plain = [None if cell is None else float(cell) for cell in given.to_list()]
    wide = {"x": cdp.ColumnPlan(inputs=(-10, 1e6), epsilon=1, missing="keep")}
    one, other = (drawn(pl.DataFrame({"x": each}), wide) for each in (given, plain))
    assert one.frame["x"].dtype == pl.Float64
    assert one.frame["x"].to_list() == other.frame["x"].to_list()
    assert one.frame["x"].null_count() == 1
    whole = drawn(pl.DataFrame({"x": given}), {"x": WHOLE}).frame["x"]
    assert (whole.dtype, whole.null_count()) == (pl.Int64, 1)


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Enum(["zzz", "y", "no"])])
def test_categories_are_those_of_the_plan_in_the_dtype_of_the_column(dtype: Any) -> None:
    plan = cdp.ColumnPlan(epsilon=50, kind="category", categories=LISTED, missing="keep")
    data = pl.DataFrame({"x": pl.Series(["y", "no", None, "zzz"], dtype=dtype)})
    made = drawn(data, {"x": plan}).frame["x"]
    assert made.to_list() == ["yes", "no", None, "other"]
    assert made.dtype == (pl.Enum([*LISTED]) if isinstance(dtype, pl.Enum) else dtype)


@pytest.mark.parametrize("dtype", [pl.Float64, pl.Int32, pl.String])
def test_numbers_are_found_in_a_list_whatever_is_missing_beside(dtype: Any) -> None:
    plan = cdp.ColumnPlan(epsilon=50, kind="category", categories=["1", "2"], missing="keep")
    data = pl.DataFrame({"x": pl.Series([1, 2, None, 3]).cast(dtype)})
    assert drawn(data, {"x": plan}).frame["x"].to_list() == ["1", "2", None, None]


TIMES: list[tuple[Any, str, Any, Any]] = [
    (pl.Date, "date", ("2024-01-01", "2024-12-31"), dt.date(2024, 3, 1)),
    *(
        (pl.Datetime(unit, zone), "datetime", YEAR, MOMENT)
        for unit in ("ms", "us", "ns")
        for zone in (None, "UTC", "Europe/Berlin")
    ),
    *((pl.Duration(unit), "duration", (0, 7200), dt.timedelta(hours=1)) for unit in ("ms", "ns")),
    (pl.Time, "time", ("09:00:00", "15:00:00"), dt.time(12, 0, 1)),
]  # fmt: skip


@pytest.mark.parametrize(("dtype", "kind", "inputs", "value"), TIMES, ids=str)
def test_dates_and_times_stay_what_they_were_and_say_what_the_file_says(
    dtype: Any, kind: Any, inputs: Any, value: Any
) -> None:
    given, zone = pl.Series("x", [value, None, value]), getattr(dtype, "time_zone", None)
    given = given.cast(dtype) if zone is None else given.dt.replace_time_zone(zone).cast(dtype)
    data = pl.DataFrame({"x": given})
    outputs = ("00:00:00", "23:59:59") if kind == "time" else None
    plan = cdp.ColumnPlan(inputs=inputs, outputs=outputs, epsilon=5, kind=kind, missing="keep")
    release = drawn(data, {"x": plan})
    made = release.frame
    assert made.schema == data.schema
    assert made["x"].is_null().to_list() == [False, True, False]
    written = cdp.read_csv(release.csv(guard_formulas=False), blank_lines="missing")
    assert np.array_equal(
        release.columns[0].plan.read(written).values, release.columns[0].values, equal_nan=True
    )
    again = cdp.Estimates(made, release.card).received.columns[0].values
    assert np.array_equal(again, release.columns[0].values, equal_nan=True)


def test_how_a_frame_is_chunked_says_nothing() -> None:
    data = pl.DataFrame({"x": [1.0, 2.0, None, 4.0], "y": ["a", "b", None, "d"]})
    parts = pl.concat([data[:1], data[1:1], data[1:]], rechunk=False)
    assert parts.n_chunks() > 1
    one, other = (drawn(each, {"x": X}) for each in (data, parts))
    assert one.frame.equals(other.frame)
    assert one.csv() == other.csv()


def test_estimates_answers_and_persons_take_a_frame() -> None:
    """Seeded, so the same each time: the rate of false alarms is below 1e-60."""
    data = pl.DataFrame({"id": [1, 1, 1, 2] * 50, "x": [1.0, 2, 3, 4] * 50})
    release = drawn(data, {"x": X}, person=cdp.Person("id", at_most=60))
    assert release.frame.height == 110
    mine = cdp.Estimates(release.frame, release.card).mean("x")
    assert mine == cdp.Estimates(release.csv(), release.card).mean("x")
    query = cdp.Query("sum", "x", bounds=(0, 10))
    one, other = (
        cdp.answer(query, each, epsilon=1, source=SeededSource(1)).value
        for each in (data, data.to_pandas())
    )
    assert one == other


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (frame().select("x").lazy(), "collect"),
        (frame()["x"], "to_frame"),
        (np.zeros(3), "name its columns"),
        ([1, 2], "make a frame of it"),
        ({"x": [1]}, "make a frame of it"),
    ],
)
def test_what_is_no_frame_is_refused_with_the_way_to_one(data: Any, words: str) -> None:
    with pytest.raises(cdp.errors.ParameterError, match=words) as refused:
        cdp.answer(cdp.Query("sum", "x", bounds=(0, 1)), data, epsilon=1)
    assert "Table of read_csv, a pandas or Polars DataFrame, or a PyArrow Table" in str(refused)


@pytest.mark.parametrize(
    "package", ["duckdb", "ibis.expr", "dask.dataframe", "modin.pandas", "cudf"]
)
def test_frames_of_other_libraries_are_told_how_to_become_one(package: str) -> None:
    other = type("Other", (), {"__module__": package})()
    with pytest.raises(cdp.errors.ParameterError, match=r"take its \.\w+"):
        cdp.privatize(other, {"x": X})


WITHOUT = """
import sys
sys.modules["polars"] = None  # what is not installed
import pandas as pd
import compdp_core as cdp
plan = cdp.ColumnPlan(inputs=(0, 10), epsilon=1)
release = cdp.privatize(pd.DataFrame({"x": [1.0, 2.0]}), {"x": plan})
assert len(release.frame) == 2
try:
    cdp.privatize([1], {"x": plan})
except cdp.errors.ParameterError:
    sys.exit(0)
sys.exit(1)
"""


def test_without_polars_everything_else_works() -> None:
    assert subprocess.run([sys.executable, "-c", WITHOUT], check=False).returncode == 0
