"""Every sensitivity against an exhaustive search over small neighbouring tables.

The search is the proof on the grid (no change is larger) and shows that the bound is attained, so
that no smaller number would do. Broken twins, each a mistake seen in a real tool, must fall.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.intervals import Interval
from compdp_core.statistics import (
    Count,
    Maximum,
    Mean,
    Median,
    Minimum,
    Mode,
    Neighbours,
    PublicFacts,
    Selection,
    Statistic,
    Sum,
    Variance,
)

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE_ONE
Row: TypeAlias = tuple[float, bool]
Table: TypeAlias = tuple[Row, ...]

# Both signs, one sign, and a lower bound that is not 0: case C10.
BOUNDS = [(0.0, 100.0), (3.0, 100.0), (-5.0, 100.0), (-100.0, 5.0), (-7.0, -2.0)]
MOST_ROWS = 5
CONDITION = "replace, condition"

located = [Minimum(), Maximum(), Median(), Median("upper"), Median("mid"), Mode()]
everywhere: list[Statistic] = [Sum(), Mean(), *located]
variances: list[Statistic] = [Variance(), Variance(ddof=1)]
claimed = [Mean(at_least=k) for k in (1, 2, 3)]


def answers(
    statistic: Statistic, n: int, rows: list[Row], bounds: tuple[float, float], kind: str
) -> dict[Table, Fraction]:
    """The answer on every table of n rows, up to the order, which no statistic reads."""
    found = {}
    for table in itertools.combinations_with_replacement(rows, n):
        notion = ADD if kind == "add" else REPLACE
        how: dict[str, Any] = {"neighbours": notion, "max_rows": MOST_ROWS}
        if kind == CONDITION:
            mask = np.array([picked for _, picked in table], dtype=np.bool_)
            how = {"where": Selection(mask, "picked")}
        question = statistic.ask([value for value, _ in table], bounds, **how)
        assert question.range.contains(question.value)
        assert Fraction(question.range.lower) <= question.exact <= Fraction(question.range.upper)
        found[table] = question.exact
    return found


def grid(bounds: tuple[float, float], *, flags: tuple[bool, ...] = (False,)) -> list[Row]:
    """Quarter points of the bounds, and values outside that are clamped."""
    lower, upper = bounds
    width = upper - lower
    values = [lower - width, *(lower + width * i / 4 for i in range(5)), upper + 1]
    if len(flags) > 1:
        values = [lower - 1, lower, lower + width / 2, upper]
    return sorted((value, flag) for value in values for flag in flags)


def searched(
    statistic: Statistic, n: int, bounds: tuple[float, float], kind: str
) -> tuple[Fraction, Fraction]:
    """The largest change found, and the declared sensitivity."""
    interval = Interval(*bounds)
    rows = grid(bounds, flags=(False, True) if kind == CONDITION else (False,))
    if kind == "add":
        facts = PublicFacts(ADD, MOST_ROWS, interval)
        sizes = [answers(statistic, m, rows, bounds, kind) for m in range(n + 1)]
        change = max(
            abs(answer - larger[tuple(sorted((*table, row)))])
            for smaller, larger in itertools.pairwise(sizes)
            for table, answer in smaller.items()
            for row in rows
        )
    else:
        where = "picked" if kind == CONDITION else None
        facts = PublicFacts(REPLACE, n, interval, where=where)
        found = answers(statistic, n, rows, bounds, kind)
        change = max(
            abs(answer - found[tuple(sorted((*table[:i], row, *table[i + 1 :])))])
            for table, answer in found.items()
            for i in range(len(table))
            for row in rows
        )
    return change, statistic.plan(facts).sensitivity


EXHAUSTIVE: list[tuple[str, Statistic, int]] = [
    *(("replace", each, n) for each in everywhere for n in (1, 2, 3, 4, 5)),
    *(("replace", each, n) for each in variances for n in (2, 3, 4, 5)),
    *((CONDITION, each, n) for each in (Count(), Sum(), *located, claimed[0]) for n in (1, 2, 3)),
    *((CONDITION, claimed[1], n) for n in (2, 3)),
    (CONDITION, claimed[2], 3),
    *(("add", each, 4) for each in (Count(), Sum(), *located, *claimed)),
]


@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
@pytest.mark.parametrize(("kind", "statistic", "n"), EXHAUSTIVE, ids=str)
def test_no_change_is_larger_than_declared_and_one_attains_it(
    kind: str, statistic: Statistic, n: int, bounds: tuple[float, float]
) -> None:
    change, declared = searched(statistic, n, bounds, kind)
    assert change == declared


def test_counting_all_rows_of_a_public_number_needs_no_noise() -> None:
    """The one bound that is not attained, and its reason says so."""
    change, declared = searched(Count(), 3, (0.0, 1.0), "replace")
    assert (change, declared) == (Fraction(0), Fraction(1))
    reason = Count().plan(PublicFacts(REPLACE, 3)).reason
    assert "public here: 1 is more than needed" in reason


# Twin: statistic, n, kind of neighbours, bounds that expose it, and the mistaken sensitivity.
TWINS: list[tuple[str, Statistic, int, str, tuple[float, float], Callable[..., Fraction]]] = [
    ("one bound", Sum(), 3, "replace", (-5, 100), lambda a, b, n: b),
    ("larger bound", Sum(), 3, "replace", (-5, 100), lambda a, b, n: max(abs(a), abs(b))),
    ("width when rows join", Sum(), 3, "add", (3, 100), lambda a, b, n: b - a),
    ("upper bound when rows join", Sum(), 3, "add", (-100, 5), lambda a, b, n: b),
    ("no zero", Sum(), 3, CONDITION, (3, 100), lambda a, b, n: b - a),
    ("one bound", Mean(), 3, "replace", (-5, 100), lambda a, b, n: b / n),
    ("integer division", Mean(), 3, "replace", (0, 100), lambda a, b, n: Fraction((b - a) // n)),
    ("one row more", Mean(), 3, "replace", (0, 100), lambda a, b, n: (b - a) / (n + 1)),
    ("no claim", Mean(at_least=1), 3, "add", (0, 100), lambda a, b, n: (b - a) / n),
    ("n squared", Variance(), 3, "replace", (0, 100), lambda a, b, n: (b - a) ** 2 / n**2),
    ("other ddof", Variance(ddof=1), 3, "replace", (0, 1), lambda a, b, n: Fraction(n - 1, n**2)),
    ("width", Variance(), 2, "replace", (0, 8), lambda a, b, n: b - a),
    ("half", Median("mid"), 3, "replace", (0, 100), lambda a, b, n: (b - a) / 2),
    ("one bound", Maximum(), 3, "replace", (-5, 100), lambda a, b, n: b),
    ("share", Minimum(), 3, "add", (0, 100), lambda a, b, n: (b - a) / n),
    ("share", Mode(), 3, "replace", (0, 100), lambda a, b, n: (b - a) / n),
]


@pytest.mark.parametrize(
    ("statistic", "n", "kind", "bounds", "mistake"),
    [
        pytest.param(statistic, n, kind, *rest, id=f"{statistic.name}, {kind}: {name}")
        for name, statistic, n, kind, *rest in TWINS
    ],
)
def test_the_search_catches_a_broken_twin(
    statistic: Statistic,
    n: int,
    kind: str,
    bounds: tuple[float, float],
    mistake: Callable[..., Fraction],
) -> None:
    change, _ = searched(statistic, n, bounds, kind)
    assert mistake(Fraction(bounds[0]), Fraction(bounds[1]), n) < change


@pytest.mark.parametrize("bounds", [(0, 100), (3, 100), (-5, 100)])
@pytest.mark.parametrize("statistic", everywhere + variances, ids=str)
def test_whole_and_float_input_have_equal_plans(
    statistic: Statistic, bounds: tuple[int, int]
) -> None:
    """Case C10: the ones of floats are searched above."""
    whole = statistic.ask([1, 50, 200], bounds)
    assert whole == statistic.ask([1.0, 50.0, 200.0], (float(bounds[0]), float(bounds[1])))


@st.composite
def replaced(draw: st.DrawFn) -> tuple[list[float], list[float]]:
    one = draw(st.lists(st.floats(-200, 200), min_size=2, max_size=30))
    two = list(one)
    two[draw(st.integers(0, len(one) - 1))] = draw(st.floats(-1e9, 1e9))
    return one, two


class TestFloats:
    @pytest.mark.parametrize("statistic", everywhere + variances, ids=str)
    @given(pair=replaced(), lower=st.floats(-100, -0.1), upper=st.floats(0.1, 100))
    def test_the_change_of_the_float_answer_is_bounded_too(
        self,
        statistic: Statistic,
        pair: tuple[list[float], list[float]],
        lower: float,
        upper: float,
    ) -> None:
        one, two = (statistic.ask(values, (lower, upper)) for values in pair)
        assert one.plan == two.plan
        assert abs(one.exact - two.exact) <= one.sensitivity
        width = Fraction(one.range.upper) - Fraction(one.range.lower)
        bound = max(Fraction(one.plan.float_sensitivity), min(one.sensitivity, width))
        assert abs(Fraction(one.value) - Fraction(two.value)) <= bound
        assert one.plan.float_sensitivity <= one.range.width

    def test_rounding_can_exceed_the_exact_sensitivity(self) -> None:
        """Why the float sensitivity is larger: here the exact one is passed by rounding alone."""
        rng = np.random.default_rng(1)
        exceeded = False
        for _ in range(200):
            values = rng.uniform(0, 1, 7)
            values[0] = 0.0
            low = Mean().ask(values, (0, 1))
            values[0] = 1.0
            high = Mean().ask(values, (0, 1))
            change = Fraction(high.value) - Fraction(low.value)
            exceeded |= change > high.sensitivity
            assert change <= Fraction(high.plan.float_sensitivity)
        assert exceeded

    def test_the_mean_of_two_middle_values_rounds(self) -> None:
        lower, upper = 0.0, 1 + 2**-52
        one = Median("mid").ask([0.0, upper], (lower, upper))
        two = Median("mid").ask([upper, upper], (lower, upper))
        far = Median("mid").ask([1.0, upper], (lower, upper))
        assert Fraction(far.value) != far.exact
        assert Fraction(one.plan.float_sensitivity) > one.sensitivity
        assert Fraction(two.value) - Fraction(one.value) <= Fraction(one.plan.float_sensitivity)

    def test_whole_answers_need_no_slack(self) -> None:
        assert Count().ask([1, 2]).plan.float_sensitivity == 1.0
        assert Sum().ask([1, 2], (0, 7), whole_numbers=True).plan.float_sensitivity == 7.0
        assert Minimum().ask([1, 2], (0, 7)).plan.float_sensitivity == 7.0
