"""The declared ε and δ against the largest privacy loss found on the distributions themselves."""

from __future__ import annotations

import itertools
import math
from typing import Any

import mpmath as mp
import numpy as np
import pytest
from scipy.integrate import quad

from compdp_core.mechanisms.baselines import (
    BASELINES,
    AnalyticGaussian,
    Baseline,
    BoundedLaplace,
    ClassicGaussian,
    DiscreteGaussian,
    Laplace,
    gaussian_delta,
)
from compdp_core.mechanisms.baselines.gaussian import GaussianBaseline
from compdp_core.validation import Array
from tests.unit.mechanisms.baselines.cases import PURE, PURE_IDS, SETTINGS, atoms, build

# Logarithms of densities of up to e^50 apart, in floats.
ROUNDING = 1e-9


def neighbours(mechanism: Baseline) -> list[tuple[float, float]]:
    """Pairs of inputs one sensitivity or less apart: at both ends, across the middle, at random."""
    lower, upper = mechanism.inputs
    step = mechanism.sensitivity
    width = upper - lower
    starts = np.concatenate(
        [
            [lower, upper - step, 0.5 * (lower + upper - step)],
            lower + np.random.default_rng(5).uniform(size=20) * (width - step),
        ]
    )
    pairs = [(float(x), float(min(x + part * step, upper))) for x in starts for part in (1.0, 0.6)]
    return pairs + [(y, x) for x, y in pairs]


def outputs(mechanism: Baseline, x: float, y: float) -> Array:
    """Places where the loss can be largest: around both inputs, far away, at the ends."""
    low, high = mechanism.outputs
    if mechanism.is_discrete:
        near = atoms(mechanism, x)
        return near[:: max(1, near.size // 4000)]
    reach = 30.0 * mechanism.sensitivity / mechanism.epsilon
    grid: Array = np.concatenate(
        [z + np.linspace(-reach, reach, 801) for z in (x, y)] + [[x, y, low, high]]
    )
    grid = grid[np.isfinite(grid)]
    return np.clip(grid, low, high)


def largest_loss(mechanism: Baseline) -> float:
    """``max ln(P_x/P_y)`` over densities and over point masses, for neighbours ``x``, ``y``."""
    worst = 0.0
    for x, y in neighbours(mechanism):
        places = outputs(mechanism, x, y)
        for law in (mechanism.pdf, mechanism.pmf):
            first, second = law(places, value=x), law(places, value=y)
            # Far in a tail both underflow; the loss there is that of the nearer places.
            seen = (first > 1e-290) | (second > 1e-290)
            if seen.any():
                worst = max(worst, float(np.max(np.log(first[seen]) - np.log(second[seen]))))
    return worst


@pytest.mark.parametrize(("key", "index"), PURE, ids=PURE_IDS)
def test_no_pair_of_neighbours_loses_more_than_epsilon(key: str, index: int) -> None:
    mechanism = build(key, index)
    loss = largest_loss(mechanism)
    assert loss <= mechanism.epsilon * (1.0 + ROUNDING) + ROUNDING
    # No noise is wasted: some pair loses all of ε. The local ones protect pairs farther apart;
    # on the grid Δ may round up.
    lower, upper = mechanism.inputs
    is_local = key in {"duchi", "piecewise"} and mechanism.sensitivity < upper - lower
    on_grid = math.isclose(
        math.remainder(mechanism.sensitivity, SETTINGS[index][4]), 0.0, abs_tol=1e-12
    )
    if not is_local and (on_grid or not mechanism.is_discrete):
        assert loss >= mechanism.epsilon * (1.0 - 1e-6)


@pytest.mark.parametrize("key", [key for key, entry in BASELINES.items() if not entry.needs])
@pytest.mark.parametrize("factor", [1.01, 1.2])
def test_a_mechanism_that_claims_less_than_it_loses_is_seen(key: str, factor: float) -> None:
    claimed = 1.0
    liar = BASELINES[key].build(factor * claimed, (0, 100))
    assert largest_loss(liar) > claimed * (1.0 + ROUNDING) + ROUNDING


def test_the_plain_laplace_scale_would_not_be_private_on_a_bounded_domain() -> None:
    mechanism = BoundedLaplace(1.0, (0, 100), sensitivity=10)
    assert mechanism.exact_epsilon == pytest.approx(largest_loss(mechanism), rel=1e-9)
    mechanism._set("scale", 10.0)
    assert largest_loss(mechanism) == pytest.approx(mechanism.exact_epsilon, rel=1e-9)
    assert largest_loss(mechanism) > 1.4


@pytest.mark.parametrize("ratio", [1.0, 1.5, 2.0, 7.0, 1e4])
@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 1.0, 10.0, 50.0])
def test_the_bounded_scale_is_the_smallest_private_one(epsilon: float, ratio: float) -> None:
    mechanism = BoundedLaplace(epsilon, (0, ratio), sensitivity=1)
    assert mechanism.exact_epsilon <= epsilon
    assert mechanism.exact_epsilon == pytest.approx(epsilon, rel=1e-8)
    # As Holohan et al. write it: a fixed point of Δ/(ε - ln ΔC(s)).
    s = mechanism.scale
    change = (2.0 - math.exp(-1 / s) - math.exp(-(ratio - 1) / s)) / -math.expm1(-ratio / s)
    assert 1.0 / (epsilon - math.log(change)) == pytest.approx(s, rel=1e-6)


