"""Releases of PyArrow tables: read as pandas frames of the same cells are, and given back so."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import compdp_core as cdp
from compdp_core.accounting import BudgetExceededError
from compdp_core.randomness import SeededSource
from compdp_core.tables.sources import as_table

ROWS = 12
X = cdp.ColumnPlan(inputs=(0, 10), epsilon=1)
NUMBERS = [0.1, None, 7, math.nan, 10, -3] * 2
ODD = {
    "lists": pa.array([[1, 2], None, []] * 4),
    "records": pa.array([{"a": 1, "b": "x,\n"}, None, {"a": None, "b": '"'}] * 4),
    "bytes": pa.array([b"\0\xff", None, b""] * 4),
    "pairs": pa.array([[("k", 1)], None, []] * 4, pa.map_(pa.string(), pa.int64())),
    "views": pa.array(["a", None, "b"] * 4, pa.string_view()),
    "numbered": pa.array(["a", None, "b"] * 4).dictionary_encode(),
    "runs": pa.RunEndEncodedArray.from_arrays([5, 12], ["x", None]),
    "names": pa.array([bytes(16), None, bytes(range(16))] * 4, pa.uuid()),
    "spans": pa.array([(1, 2, 3), None, (0, 0, 0)] * 4, pa.month_day_nano_interval()),
    "exact": pa.array([Decimal("1.10"), None, Decimal("-9.99")] * 4, pa.decimal128(5, 2)),
    "halves": pa.array([0.5, None, math.nan] * 4, pa.float16()),
    "clock": pa.array([dt.time(1, 2, 3), None, dt.time(0)] * 4, pa.time64("ns")),
    "none": pa.nulls(12),
}


def table(x: pa.Array | None = None) -> pa.Table:
    cells = pa.array(NUMBERS, pa.float64()) if x is None else x
    columns = dict(list(ODD.items())[:5]) | {"x": cells} | dict(list(ODD.items())[5:])
    return pa.table(columns).replace_schema_metadata({"made": "by me"})


def drawn(data: Any, plans: dict[Any, cdp.ColumnPlan], **options: Any) -> Any:
    return cdp.privatize(data, plans, source=SeededSource(3), **options)


def test_untouched_columns_are_the_same_of_whatever_type() -> None:
    data = table()
    made = drawn(data, {"x": X}).frame
    assert isinstance(made, pa.Table)
    assert made.column_names == data.column_names
    assert made.schema.metadata == {b"made": b"by me"}
    for name in ODD:
        assert made.schema.field(name) == data.schema.field(name)
        assert repr(made[name].to_pylist()) == repr(data[name].to_pylist())
    assert repr(data["x"].to_pylist()) == repr(table()["x"].to_pylist())


def test_columns_that_no_csv_holds_are_json_there() -> None:
    text = drawn(table(), {"x": X}).csv(guard_formulas=False)
    read = cdp.read_csv(text)
    at = {column.label: column.position for column in read.columns}
    assert read.texts(at["lists"])[:3] == ["[1, 2]", "", "[]"]
    assert read.texts(at["records"])[0] == '{"a": 1, "b": "x,\\n"}'
    assert read.texts(at["bytes"])[:3] == ["AP8=", "", ""]
    assert read.texts(at["pairs"])[0] == '[["k", 1]]'
    assert read.texts(at["runs"])[4:6] == ["x", ""]


CHOSEN: dict[str, tuple[Any, Any]] = {
    "left out": (table(), {"missing": "leave out"}),
    "without views and runs": (table().drop(["views", "runs", "spans"]), {"missing": "drop"}),
}


@pytest.mark.parametrize("name", CHOSEN)
def test_rows_left_out_are_left_out_of_every_column(name: str) -> None:
    data, options = CHOSEN[name]
    made = drawn(data, {"x": cdp.ColumnPlan(inputs=(0, 10), epsilon=1, **options)}).frame
    rows = [0, 2, 4, 5, 6, 8, 10, 11]
    for label in data.column_names:
        if label != "x":
            before = data[label].to_pylist()
            found = made[label].to_pylist()
            assert repr(found) == repr([before[row] for row in rows])
            assert made[label].type == data[label].type


@pytest.mark.parametrize(
    "form",
    [
        pa.float64(), pa.float32(), pa.float16(), pa.int8(), pa.uint64(), pa.bool_(),
        pa.decimal128(4, 1), pa.decimal256(40, 1), pa.decimal32(4, 1),
        pa.dictionary(pa.int8(), pa.float64()),
    ],
    ids=str,
)  # fmt: skip
def test_numbers_of_every_type_are_read_as_pandas_reads_them(form: Any) -> None:
    values: list[Any] = [0, 1, None, 1, 0, 1] * 2
    if pa.types.is_boolean(form):
        values = [None if value is None else bool(value) for value in values]
    if pa.types.is_floating(form) or "decimal" in str(form):
        values = [0.1, 3.3, None, 7.5, 2, 1] * 2
    if "decimal" in str(form):
        values = [None if value is None else Decimal(str(value)) for value in values]
    given = pa.array(values, form)
    plain = form.value_type if pa.types.is_dictionary(form) else form
    before = pa.array(values, plain).to_pandas()
    twin = drawn(pd.DataFrame({"x": before}), {"x": X})
    made = drawn(pa.table({"x": given}), {"x": X})
    assert made.frame["x"].type == pa.float64()
    assert made.frame["x"].to_pylist() == twin.frame["x"].tolist()
    assert made.columns[0].missing == twin.columns[0].missing == 2
    kept = cdp.ColumnPlan(inputs=(0, 10), epsilon=1, missing="keep", kind="whole")
    column = drawn(pa.table({"x": given}), {"x": kept}).frame["x"]
    assert (column.type, column.null_count) == (pa.int64(), 2)


def test_whole_numbers_beyond_floats_are_the_nearest_ones_with_gaps_too() -> None:
    cells = [2**64 - 1, 2**53 + 1, None]
    data = pa.table({"x": pa.array(cells, pa.uint64())})
    read = as_table(data, [0]).readings(0).values
    assert read[:2].tolist() == [float(2**64 - 1), float(2**53 + 1)]
    made = drawn(data.append_column("y", data["x"]), {"x": X})
    assert made.frame["y"].to_pylist() == cells
    assert made.csv().decode().splitlines()[1].endswith(f",{2**64 - 1}")


def test_how_a_column_is_chunked_says_nothing() -> None:
    data = table()
    parts = pa.concat_tables([data.slice(0, 1), data.slice(1, 0), data.slice(1, 6), data.slice(7)])
    assert parts["x"].num_chunks > 2
    one, other = (drawn(each, {"x": X}).frame for each in (data, parts))
    assert one["x"].to_pylist() == other["x"].to_pylist()
    assert drawn(data, {"x": X}).csv() == drawn(parts, {"x": X}).csv()


LISTED = {"yes": ["yes", "y"], "no": ["no"], "other": []}
TEXTS = (pa.string(), pa.large_string(), pa.string_view())


@pytest.mark.parametrize("form", TEXTS, ids=str)
def test_categories_stay_texts_of_their_type_or_places_in_a_list(form: Any) -> None:
    plan = cdp.ColumnPlan(epsilon=50, kind="category", categories=LISTED, missing="keep")
    cells = pa.array(["y", "no", None, "zzz"] * 3, form)
    made = drawn(pa.table({"x": cells}), {"x": plan}).frame["x"]
    assert made.type == form
    assert made.to_pylist() == ["yes", "no", None, "other"] * 3
    if not pa.types.is_string_view(form):
        listed = pa.DictionaryArray.from_arrays(
            pa.array([0, 1, None, 2] * 3, pa.int16()),
            pa.array(["y", "no", "zzz"], form),
            ordered=True,
        )
        again = drawn(pa.table({"x": listed}), {"x": plan}).frame["x"]
        assert again.type == pa.dictionary(pa.int16(), form, ordered=True)
        assert again.chunk(0).dictionary.to_pylist() == [*LISTED]
        assert again.to_pylist() == made.to_pylist()


MOMENTS: dict[str, tuple[Any, Any, Any]] = {
    **{
        f"date {form}": (form, "date", dt.date(2024, 1, 5)) for form in (pa.date32(), pa.date64())
    },
    **{
        f"moment {unit} {zone}": (
            pa.timestamp(unit, zone), "datetime",
            dt.datetime(2024, 1, 5, 6, 7, 8, tzinfo=dt.UTC if zone else None),
        )
        for unit in ("s", "ms", "us", "ns")
        for zone in (None, "UTC", "Asia/Kathmandu")
    },
    **{
        f"duration {unit}": (pa.duration(unit), "duration", dt.timedelta(hours=1))
        for unit in ("s", "ms", "us", "ns")
    },
    **{
        str(form): (form, "time", dt.time(12, 0, 1))
        for form in (pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns"))
    },
}  # fmt: skip
BOUNDS: dict[str, tuple[Any, Any, Any]] = {
    "date": ("2024-01-01", "2024-12-31", None),
    "datetime": ("2024-01-01 00:00:00", "2024-12-31 00:00:00", None),
    "duration": (0, 7200, None),
    "time": ("09:00:00", "15:00:00", ("00:00:00", "23:59:59")),
}


@pytest.mark.parametrize("name", MOMENTS)
def test_dates_and_times_stay_what_they_were_and_say_what_the_file_says(name: str) -> None:
    form, kind, value = MOMENTS[name]
    low, high, outputs = BOUNDS[kind]
    plan = cdp.ColumnPlan(inputs=(low, high), outputs=outputs, epsilon=5, kind=kind, missing="keep")
    data = pa.table({"x": pa.array([value, None, value], form)})
    release = drawn(data, {"x": plan})
    column = release.frame["x"]
    assert column.type == form
    assert column.is_null().to_pylist() == [False, True, False]
    released = release.columns[0]
    assert released.missing == 1
    written = cdp.read_csv(release.csv(guard_formulas=False), blank_lines="missing")
    again = as_table(release.frame)
    for each in (written, again):
        values = released.plan.read(each).values
        assert np.array_equal(values, released.values, equal_nan=True)


def test_times_that_could_pass_midnight_are_texts_whatever_was_drawn() -> None:
    """By the bounds of what is released alone."""
    data = pa.table({"x": pa.array([dt.time(23)] * 3)})
    plan = cdp.ColumnPlan(inputs=("12:00:00", "23:00:00"), epsilon=5, kind="time")
    release = drawn(data, {"x": plan})
    assert release.columns[0].composite.outputs[1] > 86_400
    assert release.frame["x"].type == pa.string()


def test_estimates_and_answers_take_a_table() -> None:
    """Seeded, so the same each time: the rate of false alarms is below 1e-60."""
    data = pa.table({"x": pa.array([1.0, 5.0, None] * 100), "g": ["a", "b", "a"] * 100})
    release = drawn(data, {"x": X})
    mine = cdp.Estimates(release.frame, release.card).mean("x")
    assert mine == cdp.Estimates(release.csv(), release.card).mean("x")
    frame = data.to_pandas()
    query = cdp.Query("sum", "x", bounds=(0, 10), where=cdp.Condition("g", "==", "a"))
    bars = cdp.Query("count", "g", grouping=cdp.Grouping("g", ("a", "b")))
    answers = [cdp.answer(query, d, epsilon=1, source=SeededSource(1)).value for d in (data, frame)]
    assert answers[0] == answers[1]
    counted = [cdp.answer_each(bars, d, epsilon=1, source=SeededSource(1)) for d in (data, frame)]
    assert [a.value for a in counted[0].values()] == [a.value for a in counted[1].values()]


def test_the_same_cells_are_the_same_data_to_a_ledger() -> None:
    data = pa.table({"x": pa.array([1.0, 5.0])})
    ledger = cdp.privatize(data, {"x": X}, ledger=cdp.Ledger(limit=1)).ledger
    with pytest.raises(BudgetExceededError):
        cdp.privatize(data.to_pandas(), {"x": X}, ledger=ledger)
    assert cdp.privatize(pa.table({"x": [1.0, 6.0]}), {"x": X}, ledger=ledger).epsilon == 1


def test_persons_and_answered_columns_are_those_of_a_table() -> None:
    data = pa.table({"id": [1, 1, 1, 2], "x": [1, 2, 3, 4], "y": [1.0, 2, 3, 4]})
    two = cdp.Person("id", at_most=2)
    whole = cdp.ColumnPlan(inputs=(0, 10), epsilon=1, kind="whole")
    made = drawn(data, {"x": whole, "y": X}, person=two, answered=1).frame
    assert made["id"].to_pylist() == [1, 1, 2]
    assert made.schema.types == [pa.int64(), pa.int64(), pa.float64()]
    assert made["x"].null_count + made["y"].null_count == 3


def test_columns_of_one_name_are_named_by_their_place() -> None:
    data = pa.Table.from_arrays([pa.array([1.0, 2.0]), pa.array([3.0, 4.0])], ["x", "x"])
    with pytest.raises(cdp.errors.ParameterError, match="labels repeat"):
        cdp.privatize(data, {"x": X})
    made = drawn(data, {1: X}).frame
    assert made.column(0).to_pylist() == [1, 2]
    assert made.column(1).to_pylist() != [3, 4]


def test_a_field_that_may_miss_none_may_where_it_is_to() -> None:
    form = pa.schema([pa.field("x", pa.float64(), nullable=False, metadata={"unit": "kg"})])
    data = pa.table({"x": [1.0, 2.0]}, schema=form)
    for missing, nullable in (("fill", False), ("keep", True)):
        plan = cdp.ColumnPlan(inputs=(0, 10), epsilon=1, missing=missing)  # type: ignore[arg-type]
        field = drawn(data, {"x": plan}).frame.schema.field("x")
        assert (field.nullable, field.metadata) == (nullable, {b"unit": b"kg"})


def test_types_depend_on_plan_and_type_alone() -> None:
    plans = {"x": cdp.ColumnPlan(inputs=(0, 10), epsilon=1, missing="keep", kind="whole")}
    forms = [
        drawn(pa.table({"x": pa.array(cells, pa.int16())}), plans).frame.schema
        for cells in ([1, 2], [None, None], [None, 30000])
    ]
    assert forms[0] == forms[1] == forms[2]


@pytest.mark.parametrize("data", [pa.table({"x": pa.array([], pa.int64())}), pa.table({})])
def test_a_table_without_rows_or_columns_is_refused(data: Any) -> None:
    with pytest.raises(cdp.errors.CompdpError, match=r"no rows or no columns|label or position"):
        cdp.privatize(data, {"x": X})


def test_a_column_that_holds_no_numbers_is_refused_by_its_type() -> None:
    for name in ("lists", "views", "bytes"):
        with pytest.raises(cdp.errors.ParameterError, match="must hold numbers"):
            cdp.privatize(table(), {name: X})
