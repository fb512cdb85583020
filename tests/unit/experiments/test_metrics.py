"""Metrics by a second route: the known law of the noise, and the bootstrap.

Where draws are compared with expectations, 6.5 standard errors are allowed (false alarm below
1e-9 a comparison); at 100,000 draws an error of 2 % in a metric is seen. Seeds are fixed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from compdp_core.errors import BoundsError, MissingValueError, ParameterError
from compdp_core.experiments.metrics import (
    METRICS,
    Estimate,
    absolute_error,
    accuracy_loss,
    bias,
    bias_rate,
    share_outside,
    squared_error,
)
from compdp_core.mechanisms.baselines import ClampedLaplace, Laplace

DRAWS = 100_000
STANDARD_ERRORS = 6.5
SCALE = 4.0
VALUE = 20.0
Compute = Callable[[Any, Any], Estimate]


def laplace_draws(seed: int = 3, n: int = DRAWS) -> np.ndarray:
    mechanism = Laplace(0.25, (0, 100), sensitivity=1.0)
    assert mechanism.scale == SCALE
    return mechanism.simulate(np.full(n, VALUE), seed=seed)


# Mean and standard deviation of one term, from the moments of Laplace noise: E|N| = s,
# E N² = 2s², E N⁴ = 24 s⁴.
EXPECTED: dict[str, tuple[float, float]] = {
    "RE": (SCALE, SCALE),
    "MSE": (2.0 * SCALE**2, math.sqrt(20.0) * SCALE**2),
    "AL": (SCALE / VALUE, SCALE / VALUE),
    "bias": (0.0, math.sqrt(2.0) * SCALE),
    "bias rate": (0.0, math.sqrt(2.0) * SCALE / VALUE),
}


def agrees(estimate: Estimate, symbol: str) -> bool:
    """Value within 6.5 of the known standard errors, and that error itself within 8 %."""
    mean, deviation = EXPECTED[symbol]
    error = deviation / math.sqrt(estimate.n)
    near = abs(estimate.value - mean) <= STANDARD_ERRORS * error
    return near and math.isclose(estimate.standard_error, error, rel_tol=0.08)


@pytest.mark.parametrize("symbol", METRICS)
def test_metrics_of_laplace_noise_are_the_known_ones(symbol: str) -> None:
    estimate = METRICS[symbol].compute(VALUE, laplace_draws())
    assert estimate.n == DRAWS
    assert estimate.excluded == 0
    assert agrees(estimate, symbol)


BROKEN: dict[str, Compute] = {
    "RE": lambda r, x: bias(r, x),
    "MSE": lambda r, x: Estimate(absolute_error(r, x).value ** 2, 0.01, DRAWS),
    "AL": lambda r, x: Estimate(
        float(np.mean(np.abs((x - r) / x))), accuracy_loss(r, x).standard_error, DRAWS
    ),
    "bias": lambda r, x: bias(r + 0.5, x),
    "bias rate": lambda r, x: bias_rate(r, 1.01 * x),
}


@pytest.mark.parametrize("symbol", METRICS)
def test_broken_metrics_are_seen(symbol: str) -> None:
    draws = laplace_draws()
    assert not agrees(BROKEN[symbol](VALUE, draws), symbol)
    right = METRICS[symbol].compute(VALUE, draws)
    for factor in (1.1, 0.9, math.sqrt(DRAWS)):
        wrong = Estimate(right.value, factor * right.standard_error, right.n)
        assert not agrees(wrong, symbol)


@pytest.mark.parametrize("symbol", METRICS)
def test_standard_errors_are_those_of_the_bootstrap(symbol: str) -> None:
    """1,000 resamples know a standard error to 2.2 %: 15 % is 6.7 of that, false alarm < 1e-9."""
    rng = np.random.default_rng(8)
    truth = rng.uniform(5.0, 60.0, 400)
    released = truth + rng.laplace(0.0, SCALE, 400)
    compute = METRICS[symbol].compute
    picks = rng.integers(0, 400, (1000, 400))
    if symbol == "bias rate":
        # The true values are held fixed: their mean does not vary with the noise.
        centre = float(np.mean(truth))
        values = [bias(truth[pick], released[pick]).value / centre for pick in picks]
    else:
        values = [compute(truth[pick], released[pick]).value for pick in picks]
    estimate = compute(truth, released)
    assert np.std(values) == pytest.approx(estimate.standard_error, rel=0.15)
    assert np.std(values) != pytest.approx(1.4 * estimate.standard_error, rel=0.15)


def test_bias_and_squared_error_are_those_of_the_mechanism() -> None:
    mechanism = ClampedLaplace(1.0, (0, 100))
    draws = mechanism.simulate(np.full(DRAWS, 10.0), seed=2)
    expected = mechanism.variance(10.0) + mechanism.bias(10.0) ** 2
    for estimate, truth in (
        (bias(10.0, draws), mechanism.bias(10.0)),
        (squared_error(10.0, draws), expected),
    ):
        assert abs(estimate.value - truth) <= STANDARD_ERRORS * estimate.standard_error
        assert abs(estimate.value - 1.05 * truth) > STANDARD_ERRORS * estimate.standard_error


def test_the_share_outside_is_that_of_the_mechanism() -> None:
    """Binomial: within 6.5 standard errors, false alarm below 1e-9."""
    mechanism = Laplace(0.25, (0, 100), sensitivity=1.0)
    estimate = share_outside(laplace_draws(), (10, 100))
    truth = mechanism.probability_outside((10, 100), VALUE)
    assert abs(estimate.value - truth) <= STANDARD_ERRORS * estimate.standard_error
    assert estimate.standard_error == pytest.approx(
        math.sqrt(truth * (1 - truth) / DRAWS), rel=0.05
    )
    wrong = mechanism.probability_outside((9, 100), VALUE)
    assert abs(estimate.value - wrong) > STANDARD_ERRORS * estimate.standard_error


def test_the_share_outside_counts_closed_ends_as_inside_and_never_claims_certainty() -> None:
    inside = share_outside([0, 5, 10], (0, 10))
    assert inside.value == 0.0
    assert inside.standard_error == pytest.approx(math.sqrt(2 / 7 * 5 / 7 / 7))
    assert share_outside([-1, 11], (0, 10)).value == 1.0
    assert share_outside([-1, 11], (0, 10)).standard_error > 0.0
    with pytest.raises(BoundsError, match="interval"):
        share_outside([1.0], (3, 3))


def test_where_the_accuracy_loss_is_undefined_it_says_so() -> None:
    with pytest.raises(ParameterError, match=r"1 of 2 values are.*zeros='exclude'"):
        accuracy_loss([0.0, 2.0], [1.0, 3.0])
    assert accuracy_loss([0.0, 2.0, 4.0], [1.0, 3.0, 4.0], zeros="exclude") == Estimate(
        0.25, 0.25, 2, excluded=1
    )
    with pytest.raises(ParameterError, match="a value other than 0"):
        accuracy_loss([0.0, 0.0], [1.0, 3.0], zeros="exclude")
    with pytest.raises(ParameterError, match="zeros must be"):
        accuracy_loss([1.0], [1.0], zeros="skip")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="so close to 0"):
        accuracy_loss([1e-300, 1.0], [1e20, 1.0])


def test_the_bias_rate_needs_a_mean() -> None:
    with pytest.raises(ParameterError, match="a mean other than 0"):
        bias_rate([-1.0, 1.0], [0.0, 1.0])
    # A rate has the sign of the bias, also for negative values.
    assert bias_rate([-10.0, -10.0], [-9.0, -9.0]).value == pytest.approx(0.1)


@pytest.mark.parametrize("symbol", METRICS)
def test_values_that_cannot_be_compared_are_refused(symbol: str) -> None:
    compute = METRICS[symbol].compute
    with pytest.raises(MissingValueError, match="released contain 1 missing"):
        compute([1.0, 2.0], [1.0, math.nan])
    with pytest.raises(MissingValueError, match="true contain 1 missing"):
        compute([math.nan, 2.0], [1.0, 3.0])
    with pytest.raises(ParameterError, match="shape of the true values"):
        compute([1.0, 2.0], [1.0, 2.0, 3.0])
    with pytest.raises(ParameterError, match="at least one number"):
        compute([], [])
    with pytest.raises(ParameterError, match="must lie within"):
        compute([1.0], [math.inf])
    with pytest.raises(ParameterError, match="must be real numbers"):
        compute(["a"], [1.0])


@pytest.mark.parametrize("symbol", METRICS)
def test_one_value_has_no_standard_error(symbol: str) -> None:
    estimate = METRICS[symbol].compute(4.0, 5.0)
    assert estimate.n == 1
    assert math.isnan(estimate.standard_error)


@pytest.mark.parametrize("symbol", METRICS)
def test_shape_and_scale_do_not_matter(symbol: str) -> None:
    truth = np.linspace(1.0, 2.0, 12)
    released = truth + np.sin(np.arange(12.0))
    compute = METRICS[symbol].compute
    flat, folded = compute(truth, released), compute(truth.reshape(3, 4), released.reshape(3, 4))
    assert flat == folded
    power = {"RE": 1, "MSE": 2, "AL": 0, "bias": 1, "bias rate": 0}[symbol]
    for unit in (1e-100, 1e100):
        scaled = compute(unit * truth, unit * released)
        assert scaled.value == pytest.approx(unit**power * flat.value, rel=1e-9, abs=0.0)
        assert scaled.standard_error == pytest.approx(
            unit**power * flat.standard_error, rel=1e-9, abs=0.0
        )


def test_exact_answers_have_no_error() -> None:
    for metric in METRICS.values():
        assert metric.compute([1.0, 2.0], [1.0, 2.0]) == Estimate(0.0, 0.0, 2)
        assert metric.name