def gaussian_hockey_stick(epsilon: float, sigma: float) -> float:
    """``∫ max(0, P - e^ε Q)`` for unit normal densities one sensitivity apart."""
    # The loss ln P/Q falls linearly and passes ε at one place: integrate up to it.
    stop = 0.5 - epsilon * sigma**2

    def excess(z: float) -> float:
        p = math.exp(-0.5 * z * z)
        loss = (0.5 - z * sigma) / sigma**2
        return -math.expm1(epsilon - loss) * p / math.sqrt(2.0 * math.pi)

    end = stop / sigma
    start = min(end, 0.0) - 12.0
    pieces = np.linspace(start, end, 41)
    return math.fsum(
        quad(excess, a, b, epsabs=0.0, epsrel=1e-12)[0] for a, b in itertools.pairwise(pieces)
    )


@pytest.mark.parametrize("epsilon", [1e-3, 0.1, 1.0, 5.0, 20.0, 50.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-6, 1e-2, 0.4])
def test_the_analytic_gaussian_spends_exactly_its_delta(epsilon: float, delta: float) -> None:
    mechanism = AnalyticGaussian(epsilon, (0, 10), delta=delta, sensitivity=2)
    sigma = mechanism.sigma / 2
    assert mechanism.true_delta <= delta
    summed = gaussian_hockey_stick(epsilon, sigma)
    assert summed == pytest.approx(mechanism.true_delta, rel=1e-8, abs=0.0)
    assert summed <= delta
    # Broken twins: already a hundred-millionth less noise is too little.
    for less in (0.99, 1.0 - 1e-8):
        assert gaussian_hockey_stick(epsilon, less * sigma) > delta


def test_the_classic_gaussian_fails_where_its_proof_ends() -> None:
    for epsilon in (1e-3, 0.1, 0.5, 0.999):
        mechanism = ClassicGaussian(epsilon, (0, 1), delta=1e-6)
        assert mechanism.proof_holds
        assert mechanism.true_delta <= 1e-6
    # At a claimed δ of 1e-6 the true one is 1.9e-6 or 1.6e-4.
    for epsilon in (10.0, 20.0):
        mechanism = ClassicGaussian(epsilon, (0, 1), delta=1e-6)
        assert not mechanism.proof_holds
        with mp.workdps(50):
            sigma = mp.sqrt(2 * mp.log(mp.mpf("1.25") / mp.mpf("1e-6"))) / epsilon
            true = float(exact_gaussian_delta(epsilon, sigma))
        assert mechanism.true_delta == pytest.approx(true, rel=1e-10, abs=0.0)
        assert mechanism.true_delta > 1e-6


