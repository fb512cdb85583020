"""A statistic asked of a table: rows, missing values and groups against plain Python."""

from __future__ import annotations

import csv
import io
import statistics as plain
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.accounting import Group, Ledger
from compdp_core.errors import BoundsError, CompdpError, ParameterError
from compdp_core.intervals import Interval
from compdp_core.statistics import (
    COMPARISONS,
    STATISTICS,
    AllOf,
    Condition,
    ConditionError,
    Grouping,
    Mean,
    Median,
    Neighbours,
    NotOfferedError,
    Statistic,
    UnlistedCategoryError,
)
from compdp_core.statistics.query import Query
from compdp_core.tables import read
from compdp_core.tables.affix import Affix
from compdp_core.tables.errors import UnevenRowsError

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
        ("sum", sum(filled)),
        ("mean", plain.mean(filled)),
        ("variance", plain.pvariance(filled)),
        ("minimum", min(filled)),
        ("maximum", max(filled)),
        ("median", plain.median_low(filled)),
    ):
        question = Query(statistic, 1, BOUNDS).ask(TABLE)
        assert question.value == pytest.approx(expected, rel=1e-15)
        assert question.plan.text == f"{statistic} of score"


def test_rows_without_a_value_are_not_read_and_their_number_is_private() -> None:
    known = clamped([score for score in SCORES if score is not None])
    asked = Query(Mean(at_least=2), 1, BOUNDS, missing="leave out")
    assert asked.ask(TABLE).value == pytest.approx(plain.mean(known))
    assert asked.plan(TABLE).text == "mean of score where score is not missing"
    # With n public this would be the plain mean: here it must name a public least number.
    with pytest.raises(NotOfferedError):
        Query("mean", 1, BOUNDS, missing="leave out").ask(TABLE)


@pytest.mark.parametrize(
    ("column", "kind", "missing", "expected"),
    [
        (1, "number", "fill", 6),
        (1, "number", "leave out", 4),
        (1, "text", "leave out", 5),  # "NA" is a word like any other
        (3, "text", "fill", 6),
        (3, "text", "leave out", 5),
        (3, "number", "leave out", 0),
    ],
)
def test_a_count_reads_a_column_as_what_it_is_said_to_be(
    column: int, kind: Any, missing: Any, expected: int
) -> None:
    assert Query("count", column, missing=missing, kind=kind).ask(TABLE).value == expected


def test_one_cell_of_text_makes_no_text_of_the_column() -> None:
    """Of 52 cells 50 are NA: a number more or less, and never 50, is what one cell can do."""
    rows = ["1,12", "2,13", *(f"{i},NA" for i in range(3, 53))]
    asked = Query("count", 1, missing="leave out", neighbours=ADD, max_rows=100)
    for first, expected in (("1,12", 2), ("1,abc", 1), ("1,", 1)):
        table = read("\n".join(["id,score", first, *rows[1:]]).encode())
        assert asked.ask(table).value == expected


def test_a_column_without_a_number_is_all_missing_and_not_refused() -> None:
    assert Query("sum", 3, BOUNDS).ask(TABLE).value == 6 * 20
    assert Query("sum", 3, BOUNDS, missing="leave out").ask(TABLE).value == 0


UNFIT = ["", "x", "NaN", "n/a", "inf", "1e400", "9007199254740995", "0x1A", "1 kg", "12,5"]


@pytest.mark.parametrize("cell", UNFIT)
def test_a_cell_that_is_no_number_is_missing_and_moves_no_other_row(cell: str) -> None:
    table = read(f'v;w\n7;a\n"{cell}";b\n'.encode(), separator=";", header=True, decimal=".")
    assert Query("sum", 0, BOUNDS).ask(table).value == 7 + 20
    assert Query("count", 0, missing="leave out").ask(table).value == 1
    for comparison in COMPARISONS:
        met = Query("count", 1, where=Condition("v", comparison, 7)).ask(table).value
        assert met == (comparison in ("==", "<=", ">="))


def test_the_decimal_mark_of_the_column_can_be_said() -> None:
    table = read(b"v;w\n1,5;a\n2.5;b\n", separator=";", header=True, decimal=".")
    for mark, expected in ((None, 20 + 2.5), (".", 20 + 2.5), (",", 1.5 + 20)):
        assert Query("sum", 0, BOUNDS, decimal=mark).ask(table).value == expected  # type: ignore[arg-type]


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
        (Condition("class", "<", 3), [False]),  # no text meets a condition of numbers
        (
            AllOf((Condition("age", "<", 15), Condition("class", "==", "9b"))),
            [a < 15 and c == "9b" for a, c in zip(AGES, CLASSES, strict=True)],
        ),
    ],
    ids=lambda value: getattr(value, "text", ""),
)
def test_conditions_pick_rows(where: Any, expected: list[bool]) -> None:
    assert Query("count", 0, where=where).ask(TABLE).value == sum(expected)


