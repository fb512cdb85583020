"""Released columns of every kind as columns of a frame, and of a table read again."""

from __future__ import annotations

import math
from typing import Any
from unittest.mock import patch

import numpy as np
import pandas as pd
import pytest

import compdp_core as cdp
import compdp_core.report.release as module
from compdp_core.randomness import SeededSource
from compdp_core.report.frames import frame_cells
from compdp_core.tables.sources import as_table
from compdp_core.tables.value_formats import FORMATS, DateFormat, DateTimeFormat, DurationFormat
from tests.unit.report.kinds import DATA, MOODS, PLANS, SMOKES

LABELS = ("smokes", "mood", "visit", "kids")
BY_LABEL = dict(zip(LABELS, PLANS, strict=True))


def frame() -> pd.DataFrame:
    rows = 24
    return pd.DataFrame(
        {
            "name": [f"p{i}" for i in range(rows)],
            "smokes": ["yes", "No", "perhaps", None] * 6,
            "mood": [*MOODS] * 6,
            "visit": pd.to_datetime(["2024-03-01", "2023-01-31", "NaT"] * 8),
            "kids": [0.0, 2.0, math.nan] * 8,
        },
        index=pd.RangeIndex(100, 100 + rows),
    )


def texts_of(release: Any, label: str) -> list[str]:
    """The column as the file has it."""
    table = cdp.read_csv(release.csv(guard_formulas=False), header=True)
    return table.texts([column.label for column in table.columns].index(label))


def plan_of(label: str) -> cdp.ColumnPlan:
    return cdp.ColumnPlan(
        **{
            name: getattr(BY_LABEL[label], name)
            for name in ("epsilon", "kind", "categories", "missing", "format")
        },
        inputs=None if label in ("smokes", "mood") else BY_LABEL[label].inputs,
    )


@pytest.mark.parametrize(
    ("label", "given", "dtype"),
    [
        ("smokes", "object", "str"),
        ("smokes", "str", "str"),
        ("smokes", "string", "string"),
        ("smokes", "category", None),
        ("mood", "str", "Int64"),
        ("mood", "category", "Int64"),
        ("visit", "datetime64[s]", "datetime64[s]"),
        ("visit", "datetime64[ms]", "datetime64[ms]"),
        ("visit", "datetime64[ns]", "datetime64[ns]"),
        ("visit", "object", "str"),
        ("kids", "float64", "Int64"),
    ],
)
def test_a_released_column_is_what_it_was_and_says_what_the_file_says(
    label: str, given: Any, dtype: str | None
) -> None:
    data = frame()
    if (label, given) == ("visit", "object"):
        data[label] = data[label].dt.strftime("%Y-%m-%d").astype(object)
    else:
        data[label] = data[label].astype(given)
    release = cdp.privatize(data, {label: plan_of(label)}, source=SeededSource(2))
    made = release.frame
    column = made[label]
    if dtype is None:
        assert column.cat.categories.tolist() == list(SMOKES)
    else:
        assert str(column.dtype) == dtype
    assert made.index.equals(data.index)
    pd.testing.assert_frame_equal(made.drop(columns=label), data.drop(columns=label))
    if str(column.dtype).startswith("datetime"):
        column = column.dt.strftime("%Y-%m-%d")
    written = texts_of(release, label)
    assert [str(x) for x in column.dropna()] == [text for text in written if text]
    assert column.isna().tolist() == [not text for text in written]


@pytest.mark.parametrize("kept", [["yes", "No"], ["yes", "No", "perhaps"], ["zzz"]])
def test_categories_of_the_frame_have_no_say_in_those_of_the_release(kept: list[str]) -> None:
    data = frame()
    listed = data["smokes"].where(data["smokes"].isin(kept))
    data["smokes"] = pd.Categorical(listed, categories=kept, ordered=True)
    made = cdp.privatize(data, {"smokes": plan_of("smokes")}, source=SeededSource(2)).frame
    assert made["smokes"].dtype == pd.CategoricalDtype([*SMOKES], ordered=True)


