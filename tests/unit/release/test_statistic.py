"""Answers: their errors and intervals against enumeration and simulation, for every statistic.

Whole-number answers have few outputs, so the coverage of their intervals is added up exactly, as
is the privacy of neighbouring answers. Tests that depend on chance use fixed seeds, state their
false alarms (1e-9 each), and reject a broken twin.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import compdp_core.release.statistic as module
from compdp_core.design.optimize import optimize
from compdp_core.errors import CertificateError, ParameterError, UnknownPairError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines import Laplace
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.lattice import Certificate
from compdp_core.numerics import first_above
from compdp_core.randomness import SeededSource
from compdp_core.release.statistic import (
    LEVEL,
    Answer,
    Forecast,
    UnreachableAccuracyError,
    answer,
    confidence_interval,
    epsilon_for_accuracy,
    half_width,
    mechanism_for,
    middle,
)
from compdp_core.shapes import pair_named
from compdp_core.statistics import (
    STATISTICS,
    Count,
    ExactAnswer,
    Maximum,
    Mean,
    Median,
    Minimum,
    Neighbours,
    NotOfferedError,
    PublicFacts,
    QueryPlan,
    Statistic,
    Sum,
    Variance,
)
from tests.unit.release.made import Counting
from tests.unit.statistics.test_statistics import ALL

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE_ONE
BOUNDS = Interval(0, 20)
VALUES = [3, 9.5, 9.5, 14, 20, -4, 11, 2]


def plan_of(statistic: Statistic, neighbours: Neighbours = REPLACE, rows: int = 8) -> QueryPlan:
    return statistic.plan(PublicFacts(neighbours, rows=rows, bounds=BOUNDS))


def counting(rows: int) -> QueryPlan:
    return Count().plan(PublicFacts(ADD, rows=rows))


# The confidence interval: coverage added up over all outputs

Interval95 = Callable[[QueryPlan, CompositeMechanism, float], tuple[float, float]]


def least_coverage(plan: QueryPlan, mechanism: CompositeMechanism, of: Interval95) -> float:
    """The smallest probability, over all whole answers, that the interval holds the answer."""
    lattice = mechanism.lattice
    intervals = np.array([of(plan, mechanism, x) for x in lattice.value(np.arange(lattice.points))])
    return min(
        float(lattice.pmf(true)[(intervals[:, 0] <= true) & (true <= intervals[:, 1])].sum())
        for true in range(int(plan.range.lower), int(plan.range.upper) + 1)
    )


def too_narrow(
    plan: QueryPlan, mechanism: CompositeMechanism, released: float
) -> tuple[float, float]:
    """The broken twin: an interval for 80 % that claims to be one for 95 %."""
    return confidence_interval(plan, mechanism, released, 0.8)


@given(st.integers(1, 25), st.floats(math.log(0.1), math.log(20)).map(math.exp))
@settings(max_examples=15)
def test_intervals_of_whole_answers_cover_them_at_least_as_often_as_stated(
    rows: int, epsilon: float
) -> None:
    plan = counting(rows)
    mechanism = mechanism_for(plan, epsilon)
    assert least_coverage(plan, mechanism, confidence_interval) >= LEVEL


@pytest.mark.parametrize("epsilon", ["0.3", "1"])
def test_an_interval_that_is_too_narrow_is_seen(epsilon: str) -> None:
    plan = counting(20)
    assert least_coverage(plan, mechanism_for(plan, epsilon), too_narrow) < LEVEL


FINE = [
    (Mean(), REPLACE, "1"),
    (Maximum(), ADD, "2"),
    (Median(), REPLACE, "0.5"),
    (Sum(), ADD, "4"),
    (Variance(), REPLACE, "1"),
]


def covered(plan: QueryPlan, mechanism: CompositeMechanism, true: float, of: Interval95) -> float:
    """Probability that the interval holds ``true``; its ends rise with the released value."""
    lattice = mechanism.lattice

    def ends(index: int) -> tuple[float, float]:
        return of(plan, mechanism, float(lattice.value(index)))

    start = first_above(-1, lattice.points, lambda index: ends(index)[1] >= true)
    stop = first_above(-1, lattice.points, lambda index: ends(index)[0] > true)
    return float(lattice.below(stop, true) - lattice.below(start, true))


@pytest.mark.parametrize(("statistic", "neighbours", "epsilon"), FINE)
def test_intervals_of_fine_answers_cover_them_as_often_as_stated(
    statistic: Statistic, neighbours: Neighbours, epsilon: str
) -> None:
    plan = plan_of(statistic, neighbours)
    mechanism = mechanism_for(plan, epsilon)
    ends = [confidence_interval(plan, mechanism, x) for x in np.linspace(*mechanism.outputs, 21)]
    assert ends == sorted(ends)  # as `covered` takes for granted
    assert [high for _, high in ends] == sorted(high for _, high in ends)
    low, width = plan.range.lower, plan.range.width
    for share in (0.0, 0.31):
        true = low + share * width
        assert covered(plan, mechanism, true, confidence_interval) >= LEVEL - 1e-6
    assert covered(plan, mechanism, low + 0.31 * width, too_narrow) < LEVEL


DRAWS = 300
LEAST = 258
"""Binomial(300, 0.95) is below this with probability 7.1e-10: the false alarm of the next test."""


def made_once(monkeypatch: pytest.MonkeyPatch, question: ExactAnswer) -> None:
    """One mechanism for all answers of a test."""
    mechanism = mechanism_for(question.plan, 1)
    monkeypatch.setattr(module, "mechanism_for", lambda *_, **__: mechanism)


def test_released_intervals_hold_the_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """False alarm below 1e-9 at the stated coverage; an interval of 80 % is rejected."""
    assert stats.binom.cdf(LEAST - 1, DRAWS, LEVEL) < 1e-9
    source = SeededSource(20)
    question = Mean().ask(VALUES, BOUNDS)
    made_once(monkeypatch, question)
    drawn = [answer(question, 1, source=source) for _ in range(DRAWS)]
    held = sum(each.interval[0] <= question.exact <= each.interval[1] for each in drawn)
    assert held >= LEAST
    narrow = [too_narrow(each.plan, each.mechanism, each.value) for each in drawn]
    assert sum(low <= question.exact <= high for low, high in narrow) < LEAST


# The forecast against simulation

Z = 6.2
"""Two-sided normal quantile for a false alarm below 1e-9."""
MANY = 100_000


def too_far(draws: Any, true: float, deviation: float, kurtosis: float) -> bool:
    """Whether the mean square of the errors contradicts a forecast standard deviation."""
    ratio = float(np.mean((draws - true) ** 2)) / deviation**2
    return abs(ratio - 1.0) > Z * math.sqrt((kurtosis - 1.0) / draws.size)


FORECASTS = [
    (Count(), ADD, "1"),
    (Count(), ADD, "0.2"),
    (Mean(), REPLACE, "2"),
    (Sum(), ADD, "0.5"),
    (Minimum(), REPLACE, "1"),
    (Variance(ddof=1), REPLACE, "3"),
]


@pytest.mark.parametrize(("statistic", "neighbours", "epsilon"), FORECASTS)
def test_forecast_errors_are_those_of_simulated_answers(
    statistic: Statistic, neighbours: Neighbours, epsilon: str
) -> None:
    """False alarm below 1e-9 for each; a forecast that is 10 % off is rejected."""
    plan = plan_of(statistic, neighbours, rows=60)
    mechanism = mechanism_for(plan, epsilon)
    forecast = Forecast(plan, mechanism)
    half, end = middle(plan.range, whole=plan.whole), plan.range.upper
    for true, deviation in ((half, forecast.typical_error), (end, forecast.worst_error)):
        draws = mechanism.simulate(np.full(MANY, true), seed=7)
        # The fourth moment is taken from the draws; staircases stay below 30.
        kurtosis = float(np.mean((draws - true) ** 4)) / deviation**4
        assert kurtosis < 30
        assert not too_far(draws, true, deviation, kurtosis)
        assert too_far(draws, true, 1.1 * deviation, kurtosis)
        assert too_far(draws, true, 0.9 * deviation, kurtosis)
    share = np.mean(np.abs(mechanism.simulate(np.full(MANY, half), seed=8) - half)
                    <= forecast.half_width * (1 + 1e-12))  # fmt: skip
    assert share >= LEVEL - Z * math.sqrt(LEVEL * (1 - LEVEL) / MANY)


@pytest.mark.parametrize("rows", [7, 8, 61])
@pytest.mark.parametrize("epsilon", ["0.5", "1", "3"])
def test_a_forecast_of_whole_answers_is_about_one_that_there_is(rows: int, epsilon: str) -> None:
    """Half-way between two counts nothing is counted; what is said there would hold nowhere."""
    plan = counting(rows)
    mechanism = mechanism_for(plan, epsilon)
    forecast, true = Forecast(plan, mechanism), float(rows // 2)
    lattice = mechanism.lattice
    off, chances = lattice.value(np.arange(lattice.points)) - true, lattice.pmf(true)
    assert forecast.typical_error == pytest.approx(math.sqrt(off**2 @ chances), rel=1e-9)
    assert forecast.typical_error <= forecast.worst_error * (1 + 1e-9)
    assert within(mechanism, true, forecast.half_width) >= LEVEL
    assert within(mechanism, true, forecast.half_width - 1) < LEVEL
    between = plan.range.midpoint
    if rows % 2:
        assert mechanism.variance(between) > 1.001 * forecast.typical_error**2
        assert within(mechanism, true, half_width(mechanism, between)) < LEVEL


def within(mechanism: CompositeMechanism, true: float, distance: float) -> float:
    """Probability of an output at most so far from the truth, added up."""
    lattice = mechanism.lattice
    outputs = lattice.value(np.arange(lattice.points))
    return float(lattice.pmf(true)[np.abs(outputs - true) <= distance].sum())


@given(st.integers(1, 60), st.floats(math.log(0.05), math.log(30)).map(math.exp))
@settings(max_examples=30)
def test_half_width_is_the_smallest_distance_that_holds_95_percent(
    rows: int, epsilon: float
) -> None:
    plan = counting(rows)
    mechanism = mechanism_for(plan, epsilon)
    true = plan.range.midpoint
    distance = half_width(mechanism, true)
    assert within(mechanism, true, distance) >= LEVEL - 1e-12
    if distance:
        assert distance % 0.5 == 0
        assert within(mechanism, true, distance - 0.25) < LEVEL + 1e-12


@pytest.mark.parametrize("level", [0.5, 0.9, 0.99])
def test_half_width_of_a_fine_answer_leaves_out_what_it_says(level: float) -> None:
    plan = plan_of(Mean())
    mechanism = mechanism_for(plan, 1)
    distance = half_width(mechanism, 7.0, level)
    outside = mechanism.probability_outside((7.0 - distance, 7.0 + distance), 7.0)
    assert outside == pytest.approx(1 - level, abs=1e-3)


# Compared with Laplace, and with a design for any two answers


def test_laplace_error_is_that_of_the_laplace_mechanism() -> None:
    plan = plan_of(Mean())
    forecast = Forecast(plan, mechanism_for(plan, "0.5"))
    laplace = Laplace(0.5, (0, 20), sensitivity=float(plan.sensitivity))
    assert forecast.laplace_error == pytest.approx(math.sqrt(laplace.variance(10.0)), rel=1e-12)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
def test_any_two_error_is_that_of_the_paper_design(epsilon: float) -> None:
    plan = plan_of(Mean())
    forecast = Forecast(plan, mechanism_for(plan, epsilon))
    design = optimize(epsilon, pair_named("A1B1", epsilon), "center")
    exact = math.sqrt(design.relative_variance(0.0)) * plan.range.width
    assert forecast.any_two_error == pytest.approx(exact, rel=1e-3)


@pytest.mark.parametrize("epsilon", ["0.1", "1", "5"])
def test_a_statistic_of_many_rows_beats_both(epsilon: str) -> None:
    plan = plan_of(Mean(), rows=500)
    forecast = Forecast(plan, mechanism_for(plan, epsilon))
    assert forecast.typical_error <= forecast.laplace_error
    # The paper's design pays for Δ = R, here 500 times the sensitivity.
    assert forecast.any_two_error > 100 * forecast.typical_error


def test_where_one_row_decides_the_design_is_the_paper_one() -> None:
    plan = plan_of(Maximum())
    forecast = Forecast(plan, mechanism_for(plan, 1))
    assert forecast.mechanism.pair == "A1B1"
    assert forecast.any_two_error == pytest.approx(forecast.typical_error, rel=1e-12)


# The ε for a wished accuracy

WISHES = [
    (counting(1000), 1.0),
    (counting(1000), 3.5),
    (counting(1000), 40.0),
    (counting(31), 2.0),
    (plan_of(Mean(), rows=100), 0.05),
    (plan_of(Mean(), rows=100), 1.0),
    (plan_of(Maximum()), 4.0),
    (plan_of(Sum(), ADD, rows=50), 60.0),
    (plan_of(Variance()), 0.9),
]


def reached(plan: QueryPlan, epsilon: Decimal) -> float:
    return Forecast(plan, mechanism_for(plan, epsilon)).half_width


def next_lower(epsilon: Decimal) -> Decimal:
    step = Decimal(1).scaleb(epsilon.adjusted() - 2)
    lower = epsilon - step
    return lower if lower.adjusted() == epsilon.adjusted() else epsilon - step / 10


@pytest.mark.parametrize(("plan", "wanted"), WISHES)
def test_epsilon_for_accuracy_works_and_the_next_lower_one_does_not(
    plan: QueryPlan, wanted: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Any] = []

    def counted(*given: Any, **options: Any) -> CompositeMechanism:
        made.append(given)
        return mechanism_for(*given, **options)

    monkeypatch.setattr(module, "mechanism_for", counted)
    epsilon = epsilon_for_accuracy(plan, wanted)
    # A search over all 4001 decimals without a first guess would take 12 at least.
    assert len(made) <= 11
    assert len(epsilon.as_tuple().digits) <= 3
    assert reached(plan, epsilon) <= wanted
    assert reached(plan, next_lower(epsilon)) > wanted


def test_decimals_of_three_digits_are_in_order_and_without_an_exponent() -> None:
    values = [module._three_digits(place) for place in range(module._LAST + 1)]
    assert values == sorted(set(values))
    assert all(next_lower(b) == a for a, b in pairwise(values))
    known = [str(values[place]) for place in (0, 900, 2700, 3600, 4000)]
    assert known == ["0.001", "0.01", "1", "10", "50"]


def test_the_least_epsilon_serves_any_wish_and_beyond_reach_the_closest_is_named() -> None:
    plan = plan_of(Maximum())
    assert epsilon_for_accuracy(plan, 1e6) == Decimal("0.001")
    with pytest.raises(UnreachableAccuracyError, match="narrow the bounds") as caught:
        epsilon_for_accuracy(plan, 1e-12)
    assert caught.value.closest == reached(plan, Decimal(50))
    assert caught.value.wanted == 1e-12


@pytest.mark.parametrize("wanted", [0, -1, math.nan, math.inf, "1", None, True])
def test_wishes_that_are_no_distance_are_refused(wanted: Any) -> None:
    with pytest.raises(ParameterError, match="wanted"):
        epsilon_for_accuracy(counting(10), wanted)


# Every statistic, under both notions

EVERY: list[Statistic] = [*ALL, Mean(at_least=3)]
BY_NUMPY: dict[str, Callable[[Any], float]] = {
    "count": len,
    "sum": np.sum,
    "mean": np.mean,
    "minimum": np.min,
    "maximum": np.max,
}


def test_every_statistic_is_tried() -> None:
    assert {each.name for each in EVERY} == set(STATISTICS)


@pytest.mark.parametrize("neighbours", [REPLACE, ADD])
@pytest.mark.parametrize("statistic", EVERY, ids=repr)
def test_every_statistic_is_answered_within_its_outputs(
    statistic: Statistic, neighbours: Neighbours
) -> None:
    options = {"neighbours": neighbours, "max_rows": 12}
    if neighbours is ADD and statistic in (Mean(), Variance(), Variance(ddof=1)):
        with pytest.raises(NotOfferedError):
            statistic.ask(VALUES, BOUNDS, **options)  # type: ignore[arg-type]
        return
    question = statistic.ask(VALUES, BOUNDS, **options)  # type: ignore[arg-type]
    for seed, epsilon in enumerate(("0.05", "1", "50")):
        drawn = answer(question, epsilon, source=SeededSource(seed))
        check_answer(drawn, question, Fraction(epsilon))
    # At ε = 50 next to nothing is added.
    assert drawn.value == pytest.approx(question.value, abs=1e-3 * question.range.width)
    if statistic.name in BY_NUMPY:
        clamped = np.clip(VALUES, *BOUNDS.as_tuple())
        assert question.value == pytest.approx(float(BY_NUMPY[statistic.name](clamped)), rel=1e-12)


def check_answer(drawn: Answer, question: ExactAnswer, epsilon: Fraction) -> None:
    mechanism = drawn.mechanism
    assert drawn.plan is question.plan
    assert drawn.epsilon == epsilon
    assert mechanism.certificate.holds
    assert Fraction(mechanism.epsilon) <= epsilon
    assert mechanism.outputs[0] <= drawn.value <= mechanism.outputs[1]
    points = Fraction(repr(drawn.value)) / mechanism.lattice.exact_spacing
    assert points.denominator == 1
    low, high = drawn.interval
    assert question.range.lower <= low <= high <= question.range.upper
    if question.plan.whole:
        assert all(number.is_integer() for number in (drawn.value, low, high))


@pytest.mark.parametrize(("rows", "epsilon"), [(3, "0.1"), (12, "1"), (30, "2.5")])
def test_neighbouring_counts_are_as_alike_as_the_budget_says(rows: int, epsilon: str) -> None:
    lattice = mechanism_for(counting(rows), epsilon).lattice
    masses = [lattice.pmf(true) for true in range(rows + 1)]
    limit = math.exp(float(epsilon)) * (1 + 1e-12)
    worst = max(float(np.max(np.maximum(a / b, b / a))) for a, b in pairwise(masses))
    assert worst <= limit
    # The broken twin: two rows apart, the budget is passed.
    assert rows < 4 or float(np.max(masses[0] / masses[2])) > limit


@pytest.mark.parametrize("whole", [True, False])
def test_sums_of_whole_numbers_are_whole(whole: bool) -> None:
    question = Sum().ask([3, 4, 5], (0, 9), whole_numbers=whole)
    drawn = answer(question, 1, source=SeededSource(1))
    assert (drawn.mechanism.certificate.spacing == 1.0) == whole


# Drawing


def test_a_certificate_that_does_not_hold_leaves_nothing_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    source = Counting()
    question = Count().ask(VALUES)
    made_once(monkeypatch, question)
    monkeypatch.setattr(Certificate, "holds", property(lambda certificate: False))
    with pytest.raises(CertificateError):
        answer(question, 1, source=source)
    assert source.taken == 0


def test_a_setting_that_does_not_fit_leaves_nothing_drawn() -> None:
    source = Counting()
    question = Mean().ask(VALUES, BOUNDS)
    with pytest.raises(UnknownPairError):
        answer(question, 1, pair="A9B9", source=source)
    with pytest.raises(ParameterError, match="steps"):
        answer(question, 1, pair="A1B1", steps=3, source=source)
    with pytest.raises(ParameterError, match="epsilon"):
        answer(question, "0.0001", source=source)
    assert source.taken == 0


def test_the_same_words_give_the_same_answer_and_the_system_gives_others() -> None:
    question = Mean().ask(VALUES, BOUNDS)
    once, again = (answer(question, 1, source=SeededSource(5)).value for _ in range(2))
    assert once == again
    # About 100,000 outputs each: the same one four times over has probability below 1e-9.
    assert len({answer(question, 1).value for _ in range(4)}) > 1
    first, second = answer(question, 1), answer(question, 1)
    assert first.identifier != second.identifier
    assert first.when.tzinfo is not None


def test_what_was_asked_of_the_shape_is_kept() -> None:
    question = Mean().ask(VALUES, BOUNDS)
    drawn = answer(question, "1/3", pair="A4B1", steps=5, source=SeededSource(1))
    assert (drawn.pair, drawn.steps, drawn.epsilon) == ("A4B1", 5, Fraction(1, 3))
    assert drawn.mechanism.design.pair.activation.steps == 5  # type: ignore[attr-defined]


def test_the_true_answer_is_not_in_what_is_released() -> None:
    question = Mean().ask([1234.56789, 1234.56789], (0, 5000))
    assert "1234.5" not in repr(answer(question, 1, source=SeededSource(1)))