def test_groups_are_asked_one_by_one() -> None:
    groups = Grouping("class", ("9a", "9c", "9z"), "leave out")
    asked = Query("sum", 1, BOUNDS, ADD, 10, Condition("age", ">", 12), groups)
    questions = asked.ask_each(TABLE)
    expected = {"9a": 12 + 0 + 31, "9c": 40, "9z": 0}
    assert {name: question.value for name, question in questions.items()} == expected
    assert questions["9a"].plan.text == 'sum of score where class == "9a" and age > 12'


@pytest.mark.parametrize(("neighbours", "changed"), [(REPLACE, 2), (ADD, 1)])
@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_groups_cost_what_one_row_can_reach(
    neighbours: Neighbours, changed: int, count: int
) -> None:
    grouping = Grouping("class", ("9a", "9b", "9c", *"defg")[:count])
    asked = Query("count", 1, neighbours=neighbours, max_rows=10, grouping=grouping)
    found = [question.value for question in asked.ask_each(TABLE).values()]
    assert found == [3, 2, 1, 0, 0, 0, 0][:count]
    ledger = Ledger(limit=1).charge(*asked.spends(TABLE, "0.5"))
    total = ledger.total_by_dataset(TABLE.fingerprint)
    assert total == Fraction(min(changed, count), 2) == grouping.cost("0.5", neighbours)
    assert ledger.total_by_column(TABLE.fingerprint) == {"score": total, "class": total}


def test_a_category_that_is_not_listed_is_refused_where_asked_for() -> None:
    with pytest.raises(UnlistedCategoryError):
        Query("count", 0, grouping=Grouping("class", ("9a",), "refuse")).ask_each(TABLE)
    left_out = Query("count", 0, grouping=Grouping("class", ("9a",))).ask_each(TABLE)
    assert left_out["9a"].value == 3


def test_the_same_rows_in_another_encoding_are_charged_again() -> None:
    """Broken twin: groups that go by the name of the column alone, and cost 1 for 2 spent."""
    data = "class,n\né,1\né,2\nb,3\n".encode()
    book = twin = Ledger()
    for encoding, name in (("utf-8", "é"), ("cp1252", "Ã©")):
        table = read(data, encoding=encoding, header=True, separator=",")
        grouping = Grouping("class", (name,))
        asked = Query("count", 0, grouping=grouping, neighbours=ADD, max_rows=10)
        counts = [question.value for question in asked.ask_each(table).values()]
        assert counts == [2]
        (spend,) = asked.spends(table, 1)
        book = book.charge(spend)
        twin = twin.charge(replace(spend, group=Group("class", name)))
    assert book.total_by_dataset(table.fingerprint) == 2
    assert twin.total_by_dataset(table.fingerprint) == 1


def test_what_is_charged_names_every_answer() -> None:
    single = Query("mean", 1, BOUNDS)
    (spend,) = single.spends(TABLE, "0.3", {None: "one"})
    assert (spend.id, spend.epsilon, spend.group) == ("one", Fraction(3, 10), None)
    assert (spend.what, spend.columns) == ("mean of score", ("score",))
    grouping = Grouping("class", ("9a", "9b"))
    grouped = Query("count", 0, grouping=grouping)
    spends = grouped.spends(TABLE, 1, {"9a": "a", "9b": "b"})
    assert [each.id for each in spends] == ["a", "b"]
    groups = [each.group for each in spends]
    assert groups == [grouping.group(name, TABLE) for name in ("9a", "9b")]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"statistic": "sum", "column": 3, "kind": "text"}, "a sum reads numbers"),
        ({"column": 3, "kind": "date"}, "must be number or text"),
        ({"statistic": "sum", "decimal": ";"}, "decimal"),
        ({"missing": "drop"}, "fill or leave out"),
        ({"statistic": "sum", "bounds": (3, 1)}, "bounds"),
        ({"where": Condition("nobody", "==", 1)}, "nobody"),
        ({"grouping": Grouping("class", ("9a",))}, "ask_each"),
    ],
)
def test_what_makes_no_sense_is_refused(change: dict[str, Any], words: str) -> None:
    kinds = {"where": ConditionError, "bounds": BoundsError}
    kind = next((kinds[name] for name in change if name in kinds), ParameterError)
    with pytest.raises(kind, match=words):
        Query(**{"statistic": "count", "column": 0, "bounds": BOUNDS, **change}).ask(TABLE)


