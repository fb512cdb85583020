"""What is drawn against what is claimed, and broken twins that the same tests must reject.

The distance between the empirical and the claimed distribution function is held against the
Dvoretzky-Kiefer-Wolfowitz bound with Massart's constant, ``Pr[sup|F_n - F| > d] <= 2 e^(-2nd²)``,
which holds for every distribution and every n: false alarm 1e-9 a test. At 200,000 draws d is
0.0073. Mean and variance are held against 6.5 standard errors (false alarm below 1e-9): a bias of
1.5 % of the standard deviation is seen, and a Laplace scale wrong by 5 % by either. Where the
kurtosis is above 100 (large ε, nearly all outputs alike) normal bounds on moments do not hold at
this n; there the distribution alone is judged. The seeds are fixed: a test fails always or never.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

from compdp_core.mechanisms.baselines import BASELINES, Baseline, DiscreteGaussian, DiscreteLaplace
from compdp_core.validation import Array
from tests.unit.mechanisms.baselines.cases import CASES, IDS, build, distance, expectation

DRAWS = 200_000
FALSE_ALARM = 1e-9
STANDARD_ERRORS = 6.5
LARGEST_KURTOSIS = 100.0


def faults(mechanism: Baseline, value: float, draws: Array) -> list[str]:
    """What the draws contradict."""
    found = []
    if distance(mechanism, value, draws) > math.sqrt(
        math.log(2.0 / FALSE_ALARM) / (2.0 * draws.size)
    ):
        found.append("distribution")
    kurtosis = claimed_kurtosis(mechanism, value)
    if kurtosis > LARGEST_KURTOSIS:
        return found
    errors = draws - value
    bias, variance = mechanism.bias(value), mechanism.variance(value)
    per_error = STANDARD_ERRORS / math.sqrt(draws.size)
    if abs(float(np.mean(errors)) - bias) > per_error * math.sqrt(variance):
        found.append("mean")
    # Two equally likely outputs have a kurtosis of 1: their squares do not vary at all.
    allowed = per_error * math.sqrt(max(kurtosis - 1.0, 0.0)) + 1e-9
    if abs(float(np.mean((errors - bias) ** 2)) / variance - 1.0) > allowed:
        found.append("variance")
    return found


def claimed_kurtosis(mechanism: Baseline, value: float) -> float:
    """Fourth moment over squared variance, by quadrature of the claimed density."""
    mean = value + mechanism.bias(value)
    fourth = expectation(mechanism, value, lambda x: (x - mean) ** 4)
    return fourth / float(mechanism.variance(value)) ** 2


@pytest.mark.parametrize(("key", "index"), CASES, ids=IDS)
def test_draws_follow_the_claimed_distribution(key: str, index: int) -> None:
    mechanism = build(key, index)
    lower, upper = mechanism.inputs
    for share in (0.0, 0.3, 0.9):
        value = lower + share * (upper - lower)
        draws = mechanism.simulate(np.full(DRAWS, value), seed=20 + index)
        assert not faults(mechanism, value, draws), value
        low, high = mechanism.outputs
        assert np.all((draws >= low) & (draws <= high))


@pytest.mark.parametrize("key", BASELINES)
@pytest.mark.parametrize("factor", [0.8, 1.25])
def test_too_much_and_too_little_noise_are_seen(key: str, factor: float) -> None:
    mechanism = BASELINES[key].build(1.0, (0, 100), delta=1e-6)
    twin = BASELINES[key].build(factor, (0, 100), delta=1e-6)
    draws = twin.simulate(np.full(DRAWS, 20.0), seed=4)
    assert not faults(twin, 20.0, draws)
    assert faults(mechanism, 20.0, draws)


@pytest.mark.parametrize("key", ["laplace", "staircase", "discrete_laplace", "analytic_gaussian"])
@pytest.mark.parametrize("factor", [0.95, 1.05])
def test_five_percent_in_the_scale_is_seen(key: str, factor: float) -> None:
    mechanism = BASELINES[key].build(1.0, (0, 1000), delta=1e-6, sensitivity=10.0)
    draws = mechanism.simulate(np.full(DRAWS, 500.0), seed=4)
    assert not faults(mechanism, 500.0, draws)
    assert faults(mechanism, 500.0, 500.0 + factor * (draws - 500.0))


@pytest.mark.parametrize("key", BASELINES)
def test_a_constant_in_place_of_a_draw_is_seen(key: str) -> None:
    """And so are draws for another value."""
    mechanism = BASELINES[key].build(1.0, (0, 100), delta=1e-6, sensitivity=20.0)
    assert faults(mechanism, 24.0, mechanism.simulate(np.full(DRAWS, 20.0), seed=4))
    once = float(mechanism.simulate(50.0, seed=4))
    assert "distribution" in faults(mechanism, 50.0, np.full(DRAWS, once))


def test_clamped_and_conditioned_noise_are_told_apart() -> None:
    clamped = BASELINES["clamped_laplace"].build(1.0, (0, 100))
    bounded = BASELINES["bounded_laplace"].build(1.0, (0, 100))
    draws = bounded.simulate(np.full(DRAWS, 20.0), seed=4)
    assert "distribution" in faults(clamped, 20.0, draws)


@pytest.mark.parametrize("key", BASELINES)
def test_a_seed_fixes_the_draws_and_values_get_their_own(key: str) -> None:
    mechanism = build(key, 0)
    values = np.full(2000, 40.0)
    first = mechanism.simulate(values, seed=1)
    assert np.array_equal(first, mechanism.simulate(values, seed=1))
    assert not np.array_equal(first, mechanism.simulate(values, seed=2))
    assert np.unique(first).size > 1
    generator = np.random.default_rng(1)
    assert np.array_equal(first, mechanism.simulate(values, seed=generator))
    assert not np.array_equal(first, mechanism.simulate(values, seed=generator))


@pytest.mark.parametrize("key", BASELINES)
def test_draws_of_neighbouring_positions_are_independent(key: str) -> None:
    """Correlation at lag one, within 6.5/√n of 0: false alarm below 1e-9; sees 1.5 %."""
    mechanism = build(key, 0)
    draws = mechanism.simulate(np.full(DRAWS, 40.0), seed=8)
    bound = STANDARD_ERRORS / math.sqrt(DRAWS)
    assert abs(np.corrcoef(draws[:-1], draws[1:])[0, 1]) < bound
    twin = np.repeat(draws[: DRAWS // 2], 2)
    assert abs(np.corrcoef(twin[:-1], twin[1:])[0, 1]) > bound


def test_discrete_outputs_lie_on_the_grid() -> None:
    for mechanism in (
        DiscreteLaplace(1.0, (0, 1), spacing=0.1),
        DiscreteGaussian(1.0, (0, 1), spacing=0.1, delta=1e-6),
    ):
        draws = mechanism.simulate(np.linspace(0, 1, 1000), seed=1)
        assert np.array_equal(draws, np.round(draws, 1))
