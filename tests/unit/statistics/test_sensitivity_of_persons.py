"""Sensitivities where a person has several rows, against all small tables with persons.

What is searched are values after bounding: of each person up to k, whichever they are, so every
choice of rows is among them. No change is larger than declared, and one is as large.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import pytest

from compdp_core.adjacency import Person
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.intervals import Interval
from compdp_core.statistics import (
    Count,
    Maximum,
    Mean,
    Median,
    Minimum,
    Mode,
    Neighbours,
    NotOfferedError,
    PublicFacts,
    Statistic,
    Sum,
    TooFewRowsError,
    Variance,
)

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE_ONE
Values: TypeAlias = tuple[float, ...]

BOUNDS = [(0.0, 100.0), (3.0, 100.0), (-5.0, 100.0), (-100.0, 5.0), (-7.0, -2.0)]
MOST_ROWS = 12
located = [Minimum(), Maximum(), Median(), Median("upper"), Median("mid"), Mode()]
claimed = [Mean(at_least=m) for m in (1, 2, 3, 4, 6)]
everything: list[Statistic] = [Count(), Sum(), *located, *claimed]


def facts(
    kind: str, persons: int, k: int, bounds: tuple[float, float] | None = (0.0, 1.0)
) -> PublicFacts:
    notion = ADD if kind == "add" else REPLACE
    return PublicFacts(
        notion,
        persons if notion is REPLACE else MOST_ROWS,
        None if bounds is None else Interval(*bounds),
        "a rule" if kind == "replace, rule" else None,
        person=Person("id", k),
    )


def multisets(bounds: tuple[float, float], sizes: range) -> Iterator[Values]:
    low, high = bounds
    values = sorted({low, (low + high) / 2, high})
    for size in sizes:
        yield from itertools.combinations_with_replacement(values, size)


def searched(
    statistic: Statistic, kind: str, persons: int, k: int, bounds: tuple[float, float]
) -> Fraction:
    """The largest change, over what all others and one person contribute after bounding."""
    public = facts(kind, persons, k, bounds)
    least = 1 if kind == "replace" else 0
    known: dict[Values, Fraction] = {}

    def answer(values: Values) -> Fraction:
        values = tuple(sorted(values))
        if values not in known:
            found = statistic.answered(np.array(values), public)
            assert Fraction(found.range.lower) <= found.exact <= Fraction(found.range.upper)
            known[values] = found.exact
        return known[values]

    ones = list(multisets(bounds, range(least, k + 1)))
    if kind == "add":
        others = multisets(bounds, range(7))
        return max(abs(answer(other) - answer(other + one)) for other in others for one in ones)
    others = multisets(bounds, range(least * (persons - 1), k * (persons - 1) + 1))
    changes = ([answer(other + one) for one in ones] for other in others)
    return max(max(each) - min(each) for each in changes)


CASES = [
    *(("add", each, 1, k) for each in everything for k in (1, 2, 3, 4)),
    *(
        ("replace, rule", each, n, k)
        for each in everything
        for n in (1, 2, 3)
        for k in (1, 2, 3)
        if n * k >= (getattr(each, "at_least", None) or 1)
    ),
    *(
        ("replace", each, n, k)
        for each in (Count(), Sum(), *located, Mean(), *claimed)
        for n in (1, 2, 3)
        for k in (1, 2, 3)
        if n * k >= (getattr(each, "at_least", None) or 1)
        and (each, k) != (Count(), 1)  # the one bound that is not attained, as of rows
    ),
]


@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
def test_no_change_is_larger_than_declared_and_one_attains_it(
    bounds: tuple[float, float],
) -> None:
    for kind, statistic, persons, k in CASES:
        declared = statistic.plan(facts(kind, persons, k, bounds)).sensitivity
        found = searched(statistic, kind, persons, k, bounds)
        assert found == declared, (kind, statistic, persons, k)


@pytest.mark.parametrize("statistic", [*everything, Variance(), Variance(ddof=1)], ids=str)
@pytest.mark.parametrize("kind", ["replace", "replace, rule", "add"])
@pytest.mark.parametrize("bounds", [(3.0, 100.0), (-5.0, 100.0)])
def test_one_row_or_one_value_of_a_person_is_as_one_row(
    kind: str, statistic: Statistic, bounds: tuple[float, float]
) -> None:
    """Whatever counts of a person: also the range, and what is said of the formula."""
    of_rows = replace(facts(kind, 7, 1, bounds), person=None)
    several = facts(kind, 7, 3, bounds)
    public = facts(kind, 7, 1, bounds)
    for one in (public, replace(several, per_person="total"), replace(several, per_person="mean")):
        assert outcome(statistic, one) == outcome(statistic, of_rows)


def outcome(statistic: Statistic, public: PublicFacts) -> object:
    try:
        plan = statistic.plan(public)
    except CompdpError as refusal:
        return type(refusal)
    return plan.range, plan.sensitivity, plan.formula, plan.whole, plan.rounded


MEDIAN = Median("mid")


@pytest.mark.parametrize(
    ("kind", "one", "other"), [("add", (0.0,), (0.0, 1.0, 1.0)), ("replace", (0, 0), (0, 1, 1))]
)
def test_two_rows_of_a_person_move_the_middle_all_the_way(
    kind: str, one: Values, other: Values
) -> None:
    """Why the halves of the median do not hold for several rows: from one bound to the other."""
    public = facts(kind, 2, 2)
    before, after = (MEDIAN.answered(np.array(each), public) for each in (one, other))
    assert after.exact - before.exact == before.sensitivity == 1
    assert MEDIAN.plan(facts(kind, 2, 1)).sensitivity == Fraction(1, 2)


# Twin: statistic, kind of neighbours, persons, k, and the mistaken sensitivity on [-5, 100].
TWINS: list[tuple[str, Statistic, str, int, int, Callable[[int, int], Fraction | float]]] = [
    ("a row", Count(), "add", 2, 2, lambda n, k: 1),
    ("all but one", Count(), "replace, rule", 2, 2, lambda n, k: k - 1),
    ("a row", Sum(), "add", 2, 2, lambda n, k: 100),
    ("the width", Sum(), "replace", 2, 2, lambda n, k: 105),
    ("k times the larger bound", Sum(), "replace", 2, 2, lambda n, k: k * 100),
    ("as many rows as persons", Mean(), "replace", 3, 2, lambda n, k: Fraction(105, n)),
    ("all have k rows", Mean(), "replace", 3, 2, lambda n, k: Fraction(k * 105, n * k)),
    ("one more", Mean(), "replace", 3, 2, lambda n, k: Fraction(k * 105, n + k)),
    ("a row", Mean(at_least=3), "add", 2, 2, lambda n, k: Fraction(105, 4)),
    ("as replaced", Mean(at_least=3), "replace, rule", 3, 2, lambda n, k: Fraction(105 * k, 3 + k)),
    ("half", Median("mid"), "add", 2, 2, lambda n, k: 52.5),
    ("half", Median("mid"), "replace", 2, 2, lambda n, k: 52.5),
]


@pytest.mark.parametrize(
    ("statistic", "kind", "n", "k", "mistake"),
    [pytest.param(*rest, id=f"{rest[0]}, {rest[1]}: {name}") for name, *rest in TWINS],
)
def test_the_search_catches_a_broken_twin(
    statistic: Statistic, kind: str, n: int, k: int, mistake: Callable[[int, int], Fraction]
) -> None:
    assert mistake(n, k) < searched(statistic, kind, n, k, (-5.0, 100.0))


def test_a_variance_is_offered_of_one_value_of_each_person() -> None:
    public = facts("replace", 5, 2)
    with pytest.raises(NotOfferedError, match=r"at_most=1.*per_person"):
        Variance().plan(public)
    for kind in ("replace, rule", "add"):
        with pytest.raises(NotOfferedError, match="number of rows it reads is private"):
            Variance().plan(replace(facts(kind, 5, 2), per_person="mean"))
    plan = Variance().plan(replace(public, per_person="mean"))
    assert plan.sensitivity == Fraction(4, 25)
    with pytest.raises(TooFewRowsError, match="at least 2 persons and there is 1"):
        Variance().plan(replace(facts("replace", 1, 2), per_person="mean"))


@pytest.mark.parametrize(("kind", "persons"), [("replace", 3), ("replace, rule", 3)])
def test_a_claim_of_more_rows_than_can_be_read_is_refused(kind: str, persons: int) -> None:
    Mean(at_least=6).plan(facts(kind, persons, 2))
    with pytest.raises(ParameterError, match=r"^at_least must not exceed the 6 rows of all"):
        Mean(at_least=7).plan(facts(kind, persons, 2))


@pytest.mark.parametrize(
    ("statistic", "kind", "formula", "lower", "upper"),
    [
        (Count(), "replace", "Δ = k − 1 = 2", 0, 15),
        (Count(), "replace, rule", "Δ = k = 3", 0, 15),
        (Count(), "add", "Δ = k = 3", 0, MOST_ROWS),
        (Sum(), "replace", "Δ = 3 · b − 3 · a = 300 − −15 = 315", -75, 1500),
        (Sum(), "replace, rule", "Δ = 3 · max(b, 0) − 3 · min(a, 0) = 300 − −15 = 315", -75, 1500),
        (Sum(), "add", "Δ = 3 · max(|a|, |b|) = 300", -60, 1200),
        (Mean(), "replace", "Δ = k (b − a)/(N + k − 1) = 3 · (100 − −5)/7 = 45", -5, 100),
        (Mean(at_least=9), "replace", "Δ = k (b − a)/m = 3 · (100 − −5)/9 = 35", -5, 100),
        (Mean(at_least=6), "replace", "Δ = k (b − a)/(N + k − 1) = 3 · (100 − −5)/7 = 45", -5, 100),
        (Mean(at_least=9), "add", "Δ = k (b − a)/(m + k) = 3 · (100 − −5)/12 = 26.25", -5, 100),
        (Mean(at_least=2), "replace, rule", "Δ = b − a = 100 − −5 = 105", -5, 100),
        (Minimum(), "add", "Δ = b − a = 100 − −5 = 105", -5, 100),
    ],
)
def test_formulas_and_ranges(
    statistic: Statistic, kind: str, formula: str, lower: float, upper: float
) -> None:
    plan = statistic.plan(facts(kind, 5, 3, (-5.0, 100.0)))
    assert plan.formula == formula
    assert plan.range.as_tuple() == (lower, upper)
    assert f"{float(plan.sensitivity):g}" == formula.rpartition("= ")[2]


def test_the_question_says_what_counts() -> None:
    public = replace(facts("replace, rule", 5, 3), column="score", person=Person("pupil", 3))
    assert Mean(at_least=1).plan(public).text == (
        "mean of score where a rule, at most 3 rows of each pupil"
    )
    assert Count().plan(replace(public, where=None)).text == (
        "number of rows, at most 3 rows of each pupil"
    )
    total = replace(public, per_person="total")
    assert Sum().plan(total).text == "sum of the total of score of each pupil where a rule"
    assert (Count().plan(total).text, Count().plan(total).unit) == (
        "number of persons where a rule",
        "persons",
    )
