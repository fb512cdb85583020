"""A statistic asked of a table: rows, missing values and groups against plain Python."""

from __future__ import annotations

import csv
import io
import statistics as plain
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.errors import CompdpError, ParameterError
from compdp_core.inquiry import Inquiry
from compdp_core.intervals import Interval
from compdp_core.statistics import (
    STATISTICS,
    AllOf,
    Condition,
    ConditionError,
    Count,
    Grouping,
    Maximum,
    Mean,
    Median,
    Minimum,
    Neighbours,
    NotOfferedError,
    Statistic,
    Sum,
    UnlistedCategoryError,
    Variance,
)
from compdp_core.table import NotNumericError, read
from compdp_core.table.affix import Affix

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE_ONE
DATA = (
    "class,score,age,name\n"
    "9a,12,13,Ada\n"
    "9b,,14,Ben\n"
    "9a,-7,15,\n"
    "9c,55,13,Cyd\n"
    "9b,NA,12,Dan\n"
    " 9a ,31,16,Eve\n"
)
TABLE = read(DATA.encode())
BOUNDS = Interval(0, 40)
SCORES = [12, None, -7, 55, None, 31]
CLASSES = ["9a", "9b", "9a", "9c", "9b", "9a"]
AGES = [13, 14, 15, 13, 12, 16]


def clamped(values: list[float]) -> list[float]:
    return [min(max(value, 0), 40) for value in values]


def test_missing_values_become_the_middle_of_the_bounds() -> None:
    filled = clamped([20 if score is None else score for score in SCORES])
    for statistic, expected in (
        (Sum(), sum(filled)),
        (Mean(), plain.mean(filled)),
        (Variance(), plain.pvariance(filled)),
        (Minimum(), min(filled)),
        (Maximum(), max(filled)),
        (Median(), plain.median_low(filled)),
    ):
        question = Inquiry(statistic, 1, BOUNDS).ask(TABLE)
        assert question.value == pytest.approx(expected, rel=1e-15)
        assert question.plan.text == f"{statistic.name} of score"


def test_rows_without_a_value_are_not_read_and_their_number_is_private() -> None:
    known = clamped([score for score in SCORES if score is not None])
    asked = Inquiry(Mean(at_least=2), 1, BOUNDS, missing="leave out")
    assert asked.ask(TABLE).value == pytest.approx(plain.mean(known))
    assert asked.plan(TABLE).text == "mean of score where score is not missing"
    # With n public this would be the plain mean: here it must name a public least number.
    with pytest.raises(NotOfferedError):
        Inquiry(Mean(), 1, BOUNDS, missing="leave out").ask(TABLE)


@pytest.mark.parametrize(
    ("column", "missing", "expected"),
    [(1, "fill", 6), (1, "leave out", 4), (3, "fill", 6), (3, "leave out", 5)],
)
def test_counts_need_no_numbers(column: int, missing: Any, expected: int) -> None:
    assert Inquiry(Count(), column, missing=missing).ask(TABLE).value == expected


def test_other_statistics_do() -> None:
    with pytest.raises(NotNumericError):
        Inquiry(Sum(), 3, BOUNDS).ask(TABLE)


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (Condition("age", ">=", 14), [a >= 14 for a in AGES]),
        (Condition("class", "==", "9a"), [c == "9a" for c in CLASSES]),
        (Condition("class", "!=", "9a"), [c != "9a" for c in CLASSES]),
        (Condition("age", "==", "13"), [a == 13 for a in AGES]),
        (Condition("score", "<", 20), [s is not None and s < 20 for s in SCORES]),
        (Condition("score", "!=", 12), [s is not None and s != 12 for s in SCORES]),
        (Condition("name", "!=", "Ada"), [False, True, False, True, True, True]),
        (
            AllOf((Condition("age", "<", 15), Condition("class", "==", "9b"))),
            [a < 15 and c == "9b" for a, c in zip(AGES, CLASSES, strict=True)],
        ),
    ],
    ids=lambda value: getattr(value, "text", ""),
)
def test_conditions_pick_rows(where: Any, expected: list[bool]) -> None:
    assert Inquiry(Count(), 0, where=where).ask(TABLE).value == sum(expected)


@pytest.mark.parametrize(
    "where", [Condition("nobody", "==", 1), Condition("class", "<", 3)], ids=["unknown", "text"]
)
def test_conditions_that_cannot_be_applied_are_refused(where: Condition) -> None:
    with pytest.raises(ConditionError):
        Inquiry(Count(), 0, where=where).ask(TABLE)