KEPT: dict[str, tuple[str, ...]] = {
    "date": ("datetime64[ns]", "datetime64[us]", "datetime64[s]"),
    "datetime": ("datetime64[ns]", "datetime64[ms]"),
    "duration": ("timedelta64[ns]", "timedelta64[ms]"),
}


@pytest.mark.parametrize("name", sorted(n for n, form in FORMATS.items() if form.kind != "number"))
def test_steps_are_moments_where_the_column_held_such_and_texts_where_not(name: str) -> None:
    form, kind = FORMATS[name](), FORMATS[name].kind
    column = made_of(cdp.ColumnPlan(0, (0, 90), 50, kind=kind, format=form))  # type: ignore[arg-type]
    values = np.array([70.0, math.nan, 70.0])
    length = pd.Timedelta(seconds=70 * form.step * (86_400 if kind == "date" else 1))
    for before in ("str", "object", "datetime64[us]", "timedelta64[us]", *KEPT.get(kind, ())):
        cells = frame_cells(column, values, pd.Series(dtype=before).dtype, gaps=True)
        assert cells.isna().tolist() == [False, True, False]
        moment = before[:3] == KEPT.get(kind, ("none",))[0][:3]
        start: Any = pd.Timestamp(0) if before.startswith("d") else pd.Timedelta(0)
        assert cells[2] == (start + length if moment else form.text(70))
        assert str(cells.dtype) == (before if moment else "str")


def made_of(plan: cdp.ColumnPlan) -> Any:
    release = cdp.privatize(cdp.read_csv(b"x,y\n1,2\n"), {"x": plan}, source=SeededSource(1))
    return release.columns[0]


def test_dates_that_nanoseconds_do_not_reach_are_in_seconds_whatever_was_drawn() -> None:
    """By the bounds of what is released alone."""
    data = pd.DataFrame({"x": pd.to_datetime(["1900-01-01", "2024-01-01"]).as_unit("ns")})
    for inputs, unit in ((("1990-01-01", "2020-01-01"), "ns"), (("1700-01-01", "2200-01-01"), "s")):
        plan = cdp.ColumnPlan(inputs=inputs, epsilon=2, kind="date")
        made = cdp.privatize(data, {"x": plan}, source=SeededSource(1)).frame
        assert str(made["x"].dtype) == f"datetime64[{unit}]"


def test_a_table_of_every_kind_is_read_again() -> None:
    plans = {label: plan_of(label) for label in LABELS}
    release = cdp.privatize(cdp.read_csv(DATA, header=True), plans, source=SeededSource(3))
    again = release.frame
    assert isinstance(again, cdp.Table)
    assert again.row_count == release.row_count
    for position, label in enumerate(LABELS, start=1):
        assert again.texts(position) == texts_of(release, label)
        values = plan_placed(release, position - 1).read(again).values
        assert np.array_equal(values, release.columns[position - 1].values, equal_nan=True)


def plan_placed(release: Any, place: int) -> Any:
    """A plan that reads what was released: the names of the list, not the texts that mean them."""
    plan = release.columns[place].plan
    if plan.kind == "scale":
        return cdp.ColumnPlan(plan.position, (-99, 99), 1, kind="whole")
    if plan.kind == "category":
        listed = [*plan.categories.names]
        return cdp.ColumnPlan(plan.position, epsilon=1, kind="category", categories=listed)
    return plan


@pytest.mark.parametrize("zone", ["UTC", "Europe/Berlin", "Asia/Kathmandu"])
def test_moments_of_a_zone_come_back_in_it(zone: str) -> None:
    """False alarm 1e-60: at ε = 50 more than half of eight moments would be drawn far away."""
    moments = pd.to_datetime(["2024-01-01 10:00:00", "2024-02-02 11:30:05", "NaT"] * 4)
    data = pd.DataFrame({"x": moments.tz_localize(zone)})
    plan = cdp.ColumnPlan(
        inputs=("2024-01-01 00:00:00", "2024-03-01 00:00:00"), epsilon=50, kind="datetime",
        missing="keep",
    )  # fmt: skip
    made = cdp.privatize(data, {"x": plan}, source=SeededSource(1))
    column = made.frame["x"]
    assert column.dtype == data["x"].dtype
    written = [text for text in texts_of(made, "x") if text]
    assert column.dropna().tolist() == [pd.Timestamp(text) for text in written]
    assert column.isna().tolist() == data["x"].isna().tolist()
    off = (column - data["x"]).dropna().dt.total_seconds()
    assert off.abs().median() < 1


