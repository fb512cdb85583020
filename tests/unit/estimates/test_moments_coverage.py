"""Intervals of means, variances and standard deviations hold the truth at their rate.

False alarms: 10⁻⁹ for each verdict at another seed, as bounds lie 6.1 standard errors of so many
releases off. A rate that is wrong by .06 is rejected as surely. Twins, of the widths and values
that a naive reader takes, are.

A release of few whole numbers is how often each possible output was drawn: multinomial, from the
exact probabilities, whatever the number of rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from compdp_core.estimates import moments
from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.estimate import About, Estimate
from compdp_core.estimates.reading import Reading, Sampling, of_clean, of_numbers
from compdp_core.intervals import Interval
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.validation import Array
from tests.unit.release.test_sampled import two_humps

RELEASES = 2000
MARGIN = 6.1 * math.sqrt(0.95 * 0.05 / RELEASES)
"""Of a rate of 95 %: .03."""


@dataclass(frozen=True)
class Channel:
    """A mechanism of whole numbers, and the probabilities of what it draws for each."""

    inputs: tuple[int, int]
    pair: str
    epsilon: float

    def made(self) -> tuple[NumberChannel, Array, Array, Array]:
        """The channel, the true values, the outputs, and the kernel."""
        return _made(self)

    def shares(self) -> Array:
        """Of the true values: two humps, more of the low ones."""
        a, b = self.inputs
        z = (np.arange(a, b + 1.0) - a) / (b - a)
        heights: Array = np.exp(-(((z - 0.2) / 0.17) ** 2)) + 0.4 * np.exp(
            -(((z - 0.65) / 0.17) ** 2)
        )
        heights /= heights.sum()
        return heights


@cache
def _made(of: Channel) -> tuple[NumberChannel, Array, Array, Array]:
    steps = 3 if of.pair == "A4B1" else None  # of itself it takes one, a rectangle
    m = CompositeMechanism(of.epsilon, of.inputs, pair=of.pair, spacing=1, steps=steps)
    x, y = np.arange(of.inputs[0], of.inputs[1] + 1.0), m.lattice.value(np.arange(m.lattice.points))
    channel = NumberChannel.of(m.lattice, Interval(*m.outputs), whole=True)
    return channel, x, y, np.stack([m.lattice.pmf(each) for each in x])


def drawn(
    of: Channel, rows: int, about: About, seed: int
) -> tuple[Iterator[Reading], float, float]:
    """Many releases one by one, and the true mean and variance of the rows or the population."""
    channel, x, y, kernel = of.made()
    shares, chance = of.shares(), np.random.default_rng(seed)
    if about == "population":
        mean, pmf = shares @ x, shares @ kernel
        counts = chance.multinomial(rows, pmf / pmf.sum(), RELEASES)
        variance = shares @ (x - mean) ** 2
    else:
        true = chance.multinomial(rows, shares)
        mean = true @ x / rows
        variance = true @ (x - mean) ** 2 / (rows - 1)
        each = zip(true.tolist(), kernel, strict=True)
        counts = np.sum(
            [chance.multinomial(n, pmf / pmf.sum(), RELEASES) for n, pmf in each if n], axis=0
        )
    readings = (of_numbers(np.repeat(y, each), channel) for each in counts)
    return readings, float(mean), float(variance)


def coverage(found: Sequence[Estimate], truth: float) -> float:
    """How often intervals hold it."""
    return float(np.mean([each.low <= truth <= each.high for each in found]))


def naive(found: Sequence[Estimate], value: Any, error: Any) -> list[Estimate]:
    """With another value and width."""
    parts = zip(found, value, error, strict=True)
    return [replace(one, low=v - 1.96 * e, high=v + 1.96 * e) for one, v, e in parts]


MECHANISMS = [((0, 100), "A1B1"), ((0, 100), "A2B2"), ((0, 60), "A4B1"), ((1, 5), "A1B1")]
CASES = [
    (Channel(inputs, pair, epsilon), rows, about)
    for place, (inputs, pair) in enumerate(MECHANISMS)
    for epsilon in (0.5, 1.0, 4.0)
    for step, rows in enumerate((200, 2000))
    for about in (("rows", "population")[(place + step + int(epsilon)) % 2],)
] + [
    (Channel((0, 100), "A1B1", 0.5), 50_000, "population"),
    (Channel((0, 60), "A4B1", 1.0), 50_000, "rows"),
    (Channel((1, 5), "A2B2", 4.0), 50_000, "population"),
]


@pytest.mark.parametrize(("of", "rows", "about"), CASES)
def test_intervals_hold_the_truth_at_their_rate(of: Channel, rows: int, about: About) -> None:
    """Where the truth is near a bound of what is possible, as a variance near 0, what lies beyond
    counts as the bound and the rate is greater by up to all of the missing 5 %.
    """
    readings, mean, variance = drawn(of, rows, about, seed=rows + len(of.pair))
    sampling, means, spread, naively = Sampling(rows), [], [], []
    for each in readings:
        means.append(moments.mean(each, sampling, about, 0.95))
        spread.append(moments.variance(each, sampling, about, 0.95))
        naively.append(each.values.var(ddof=1))
    error = np.mean([each.standard_error for each in means])
    a, b = of.inputs
    near = min(mean - a, b - mean) < 4 * error
    assert 0.95 - MARGIN <= coverage(means, mean) <= (1.0 if near else 0.95 + MARGIN)
    error = np.mean([each.standard_error for each in spread])
    near = variance < 4 * error
    assert 0.95 - MARGIN <= coverage(spread, variance) <= (1.0 if near else 0.95 + MARGIN)

    values = np.array([each.value for each in means])
    assert abs(values.mean() - mean) < 6.1 * values.std() / math.sqrt(RELEASES)
    if not near:
        values = np.array([each.value for each in spread])
        assert abs(values.mean() - variance) < 6.1 * values.std() / math.sqrt(RELEASES)
        assert coverage(naive(spread, naively, [e.standard_error for e in spread]), variance) < 0.5
    spreads = [math.sqrt(max(variance, 0.0) / rows)] * RELEASES
    if math.sqrt(variance) < 0.7 * error_of_a_value(of):
        assert coverage(naive(means, [each.value for each in means], spreads), mean) < 0.9


def error_of_a_value(of: Channel) -> float:
    channel, x, *_ = of.made()
    return math.sqrt(float(of.shares() @ channel.variance(x)))


PERSONS = 60


@pytest.mark.parametrize("known", [True, False])
def test_rows_of_one_person_are_not_taken_for_many_persons(known: bool) -> None:
    """Four rows each, all alike but for the noise: as if they were others a third is missed."""
    of = Channel((1, 5), "A1B1", 4.0)
    channel, x, y, kernel = of.made()
    shares, chance = of.shares(), np.random.default_rng(7)
    mean = float(shares @ x)
    variance = float(shares @ (x - mean) ** 2)
    true = np.repeat(chance.choice(x.size, (RELEASES, PERSONS), p=shares), 4, axis=1)
    u, below = chance.random(true.shape), np.cumsum(kernel, axis=1)
    readings = [
        of_numbers(y[np.argmax(below[t] > v[:, None], axis=1)], channel)
        for t, v in zip(true, u, strict=True)
    ]
    whose = np.repeat(np.arange(PERSONS), 4)
    rows = whose.size
    for sampling in (Sampling(rows, 1.0, whose if known else None, 4), Sampling(rows)):
        rates = [
            coverage([one(each, sampling, "population", 0.95) for each in readings], truth)
            for one, truth in ((moments.mean, mean), (moments.variance, variance))
        ]
        # The last are the twins. Errors of variances of 60 persons are themselves rough.
        if sampling.at_most == 4:
            assert 0.95 - MARGIN <= rates[0] <= 0.95 + MARGIN
            assert 0.93 - MARGIN <= rates[1] <= 0.95 + MARGIN
        else:
            assert max(rates) < 0.9
    of_rows = moments.mean(readings[0], Sampling(rows, 1.0, whose, 4), "rows", 0.95)
    assert (
        of_rows.standard_error
        == moments.mean(readings[0], Sampling(rows), "rows", 0.95).standard_error
    )


def test_rows_that_were_not_drawn_to_answer_are_allowed_for() -> None:
    """Half of 400 rows answer: the twin takes them for all."""
    of = Channel((0, 60), "A1B1", 4.0)
    channel, x, y, kernel = of.made()
    chance = np.random.default_rng(8)
    rows = chance.choice(x.size, 400, p=of.shares())
    mean, variance = float(x[rows].mean()), float(x[rows].var(ddof=1))
    below, found = np.cumsum(kernel, axis=1), []
    for _ in range(RELEASES):
        at = rows[chance.random(400) < 0.5]
        released = np.full(400, np.nan)
        released[: at.size] = y[np.argmax(below[at] > chance.random((at.size, 1)), axis=1)]
        found.append(of_numbers(released, channel))
    for one, truth in ((moments.mean, mean), (moments.variance, variance)):
        rates = [
            coverage([one(each, Sampling(400, share), "rows", 0.95) for each in found], truth)
            for share in (0.5, 1.0)
        ]
        assert 0.95 - MARGIN <= rates[0] <= 0.95 + MARGIN
        assert rates[1] < rates[0]
    assert rates[1] < 0.92


def test_an_untouched_column_is_exact_of_rows_and_not_of_a_population() -> None:
    chance = np.random.default_rng(9)
    found = [of_clean(chance.normal(3.0, 2.0, 30)) for _ in range(RELEASES)]
    for one, truth in ((moments.mean, 3.0), (moments.variance, 4.0)):
        rate = coverage([one(each, Sampling(30), "population", 0.95) for each in found], truth)
        # The spread of squares of 30 rows is underrated: known of all such intervals.
        assert (0.95 if one is moments.mean else 0.89) - MARGIN <= rate <= 0.95 + MARGIN
    values = found[0].values
    for one, exact in ((moments.mean, values.mean()), (moments.variance, values.var(ddof=1))):
        known = one(found[0], Sampling(30), "rows", 0.95)
        assert known.low == known.value == known.high == pytest.approx(exact)
        assert "exact" in known.note


def test_the_figures_of_a_page_of_formulas() -> None:
    """2,000 rows at ε = 1 of variance 456: 460 ± 114 and not the 10,348 of the released column.

    The mean, which was not noted with them, is taken for 38.
    """
    m = CompositeMechanism(1.0, (0, 100), pair="A1B1")
    channel, true = (
        NumberChannel.of(m.lattice, Interval(*m.outputs), whole=False),
        8.3 + two_humps(2000),
    )
    releases = 400
    found, naively = [], []
    for seed in range(releases):
        reading = of_numbers(m.simulate(true, seed=seed), channel)
        naively.append(reading.values.var(ddof=1))
        found.append(
            [one(reading, Sampling(2000), "rows", 0.95) for one in (moments.mean, moments.variance)]
        )
    values = np.array([[each.value for each in both] for both in found])
    errors = np.array([[each.standard_error for each in both] for both in found])
    off = 6.1 / math.sqrt(releases)
    assert abs(values[:, 1].mean() - true.var(ddof=1)) < off * 114
    assert values[:, 1].std() == pytest.approx(114, rel=6.1 / math.sqrt(2 * releases))
    assert errors[:, 1].mean() == pytest.approx(114, rel=0.08)
    assert values[:, 0].std() == pytest.approx(
        errors[:, 0].mean(), rel=6.1 / math.sqrt(2 * releases)
    )
    assert np.mean(naively) == pytest.approx(10_348, rel=0.02)
    rate = coverage([both[0] for both in found], float(true.mean()))
    assert abs(rate - 0.95) < 6.1 * math.sqrt(0.95 * 0.05 / releases)