def test_groups_are_asked_one_by_one() -> None:
    groups = Grouping("class", ("9a", "9c", "9z"), "leave out")
    asked = Inquiry(Sum(), 1, BOUNDS, ADD, 10, Condition("age", ">", 12), groups)
    questions = asked.ask_each(TABLE)
    expected = {"9a": 12 + 0 + 31, "9c": 40, "9z": 0}
    assert {name: question.value for name, question in questions.items()} == expected
    assert questions["9a"].plan.text == 'sum of score where class == "9a" and age > 12'


def test_a_category_that_is_not_listed_is_refused_where_asked_for() -> None:
    with pytest.raises(UnlistedCategoryError):
        Inquiry(Count(), 0, grouping=Grouping("class", ("9a",))).ask_each(TABLE)


def test_one_question_and_several_are_told_apart() -> None:
    single, grouped = Inquiry(Count(), 0), Inquiry(Count(), 0, grouping=Grouping("class", ("9a",)))
    with pytest.raises(ParameterError, match="ask_each"):
        grouped.ask(TABLE)
    with pytest.raises(ParameterError, match="categories"):
        single.ask_each(TABLE)
    with pytest.raises(ParameterError, match="names no column"):
        Inquiry(Count(), 0, grouping=Grouping("klass", ("9a",))).ask_each(TABLE)


def test_every_column_that_is_read_is_named_once() -> None:
    where = AllOf((Condition("age", ">", 1), Condition("score", ">", 1)))
    asked = Inquiry(Sum(), 1, BOUNDS, where=where, grouping=Grouping("class", ("9a",)))
    assert asked.columns(TABLE) == ("score", "age", "class")


EVERY: list[Statistic] = [kind() for kind in STATISTICS.values()] + [Mean(3), Median("mid")]


@given(
    st.sampled_from(EVERY),
    st.sampled_from([REPLACE, ADD]),
    st.sampled_from(["fill", "leave out"]),
    st.none() | st.just(Condition("age", ">=", 14)),
    st.booleans(),
    st.booleans(),
)
def test_the_plan_without_the_cells_is_that_of_the_question(
    statistic: Statistic, neighbours: Neighbours, missing: Any, where: Any, whole: bool, each: bool
) -> None:
    grouping = Grouping("class", ("9a", "9b", "9c"), "leave out") if each else None
    asked = Inquiry(
        statistic, 1, BOUNDS, neighbours, 10, where, grouping, missing, whole, unit="points"
    )
    category = "9b" if each else None
    try:
        plan = asked.plan(TABLE, category)
    except CompdpError as refused:
        with pytest.raises(type(refused)):
            asked.ask_each(TABLE) if each else asked.ask(TABLE)
        return
    question = asked.ask_each(TABLE)["9b"] if each else asked.ask(TABLE)
    assert question.plan == plan


@given(st.lists(st.none() | st.integers(-50, 90), min_size=1, max_size=30))
def test_sums_are_those_of_plain_python(values: list[int | None]) -> None:
    written = io.StringIO()
    rows = [["5", "x"], *(["" if v is None else str(v), "x"] for v in values)]
    csv.writer(written, lineterminator="\n").writerows([["v", "w"], *rows])
    table = read(written.getvalue().encode(), header=True, separator=",", decimal=".")
    filled = clamped([5, *(20 if v is None else v for v in values)])
    known = clamped([5, *(v for v in values if v is not None)])
    assert Inquiry(Sum(), 0, BOUNDS).ask(table).exact == Fraction(sum(filled))
    left_out = Inquiry(Sum(), 0, BOUNDS, missing="leave out")
    assert left_out.ask(table).exact == Fraction(sum(known))


def test_a_symbol_is_read_past() -> None:
    table = read(b"price,n\n$5,a\n$7,b\n")
    affix = table.columns[0].affix
    assert isinstance(affix, Affix)
    assert Inquiry(Sum(), 0, BOUNDS, strip=affix).ask(table).value == 12
    assert Inquiry(Sum(), 0, BOUNDS).ask(table.stripped(0)).value == 12


def test_settings_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ParameterError, match="fill or leave out"):
        Inquiry(Count(), 0, missing="drop")  # type: ignore[arg-type]
    with pytest.raises(CompdpError, match="bounds"):
        Inquiry(Sum(), 0, (3, 1))  # type: ignore[arg-type]


def test_a_list_of_one_condition_is_that_condition() -> None:
    only = Condition("age", ">", 1)
    assert Inquiry(Count(), 0, where=AllOf((only,))) == Inquiry(Count(), 0, where=only)