FLOATS = ("float64", "Float64", "float32")


@pytest.mark.parametrize("kind", ["category", "scale"])
@pytest.mark.parametrize(
    ("listed", "dtype"),
    [
        *((["1", "2", "3"], each) for each in (*FLOATS, "Int64", "object")),
        *((["1.0", "2.0", "3.0"], each) for each in FLOATS),
    ],
)
def test_numbers_of_a_frame_are_found_in_a_list(listed: list[str], dtype: Any, kind: Any) -> None:
    """Whole numbers are floats where some are missing."""
    data = pd.DataFrame({"x": pd.Series([1, 2, 3, None] * 5, dtype=dtype)})
    plan = cdp.ColumnPlan(epsilon=50, kind=kind, categories=listed, missing="keep")
    made = cdp.privatize(data, {"x": plan}, source=SeededSource(1))
    assert made.columns[0].missing == 5
    assert made.frame["x"].isna().tolist() == [False, False, False, True] * 5
    assert data["x"].dtype == dtype


@pytest.mark.parametrize("rest", [[1, 2], [1.0, 2.0], [1.5, 2.0], [True, False], ["1", "2"]])
def test_one_cell_of_another_type_changes_neither_the_dtype_nor_the_other_cells(rest: Any) -> None:
    names = ["1", "2", "1.5", "True"]
    plan = cdp.ColumnPlan(epsilon=50, kind="category", categories=names)
    made = []
    for cell in (rest[0], "zzz", 1, True, "1.5"):
        data = pd.DataFrame({"x": [*rest * 10, cell]})
        made.append(cdp.privatize(data, {"x": plan}, source=SeededSource(1)).frame["x"])
    assert {str(each.dtype) for each in made} == {"str"}
    known = [text for text in names if text in {_text(each) for each in rest}]
    for each in made:
        assert set(each[:-1]) & set(known) == set(known)
        pd.testing.assert_series_equal(each[:-1], made[0][:-1])


MOMENTS: dict[str, tuple[Any, list[str], str, list[float]]] = {
    "days": (DateFormat(), ["2020-01-02", "2020-01-03"], "2020-01-02 10:00", [18263, 18264]),
    "days first": (
        DateFormat("%d.%m.%y"), ["2020-01-02", "2020-01-03"], "2150-01-01", [18263, 18264]
    ),
    "days or seconds": (
        DateTimeFormat(), ["2020-01-02 10:00", "2020-01-03"], "2020-01-02 10:00:00.5",
        [1577959200, 1578009600],
    ),
    "days alone": (DateTimeFormat(), ["2020-01-02"], "2020-01-02 10:00", [1577923200]),
    "hours": (DurationFormat(), ["1h", "2h"], "2.5s", [3600, 7200]),
    "milliseconds": (DurationFormat("%-H:%M:%S.%3f"), ["1h", "2.5s"], "1D", [3600000, 2500]),
}  # fmt: skip


@pytest.mark.parametrize("name", MOMENTS)
@pytest.mark.parametrize("listed", [False, True])
def test_one_moment_has_no_say_in_how_the_others_are_read(name: str, listed: bool) -> None:
    """pandas writes all of a column as one of its cells needs it."""
    form, texts, other, steps = MOMENTS[name]
    make = pd.to_timedelta if form.kind == "duration" else pd.to_datetime
    inputs = (min(steps) - 1, max(steps) + 1)
    plan = cdp.ColumnPlan(inputs=inputs, epsilon=1, kind=form.kind, format=form)
    query = cdp.Query("median", "x", inputs, format=form)
    for more in ([], [other], [None]):
        cells = pd.Series([make(text) for text in [*texts, *more]])
        data = pd.DataFrame({"x": cells.astype("category") if listed else cells})
        release = cdp.privatize(data, {"x": plan}, source=SeededSource(1))
        assert plan_values(release)[: len(steps)] == steps
        table = table_of(query, data)
        assert table.values(0, form).values.tolist()[: len(steps)] == steps


