"""Released draws against the distribution that is proved, with the system's own randomness.

The verdict rests on bounds that hold for every number of draws, not on a limit: the share of draws
in a set of probability p has a divergence above t from p with probability below 2 exp(-n t)
(Chernoff). The sets are single outputs, outputs up to a cut, and pairs of successive draws; the
rate is shared among all of them.

False alarms: below 1e-11 a test, 5e-10 the whole module. With 200,000 draws a probability of 0.1
that is off by 0.011, or one of 0.5 off by 0.018, is seen with near certainty; the broken twins
below show it for every kind of fault the sampler could have.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from numpy.typing import NDArray

from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.lattice import Lattice, Sampler
from compdp_core.mechanisms.lattice.runs import Ints
from compdp_core.randomness import SeededSource, Source, SystemSource, Words
from compdp_core.shapes import PAIR_NAMES
from tests.unit.mechanisms.lattice.enumeration import Enumerated

FALSE_ALARM = 1e-11
DRAWS = 200_000

PAIRS = (*PAIR_NAMES, "A4B1")
VALUES = (0.0, 1.9, 3.05, 6.0)
"""Both ends, and two inputs whose shifts lie between whole ones."""


def divergence(share: NDArray[np.float64], p: NDArray[np.float64]) -> NDArray[np.float64]:
    """``share ln(share/p) + (1 - share) ln((1 - share)/(1 - p))``; infinite for the impossible."""
    with np.errstate(divide="ignore", invalid="ignore"):
        inside = np.where(share > 0.0, share * np.log(share / p), 0.0)
        outside = np.where(share < 1.0, (1.0 - share) * np.log((1.0 - share) / (1.0 - p)), 0.0)
    return inside + outside


def surprise(index: Ints, pmf: NDArray[np.float64], cuts: int = 60) -> float:
    """How far draws are from a distribution: a false alarm where it is above 1 is one in 10¹¹."""
    n, points = index.size, pmf.size
    cumulated = np.clip(np.cumsum(pmf), 0.0, 1.0)
    if points <= 400:
        places = np.arange(points - 1)
        single, pmf_single = np.bincount(index, minlength=points) / n, pmf
    else:
        places = np.unique(np.searchsorted(cumulated, np.linspace(0.0, 1.0, cuts + 1)[1:-1]))
        places = places[places < points - 1]
        single = pmf_single = np.empty(0)
    below = np.searchsorted(np.sort(index), places, side="right") / n
    # Successive draws know nothing of each other.
    first, second = index[0 : n - 1 : 2], index[1:n:2]
    median = int(np.searchsorted(cumulated, 0.5))
    pairs = [np.mean((first <= median) & (second <= median)), np.mean(first == second)]
    share = np.concatenate([below, single, pairs])
    p = np.concatenate([cumulated[places], pmf_single, [cumulated[median] ** 2, np.sum(pmf**2)]])
    draws = np.append(np.full(share.size - 2, n), [first.size, first.size])
    # Sums of floats may miss 0 and 1 by a rounding.
    p = np.where(np.abs(p - 1.0) < 1e-12, 1.0, np.where(p < 1e-15, 0.0, p))
    p = np.where((p == 0.0) & (share > 0.0), 1e-15, p)
    limit = math.log(2.0 * share.size / FALSE_ALARM)
    return float(np.max(draws * divergence(share, p)) / limit)


def indices(small: Lattice, released: NDArray[np.float64]) -> Ints:
    return np.rint(released / small.spacing).astype(np.int64) - small.first


def exact_pmf(small: Lattice, value: float) -> NDArray[np.float64]:
    """By enumeration in fractions."""
    enumerated = Enumerated.of(small)
    shift = min(max(small.exact_shift(value), Fraction(0)), Fraction(small.span))
    return np.array([float(p / enumerated.total) for p in enumerated.mixture(shift)])


def whole_numbers(pair: str) -> CompositeMechanism:
    """Few points: a shift by one is a quarter of all probability."""
    sensitivity = 2 if pair == "A4B1" else None
    return CompositeMechanism(2.0, (0, 6), pair=pair, sensitivity=sensitivity, spacing=1)


@pytest.fixture(scope="module", params=PAIRS)
def few_points(request: pytest.FixtureRequest) -> CompositeMechanism:
    return whole_numbers(request.param)


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("seed", [None, 0, 20240601])
def test_releases_and_simulations_of_whole_numbers(
    few_points: CompositeMechanism, seed: int | None, value: float
) -> None:
    """Of the system's source, and of the seeded one, the same at every run."""
    small, values = few_points.lattice, np.full(DRAWS, value)
    made = few_points.release(values) if seed is None else few_points.simulate(values, seed=seed)
    assert surprise(indices(small, made), exact_pmf(small, value)) < 1.0


