"""What the tests of the baselines are run on, and a quadrature that knows where densities break."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from compdp_core.mechanisms.baselines import (
    BASELINES,
    Baseline,
    BoundedLaplace,
    ClampedGaussian,
    ClampedLaplace,
    DiscreteGaussian,
    Duchi,
    Laplace,
    Mechanism,
    Piecewise,
    StaircaseMechanism,
    TruncatedDiscreteLaplace,
)
from compdp_core.mechanisms.baselines.discrete import DiscreteBaseline
from compdp_core.mechanisms.baselines.gaussian import GaussianBaseline
from compdp_core.validation import Array

# ε, inputs, Δ, δ, spacing of the discrete ones. From the least to the largest ε, Δ from the
# whole width down to a thousandth of it.
SETTINGS: tuple[tuple[float, tuple[float, float], float | None, float, float], ...] = (
    (1.0, (0.0, 100.0), None, 1e-6, 1.0),
    (0.2, (-5.0, 3.0), 1.0, 1e-5, 0.25),
    (4.0, (0.0, 1000.0), 10.0, 1e-9, 1.0),
    (0.7, (-1e-3, 5e-3), 3e-4, 1e-3, 1e-4),
    (1e-3, (0.0, 1.0), None, 1e-6, 0.5),
    (0.05, (10.0, 1e4), 10.0, 0.1, 5.0),
    (50.0, (0.0, 1.0), None, 1e-6, 0.01),
    (20.0, (-3.0, 3.0), 0.5, 1e-12, 0.5),
)

CASES = [(key, index) for key in BASELINES for index in range(len(SETTINGS))]
IDS = [f"{key}-{SETTINGS[index][0]:g}" for key, index in CASES]
PURE = [case for case in CASES if "delta" not in BASELINES[case[0]].needs]
PURE_IDS = [f"{key}-{SETTINGS[index][0]:g}" for key, index in PURE]


@cache
def build(key: str, index: int) -> Baseline:
    epsilon, inputs, sensitivity, delta, spacing = SETTINGS[index]
    entry = BASELINES[key]
    options: dict[str, Any] = {"spacing": spacing} if "spacing" in entry.options else {}
    return entry.build(epsilon, inputs, sensitivity=sensitivity, delta=delta, **options)


def values_of(mechanism: Baseline) -> list[float]:
    """True values at the ends, the middle and two odd places."""
    lower, upper = mechanism.inputs
    return [lower + share * (upper - lower) for share in (0.0, 0.03, 0.5, 0.81, 1.0)]


def atoms(mechanism: Baseline, value: float) -> Array:
    """All outputs that carry a probability of more than e^-45 or so."""
    if isinstance(mechanism, TruncatedDiscreteLaplace):
        first, last = mechanism.grid.range(mechanism.interval)
        return mechanism.grid.points(np.arange(first, last + 1.0))
    if isinstance(mechanism, DiscreteBaseline):
        index = math.floor(value / mechanism.spacing + 0.5)
        if isinstance(mechanism, DiscreteGaussian):
            reach = math.ceil(12.0 * mechanism.sigma) + 3.0
        else:
            reach = math.ceil(45.0 * mechanism.steps / mechanism.epsilon) + 1.0
        return mechanism.grid.points(index + np.arange(-reach, reach + 1.0))
    if isinstance(mechanism, (Duchi, ClampedLaplace, ClampedGaussian)):
        return np.array(mechanism.outputs)
    return np.empty(0)


def breakpoints(mechanism: Baseline, value: float) -> Array:
    """Ends of pieces on which the density is smooth and about constant or exponential."""
    if mechanism.is_discrete:
        return np.empty(0)
    low, high = mechanism.outputs
    offsets = _offsets(mechanism)
    points = value + np.concatenate([-offsets, offsets])
    if isinstance(mechanism, Piecewise):
        # Ends of the plateau, l(t) and l(t) + C - 1 as in the paper, relative to t.
        half = 1.0 / math.expm1(0.5 * mechanism.epsilon)
        points = value + half * (value - np.array(mechanism.inputs)[::-1])
    if math.isfinite(low):
        points = np.concatenate([np.clip(points, low, high), [low, high]])
    return np.unique(points)


def _offsets(mechanism: Baseline) -> Array:
    if isinstance(mechanism, StaircaseMechanism):
        steps = np.arange(math.ceil(45.0 / mechanism.epsilon) + 1.0)
        return mechanism.sensitivity * np.sort(np.concatenate([steps, steps + mechanism.gamma]))
    if isinstance(mechanism, Piecewise):
        return np.empty(0)
    scale, reach = _scale(mechanism)
    return scale * np.arange(0.0, reach, 0.5)


def _scale(mechanism: Baseline) -> tuple[float, float]:
    if isinstance(mechanism, (ClampedLaplace, ClampedGaussian)):
        return _scale(mechanism.unclamped)
    if isinstance(mechanism, (Laplace, BoundedLaplace)):
        return mechanism.scale, 45.0
    assert isinstance(mechanism, GaussianBaseline)
    return mechanism.sigma, 12.0


def integral(f: Callable[[Array], Array], points: Array) -> float:
    """Gauss-Legendre with twelve nodes on every piece."""
    nodes, weights = np.polynomial.legendre.leggauss(12)
    half = 0.5 * np.diff(points)[:, None]
    middle = (0.5 * (points[:-1] + points[1:]))[:, None]
    return float(np.sum(half * weights * f(middle + half * nodes))) if points.size > 1 else 0.0


def expectation(mechanism: Baseline, value: float, f: Callable[[Array], Array]) -> float:
    """``E[f(M(value))]`` from the density and the point masses alone."""
    places = atoms(mechanism, value)
    smooth = integral(lambda x: f(x) * mechanism.pdf(x, value=value), breakpoints(mechanism, value))
    return smooth + float(np.sum(f(places) * mechanism.pmf(places, value=value)))


def distance(mechanism: Mechanism, value: float, draws: Array) -> float:
    """``sup |F_n - F|`` over quantiles of the draws; F from ``probability_outside``."""
    ordered = np.sort(draws)
    thresholds = np.unique(ordered[np.linspace(0, draws.size - 1, 120).astype(int)])
    spread = float(ordered[-1] - ordered[0]) + mechanism.inputs[1] - mechanism.inputs[0]
    far = float(ordered[0]) - 50.0 * spread
    # Just below a point mass as well as on it.
    thresholds = np.concatenate([thresholds, thresholds - 1e-7 * spread])
    worst = 0.0
    for threshold in thresholds.tolist():
        empirical = np.searchsorted(ordered, threshold, side="right") / draws.size
        claimed = 1.0 - mechanism.probability_outside((far, threshold), value)
        worst = max(worst, abs(empirical - claimed))
    return worst
