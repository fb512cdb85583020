"""Ways to divide a row's budget: what each costs, against figures and second routes."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest

from compdp_core.adjacency import Person
from compdp_core.errors import CompdpError, InfeasibleOutputsError, ParameterError
from compdp_core.estimates.shares import share
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.release import ColumnPlan, Plan, PlanError
from compdp_core.release.accuracy import Meaning, epsilon_for_error
from compdp_core.release.error_curves import width
from compdp_core.release.splitting import (
    EVEN,
    Split,
    equal_errors,
    equal_parts,
    sampled,
    ways,
    wished_errors,
)
from compdp_core.shapes import Constant, Pair, from_formula

ROWS = 1000
DOME = Pair(from_formula("1 - (2*v-1)^2"), Constant())
MIXED = (
    ColumnPlan(4, (0, 100), 1),
    ColumnPlan(0, (0, 5), 1, pair="A2B2", tail_ratio=0.9, missing="keep"),
    ColumnPlan(1, (100, 220), 1, outputs=(-300, 600)),
    ColumnPlan(2, (0, 30000), 1, whole=True),
    ColumnPlan(3, (-1, 1), 1, pair="A3B1", objective="worst"),
    ColumnPlan(7, (20, 150), 1, pair=DOME),
)


def alike(columns: int, **settings: Any) -> list[ColumnPlan]:
    return [ColumnPlan(place, (0, 100), 1, **settings) for place in range(columns)]


def relative(split: Split) -> list[float]:
    return [
        cost.value_error / plan.inputs.width
        for cost, plan in zip(split.costs, split.columns, strict=True)
    ]


@pytest.mark.parametrize(
    ("columns", "epsilon", "split", "drawn", "answered"),
    [(4, 1, 448, 208, 1), (4, 4, 102, 50, 1), (4, 8, 45, 32, 2), (10, 1, 1141, 329, 1)],
)
def test_the_error_of_a_mean_is_that_of_the_figures(
    columns: int, epsilon: int, split: float, drawn: float, answered: int
) -> None:
    """Root of the rows times the error; values of variance 456, their noise as spread evenly."""
    plans, many = alike(columns), 10**4
    parts = equal_parts(plans, epsilon, many)
    some = sampled(plans, epsilon, many, spread=math.sqrt(456) / 100)
    assert 100 * parts.costs[0].mean_error == pytest.approx(split, rel=0.01)
    assert 100 * some.costs[0].mean_error == pytest.approx(drawn, rel=0.01)
    assert some.answered == answered
    assert some.costs[0].share == Fraction(answered, columns)
    assert sampled(plans, epsilon, many).answered == answered  # spread evenly as well


def test_a_mean_of_some_rows_varies_as_the_formula_says() -> None:
    """Every choice of m of n rows, in fractions: the variance is S² (1/m - 1/n)."""
    values = [Fraction(each) for each in (3, 7, 8, 20, 1, -4)]
    n, mean = len(values), sum(values) / len(values)
    spread = sum((each - mean) ** 2 for each in values) / (n - 1)
    for m in range(1, n + 1):
        means = [sum(some) / m for some in combinations(values, m)]
        assert sum(means) / len(means) == mean
        varies = sum((each - mean) ** 2 for each in means) / len(means)
        assert varies == spread * (Fraction(1, m) - Fraction(1, n))


def test_what_a_way_costs_is_that_of_the_mechanism_that_is_drawn_from() -> None:
    split = equal_parts(MIXED, 12, 400)
    assert split.plan().epsilon == split.plan().row_epsilon == 12
    assert split.plan(Person("id", 3)).epsilon == 36
    for plan, cost in zip(split.columns, split.costs, strict=True):
        meaning = Meaning(plan.composite())
        assert (cost.position, cost.epsilon, cost.share) == (
            plan.position,
            plan.epsilon,
            Fraction(1),
        )
        assert cost.value_error == meaning.typical_error
        assert cost.mean_error == pytest.approx(meaning.error_of_mean(400), rel=1e-12)


@pytest.mark.parametrize("epsilon", ["2.5", 6, 40])
def test_equal_errors_are_the_same_share_of_each_range(epsilon: Any) -> None:
    split = equal_errors(MIXED, epsilon, ROWS)
    total = Fraction(epsilon)
    assert total * Fraction(9998, 10_000) <= split.plan().row_epsilon <= total
    shares = relative(split)
    if epsilon == "2.5":  # hard outputs need an ε by themselves
        assert split.columns[2].epsilon == pytest.approx(0.62732, abs=1e-5)
        del shares[2]
    assert max(shares) / min(shares) < 1.0005  # the lattices' part
    assert [each.missing for each in split.columns] == [each.missing for each in MIXED]


def test_errors_are_in_proportion_where_they_rise_steeply() -> None:
    """Just above -ln(tau) a little less of ε is much more noise: there a wish is hard to hit."""
    plans = [
        ColumnPlan(0, (0, 1), 1, pair="A2B2", tail_ratio=0.6512),
        ColumnPlan(1, (0, 1), 1, pair="A1B2", tail_ratio=0.1712),
        ColumnPlan(2, (0, 1), 1),
        ColumnPlan(3, (0, 1), 1, pair="A4B1"),
    ]
    for total, wishes in ((3, (40, 90, 1, 1)), (9, (200, 3, 0.1, 2)), (17, (90, 30, 0.001, 3))):
        split = wished_errors(plans, total, ROWS, wishes)
        got = [c.value_error / wish for c, wish in zip(split.costs, wishes, strict=True)]
        assert max(got) / min(got) < 1.0005
        assert total * 0.9995 <= split.plan().row_epsilon <= total


def test_columns_alike_get_equal_parts_for_equal_errors() -> None:
    assert [each.epsilon for each in equal_errors(alike(4), 2, ROWS).costs] == [Fraction(1, 2)] * 4
    thirds = equal_errors(alike(3), 1, ROWS).plan()
    assert thirds.row_epsilon <= 1
    assert {each.epsilon for each in thirds.columns} == {Fraction("0.33333")}


@pytest.mark.parametrize("times", [0.2, 1.0, 3.0])
def test_wishes_are_met_or_missed_by_one_factor(times: float) -> None:
    """Wishes that cost 1.834, .8 and so on: at their sum all are just met."""
    errors, inputs = (50.0, 2.0, 300.0), ((0, 100), (0, 5), (100, 220))
    needed = sum(
        Fraction(epsilon_for_error(e, ends)) for e, ends in zip(errors, inputs, strict=True)
    )
    plans = [ColumnPlan(place, ends, 1) for place, ends in enumerate(inputs)]
    wishes = [times * each for each in errors]
    split = wished_errors(plans, needed, ROWS, wishes)
    assert split.factor == pytest.approx(1 / times, rel=1e-3)
    assert split.plan().row_epsilon <= needed
    got = [c.value_error / wish for c, wish in zip(split.costs, wishes, strict=True)]
    assert max(got) / min(got) < 1.0002
    assert max(got) == split.factor


@pytest.mark.parametrize("epsilon", [0.5, 3, 9, 20, 60])
@pytest.mark.parametrize("spread", [0.0, EVEN, 0.5])
def test_so_many_columns_are_answered_as_make_the_variances_least(
    epsilon: float, spread: float
) -> None:
    plans = [plan for plan in MIXED if plan.outputs is None]
    d, total = len(plans), Fraction(str(epsilon))
    sums = {}
    for s in range(1, d + 1):
        try:
            made = sampled(plans, total, ROWS, answered=s, spread=spread)
        except ParameterError:  # more than the largest ε, or less than the tail ratio needs
            continue
        assert made.plan().row_epsilon == total
        sums[s] = sum(
            (cost.mean_error / plan.inputs.width) ** 2
            for cost, plan in zip(made.costs, plans, strict=True)
        )
    best = sampled(plans, total, ROWS, spread=spread)
    least = min(sums, key=sums.__getitem__)
    assert best.answered == (None if least == d else least)
    if best.answered is None:
        assert best.costs == equal_parts(plans, total, ROWS).costs


def test_all_ways_are_listed_with_why_one_cannot_be_taken() -> None:
    found = ways(MIXED, 3, ROWS, [each.inputs.width for each in MIXED])
    assert list(found) == ["equal parts", "equal errors", "wished errors", "sampled"]
    assert isinstance(found["equal parts"], InfeasibleOutputsError)
    for way in ("equal errors", "wished errors", "sampled"):
        split = found[way]
        assert isinstance(split, Split)
        assert split.way == way
        assert split.plan().row_epsilon <= 3
    assert list(ways(MIXED[:1], 3, ROWS)) == ["equal parts", "equal errors"]


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: equal_parts([], 1, ROWS), "no column"),
        (lambda: equal_parts(alike(2), 0.001, ROWS), "epsilon must leave each of 2 columns"),
        (lambda: equal_parts(alike(2), 101, ROWS), "epsilon must leave each of 2 columns"),
        (lambda: equal_parts(alike(2), math.nan, ROWS), "epsilon"),
        (lambda: equal_parts(alike(2), 1, 0), "rows"),
        (lambda: equal_errors(alike(4), 0.003, ROWS), "epsilon must be at least 0.004"),
        (lambda: equal_errors(MIXED, 0.5, ROWS), "epsilon must be at least 0.7"),
        (lambda: wished_errors(alike(2), 1, ROWS, [1]), "wishes must be 2"),
        (lambda: wished_errors(alike(2), 1, ROWS, [1, 0]), "wishes must be a finite number above"),
        (lambda: wished_errors(alike(2), 1, ROWS, [1, math.nan]), "wishes"),
        (lambda: sampled(alike(4), 1, ROWS, answered=5), "answered must be a whole number from 1"),
        (lambda: sampled(alike(4), 1, ROWS, answered=0), "answered"),
        (lambda: sampled(alike(4), 1, ROWS, spread=0.6), "spread"),
        (lambda: sampled(alike(4), 300, ROWS), "epsilon"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(make: Any, match: str) -> None:
    with pytest.raises((ParameterError, PlanError), match=match) as refusal:
        make()
    assert isinstance(refusal.value, CompdpError)


@pytest.mark.parametrize("bad", [3, "12", b"12", {1, 2}, {1: 2, 3: 4}, np.array(2), object()])
def test_what_is_no_list_of_wishes_or_of_plans_is_refused_by_name(bad: Any) -> None:
    with pytest.raises(ParameterError, match=r"^wishes must be"):
        wished_errors(alike(2), 1, ROWS, bad)
    refusal = ways(alike(2), 1, ROWS, bad)["wished errors"]
    assert str(refusal).startswith("wishes must be")
    for make in (Plan, lambda columns: equal_parts(columns, 1, ROWS), lambda c: ways(c, 1, ROWS)):
        with pytest.raises(ParameterError, match=r"^columns must be a list of ColumnPlan"):
            make(bad)


def test_wishes_come_in_a_list_an_array_or_a_series() -> None:
    listed = wished_errors(alike(2), 1, ROWS, [1, 2])
    others: list[Any] = [np.array([1.0, 2.0]), pd.Series([1, 2])]
    for wishes in others:
        assert wished_errors(alike(2), 1, ROWS, wishes) == listed
        assert ways(alike(2), 1, ROWS, wishes)["wished errors"] == listed
    assert Plan(list(alike(2))) == Plan(alike(2))  # type: ignore[arg-type]


def category(place: int, many: int, **more: Any) -> ColumnPlan:
    names = [f"kind {each}" for each in range(many)]
    return ColumnPlan(place, epsilon=1, kind="category", categories=names, **more)


KINDS = (
    category(0, 2),
    category(1, 12, missing="keep"),
    ColumnPlan(2, epsilon=1, kind="scale", categories=["low", "mid", "high"]),
    ColumnPlan(3, ("2000-01-01", "2010-12-31"), 1, kind="date"),
    ColumnPlan(4, (0, 100), 1),
)


def test_errors_of_a_category_are_standard_errors_of_its_share() -> None:
    for plan, cost in zip(KINDS, equal_parts(KINDS, 5, 400).costs, strict=True):
        if plan.categories is not None and plan.is_category:
            k = len(plan.categories)
            rows = share([1e6] * k, RandomizedResponse(1.0, k), about="rows").standard_errors[0]
            assert cost.value_error == pytest.approx(rows * math.sqrt(1e6 * k), rel=1e-6)
            assert cost.mean_error == pytest.approx(cost.value_error / 20, rel=1e-12)


@pytest.mark.parametrize("epsilon", [3, 40])
def test_equal_errors_are_shares_of_one_beside_shares_of_ranges(epsilon: int) -> None:
    split = equal_errors(KINDS, epsilon, ROWS)
    shares = [c.value_error / width(p) for c, p in zip(split.costs, split.columns, strict=True)]
    del shares[2]  # whole numbers of three steps are off by percents
    assert max(shares) / min(shares) < 1.0005
    assert Fraction(epsilon) * Fraction(999, 1000) <= split.plan().row_epsilon <= epsilon


def test_all_ways_take_all_kinds() -> None:
    found = ways(KINDS, 8, ROWS, (0.5, 0.2, 1, 300, 20))
    assert all(isinstance(each, Split) for each in found.values()), found
    for each in found.values():
        assert isinstance(each, Split)
        assert each.plan().row_epsilon <= 8
        assert [plan.kind for plan in each.columns] == [plan.kind for plan in KINDS]
        assert all(cost.mean_error > 0 for cost in each.costs)


def test_sampled_categories_vary_by_who_answers_too() -> None:
    plans = [category(place, 4) for place in range(6)]
    for cost in sampled(plans, 2, 100, answered=2).costs:
        variance = 3 * cost.value_error**2 + 2 * (1 / 4) * (3 / 4)
        assert cost.mean_error == pytest.approx(math.sqrt(variance / 100), rel=1e-12)
    # Wide noise costs more than few answers; narrow noise less.
    assert sampled(plans, 1, 100).answered == 1
    assert sampled(plans, 60, 100).answered is None