def exact_gaussian_delta(epsilon: float, sigma: Any) -> Any:
    """``Φ(A) - e^ε Φ(B)`` as it stands, in the digits that are set."""
    e, s = mp.mpf(epsilon), mp.mpf(sigma)
    return mp.ncdf(1 / (2 * s) - e * s) - mp.exp(e) * mp.ncdf(-1 / (2 * s) - e * s)


@pytest.mark.parametrize("epsilon", [1e-3, 0.3, 1.0, 4.0, 20.0])
@pytest.mark.parametrize("sigma", [0.3, 1.0, 30.0, 4000.0])
def test_gaussian_delta_agrees_with_fifty_digits(epsilon: float, sigma: float) -> None:
    with mp.workdps(60):
        exact = exact_gaussian_delta(epsilon, sigma)
        if exact < 1e-280:
            assert gaussian_delta(epsilon, sigma) < 1e-270
        else:
            assert gaussian_delta(epsilon, sigma) == pytest.approx(float(exact), rel=1e-9, abs=0.0)


def hockey_stick(mechanism: DiscreteGaussian, steps: int, epsilon: float) -> float:
    """``Σ max(0, P(n) - e^ε P(n - steps))`` over the whole numbers."""
    reach = math.ceil(14.0 * mechanism.sigma) + steps + 2
    n = np.arange(-reach, reach + 1.0)
    weights = np.exp(-0.5 * (n / mechanism.sigma) ** 2)
    loss = (steps * (steps - 2.0 * n)) / (2.0 * mechanism.sigma**2)
    # P - e^ε Q = P (1 - e^(ε - loss)), where the loss is above ε.
    gain = np.where(loss > epsilon, -np.expm1(np.minimum(epsilon - loss, 0.0)), 0.0)
    return math.fsum(weights * gain) / math.fsum(weights)


@pytest.mark.parametrize("steps", [1, 2, 7, 100])
@pytest.mark.parametrize("epsilon", [0.01, 0.3, 1.0, 4.0, 20.0, 50.0])
@pytest.mark.parametrize("delta", [1e-12, 1e-6, 0.05])
def test_the_discrete_gaussian_spends_exactly_its_delta(
    epsilon: float, delta: float, steps: int
) -> None:
    mechanism = DiscreteGaussian(epsilon, (0, 1000), delta=delta, sensitivity=steps, spacing=1)
    assert mechanism.steps == steps
    assert mechanism.true_delta <= delta
    summed = hockey_stick(mechanism, steps, epsilon)
    # The tails at large ε are close to 1, so that their difference is exact to a float only.
    assert summed == pytest.approx(mechanism.true_delta, rel=1e-7, abs=1e-15)
    assert summed <= delta
    # Nearer neighbours lose less.
    for nearer in {1, max(1, steps - 1)}:
        assert hockey_stick(mechanism, nearer, epsilon) <= summed * (1.0 + 1e-12)
    # Broken twins: already a hundred-millionth less noise is too little.
    for less in (0.99, 1.0 - 1e-8):
        twin = DiscreteGaussian(epsilon, (0, 1000), delta=delta, sensitivity=steps, spacing=1)
        twin._set("sigma", less * mechanism.sigma)
        assert hockey_stick(twin, steps, epsilon) > delta


@pytest.mark.parametrize("mechanism_type", [ClassicGaussian, AnalyticGaussian])
def test_both_gaussians_add_the_noise_they_say(mechanism_type: type[GaussianBaseline]) -> None:
    mechanism = mechanism_type(0.5, (0, 10), delta=1e-5, sensitivity=2.0)
    density = mechanism.density(np.array([0.0, mechanism.sigma]))
    assert density[1] / density[0] == pytest.approx(math.exp(-0.5))


def test_epsilon_of_laplace_is_its_slope() -> None:
    mechanism = Laplace(0.7, (0, 10), sensitivity=2.0)
    density = mechanism.density(np.array([5.0, 7.0]))
    assert math.log(density[0] / density[1]) == pytest.approx(0.7)
