"""Which way to read a person's rows has the smaller error."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from compdp_core.adjacency import Neighbours, Person
from compdp_core.errors import ParameterError
from compdp_core.release.advice import Advice, advice
from compdp_core.release.statistic import Forecast, mechanism_for
from compdp_core.statistics import Grouping
from compdp_core.statistics.query import Query
from compdp_core.tables import Table, read

ADD = Neighbours.ADD_OR_REMOVE_ONE
THREE = Person("id", at_most=3, groups=2)


def table() -> Table:
    return read(b"id,v,g\n" + b"".join(b"%d,1,%c\n" % (i // 2, 97 + i % 2) for i in range(200)))


def advised(statistic: str, totals: Any = None, **more: Any) -> Advice:
    query = Query(statistic, "v", (0, 10), **{"person": THREE} | more)
    return advice(query, table(), 1, totals=totals)


@pytest.mark.parametrize(("upper", "best"), [(12, "total"), (45, "rows")])
def test_totals_are_better_where_their_bounds_are_narrower(upper: float, best: str) -> None:
    found = advised("sum", (0, upper))
    assert [way.per_person for way in found.ways] == ["rows", "total"]
    assert found.same_question
    assert "more than 3 rows" in found.difference
    assert found.best is not None
    assert found.best.per_person == best
    for way in found.ways:
        plan = way.query.plan(table())
        assert way.question == plan.text
        assert way.typical_error == Forecast(plan, mechanism_for(plan, 1)).typical_error


def test_without_bounds_of_totals_there_is_one_way_to_add_up() -> None:
    assert [way.per_person for way in advised("sum").ways] == ["rows"]


@pytest.mark.parametrize("statistic", ["mean", "median"])
def test_a_mean_of_persons_is_another_question(statistic: str) -> None:
    found = advised(statistic)
    assert not found.same_question
    assert "counts everybody once" in found.difference
    assert [way.per_person for way in found.ways] == ["rows", "mean"]
    errors = [way.typical_error or 0 for way in found.ways]
    assert (errors[0] > errors[1]) == (statistic == "mean")


def test_what_is_not_offered_says_why() -> None:
    found = advised("variance")
    assert "at_most=1" in found.ways[0].refused
    assert found.ways[0].typical_error is None
    assert found.best is found.ways[1]
    none = advised("mean", neighbours=ADD, max_rows=500)
    assert none.best is None


def test_all_ways_cost_a_person_the_same() -> None:
    """One row lies in one group, all rows of a person in two."""
    grouping = Grouping("g", ("a", "b", "c"))
    person = Person("id", 1, groups=2)
    found = advised("count", person=person, grouping=grouping, neighbours=ADD, max_rows=500)
    assert [way.epsilon for way in found.ways] == [1, Fraction(1, 2)]
    assert [way.query.cost(way.epsilon) for way in found.ways] == [1, 1]


def test_a_person_must_be_stated() -> None:
    with pytest.raises(ParameterError, match=r"^person must be stated"):
        advised("sum", person=None)