@pytest.mark.parametrize("value", [-7.0, 23.4, 50.0, 100.0])
@pytest.mark.parametrize(("pair", "epsilon"), [("A1B1", 1.0), ("A2B2", 0.3), ("A3B1", 6.0)])
def test_releases_on_many_points(pair: str, epsilon: float, value: float) -> None:
    mechanism = CompositeMechanism(epsilon, (-7, 100), pair=pair, spacing=1e-3)
    released = mechanism.release(np.full(DRAWS, value))
    small = mechanism.lattice
    assert small.points > 30_000
    assert surprise(indices(small, released), small.pmf(value)) < 1.0


def test_releases_follow_their_own_value_each() -> None:
    """Different inputs in one call: each against its own distribution."""
    mechanism = CompositeMechanism(2.0, (0, 6), spacing=1)
    values = np.tile(VALUES, DRAWS)
    released = mechanism.release(values).reshape(DRAWS, -1)
    for column, value in enumerate(VALUES):
        index = indices(mechanism.lattice, released[:, column])
        assert surprise(index, exact_pmf(mechanism.lattice, value)) < 1.0


@pytest.mark.parametrize("pair", PAIRS)
def test_releases_are_unbiased(pair: str) -> None:
    """Bernstein: the mean of n draws of variance V within a range B misses by t with probability
    below 2 exp(-n t²/(2V + 2Bt/3)). A bias of 2 % of the input width is seen.
    """
    n, mechanism = 350_000, CompositeMechanism(2.0, (0, 100), pair=pair)
    low, high = mechanism.outputs
    log = math.log(2.0 / FALSE_ALARM)
    for value in (0.0, 37.0, 100.0):
        variance, span = mechanism.variance(value), high - low
        b = span * log / (3.0 * n)
        miss = b + math.sqrt(b * b + 2.0 * variance * log / n)
        assert 2.0 * miss < 2.0
        mean = float(np.mean(mechanism.release(np.full(n, value))))
        assert abs(mean - value) < miss
        assert abs(mean + 2.0 - value) > miss


def test_an_impossible_output_is_seen_at_once() -> None:
    pmf = np.array([0.5, 0.5, 0.0])
    index = np.random.default_rng(3).integers(0, 2, 100_000)
    assert surprise(index, pmf) < 1.0
    assert surprise(np.r_[index, 2], pmf) > 1.0


def test_the_bound_is_not_idle() -> None:
    """Over many seeds the surprise of good draws comes near its limit but not over it."""
    pmf = np.array([0.1, 0.2, 0.3, 0.4])
    found = [
        surprise(np.random.default_rng(seed).choice(4, 20_000, p=pmf), pmf) for seed in range(200)
    ]
    assert 0.1 < max(found) < 0.8


# --- Broken twins --------------------------------------------------------------------------------


class OneTooFar(Sampler):
    """Every shift one point off, where there is room."""

    def indices(self, shift: Ints, source: Source) -> Ints:
        return super().indices(np.minimum(shift + 1, self.lattice.span), source)


class MoreBase(Sampler):
    """Noise too large: 5 % of the draws are uniform over the outputs."""

    def indices(self, shift: Ints, source: Source) -> Ints:
        index = super().indices(shift, source)
        uniform = (source.words(shift.size) % np.uint64(self.lattice.points)).astype(np.int64)
        return np.where(often(0.05, shift.size, source), uniform, index)


class LessBase(Sampler):
    """Noise too small: 12 % of the draws are the middle of their activation."""

    def indices(self, shift: Ints, source: Source) -> Ints:
        index = super().indices(shift, source)
        middle = shift + self.lattice.activation.count // 2
        return np.where(often(0.12, shift.size, source), middle, index)


