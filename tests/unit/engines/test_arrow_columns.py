"""Typed columns: read as the same columns of a frame in memory are, and given back with types that
plan and schema decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import compdp_core as cdp
from compdp_core.engines.arrow_reading import numbers_of
from compdp_core.engines.arrow_types import check_type, placed_by_type
from compdp_core.engines.arrow_writing import released_array, released_type
from compdp_core.engines.batch_plan import certified_columns
from compdp_core.errors import ParameterError
from compdp_core.release import ColumnPlan, Plan
from compdp_core.report.frames import as_listed
from compdp_core.tables import Table
from compdp_core.tables.sources import as_table, in_memory
from compdp_core.tables.value_formats import Classes

NUMBER = ColumnPlan(0, inputs=(0, 100), epsilon=1)
WHOLE = replace(NUMBER, kind="whole")
LISTED = ColumnPlan(0, epsilon=1, kind="category", categories=["1", "2", "yes"])
FLAGS = [
    replace(
        LISTED, categories=ColumnPlan(0, epsilon=1, kind="category", categories=each).categories
    )
    for each in (["True", "False"], ["true", "false"], ["True", "true"], ["1", "0"])
]
SCALE = ColumnPlan(0, epsilon=1, kind="scale", categories=["1", "2", "3"])
CLASSES = replace(NUMBER, format=Classes())
ENDS: Any = ("2024-01-01", "2024-12-31")
DAY = ColumnPlan(0, inputs=ENDS, epsilon=1, kind="date", format=cdp.DateFormat())
MOMENT = ColumnPlan(0, inputs=ENDS, epsilon=1, kind="datetime", format=cdp.DateTimeFormat())
ZONED = replace(MOMENT, format=cdp.DateTimeFormat("%Y-%m-%d %H:%M:%SZ"))
MILLIS = ColumnPlan(
    0,
    inputs=ENDS,
    epsilon=1,
    kind="datetime",
    format=cdp.DateTimeFormat("%Y-%m-%d %H:%M:%S.%3f"),
)
SPAN = ColumnPlan(
    0, inputs=("0:00:00", "9:00:00"), epsilon=1, kind="duration", format=cdp.DurationFormat()
)
CLOCK = ColumnPlan(
    0,
    inputs=("10:00", "12:00"),
    outputs=("0:00", "23:59"),
    epsilon=20,
    kind="time",
    format=cdp.TimeFormat("%H:%M"),
)

NUMBERS = [1.0, None, float("nan"), float("inf"), 0.1, -7.5]
SOME_DAYS = [date(2024, 5, 1), None, date(1890, 1, 1), date(2024, 2, 29)]
MIDNIGHT, NOON, LATER = map(
    datetime.fromisoformat, ("2024-05-01", "2024-05-01T12:00:00", "2024-05-01T12:00:00.500")
)
TIMES = [NOON, None, LATER]
ZONED_TIMES = [each and each.replace(tzinfo=UTC) for each in TIMES]
TEXTS = ["1", None, " 2 ", "yes", "no", "", "NA", "2.0"]

READ_ALIKE: list[tuple[ColumnPlan, Sequence[Any], pa.DataType]] = [
    (NUMBER, NUMBERS, pa.float64()),
    (NUMBER, NUMBERS, pa.float32()),
    (NUMBER, [1, None, 2**53, 2**53 + 2, -(2**60)], pa.int64()),
    (NUMBER, [1, None, 250], pa.uint8()),
    (NUMBER, [Decimal("0.10"), None, Decimal("-7.25"), Decimal("99.99")], pa.decimal128(10, 2)),
    (LISTED, TEXTS, pa.string()),
    (LISTED, TEXTS, pa.large_string()),
    (LISTED, TEXTS, pa.string_view()),
    (LISTED, [1, None, 2, 3], pa.int32()),
    (LISTED, [1.0, None, 2.0, 2.5, float("nan")], pa.float64()),
    *((plan, [True, None, False], pa.bool_()) for plan in [NUMBER, DAY, *FLAGS]),
    *((plan, [True, True, False], pa.bool_()) for plan in [NUMBER, *FLAGS]),
    (SCALE, ["1", None, "3", "4"], pa.string()),
    (SCALE, [1, None, 3, 4], pa.int16()),
    (CLASSES, ["10-19", None, "65+", "7", "many"], pa.string()),
    (DAY, SOME_DAYS, pa.date32()),
    (DAY, SOME_DAYS, pa.date64()),
    (DAY, ["2024-05-01", None, "1.5.2024", " 2024-02-29 "], pa.string()),
    (DAY, [MIDNIGHT, None, NOON], pa.timestamp("us")),
    (MOMENT, TIMES, pa.timestamp("us")),
    (MOMENT, TIMES, pa.timestamp("ns")),
    (MOMENT, TIMES[:2], pa.timestamp("s")),
    (MILLIS, TIMES, pa.timestamp("us")),
    (MOMENT, ["2024-05-01 12:00:00", None, "2024-05-01"], pa.string()),
    (ZONED, ZONED_TIMES, pa.timestamp("us", "UTC")),
    (ZONED, ZONED_TIMES, pa.timestamp("us", "Europe/Berlin")),
    (SPAN, [timedelta(hours=1), None, timedelta(seconds=0.5), timedelta(-1)], pa.duration("us")),
    (SPAN, ["1:00:00", None, "1 hour"], pa.string()),
    (CLOCK, ["11:30", None, "11h"], pa.string()),
]


def array_of(cells: Sequence[Any], kind: pa.DataType) -> pa.Array:
    return pa.array(cells, kind)


def in_memory_reading(plan: ColumnPlan, column: pa.Array) -> Any:
    """What the release of the same column in memory reads."""
    beside = pa.array(["x"] * len(column))
    frame = in_memory(pa.table({"cells": column, "beside": beside}))
    assert not isinstance(frame, Table)
    table = as_table(as_listed(frame, [plan]), [0] if plan.reads_numbers else [])
    return plan.placed(table, 0).read(table)


@pytest.mark.parametrize(("plan", "cells", "kind"), READ_ALIKE)
def test_cells_are_read_as_in_memory(
    plan: ColumnPlan, cells: Sequence[Any], kind: pa.DataType
) -> None:
    column = array_of(cells, kind)
    check_type(plan, "cells", kind)
    found, expected = numbers_of(plan, column), in_memory_reading(plan, column)
    np.testing.assert_array_equal(found.values, expected.values)
    np.testing.assert_array_equal(found.missing, expected.missing)
    part = numbers_of(plan, column.slice(1, len(column) - 2))
    np.testing.assert_array_equal(part.values, expected.values[1:-1])


def test_flags_are_found_in_a_list_in_small_letters_too() -> None:
    column = pa.array([True, None, False])
    for plan in FLAGS[:2]:
        assert numbers_of(plan, column).values[[0, 2]].tolist() == [0, 1]
    assert np.isnan(numbers_of(FLAGS[3], column).values).all()  # which numbers name, not flags


def test_texts_of_numbers_are_read_as_those_of_a_file() -> None:
    cells = ["1,5", None, " 2 ", "x", "NA", "9007199254740995", "1e3", "", "٣"]
    plan = replace(NUMBER, decimal=",")
    lines = "\n".join(["a;b", *(f'"{cell or ""}";x' for cell in cells), ""])
    table = cdp.read_csv(lines.encode(), separator=";", decimal=",")
    expected = plan.read(table).values
    np.testing.assert_array_equal(numbers_of(plan, pa.array(cells)).values, expected)
    assert expected[[0, 2]].tolist() == [1.5, 2.0]
    assert np.isnan(expected[[1, 3, 4, 5, 7]]).all()


@pytest.mark.parametrize(
    "cells",
    [
        [Decimal("0.1"), Decimal("123456789.123456789"), None, Decimal("-0.3")],
        [Decimal("98765432109876543210.123456789"), None, Decimal("0.1")],
    ],
)
def test_decimals_are_the_nearest_doubles(cells: list[Decimal | None]) -> None:
    column = pa.array(cells, pa.decimal128(38, 9))
    expected = [float("nan") if cell is None else float(cell) for cell in cells]
    np.testing.assert_array_equal(numbers_of(NUMBER, column).values, expected)


TYPED: list[tuple[ColumnPlan, pa.DataType, pa.DataType]] = [
    (NUMBER, pa.float64(), pa.float64()),
    (NUMBER, pa.int32(), pa.float64()),
    (NUMBER, pa.string(), pa.float64()),
    (NUMBER, pa.decimal128(10, 2), pa.float64()),
    (NUMBER, pa.bool_(), pa.float64()),
    (WHOLE, pa.bool_(), pa.int64()),
    (LISTED, pa.bool_(), pa.string()),
    (WHOLE, pa.float64(), pa.int64()),
    (SCALE, pa.string(), pa.int64()),
    (LISTED, pa.int32(), pa.string()),
    (LISTED, pa.large_string(), pa.large_string()),
    (LISTED, pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.int32(), pa.string())),
    (LISTED, pa.null(), pa.string()),
    (DAY, pa.date32(), pa.date32()),
    (DAY, pa.string(), pa.string()),
    (DAY, pa.timestamp("us"), pa.timestamp("us")),
    (MOMENT, pa.date32(), pa.timestamp("us")),
    (MOMENT, pa.timestamp("ns"), pa.timestamp("ns")),
    (MILLIS, pa.timestamp("s"), pa.timestamp("us")),
    (ZONED, pa.timestamp("us", "Europe/Berlin"), pa.timestamp("us", "Europe/Berlin")),
    (SPAN, pa.duration("us"), pa.duration("us")),
    (CLOCK, pa.time32("s"), pa.time32("s")),
    (CLOCK, pa.time64("ns"), pa.time64("ns")),
    (CLOCK, pa.string(), pa.string()),
]


@pytest.mark.parametrize(("plan", "before", "after"), TYPED)
def test_plan_and_type_decide_the_released_type(
    plan: ColumnPlan, before: pa.DataType, after: pa.DataType
) -> None:
    (column,) = certified_columns(Plan((plan,)), ["cells"])
    assert released_type(column, before) == after
    some = column.mechanism.draw(np.full(3, 0.0 if plan.is_category else 1.0), Zeros())
    for values in (some, np.array([some[0], np.nan, some[2]]), np.full(3, np.nan), some[:0]):
        made = released_array(column, values, after)
        assert made.type == after
        assert made.is_valid().to_pylist() == (~np.isnan(values)).tolist()
        # What was written is what was drawn.
        if plan.is_category:
            names = plan.categories.names if plan.categories else ()
            known = [None if v != v else names[int(v)] for v in values.tolist()]
            assert made.to_pylist() == known
        elif plan.is_written:
            np.testing.assert_array_equal(numbers_of(plan, made).values, values)
        else:
            assert made.to_pylist() == [None if v != v else v for v in values.tolist()]


class Zeros:
    """Words that draw the same for every value."""

    def words(self, count: int) -> Any:
        return np.full(count, 2**62, dtype=np.uint64)


def test_times_that_no_clock_shows_are_texts() -> None:
    plan = replace(CLOCK, outputs=None, epsilon=Fraction(1, 10))
    (column,) = certified_columns(Plan((plan,)), ["cells"])
    assert released_type(column, pa.time64("us")) == pa.string()


@pytest.mark.parametrize(
    ("plan", "kind", "told"),
    [
        (NUMBER, pa.timestamp("us"), "numbers, or texts of numbers"),
        (NUMBER, pa.list_(pa.float64()), "numbers, or texts of numbers"),
        (LISTED, pa.list_(pa.string()), "texts or numbers: cast it first"),
        (DAY, pa.time64("us"), "dates"),
        (CLOCK, pa.date32(), "times"),
        (SPAN, pa.timestamp("us"), "durations"),
        (DAY, pa.timestamp("us", "UTC"), "no time zone"),
        (MOMENT, pa.timestamp("us", "UTC"), "no time zone"),
    ],
)
def test_types_that_a_plan_cannot_read_are_refused(
    plan: ColumnPlan, kind: pa.DataType, told: str
) -> None:
    with pytest.raises(ParameterError, match=told):
        check_type(plan, "cells", kind)


def test_what_is_left_to_the_column_is_that_of_its_type() -> None:
    days = ColumnPlan(inputs=ENDS, epsilon=1, kind="date")
    moments = ColumnPlan(inputs=ENDS, epsilon=1, kind="datetime")
    assert placed_by_type(days, 3, "d", pa.date32()) == replace(DAY, position=3)
    assert placed_by_type(moments, 0, "m", pa.timestamp("s")) == MOMENT
    assert placed_by_type(moments, 0, "m", pa.timestamp("s", "UTC")) == ZONED
    for unit in ("ms", "us", "ns"):  # no part of a second is missing
        for zone in (None, "UTC"):
            fine = placed_by_type(moments, 0, "m", pa.timestamp(unit, zone))
            cells = pa.array([LATER if zone is None else LATER.replace(tzinfo=UTC)])
            read = numbers_of(fine, cells.cast(pa.timestamp(unit, zone)))
            assert fine.format is not None
            assert read.values * fine.format.step == LATER.replace(tzinfo=UTC).timestamp()
    number = placed_by_type(replace(NUMBER, position=-1), 2, "n", pa.float64())
    assert (number.position, number.decimal, number.digits) == (2, ".", "0")
    with pytest.raises(ParameterError, match="must be said of column d"):
        placed_by_type(days, 0, "d", pa.string())
