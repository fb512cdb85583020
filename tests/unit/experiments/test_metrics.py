"""Means and their standard errors by a second route: the known law of the noise, the bootstrap.

Where draws are compared with expectations, 6.5 standard errors are allowed (false alarm below
1e-9 a comparison); at 100,000 draws an error of 2 % in a metric is seen. Seeds are fixed.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from compdp_core.experiments.metrics import Estimate
from compdp_core.mechanisms.baselines import Laplace

DRAWS = 100_000
STANDARD_ERRORS = 6.5
SCALE, VALUE = 4.0, 20.0
Terms = Callable[[np.ndarray], np.ndarray]

# From errors to terms; mean and standard deviation of one term, from the moments of Laplace noise:
# E|N| = s, E N² = 2s², E N⁴ = 24 s⁴.
KNOWN: dict[str, tuple[Terms, float, float]] = {
    "RE": (np.abs, SCALE, SCALE),
    "MSE": (np.square, 2.0 * SCALE**2, math.sqrt(20.0) * SCALE**2),
    "AL": (lambda e: np.abs(e) / VALUE, SCALE / VALUE, SCALE / VALUE),
    "bias": (lambda e: e, 0.0, math.sqrt(2.0) * SCALE),
}
BROKEN: dict[str, Terms] = {
    "RE": lambda e: e,
    "MSE": lambda e: np.full(DRAWS, np.mean(np.abs(e)) ** 2),
    "AL": lambda e: np.abs(e / (VALUE + e)),
    "bias": lambda e: e - 0.5,
}


@pytest.fixture(scope="module")
def errors() -> np.ndarray:
    mechanism = Laplace(0.25, (0, 100), sensitivity=1.0)
    assert mechanism.scale == SCALE
    return mechanism.simulate(np.full(DRAWS, VALUE), seed=3) - VALUE


def agrees(estimate: Estimate, symbol: str) -> bool:
    """Value within 6.5 of the known standard errors, and that error itself within 8 %."""
    _, mean, deviation = KNOWN[symbol]
    error = deviation / math.sqrt(estimate.n)
    near = abs(estimate.value - mean) <= STANDARD_ERRORS * error
    return near and math.isclose(estimate.standard_error, error, rel_tol=0.08)


@pytest.mark.parametrize("symbol", KNOWN)
def test_metrics_of_laplace_noise_are_the_known_ones(errors: np.ndarray, symbol: str) -> None:
    estimate = Estimate.of(KNOWN[symbol][0](errors))
    assert estimate.n == DRAWS
    assert agrees(estimate, symbol)
    assert not agrees(Estimate.of(BROKEN[symbol](errors)), symbol)
    for factor in (1.1, 0.9, math.sqrt(DRAWS)):
        wrong = Estimate(estimate.value, factor * estimate.standard_error, estimate.n)
        assert not agrees(wrong, symbol)


@pytest.mark.parametrize("symbol", KNOWN)
def test_standard_errors_are_those_of_the_bootstrap(symbol: str) -> None:
    """1,000 resamples know a standard error to 2.2 %: 15 % is 6.7 of that, false alarm < 1e-9."""
    rng = np.random.default_rng(8)
    terms = KNOWN[symbol][0](rng.laplace(0.0, SCALE, 400))
    values = [Estimate.of(terms[pick]).value for pick in rng.integers(0, 400, (1000, 400))]
    error = Estimate.of(terms).standard_error
    assert np.std(values) == pytest.approx(error, rel=0.15)
    assert np.std(values) != pytest.approx(1.4 * error, rel=0.15)


def test_one_value_has_no_standard_error_and_none_but_zeros_no_error() -> None:
    single = Estimate.of(np.array([1.0]))
    assert (single.value, single.n) == (1.0, 1)
    assert math.isnan(single.standard_error)
    assert Estimate.of(np.zeros(2)) == Estimate(0.0, 0.0, 2)


@pytest.mark.parametrize("unit", [1e-200, 1e200])
def test_scale_does_not_matter(unit: float) -> None:
    terms = np.sin(np.arange(12.0))
    plain, scaled = Estimate.of(terms), Estimate.of(unit * terms)
    assert scaled.value == pytest.approx(unit * plain.value, rel=1e-9, abs=0.0)
    error = unit * plain.standard_error
    assert scaled.standard_error == pytest.approx(error, rel=1e-9, abs=0.0)