class RoundedDown(Sampler):
    """The shift is never rounded up."""

    rounding: np.ufunc = np.floor

    def draw(self, values: NDArray[np.float64], source: Source) -> NDArray[np.float64]:
        whole = self.rounding(self.lattice.shift(values)).astype(np.int64)
        return self.lattice.value(self.indices(whole, source))


class RoundedToNearest(RoundedDown):
    """The shift is rounded without chance: biased, and another mechanism."""

    rounding = np.rint


class LeaningUp(Sampler):
    """A coin that shows up 15 % too often."""

    def draw(self, values: NDArray[np.float64], source: Source) -> NDArray[np.float64]:
        shift = self.lattice.shift(values)
        low = np.floor(shift)
        p = np.minimum(1.0, 1.15 * (shift - low))
        uniform = (source.words(values.size) >> np.uint64(11)) * 2.0**-53
        return self.lattice.value(self.indices(low.astype(np.int64) + (uniform < p), source))


class EachTwice(Sampler):
    """Right in every single output, but neighbours are the same."""

    def indices(self, shift: Ints, source: Source) -> Ints:
        index = super().indices(shift, source)
        return np.repeat(index[::2], 2)[: index.size]


class Echo:
    """Every second request is answered with the words of the first: the coin knows the output."""

    def __init__(self, source: Source) -> None:
        self.source, self.said = source, np.empty(0, np.uint64)

    def words(self, count: int) -> Words:
        if self.said.size == count:
            words, self.said = self.said, np.empty(0, np.uint64)
            return words
        self.said = self.source.words(count)
        return self.said.copy()


class Biased:
    """The leading bit of every word is set 15 % too often."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def words(self, count: int) -> Words:
        words = self.source.words(count)
        return np.where(often(0.3, count, self.source), words | np.uint64(1 << 63), words)


def often(share: float, count: int, source: Source) -> NDArray[np.bool_]:
    return source.words(count) < np.uint64(int(share * 2**64))


def drawn(sampler: Sampler, value: float, source: Source) -> Ints:
    return indices(sampler.lattice, sampler.draw(np.full(DRAWS, value), source))


@pytest.fixture(scope="module", params=["A1B1", "A2B2", "A4B1"])
def broken_on(request: pytest.FixtureRequest) -> tuple[Lattice, float, NDArray[np.float64]]:
    """A lattice of whole numbers and an input whose shift is nearly halfway between two."""
    small = whole_numbers(request.param).lattice
    grid = np.linspace(1.5, 4.5, 301)
    value = float(grid[np.argmin(np.abs(small.shift(grid) % 1.0 - 0.45))])
    return small, value, exact_pmf(small, value)


KIND_OF_SAMPLER = [OneTooFar, MoreBase, LessBase, RoundedDown, RoundedToNearest, EachTwice]


@pytest.mark.parametrize("make", [SystemSource, lambda: SeededSource(11)], ids=["system", "seed"])
@pytest.mark.parametrize("kind", [Sampler, *KIND_OF_SAMPLER])
def test_broken_samplers_are_found(
    broken_on: tuple[Lattice, float, NDArray[np.float64]],
    kind: type[Sampler],
    make: Callable[[], Source],
) -> None:
    small, value, pmf = broken_on
    found = surprise(drawn(kind(small), value, make()), pmf)
    assert (found > 1.0) is (kind is not Sampler)


@pytest.mark.parametrize("spoil", [Echo, Biased])
def test_broken_sources_are_found(
    broken_on: tuple[Lattice, float, NDArray[np.float64]], spoil: Callable[[Source], Source]
) -> None:
    small, value, pmf = broken_on
    assert surprise(drawn(Sampler(small), value, spoil(SystemSource())), pmf) > 1.0


def test_a_leaning_coin_is_found() -> None:
    """Where nothing but the coin decides: an activation of one point that has nearly all mass."""
    small = CompositeMechanism(8.0, (0, 1), spacing=1).lattice
    pmf = exact_pmf(small, 0.5)
    assert surprise(drawn(Sampler(small), 0.5, SystemSource()), pmf) < 1.0
    assert surprise(drawn(LeaningUp(small), 0.5, SystemSource()), pmf) > 1.0
