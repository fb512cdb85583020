"""Facts that the papers state about their mechanisms, and ties to the composite design."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from compdp_core.design.design import Design
from compdp_core.mechanisms.baselines import (
    AnalyticGaussian,
    ClassicGaussian,
    DiscreteGaussian,
    DiscreteLaplace,
    Duchi,
    Laplace,
    Piecewise,
    StaircaseMechanism,
)
from compdp_core.shapes import pair_named

EPSILONS = [1e-3, 0.05, 0.5, 1.0, 2.0, 4.0, 10.0, 50.0]


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_staircase_has_the_printed_variance_at_its_best_gamma(epsilon: float) -> None:
    """Geng and Viswanath 2014: ``(2^-⅔ b^⅔ (1 + b)^⅔ + b)/(1 - b)² Δ²``."""
    mechanism = StaircaseMechanism(epsilon, (0, 10), sensitivity=2)
    b, c = math.exp(-epsilon), -math.expm1(-epsilon)
    printed = ((0.5 * b * (1.0 + b)) ** (2.0 / 3.0) + b) / c**2 * 4.0
    assert mechanism.noise_variance == pytest.approx(printed, rel=1e-9)
    assert mechanism.noise_variance < Laplace(epsilon, (0, 10), sensitivity=2).noise_variance


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0, 4.0, 10.0])
def test_no_other_gamma_does_better(epsilon: float) -> None:
    best = StaircaseMechanism(epsilon, (0, 1))
    found = minimize_scalar(
        lambda gamma: StaircaseMechanism(epsilon, (0, 1), gamma=gamma).noise_variance,
        bounds=(1e-9, 1.0),
        method="bounded",
        options={"xatol": 1e-12},
    )
    assert found.fun == pytest.approx(best.noise_variance, rel=1e-9)
    assert found.x == pytest.approx(best.gamma, abs=1e-5)


def test_the_staircase_tends_to_laplace_for_small_epsilon_and_beats_it_for_large() -> None:
    def ratio(epsilon: float) -> float:
        laplace = Laplace(epsilon, (0, 1)).noise_variance
        return StaircaseMechanism(epsilon, (0, 1)).noise_variance / laplace

    assert ratio(1e-3) == pytest.approx(1.0, abs=1e-6)
    # Theory of the composite mechanism: 1.918 against 2 at ε = 1, .065 against .125 at ε = 4.
    assert 2.0 * ratio(1.0) == pytest.approx(1.918, abs=5e-4)
    assert 0.125 * ratio(4.0) == pytest.approx(0.065, abs=5e-4)


@pytest.mark.parametrize("epsilon", EPSILONS[1:-1])
def test_piecewise_is_the_composite_pair_a1b1_of_the_largest_input_fraction(epsilon: float) -> None:
    """``μ = 1/(e^(ε/2) + 1)``: the same outputs, density and variance from the other module."""
    design = Design(
        epsilon, pair_named("A1B1", epsilon), 1.0 / (math.exp(0.5 * epsilon) + 1.0),
        math.expm1(epsilon),
    )  # fmt: skip
    mechanism = Piecewise(epsilon, (-1, 1))
    assert design.input_fraction == pytest.approx(math.tanh(0.25 * epsilon), rel=1e-12)
    assert mechanism.outputs[1] == pytest.approx(1.0 / design.input_fraction, rel=1e-12)
    for t in (0.0, 0.4, 1.0):
        scaled = design.variance(t * design.C) / design.C**2
        assert mechanism.variance(t) == pytest.approx(scaled, rel=1e-9)
    # Wang et al. 2019, in their symbols.
    e = math.exp(0.5 * epsilon)
    worst = 1.0 / (e - 1.0) + (e + 3.0) / (3.0 * (e - 1.0) ** 2)
    assert mechanism.variance(1.0) == pytest.approx(worst, rel=1e-12)


def test_duchi_against_piecewise_crosses_where_wang_et_al_say() -> None:
    """Worst-case variances cross at ``ε* ≈ 1.29`` (Wang et al. 2019)."""

    def gap(epsilon: float) -> float:
        return float(
            Duchi(epsilon, (-1, 1)).variance(0.0) - Piecewise(epsilon, (-1, 1)).variance(1.0)
        )

    assert gap(1.28) < 0.0 < gap(1.30)


def test_piecewise_is_better_in_the_middle_at_every_large_epsilon() -> None:
    for epsilon in (2.0, 4.0, 10.0):
        assert Piecewise(epsilon, (-1, 1)).variance(0.0) < Duchi(epsilon, (-1, 1)).variance(0.0)
        # Duchi's noise never vanishes, the other one's does.
        assert Duchi(epsilon, (-1, 1)).variance(0.0) > 1.0


@pytest.mark.parametrize("epsilon", [0.01, 0.1, 1.0])
def test_the_analytic_gaussian_needs_less_noise_than_the_classic(epsilon: float) -> None:
    for delta in (1e-12, 1e-6, 1e-2):
        analytic = AnalyticGaussian(epsilon, (0, 1), delta=delta)
        assert analytic.sigma < ClassicGaussian(epsilon, (0, 1), delta=delta).sigma


def test_the_discrete_gaussian_is_the_continuous_one_on_a_fine_grid() -> None:
    for steps in (10, 1000, 100_000):
        fine = DiscreteGaussian(1.0, (0, 100), sensitivity=10, spacing=10 / steps, delta=1e-6)
        smooth = AnalyticGaussian(1.0, (0, 100), sensitivity=10, delta=1e-6)
        close = 1.0 / steps**2 + 1e-8
        assert fine.variance(0.0) == pytest.approx(smooth.variance(0.0), rel=close)
        target = (-20.0, 35.5)
        missed = smooth.probability_outside(target, 0.0)
        assert fine.probability_outside(target, 0.0) == pytest.approx(missed, rel=3.0 / steps)


def test_the_discrete_laplace_is_the_continuous_one_on_a_fine_grid() -> None:
    fine = DiscreteLaplace(1.0, (0, 100), sensitivity=10, spacing=1e-4)
    smooth = Laplace(1.0, (0, 100), sensitivity=10)
    assert fine.variance(3.0) == pytest.approx(smooth.variance(3.0), rel=1e-9)
    x = np.array([3.0, 20.0])
    np.testing.assert_allclose(fine.pmf(x, value=3.0) / 1e-4, smooth.pdf(x, value=3.0), rtol=1e-4)
