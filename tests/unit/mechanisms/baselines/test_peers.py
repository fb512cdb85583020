"""The same mechanisms in other people's libraries: diffprivlib 0.6 and OpenDP.

Where the other library draws with the system's randomness, its draws are held against our
distribution function by the Dvoretzky-Kiefer-Wolfowitz bound (false alarm 1e-9 a test); at
20,000 draws a distance of 0.023 is allowed, so that a scale wrong by 15 % is seen.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import opendp.prelude as dp
import pytest

from compdp_core.mechanisms.baselines import (
    AnalyticGaussian,
    Baseline,
    BoundedLaplace,
    ClampedLaplace,
    ClassicGaussian,
    DiscreteGaussian,
    DiscreteLaplace,
    Laplace,
    StaircaseMechanism,
    TruncatedDiscreteLaplace,
)
from tests.unit.mechanisms.baselines.cases import distance

peers = pytest.importorskip(
    "diffprivlib.mechanisms", reason="diffprivlib is one of the two libraries compared with"
)

EPSILONS = [0.01, 0.3, 1.0, 4.0]
VALUES = [0.0, 7.0, 50.0, 100.0]
DRAWS = 20_000
BOUND = math.sqrt(math.log(2.0 / 1e-9) / (2.0 * DRAWS))


INPUTS = (0, 100)
DELTAS = [1e-6, 1e-3, 0.1]
# ours, the name of theirs, arguments of both, a relative tolerance
SAME_VARIANCE: list[tuple[type[Baseline], str, dict[str, Any], float]] = [
    (Laplace, "Laplace", {}, 1e-12),
    (DiscreteLaplace, "Geometric", {}, 1e-9),
    *((AnalyticGaussian, "GaussianAnalytic", {"delta": d}, 1e-7) for d in DELTAS),
    *((ClassicGaussian, "Gaussian", {"delta": d}, 1e-12) for d in DELTAS),
]


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize(("ours", "theirs", "chosen", "digits"), SAME_VARIANCE)
def test_variance(
    ours: type[Baseline], theirs: str, chosen: dict[str, Any], digits: float, epsilon: float
) -> None:
    if theirs == "Gaussian" and epsilon > 1.0:  # which they refuse
        return
    peer = getattr(peers, theirs)(epsilon=epsilon, sensitivity=3, **chosen)
    mechanism = ours(epsilon, INPUTS, sensitivity=3, **chosen)
    assert mechanism.variance(7) == pytest.approx(peer.variance(7), rel=digits)


@pytest.mark.parametrize("epsilon", EPSILONS)
@pytest.mark.parametrize("sensitivity", [5, 30, 100])
@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(ClampedLaplace, "LaplaceTruncated"), (BoundedLaplace, "LaplaceBoundedDomain")],
)
def test_bounded_noise(
    ours: type[ClampedLaplace | BoundedLaplace], theirs: str, sensitivity: int, epsilon: float
) -> None:
    peer = getattr(peers, theirs)(epsilon=epsilon, sensitivity=sensitivity, lower=0, upper=100)
    mechanism = ours(epsilon, INPUTS, sensitivity=sensitivity)
    # Their closed forms lose digits with the square of the scale, and of conditioned noise with
    # its cube; their scale is then the middle of the last bracket, ours its private end.
    scale = sensitivity / epsilon
    digits, of_bias, of_variance = 1e-9, 1e-9, 1e-12 * scale**2
    if isinstance(mechanism, BoundedLaplace):
        assert mechanism.scale == pytest.approx(sensitivity / peer.effective_epsilon(), rel=1e-8)
        digits, of_bias, of_variance = 1e-7, *(1e-7 + 1e-12 * scale**3,) * 2
    for value in VALUES:
        assert mechanism.bias(value) == pytest.approx(peer.bias(value), rel=digits, abs=of_bias)
        assert mechanism.variance(value) == pytest.approx(
            peer.variance(value), rel=digits, abs=of_variance
        )


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
@pytest.mark.parametrize("sensitivity", [1, 3])
def test_discrete_gaussian(epsilon: float, sensitivity: int) -> None:
    theirs = peers.GaussianDiscrete(epsilon=epsilon, delta=1e-6, sensitivity=sensitivity)
    ours = DiscreteGaussian(epsilon, (0, 100), sensitivity=sensitivity, delta=1e-6)
    # Theirs stops its bisection at a relative 1e-6, on either side.
    assert ours.sigma == pytest.approx(theirs._scale, rel=2e-6)


def test_draws_of_the_staircase() -> None:
    theirs = peers.Staircase(epsilon=1.0, sensitivity=10.0, gamma=0.3, random_state=3)
    ours = StaircaseMechanism(1.0, (0, 100), sensitivity=10.0, gamma=0.3)
    draws = np.array([theirs.randomise(50.0) for _ in range(DRAWS)])
    assert distance(ours, 50.0, draws) < BOUND
    twin = StaircaseMechanism(0.8, (0, 100), sensitivity=10.0, gamma=0.3)
    assert distance(twin, 50.0, draws) > BOUND


def test_draws_of_the_truncated_discrete_laplace() -> None:
    theirs = peers.GeometricTruncated(
        epsilon=1.0, sensitivity=10, lower=0, upper=100, random_state=3
    )
    ours = TruncatedDiscreteLaplace(1.0, (0, 100), sensitivity=10)
    draws = np.array([float(theirs.randomise(90)) for _ in range(DRAWS)])
    assert distance(ours, 90.0, draws) < BOUND
    assert distance(ours, 88.0, draws) > BOUND


def test_opendp_proves_the_same_epsilon_and_draws_the_same_discrete_laplace() -> None:
    dp.enable_features("contrib")
    ours = DiscreteLaplace(0.5, (0, 100), sensitivity=3)
    theirs = dp.m.make_laplace(
        dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int), scale=1.0 / ours.decay
    )
    assert theirs.map(3) == pytest.approx(0.5, rel=1e-12)
    draws = np.array(theirs([50] * DRAWS), dtype=np.float64)
    assert distance(ours, 50.0, draws) < BOUND
    assert distance(DiscreteLaplace(0.6, (0, 100), sensitivity=3), 50.0, draws) > BOUND


def test_opendp_draws_the_same_discrete_gaussian() -> None:
    dp.enable_features("contrib")
    ours = DiscreteGaussian(2.0, (0, 100), sensitivity=3, delta=1e-6)
    theirs = dp.m.make_gaussian(
        dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=float), scale=ours.sigma
    )
    assert theirs.map(3.0) == pytest.approx(0.5 * (3.0 / ours.sigma) ** 2, rel=1e-12)
    # Their conversion from zCDP is an upper bound: the exact δ here lies below it.
    approximate = dp.c.make_fix_delta(dp.c.make_zCDP_to_approxDP(theirs), 1e-6)
    assert approximate.map(3.0)[0] > 2.0
    draws = np.array(theirs([50] * DRAWS), dtype=np.float64)
    assert distance(ours, 50.0, draws) < BOUND
    twin = DiscreteGaussian(2.5, (0, 100), sensitivity=3, delta=1e-6)
    assert distance(twin, 50.0, draws) > BOUND
