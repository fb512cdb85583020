"""What is foretold of estimates against the estimates themselves, on true values spread evenly.

Seeds are fixed. False alarms: below 1e-9 for each verdict at another seed; errors of foretold
standard errors are seen from 11 % on, as 2,000 repetitions know theirs to 1.6 % (6.1 of these are
9.7 %).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import compdp_core as cdp
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.forecast.expected import (
    ExpectedCategory,
    ExpectedNumbers,
    ExpectedOther,
    expected,
)
from compdp_core.estimates.forecast.flat import Flat, flat_values
from compdp_core.estimates.forecast.wished import (
    Wish,
    beside_statistic,
    epsilon_for,
    rows_for,
    within,
)
from compdp_core.estimates.reading import Reading, of_category, of_clean, of_numbers
from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines import ClampedLaplace, Duchi, Laplace, Piecewise
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.randomness import SeededSource
from compdp_core.release.accuracy import Meaning
from compdp_core.validation import Array

FILES, ROWS = 2000, 400
FEW_FILES = 6
TOLD = 0.11
Z = 1.959964

NUMBERS = [
    {"epsilon": 0.5},
    {"epsilon": 1},
    {"epsilon": 4},
    {"epsilon": 1, "pair": "A2B2"},
    {"epsilon": 4, "pair": "A4B1"},
    {"epsilon": 4, "outputs": (-50, 300)},
    {"epsilon": 1, "kind": "whole", "inputs": (1, 5)},
]
CATEGORY = cdp.ColumnPlan(epsilon=1, kind="category", categories=list("abcd"))


def plan_of(said: dict[str, Any]) -> cdp.ColumnPlan:
    return cdp.ColumnPlan(**{"inputs": (0, 100), **said})


def drawn(mechanism: CompositeMechanism, rows: int, seed: int) -> tuple[Array, Reading]:
    """True values spread evenly, and the reading of what is released of them, a file a row."""
    rng = np.random.default_rng(seed)
    x = rng.choice(flat_values(mechanism.lattice, whole=mechanism.is_discrete), (FILES, rows))
    whole = mechanism.is_discrete
    channel = NumberChannel.of(mechanism.lattice, Interval(*mechanism.outputs), whole=whole)
    return x, of_numbers(mechanism.simulate(x, seed=seed), channel)


@pytest.mark.parametrize("said", NUMBERS, ids=str)
def test_mean_spread_and_correlation_are_as_sure_as_foretold(said: dict[str, Any]) -> None:
    made = plan_of(said).composite()
    found = expected(made, ROWS)
    assert isinstance(found, ExpectedNumbers)
    x, reading = drawn(made, ROWS, 1)
    u, s = reading.values, reading.noise
    assert found.mean_within == pytest.approx(Z * (u - x).mean(axis=1).std(), rel=TOLD)
    variances = u.var(axis=1, ddof=1) - s.mean(axis=1)
    error = math.sqrt(found.flat.of_variance / ROWS)
    assert variances.std() == pytest.approx(error, rel=TOLD)
    assert found.std**2 == pytest.approx(variances.mean(), abs=6.1 * error / math.sqrt(FILES))
    assert found.std_between[1] == pytest.approx(
        min(math.sqrt(found.std**2 + Z * error), 0.5 * np.ptp(made.inputs))
    )
    # Columns that have nothing to do with this one: a clean one, and itself of other rows. Of so
    # many rows as a correlation takes, foretold errors are a tenth.
    many = expected(made, 100 * ROWS)
    clean = np.random.default_rng(2).standard_normal(x.shape)
    other = np.roll(u, 1, axis=0)
    for theirs, spread, least in (
        (clean, 1.0, 10 * many.correlation()),
        (other, found.std, 10 * many.correlation(many)),
    ):
        off = theirs - theirs.mean(axis=1, keepdims=True)
        r = ((u - u.mean(axis=1, keepdims=True)) * off).mean(axis=1) / (found.std * spread)
        assert least == pytest.approx((1.959964 + 0.841621) * r.std(), rel=TOLD)


def released(plans: dict[str, cdp.ColumnPlan], rows: int, seed: int) -> cdp.Estimates:
    """The estimates from a file of true values spread evenly, as a receiver makes them."""
    rng = np.random.default_rng(seed)
    cells = {
        name: rng.choice(list("abcd"), rows)
        if plan.is_category
        else rng.choice(flat_values(plan.composite().lattice, whole=plan.whole), rows)
        for name, plan in plans.items()
    }
    done = cdp.privatize(pd.DataFrame(cells), plans, source=SeededSource(seed))
    return cdp.Estimates(done.csv(), done.card)


@pytest.mark.parametrize("said", NUMBERS, ids=str)
def test_intervals_of_numbers_are_as_wide_as_foretold(said: dict[str, Any]) -> None:
    """On average over a few files; broken twins: no noise, and noise at the centre alone."""
    plan, rows = plan_of(said), 3000
    found = expected(plan, rows)
    assert isinstance(found, ExpectedNumbers)
    every = [released({"x": plan}, rows, seed) for seed in range(FEW_FILES)]
    means = [each.mean("x") for each in every]
    half = np.mean([0.5 * (each.high - each.low) for each in means])
    assert found.mean_within == pytest.approx(half, rel=0.02)
    assert found.std / math.sqrt(rows) * Z != pytest.approx(half, rel=0.05)
    spreads = [each.std("x") for each in every]
    lower, upper = found.std_between
    assert lower == pytest.approx(np.mean([each.low for each in spreads]), rel=0.1)
    assert upper == pytest.approx(np.mean([each.high for each in spreads]), rel=0.05)
    assert found.std == pytest.approx(np.mean([each.value for each in spreads]), rel=0.1)


def test_intervals_of_shares_are_as_wide_as_foretold() -> None:
    found = expected(CATEGORY, 3000)
    assert isinstance(found, ExpectedCategory)
    every = [released({"x": CATEGORY}, 3000, seed) for seed in range(FEW_FILES)]
    for about in ("population", "rows"):
        shares = [each.share("x", "a", about=about) for each in every]
        half = np.mean([0.5 * (each.high - each.low) for each in shares])
        assert found.share_within(about) == pytest.approx(half, rel=0.03)
    naive = Z * math.sqrt(0.25 * 0.75 / 3000)
    assert found.share_within("rows") > 1.5 * naive


def test_the_naive_width_is_told() -> None:
    """Broken twins: a standard error of the true values in place of that of their noise, and the
    error of a variance without its noise.
    """
    found = expected(plan_of({"epsilon": 1}), ROWS)
    assert isinstance(found, ExpectedNumbers)
    x, reading = drawn(found.mechanism, ROWS, 1)
    error = (reading.values - x).mean(axis=1).std()
    assert found.std / math.sqrt(ROWS) != pytest.approx(error, rel=2 * TOLD)
    variances = reading.values.var(axis=1) - reading.noise.mean(axis=1)
    naive = math.sqrt(np.mean(reading.values.var(axis=1) ** 2) * 2 / ROWS)
    assert variances.std() != pytest.approx(naive, rel=2 * TOLD)
    many = expected(found.mechanism, 100 * ROWS)
    assert 1 / math.sqrt(100 * ROWS) < 0.5 * many.correlation() / 2.8


def test_shares_and_correlations_of_categories_are_as_sure_as_foretold() -> None:
    found = expected(CATEGORY, ROWS)
    assert isinstance(found, ExpectedCategory)
    true = np.random.default_rng(3).integers(0, 4, (FILES, ROWS)).astype(float)
    released = found.mechanism.simulate(true, seed=4)
    u = of_category(released, found.mechanism, 0).values
    assert found.share_within() == pytest.approx(Z * u.mean(axis=1).std(), rel=TOLD)
    off = (u - (true == 0)).mean(axis=1)
    assert found.share_within("rows") == pytest.approx(Z * off.std(), rel=TOLD)
    assert found.share_within("rows") < found.share_within()
    assert found.share_within() != pytest.approx(Z * (true == 0).mean(axis=1).std(), rel=2 * TOLD)
    clean = np.random.default_rng(2).standard_normal(true.shape)
    spread = math.sqrt(0.25 * 0.75)
    r = ((u - u.mean(axis=1, keepdims=True)) * clean).mean(axis=1) / spread
    assert found.correlation() == pytest.approx((1.959964 + 0.841621) * r.std(), rel=TOLD)


@pytest.mark.parametrize("said", NUMBERS, ids=str)
def test_moments_are_those_of_the_distribution_that_is_drawn(said: dict[str, Any]) -> None:
    """By the probability of every output, against closed forms."""
    plan = plan_of(said)
    lattice = plan.composite().lattice
    flat, x = Flat.of(lattice, whole=plan.whole), flat_values(lattice, whole=plan.whole)
    step = max(1, x.size // 64)
    some = x[step // 2 :: step]
    edges = np.unique(np.linspace(0, lattice.points, 1025).astype(np.int64))
    masses = np.diff([lattice.below(int(e), some) for e in edges], axis=0).mean(axis=1)
    y = 0.5 * (lattice.value(edges[:-1]) + lattice.value(edges[1:] - 1))
    channel = NumberChannel.of(lattice, Interval(lattice.lower, lattice.upper), whole=plan.whole)
    centre = some.mean()
    added = (y - centre) ** 2 - channel.noise(y)
    mean = masses @ added
    assert masses @ (added - mean) ** 2 == pytest.approx(flat.of_variance, rel=1e-2)
    noise = Meaning(plan.composite()).typical_error ** 2
    assert flat.noise == pytest.approx(noise, rel=1e-4)


WISHES: list[tuple[cdp.ColumnPlan, Wish, float]] = [
    (plan_of({"epsilon": 1}), "mean", 2.0),
    (plan_of({"epsilon": 4, "outputs": (-150, 300)}), "mean", 2.0),
    (plan_of({"epsilon": 1}), "correlation", 0.1),
    (CATEGORY, "share", 0.05),
    (CATEGORY, "correlation", 0.1),
]


@pytest.mark.parametrize(("plan", "wish", "wanted"), WISHES)
def test_a_wish_is_met_by_the_fewest_rows_and_the_least_epsilon(
    plan: cdp.ColumnPlan, wish: Wish, wanted: float
) -> None:
    found = expected(plan, 5000)
    rows = rows_for(plan, wish, wanted, found)
    assert within(expected(plan, rows), wish) <= wanted < within(expected(plan, rows - 1), wish)
    half = expected(plan, 5000, share=0.5)
    assert rows_for(plan, wish, wanted, half) >= 2 * rows - 1
    epsilon = epsilon_for(plan, wish, wanted, found)
    at = [plan_at(plan, epsilon), plan_at(plan, float(epsilon) * 0.998)]
    reached, missed = (within(expected(each, 5000), wish) for each in at)
    assert reached <= wanted < missed


def plan_at(plan: cdp.ColumnPlan, epsilon: Any) -> cdp.ColumnPlan:
    return replace(plan, epsilon=epsilon)


@pytest.mark.parametrize(("plan", "wish"), [(p, w) for p, w, _ in WISHES])
def test_more_rows_and_more_epsilon_tell_more(plan: cdp.ColumnPlan, wish: Wish) -> None:
    by_rows = [within(expected(plan, n), wish) for n in (20, 200, 2000, 50_000)]
    assert by_rows == sorted(by_rows, reverse=True)
    larger = [plan_at(plan, e) for e in (4, 5, 8, 20)]
    by_epsilon = [within(expected(each, 2000), wish) for each in larger]
    assert by_epsilon == sorted(by_epsilon, reverse=True)


def test_persons_and_rows_that_answer_cost() -> None:
    plan, person = plan_of({"epsilon": 1}), cdp.Person("id", at_most=4)
    alone, of_some, of_persons = (
        expected(plan, 2000),
        expected(plan, 4000, share=0.5),
        expected(plan, 2000, person=person),
    )
    assert isinstance(alone, ExpectedNumbers)
    assert isinstance(of_some, ExpectedNumbers)
    assert isinstance(of_persons, ExpectedNumbers)
    assert of_some.rows == alone.rows
    # Rows that were drawn stand for those that were not.
    assert alone.mean_within < of_some.mean_within < 1.1 * alone.mean_within
    assert of_persons.mean_within == alone.mean_within  # of these very rows
    assert of_persons.correlation() > alone.correlation()
    assert of_persons.std_between[1] > alone.std_between[1]
    assert of_persons.above_within > alone.above_within


def test_what_is_found_with_many_rows_of_a_person_is_as_sure_as_foretold() -> None:
    """The rows of a person all alike: the worst there is."""
    made, person = plan_of({"epsilon": 4}).composite(), cdp.Person("id", at_most=4)
    found = expected(made, ROWS, person=person)
    rng = np.random.default_rng(5)
    x = np.repeat(rng.uniform(0, 100, (FILES, ROWS // 4)), 4, axis=1)
    z = np.repeat(rng.standard_normal((FILES, ROWS // 4)), 4, axis=1)
    y = made.simulate(x, seed=6)
    r = ((y - y.mean(axis=1, keepdims=True)) * of_clean(z).values).mean(axis=1)
    least = (1.959964 + 0.841621) * r.std() / (100 / math.sqrt(12))
    assert found.correlation() == pytest.approx(least, rel=TOLD)
    assert expected(made, ROWS).correlation() < 0.7 * least  # broken twin: persons are not heeded


def test_a_released_statistic_is_far_more_exact() -> None:
    plan = plan_of({"epsilon": 1})
    mean = beside_statistic(plan, "mean", expected(plan, 2000), 2000)
    # Noise of about Laplace's scale 100/2000 against typical errors of 102 over the root of 2000.
    assert mean.statistic == pytest.approx(math.log(20) * 100 / 2000, rel=0.02)
    assert mean.table == pytest.approx(Z * 102 / math.sqrt(2000), rel=0.01)
    assert mean.ratio == mean.table / mean.statistic
    share = beside_statistic(CATEGORY, "share", expected(CATEGORY, 2000), 2000)
    assert share.statistic == 3 / 2000  # two-sided geometric noise of a count at ε = 1
    assert share.ratio > 30
    exact = plan_at(CATEGORY, 20)
    assert beside_statistic(exact, "share", expected(exact, 2000), 2000).ratio == math.inf
    person = cdp.Person("id", at_most=4)
    of_persons = beside_statistic(
        plan, "mean", expected(plan, 2000, person=person), 2000, person=person, persons=500
    )
    # Four rows at ε = 1 each are ε = 4 of a person, whose change is four times as large; there a
    # staircase is nearer than Laplace noise.
    laplace = math.log(20) * 4 * 100 / 503 / 4
    assert 0.7 * laplace < of_persons.statistic < laplace


@pytest.mark.parametrize(
    ("said", "named"),
    [
        (lambda: expected("plan", 10), "what"),  # type: ignore[arg-type]
        (lambda: expected(CATEGORY, 0), "rows"),
        (lambda: expected(CATEGORY, 10, share=0), "share"),
        (lambda: expected(CATEGORY, 10, share=1.5), "share"),
        (lambda: expected(CATEGORY, 10, share=math.nan), "share"),
        (lambda: expected(CATEGORY, 10, level=1), "level"),
        (lambda: expected(CATEGORY, 10, person=3), "person"),  # type: ignore[arg-type]
        (lambda: within(expected(CATEGORY, 10), "mean"), "wish"),
        (lambda: within(expected(CATEGORY, 10), "median"), "wish"),  # type: ignore[arg-type]
        (lambda: rows_for(CATEGORY, "share", 0.0, expected(CATEGORY, 1)), "wanted"),
        (lambda: epsilon_for(CATEGORY, "share", math.nan, expected(CATEGORY, 1)), "wanted"),
    ],
)
def test_what_makes_no_sense_is_refused_by_name(said: Any, named: str) -> None:
    with pytest.raises(ParameterError, match=named):
        said()


def test_what_cannot_be_had_says_what_would_help() -> None:
    with pytest.raises(CompdpError, match="take more rows"):
        epsilon_for(CATEGORY, "share", 0.001, expected(CATEGORY, 100))
    with pytest.raises(CompdpError, match="raise epsilon"):
        rows_for(CATEGORY, "share", 1e-9, expected(CATEGORY, 100))


def test_nothing_is_known_of_few_rows() -> None:
    found = expected(plan_of({"epsilon": 0.5}), 20)
    assert isinstance(found, ExpectedNumbers)
    assert found.above_within == pytest.approx(0.5)
    assert found.std_between == (0.0, 50.0)
    assert found.correlation() > 1
    assert RandomizedResponse(1.0, 4).noise_factor ** -2 == expected(CATEGORY, 20).reliability


@pytest.mark.parametrize("kind", [Laplace, Piecewise, Duchi, ClampedLaplace])
def test_other_noise_is_foretold_where_it_is_right_on_average(kind: Any) -> None:
    made = kind(1.0, (0.0, 100.0))
    found = ExpectedOther(ROWS, mechanism=made)
    x = np.random.default_rng(8).uniform(0, 100, (FILES, ROWS))
    off = made.simulate(x, seed=9).mean(axis=1) - x.mean(axis=1)
    assert found.is_unbiased == (kind is not ClampedLaplace)
    if found.is_unbiased:
        assert found.mean_within == pytest.approx(Z * off.std(), rel=TOLD)
        assert abs(off.mean()) < 6.1 * off.std() / math.sqrt(FILES)
    assert found.worst_bias == pytest.approx(
        np.abs(made.bias(np.linspace(0, 100, 999))).max(), rel=0.02
    )


def test_a_correlation_is_told_where_the_spread_is() -> None:
    """As the estimate refuses it else; for answers as well."""
    plan = plan_of({"epsilon": 1})
    tells, hides = expected(plan, 3000), expected(plan, 200)
    assert tells.variance_in_errors > 3.9 > 3.0 > hides.variance_in_errors
    assert tells.correlation() < 0.3
    assert hides.correlation() == math.inf
    assert tells.correlation(rows=200) == math.inf
    two = cdp.ColumnPlan(epsilon=1, kind="category", categories=["a", "b"])
    assert expected(two, 20).variance_in_errors == math.inf
    # Of a share s the variance s(1 - s) is off by (1 - 2s) times as much.
    found = expected(CATEGORY, 3000)
    assert isinstance(found, ExpectedCategory)
    error = 0.5 * found.share_within() / Z
    assert found.variance_in_errors == pytest.approx(0.25 * 0.75 / error, rel=0.02)


def test_without_noise_to_speak_of_all_is_told() -> None:
    found = expected(plan_of({"epsilon": 50, "kind": "whole", "inputs": (480, 1080)}), 100)
    assert isinstance(found, ExpectedNumbers)
    assert 0 <= found.mean_within < 1e-3
    assert found.reliability == pytest.approx(1)
    assert found.correlation() == pytest.approx(0.28, rel=0.01)


SHAPES = [
    ({"epsilon": 4}, 0.75, 1.4),
    ({"epsilon": 1, "kind": "whole", "inputs": (1, 5)}, 0.9, 1.15),
]


@pytest.mark.parametrize(("said", "least", "most"), SHAPES, ids=str)
def test_shares_above_the_middle_are_about_as_sure_as_foretold(
    said: dict[str, Any], least: float, most: float
) -> None:
    """Real intervals depend on which shares come out as 0 by chance; the width of a count without
    noise is told.
    """
    plan, rows = plan_of(said), 2000
    found = expected(plan, rows)
    assert isinstance(found, ExpectedNumbers)
    limit = sum(plan.inputs.as_tuple()) / 2
    every = [released({"x": plan}, rows, seed).share("x", above=limit) for seed in range(4)]
    half = float(np.mean([0.5 * (each.high - each.low) for each in every]))
    assert least * half < found.above_within < most * half
    assert Z * 0.5 / math.sqrt(rows) < 0.7 * found.above_within


def test_the_distribution_is_told_where_there_are_rows_for_it() -> None:
    for epsilon, rows, told in ((0.5, 200, False), (1, 50_000, True), (4, 2000, True)):
        plan = plan_of({"epsilon": epsilon})
        found = expected(plan, rows)
        assert isinstance(found, ExpectedNumbers)
        assert found.tells_distribution == told
        if rows <= 2000:
            assert released({"x": plan}, rows, 1).distribution("x").told == told