def table_of(query: cdp.Query, data: pd.DataFrame) -> cdp.Table:
    """What is asked."""
    with patch.object(module, "as_table", wraps=as_table) as read:
        cdp.answer(query, data, epsilon=1, source=SeededSource(1))
    return as_table(*read.call_args.args)


def plan_values(release: Any) -> list[float]:
    """What was read of the column, before it was privatised."""
    (column,) = release.columns
    values: list[float] = column.plan.read(release.table).values.tolist()
    return values


def test_one_moment_has_no_say_in_which_of_a_list_the_others_are() -> None:
    names = ["2020-01-02", "2020-01-03 10:00:00", "other"]
    plan = cdp.ColumnPlan(epsilon=1, kind="category", categories=names)
    for more in ("2020-01-02", "2020-01-03 10:00", "2020-01-03 10:00:00.5", "NaT"):
        data = pd.DataFrame({"x": pd.to_datetime(["2020-01-02", more], format="mixed")})
        assert plan_values(cdp.privatize(data, {"x": plan}, source=SeededSource(1)))[0] == 0
    for where in names[:2]:
        query = cdp.Query("count", "x", where=cdp.Condition("x", "==", where))
        for more in ("2020-01-03 10:00:00", "2020-01-03 10:00:00.5", "2020-01-03"):
            data = pd.DataFrame({"x": pd.to_datetime([where, more], format="mixed")})
            assert table_of(query, data).texts(0)[0] == where


def _text(value: Any) -> str:
    return str(value).removesuffix(".0")


@pytest.mark.parametrize(
    ("cell", "dtype"),
    [("\0", "object"), ("yes\0", "category"), ("\ud800", "object"), ("a\rb\n", "str")],
    ids=ascii,
)
def test_letters_that_no_file_holds_refuse_nothing(cell: str, dtype: str) -> None:
    data = pd.DataFrame({"x": pd.Series(["yes", "no", cell], dtype=dtype)})
    listed = cdp.ColumnPlan(epsilon=1, kind="category", categories=["yes", "no", "other"])
    dated = cdp.ColumnPlan(inputs=(0, 9), epsilon=1, kind="date", format=DateFormat())
    assert plan_values(cdp.privatize(data, {"x": listed}, source=SeededSource(1))) == [0, 1, 2]
    release = cdp.privatize(data, {"x": dated}, source=SeededSource(1))
    assert release.columns[0].missing == 3


def test_categories_of_numbers_of_which_some_are_missing_are_read() -> None:
    plan = cdp.ColumnPlan(epsilon=1, kind="category", categories=["1", "2"])
    data = pd.DataFrame({"x": pd.Categorical([2, None])})
    release = cdp.privatize(data, {"x": plan}, source=SeededSource(1))
    assert release.columns[0].missing == 1


def test_dtypes_depend_on_the_plan_alone() -> None:
    plans = {label: plan_of(label) for label in LABELS}
    one, other = frame(), frame()
    other["smokes"] = ["zzz"] * 24
    other["mood"] = [None, *["bad"] * 23]
    other["visit"] = pd.to_datetime(["1800-01-01"] * 24).astype(one["visit"].dtype)
    other["kids"] = [1.0] * 24
    made = [cdp.privatize(data, plans, source=SeededSource(1)).frame for data in (one, other)]
    assert made[0].dtypes.tolist() == made[1].dtypes.tolist()


@pytest.mark.parametrize("cells", [["2024-01-01 10:30"], [None], [None, "2024-01-02 00:00:01"]])
def test_moments_of_which_none_is_a_whole_day_are_missing_and_refuse_nothing(
    cells: list[str | None],
) -> None:
    frame = pd.DataFrame({"day": pd.to_datetime(pd.Series(cells), format="mixed"), "x": 1})
    days = cdp.ColumnPlan(
        inputs=("2024-01-01", "2024-12-31"), epsilon=1, kind="date", format=cdp.DateFormat()
    )
    release = cdp.privatize(frame, {"day": days})
    assert len(release.frame) == len(cells)
    assert release.columns[0].missing == len(cells)
