"""Shares beyond a limit: the interval holds the true one at its rate, whatever the distribution.

Counts of cells are drawn from their exact probabilities, so a release of 50,000 rows costs no more
than one of 200. Seeds are fixed. False alarms: below 1e-9 for each verdict at other seeds, as
at a coverage of .95 the bound of .92 lies 6.2 standard errors of 2,000 releases off, and a coverage
of .9 or less is detected as surely.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from compdp_core import CompositeMechanism
from compdp_core.estimates.likelihood.kernel import around, of_values, probabilities
from compdp_core.estimates.likelihood.profile import Profile
from compdp_core.estimates.likelihood.solver import log_likelihood, most_likely
from compdp_core.validation import Array

RELEASES = 2000
LEAST = 0.92
NORMAL = np.random.default_rng(5).standard_normal(2000)
TRUE = {
    "two humps": np.clip(np.append(35 + 10 * NORMAL[:1200], 75 + 6 * NORMAL[1200:]), 0, 100),
    "spike": np.append(np.zeros(800), np.linspace(0, 100, 1200)),
    "all at one end": np.zeros(1),
    "nearly all": np.append(np.zeros(99), 100.0),
}


def drawn(
    mechanism: CompositeMechanism, true: Any, limit: float, rows: int, values: Any = None
) -> tuple[Profile, Array, float]:
    """Profiles of many releases, the released shares beyond the limit, and the true share."""
    lattice = mechanism.lattice
    if values is None:
        cells, above = around(lattice, limit, limit)
    else:
        cells, above = of_values(lattice, values), values > limit
    chances = probabilities(lattice, cells.edges, lattice.shift(true)).mean(axis=1)
    counts = np.random.default_rng(rows).multinomial(rows, chances, RELEASES)
    beyond = cells.edges[:-1] >= lattice.index_at_least(limit)
    naive = counts[:, beyond].sum(axis=1) / rows
    profile = Profile(cells.kernel, counts.astype(np.float64), above, values is not None)
    return profile, naive, float(np.mean(true > limit))


def held(profile: Profile, share: float, level: float = 0.95) -> float:
    """How often the interval holds a share; some releases at a time, as they need memory."""
    found = []
    for counts in np.array_split(profile.counts, 20):
        part = Profile(profile.kernel, counts, profile.above, profile.apart)
        found.append(part.holds(np.full(len(counts), share), level))
    return float(np.mean(np.concatenate(found)))


@pytest.mark.parametrize(
    ("pair", "epsilon", "name", "limit", "rows"),
    [
        ("A1B1", 0.5, "two humps", 60, 200),
        ("A2B2", 1, "two humps", 60, 50_000),
        ("A1B1", 4, "spike", 5, 2000),
        ("A4B1", 4, "all at one end", 40, 50_000),
        ("A1B1", 4, "nearly all", 5, 2000),
    ],
)
def test_intervals_hold_the_true_share(
    pair: str, epsilon: float, name: str, limit: float, rows: int
) -> None:
    """The broken twin is the released share with its binomial width."""
    mechanism = CompositeMechanism(epsilon, (0, 100), pair=pair)
    profile, naive, share = drawn(mechanism, TRUE[name], limit, rows)
    assert held(profile, share) >= LEAST
    width = 1.96 * np.sqrt(naive * (1 - naive) / rows)
    assert np.mean(np.abs(naive - share) <= width) < 0.9


def test_one_degree_of_freedom_would_not_do_where_all_values_are_one() -> None:
    """The broken twin of the degrees of freedom: .7 of the intervals hold that share."""
    profile, _, share = drawn(CompositeMechanism(4.0, (0, 100)), TRUE["all at one end"], 5, 2000)
    some = Profile(profile.kernel, profile.counts[:500], profile.above, profile.apart)
    gap, _ = some.compared(np.full(500, share))
    assert np.mean(gap <= 3.84) < 0.8


@pytest.mark.parametrize(("epsilon", "rows"), [(1, 200), (4, 50_000)])
def test_shares_of_a_scale(epsilon: float, rows: int) -> None:
    mechanism = CompositeMechanism(epsilon, (1, 5), spacing=1)
    true = np.repeat(np.arange(1.0, 6.0), [30, 15, 5, 25, 25])
    profile, naive, share = drawn(mechanism, true, 3, rows, np.arange(1.0, 6.0))
    assert held(profile, share) >= LEAST
    assert held(profile, share + 0.3) < 0.9
    assert np.mean(np.abs(naive - share) <= 1.96 * np.sqrt(naive * (1 - naive) / rows)) < 0.9


SPREAD = (30, 15, 5, 25, 25)
ALL_ONE = (0, 0, 1, 0, 0)


@pytest.mark.parametrize(
    ("pair", "epsilon", "rows", "true", "place"),
    [
        ("A1B1", 1, 200, SPREAD, 0),
        ("A1B1", 1, 2000, SPREAD, 4),
        ("A2B2", 4, 50_000, SPREAD, 2),
        ("A1B1", 4, 2000, ALL_ONE, 2),
        ("A1B1", 4, 50_000, (98, 0, 1, 1, 0), 2),
    ],
)
def test_shares_of_single_places(
    pair: str, epsilon: float, rows: int, true: tuple[int, ...], place: int
) -> None:
    """The broken twin is the released share with its binomial width."""
    mechanism, values = CompositeMechanism(epsilon, (1, 5), pair=pair, spacing=1), np.arange(1.0, 6)
    weights = np.array(true) / sum(true)
    cells = of_values(mechanism.lattice, values)
    counts = np.random.default_rng(rows).multinomial(rows, cells.kernel @ weights, RELEASES)
    here = np.arange(5) == place
    profile = Profile(cells.kernel, counts.astype(np.float64), here, apart=True)
    assert held(profile, weights[place]) >= LEAST
    at = mechanism.lattice.index_at_least(values[place])
    naive = counts[:, np.searchsorted(cells.edges, at)] / rows
    width = 1.96 * np.sqrt(naive * (1 - naive) / rows)
    assert np.mean(np.abs(naive - weights[place]) <= width) < 0.9


@pytest.mark.parametrize("pair", ["A1B1", "A2B2", "A4B1"])
@pytest.mark.parametrize("epsilon", [0.5, 4, 20])
def test_the_kernel_is_that_of_the_lattice(pair: str, epsilon: float) -> None:
    lattice = CompositeMechanism(epsilon, (0, 100), pair=pair).lattice
    cells, _ = around(lattice, 60, 60)
    values = np.array([0, 12.3, 60, 99.99, 100])
    found = probabilities(lattice, cells.edges, lattice.shift(values))
    below = np.array([lattice.below(int(edge), values) for edge in cells.edges])
    assert found == pytest.approx(np.diff(below, axis=0), abs=1e-12)
    # Between neighbouring places the probabilities are linear: so they stand for all values.
    assert cells.kernel.sum(axis=0) == pytest.approx(1)


@pytest.mark.parametrize("epsilon", [0.5, 1, 4, 20])
def test_every_true_value_is_a_mixture_of_the_places_with_the_same_share(epsilon: float) -> None:
    lattice = CompositeMechanism(epsilon, (0, 100)).lattice
    cells, above = around(lattice, 60, 60)
    for value in (3.21, 59.9, 60.1, 97.3):
        chances = probabilities(lattice, cells.edges, lattice.shift(np.array([value])))[:, 0]
        sides = np.stack([~above, above]) + 0.0
        totals = np.array([[1.0, 0.0] if value < 60 else [0.0, 1.0]]).clip(1e-9, 1 - 1e-9)
        counts = 1e6 * chances[None]
        found = most_likely(cells.kernel, counts, sides, totals)
        exact = float(counts[0] @ np.log(chances, where=chances > 0, out=np.zeros_like(chances)))
        assert exact - log_likelihood(cells.kernel, counts, found)[0] < 0.1


def test_the_solver_finds_the_maximum_and_expected_counts_will_do() -> None:
    """Of the most likely shares no direction leads higher: ``max_j Σ n_i P_ij / q_i <= n``."""
    lattice = CompositeMechanism(1.0, (0, 100)).lattice
    cells, above = around(lattice, 60, 60)
    flat = 2000 * cells.kernel.mean(axis=1)
    for counts in (flat, np.rint(flat), 0.5 * flat):
        profile = Profile(cells.kernel, counts[None], above, False)
        fit = cells.kernel @ profile.best[0]
        assert profile.best.sum() == pytest.approx(1)
        assert profile.best.min() >= 0
        assert (counts / fit @ cells.kernel).max() - counts.sum() < 1e-3
        low, high = profile.interval(0.95)
        assert 0 < low < profile.share[0] < high < 1
        ends = Profile(cells.kernel, np.repeat(counts[None], 4, axis=0), above, False)
        shares = np.array([low - 0.01, low + 0.01, high - 0.01, high + 0.01])
        assert ends.holds(shares, 0.95).tolist() == [False, True, True, False]