@pytest.mark.parametrize(
    ("grouping", "words"), [(None, "categories"), (Grouping("klass", ("9a",)), "names no column")]
)
def test_what_is_no_grouping_of_the_table_is_refused(grouping: Grouping | None, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        Query("count", 0, grouping=grouping).ask_each(TABLE)


def test_every_column_that_is_read_is_named_once() -> None:
    where = AllOf((Condition("age", ">", 1), Condition("score", ">", 1)))
    asked = Query("sum", 1, BOUNDS, where=where, grouping=Grouping("class", ("9a",)))
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
    asked = Query(
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
    assert Query("sum", 0, BOUNDS).ask(table).exact == Fraction(sum(filled))
    left_out = Query("sum", 0, BOUNDS, missing="leave out")
    assert left_out.ask(table).exact == Fraction(sum(known))


def test_a_symbol_is_read_past() -> None:
    table = read(b"price,n\n$5,a\n$7,b\n")
    affix = table.columns[0].affix
    assert isinstance(affix, Affix)
    assert Query("sum", 0, BOUNDS, strip=affix).ask(table).value == 12
    assert Query("sum", 0, BOUNDS).ask(table.stripped(0)).value == 12


def test_a_list_of_one_condition_is_that_condition() -> None:
    only = Condition("age", ">", 1)
    assert Query("count", 0, where=AllOf((only,))) == Query("count", 0, where=only)


# Rows that do not line up


SUM = Query("sum", 1, Interval(150, 200))
LAYOUT: dict[str, Any] = {
    "encoding": "utf-8", "separator": ",", "decimal": ".", "header": True, "skip_lines": 0,
    "columns": 2,
}  # fmt: skip
LAST = ("Bo,185", "Bo,185,5", "Bo", "#Bo,185", "#Bo")


def persons(last: str, **said: Any) -> Any:
    return read(f"name,height\nAda,160\nCy,190\nDi,170\n{last}\n".encode(), **LAYOUT, **said)


@pytest.mark.parametrize("last", LAST)
def test_a_public_number_of_rows_is_none_where_lines_may_count_as_no_rows(last: str) -> None:
    """However the line of a person looks; a sum would change by more than its bounds, too."""
    said = {"short_rows": "leave out", "long_rows": "leave out", "comment_rows": "leave out"}
    with pytest.raises(ParameterError, match="add or remove one"):
        SUM.ask(persons(last, **said))
    private = Query("sum", 1, Interval(150, 200), ADD, max_rows=9)
    assert private.ask(persons(last, **said)).exact == 520 + 185 * (last == "Bo,185")


def test_with_such_rows_kept_a_replaced_row_changes_a_sum_within_its_sensitivity() -> None:
    said = {"short_rows": "complete", "long_rows": 1, "comment_rows": "row"}
    asked = [SUM.ask(persons(last, **said)) for last in LAST]
    assert {question.plan.range for question in asked} == {Interval(600, 800)}
    sums = [question.exact for question in asked]
    assert max(sums) - min(sums) <= asked[0].sensitivity


def test_rows_of_which_nothing_is_said_are_refused() -> None:
    for last in LAST[1:]:
        with pytest.raises(UnevenRowsError):
            SUM.ask(persons(last))
    with pytest.raises(UnevenRowsError):
        Query("count", 0).ask(read(b"s\n5\n\n7\n", header=True))


@pytest.mark.parametrize("said", ["keep", "leave out"])
def test_one_row_more_that_begins_with_a_mark_makes_no_people_of_the_others(said: Any) -> None:
    count = Query("count", 1, neighbours=ADD, max_rows=100)
    found = []
    for marked in (4, 5, 6):
        rows = "".join(f"{'#x' if i < marked else 'p'},{i}\n" for i in range(10))
        table = read(f"name,score\n{rows}".encode(), **LAYOUT, comment_rows=said)
        found.append(count.ask(table).exact)
    assert found == [6, 5, 4]


def test_the_decimal_mark_of_a_question_holds_for_its_conditions() -> None:
    data = "name;dose\n" + 40 * "p;9.250\n"
    mark = Query("count", 1, where=Condition("dose", ">", 8), decimal=".")
    found = [mark.ask(read((data + last).encode())).exact for last in ("q;7\n", "q;7,5\n")]
    assert found == [40, 40]
