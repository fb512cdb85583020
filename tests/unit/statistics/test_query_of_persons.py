"""What a query reads of a person: some rows, or the total or the mean of all."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core import answer
from compdp_core.adjacency import Neighbours, Person
from compdp_core.errors import ParameterError
from compdp_core.randomness import SeededSource
from compdp_core.statistics import AllOf, Condition, Grouping, Median, NotOfferedError, Variance
from compdp_core.statistics.query import Query
from compdp_core.tables import Table, read
from compdp_core.tables.contributions import TooManyRowsError
from tests.unit.statistics.persons import answers, choices, table_of

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE_ONE
TWO = Person("id", at_most=2)
ROWS = (
    ("a", "1", "x"), ("a", "2", "y"), ("b", "40", "x"), ("a", "", "x"), ("b", "-9", "y"),
    ("c", "?", "y"), (" b", "3", "z"),
)  # fmt: skip


def asked(statistic: Any = "sum", **more: Any) -> Query:
    said: dict[str, Any] = {"bounds": (0, 10), "person": TWO} | more
    return Query(statistic, "v", **said)


def value(query: Query, table: Table | None = None) -> float:
    return query.ask(table_of(ROWS) if table is None else table, SeededSource(1)).value


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        # a: 1 and 2, b: 40, -9 and 3, c: none. Totals are clipped, 3, 10 (of 34), and 5 for c.
        (asked(per_person="total"), 18),
        (asked(per_person="total", missing="leave out"), 13),
        (asked("count", per_person="total"), 3),
        (asked("count", per_person="total", missing="leave out"), 2),
        (asked("count", per_person="mean", kind="text", missing="leave out"), 3),
        (asked("maximum", per_person="total", bounds=(0, 99)), 49.5),
        # Means of clipped values: 1.5, (10 + 0 + 3)/3, and the middle.
        (asked("sum", per_person="mean"), 1.5 + 13 / 3 + 5),
        (asked("mean", per_person="mean", whole_numbers=True), (1.5 + 13 / 3 + 5) / 3),
        (asked("sum", per_person="mean", missing="leave out"), 1.5 + 13 / 3),
        # Conditions and missing values come first.
        (asked(per_person="total", where=Condition("g", "==", "y")), 2 + 0 + 5),
        (asked(per_person="total", where=Condition("v", "<", 3), bounds=(-20, 9)), 3 - 9),
        (asked("count", per_person="total", where=Condition("v", "<", 3)), 2),
        (asked(person=Person("id", 9)), 1 + 2 + 10 + 5 + 0 + 5 + 3),
        (asked(person=Person("id", 9), missing="leave out"), 1 + 2 + 10 + 0 + 3),
        # By two columns: whoever comes in several groups is several.
        (asked("count", person=Person(("id", "g"), 1)), 6),
        (asked("count", person=Person(("id", "g"), 1), per_person="total"), 6),
    ],
)
def test_what_counts_of_a_person(query: Query, expected: float) -> None:
    assert value(query) == pytest.approx(expected, rel=1e-15)


def test_of_all_rows_so_many_are_read_each_choice_alike() -> None:
    query = asked(missing="leave out", where=Condition("v", "<", 99))
    found = choices(query, table_of(ROWS))
    read_of_b = Counter(sum(each[place] for place in (2, 4, 6)) for each in found)
    assert read_of_b == {2: 3}  # three choices of two of b's rows; both of a's are read
    assert set(found.values()) == {Fraction(1, 3)}


def test_groups_are_drawn_before_rows_and_once_for_all() -> None:
    grouping = Grouping("g", ("x", "y"))
    query = asked("count", person=Person("id", 1), grouping=grouping, neighbours=ADD, max_rows=9)
    table = table_of(ROWS)
    for choice in choices(query, table):
        counted = [int(each.exact) for each in answers(query, table, choice).values()]
        assert sum(counted) == 3  # one row each of a, b and c, in some group
    for seed in range(9):
        found = query.questions(table, SeededSource(seed))
        assert sum(each.exact for each in found.values()) == 3
    few = asked("count", person=Person("id", 9, groups=2), grouping=grouping)
    for where, expected in ((Condition("v", "<", 30), [1, 2]), (None, [3, 3])):
        each = replace(few, where=where).ask_each(table).values()
        assert [answer.exact for answer in each] == expected
    left = replace(few, missing="leave out").ask_each(table).values()
    assert [answer.exact for answer in left] == [2, 2]
    unlisted = asked("count", person=Person("id", 9), grouping=Grouping("g", ("z",)))
    assert unlisted.ask_each(table)["z"].exact == 1


def test_the_system_draws_where_no_source_is_given() -> None:
    table = read(b"id,v\n" + b"".join(b"p,%d\n" % i for i in range(100)))
    query = asked("sum", person=Person("id", 1), bounds=(0, 99))
    assert len({query.ask(table).exact for _ in range(40)}) > 5
    assert len({query.ask(table, SeededSource(3)).exact for _ in range(5)}) == 1


@given(
    st.lists(st.sampled_from(["1e308", "-1e308", "1", "-7", "0.1", "", "1e-300"]), max_size=9),
    st.sampled_from(["total", "mean"]),
)
def test_a_value_of_a_person_is_made_of_that_persons_rows_alone(
    cells: list[str], per_person: Any
) -> None:
    """To the last bit, wherever they stand between rows of others, and never no number."""
    query = asked("maximum", per_person=per_person, bounds=(-1000, 1000), missing="leave out")
    own = [("p", cell, "x") for cell in cells]
    if not any(cells):
        return
    alone = value(query, table_of(tuple(own)))
    assert -1000 <= alone <= 1000
    others = [("q", "-1e9", "x"), ("r", "-1e308", "x"), ("q", "-1e308", "x")]
    mixed = list(others)
    for place, row in enumerate(own):
        mixed.insert(2 * place, row)
    assert value(query, table_of(tuple(mixed))) == alone
    numbers = [float(cell) for cell in cells if cell]
    if per_person == "mean":
        clipped = np.clip(numbers, -1000, 1000)
        assert alone == pytest.approx(math.fsum(clipped) / len(numbers), rel=1e-12, abs=1e-12)


def test_totals_are_whole_and_means_are_not() -> None:
    table = table_of(ROWS)
    plans = {
        how: asked("maximum", per_person=how, whole_numbers=True).plan(table)
        for how in ("rows", "total", "mean")
    }
    assert {how: plan.whole for how, plan in plans.items()} == {
        "rows": True, "total": True, "mean": False,
    }  # fmt: skip


def test_the_number_of_persons_is_public_only_where_one_is_replaced() -> None:
    table = table_of(ROWS)
    assert asked().persons(table) == 3
    assert asked(neighbours=ADD, max_rows=9).persons(table) is None
    assert asked(person=None).persons(table) is None
    assert asked("count").plan(table).range.as_tuple() == (0, 6)
    assert asked("count", neighbours=ADD, max_rows=9).plan(table).range.as_tuple() == (0, 9)


def test_whether_a_plan_is_one_of_the_public_facts_alone() -> None:
    """Of two tables with equally many persons, whatever their rows are."""
    one, other = table_of(ROWS), table_of((("x", "1", "q"), ("y", "2", "q"), ("z", "", "")))
    for query in (
        asked("mean"), asked("count"), asked("variance", per_person="total"),
        asked(where=AllOf((Condition("v", ">", 3),)), grouping=Grouping("g", ("x",))),
    ):  # fmt: skip
        assert query.plan(one) == query.plan(other)
    assert asked(Median("mid")).plan(one).sensitivity == 10


def test_a_persons_columns_are_read() -> None:
    query = asked(person=Person(("g", "id"), 1))
    assert query.columns(table_of(ROWS)) == ("v", "g", "id")
    assert all(each.columns == ("v", "g", "id") for each in query.spends(table_of(ROWS), 1))


def test_refusals() -> None:
    table = table_of(ROWS)
    later = asked(person=None, per_person="total")  # a person may yet be stated to ``answer``
    for read_now in (later.plan, later.ask, lambda each: later.spends(each, 1)):
        with pytest.raises(ParameterError, match=r"^per_person must be rows without a person, got"):
            read_now(table)
    assert answer(later, table, epsilon=1, person=TWO).plan == (
        asked(per_person="total").plan(table)
    )
    with pytest.raises(ParameterError, match=r"^per_person must be .*rows.*, got 'most'"):
        asked(per_person="most")
    with pytest.raises(ParameterError, match=r"^person must be a Person, as in Person\("):
        asked(person="id")
    with pytest.raises(ParameterError, match=r"^person names no column .*, got 'who'"):
        asked(person=Person("who", 1)).plan(table)
    with pytest.raises(NotOfferedError, match=r"at_most=1"):
        asked(Variance()).ask(table)
    with pytest.raises(ParameterError, match="number of rows cannot be public"):
        asked().plan(read(b"id,v\na,1\nb\n", short_rows="leave out"))
    for per_person in ("rows", "total", "mean"):
        strict = asked(person=Person("id", 2, "refuse"), per_person=per_person)
        with pytest.raises(TooManyRowsError, match="more than 2 rows"):
            strict.ask(table)
        nobody = asked(person=Person("id", 3, "refuse"), per_person=per_person)
        assert value(nobody) >= 0


def test_one_group_costs_no_more_than_there_are() -> None:
    grouping = Grouping("g", ("x", "y", "z"))
    costs = {
        (notion, k, g, how): asked(
            grouping=grouping, neighbours=notion, max_rows=9, person=Person("id", k, groups=g),
            per_person=how,
        ).cost(1)
        for notion in (REPLACE, ADD) for k in (1, 2) for g in (1, 2) for how in ("rows", "total")
    }  # fmt: skip
    for (notion, k, g, how), cost in costs.items():
        reached = min(g, k) if how == "rows" else g
        assert cost == (reached if notion is ADD else min(2 * reached, 3))
    assert asked().cost("0.5") == Fraction(1, 2)
