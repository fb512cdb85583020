"""How far released values are from true ones, each figure with its standard error.

The metrics of Zhang et al. (IEEE S&P 2024, section 6.1), with the true values held fixed: the
standard error is that of the noise. The rates ``H₁`` and ``H₂`` belong to a design, not to draws:
see :class:`~compdp_core.design.design.Design` and :class:`~compdp_core.design.density.Density`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.intervals import Interval
from compdp_core.validation import figures

Array = NDArray[np.float64]

# Squares of anything smaller, and their sums, are finite.
LARGEST = 1e150


@dataclass(frozen=True)
class Estimate:
    """A figure computed from draws, and how far another set of draws would put it."""

    value: float
    standard_error: float
    """NaN for a single value: one draw says nothing about the spread."""
    n: int
    """How many values it is computed from."""
    excluded: int = 0
    """How many values were left out, because the metric is undefined there."""


def absolute_error(true: Any, released: Any) -> Estimate:
    """``RE = mean |r - r'|``, data units: a mean absolute error, whatever its name in the paper.

    ``true`` and ``released`` have the same shape, or ``true`` is a single number.

    Raises :class:`ParameterError` for empty, infinite or unequally shaped values and
    :class:`MissingValueError` for NaN, as do the other metrics.

    >>> absolute_error([10, 20], [13, 19])
    Estimate(value=2.0, standard_error=1.0, n=2, excluded=0)
    """
    return _estimate(np.abs(_errors(true, released)[1]))


def squared_error(true: Any, released: Any) -> Estimate:
    """``MSE = mean (r - r')²``, squared data units: variance plus squared bias.

    >>> squared_error([10, 20], [13, 19])
    Estimate(value=5.0, standard_error=4.0, n=2, excluded=0)
    """
    return _estimate(_errors(true, released)[1] ** 2)


def accuracy_loss(
    true: Any, released: Any, *, zeros: Literal["refuse", "exclude"] = "refuse"
) -> Estimate:
    """``AL = mean |(r - r')/r|``, a fraction of the true value.

    Undefined where ``r = 0``: such values are refused, or left out and counted in
    :attr:`Estimate.excluded`.

    >>> accuracy_loss([10, 20], [13, 19]).value
    0.175
    >>> accuracy_loss([10, 0], [13, 5], zeros="exclude")
    Estimate(value=0.3, standard_error=nan, n=1, excluded=1)
    """
    if zeros not in ("refuse", "exclude"):
        raise ParameterError("zeros", zeros, "must be 'refuse' or 'exclude'")
    truth, errors = _errors(true, released)
    defined = truth != 0.0
    excluded = int(truth.size - np.count_nonzero(defined))
    if excluded and zeros == "refuse":
        raise ParameterError(
            "true",
            0.0,
            f"must not be 0 for the accuracy loss, which divides by it ({excluded} of {truth.size} "
            "values are): leave them out with zeros='exclude' and report how many",
        )
    if excluded == truth.size:
        raise ParameterError("true", 0.0, "must hold a value other than 0 for the accuracy loss")
    with np.errstate(over="ignore"):
        losses = np.abs(errors[defined] / truth[defined])
    return _estimate(losses, excluded)


def bias(true: Any, released: Any) -> Estimate:
    """``mean (r' - r)``, data units.

    >>> bias([10, 20], [13, 19])
    Estimate(value=1.0, standard_error=2.0, n=2, excluded=0)
    """
    return _estimate(_errors(true, released)[1])


def bias_rate(true: Any, released: Any) -> Estimate:
    """``mean (r' - r) / |mean r|``, a fraction: the relative error of the mean.

    The paper prints percentages. Raises :class:`ParameterError` where the true mean is 0.

    >>> bias_rate([10, 30], [13, 29]).value
    0.05
    """
    truth, errors = _errors(true, released)
    centre = abs(float(np.mean(truth)))
    if not centre > 0.0:
        raise ParameterError("true", centre, "must have a mean other than 0 for the bias rate")
    with np.errstate(over="ignore"):
        rates = errors / centre
    return _estimate(rates)


def share_outside(released: Any, interval: Any) -> Estimate:
    """Share of released values outside a closed interval.

    The standard error is that of Agresti and Coull, with two more values of either kind: never 0,
    also where all values lie on one side.

    >>> share = share_outside([-3, 5, 50, 120], (0, 100))
    >>> share.value, share.standard_error
    (0.5, 0.17678)
    """
    bounds = Interval.checked("interval", interval)
    values = figures("released", released, largest=LARGEST)
    outside = int(np.count_nonzero((values < bounds.lower) | (values > bounds.upper)))
    softened = (outside + 2.0) / (values.size + 4.0)
    error = math.sqrt(softened * (1.0 - softened) / (values.size + 4.0))
    return Estimate(outside / values.size, error, values.size)


@dataclass(frozen=True)
class Metric:
    """A metric under the symbol of the paper."""

    symbol: str
    name: str
    """What it is, in plain words."""
    unit: str
    compute: Callable[[Any, Any], Estimate]
    """From true and released values."""


METRICS: dict[str, Metric] = {
    metric.symbol: metric
    for metric in (
        Metric("RE", "mean absolute error", "data unit", absolute_error),
        Metric("MSE", "mean squared error", "squared data unit", squared_error),
        Metric("AL", "mean error relative to the true value", "", accuracy_loss),
        Metric("bias", "mean error", "data unit", bias),
        Metric("bias rate", "mean error relative to the true mean", "", bias_rate),
    )
}


def _errors(true: Any, released: Any) -> tuple[Array, Array]:
    """True values, and released minus true, both flat."""
    truth = figures("true", true, largest=LARGEST)
    values = figures("released", released, largest=LARGEST)
    if truth.ndim == 0:
        truth = np.broadcast_to(truth, values.shape)
    if truth.shape != values.shape:
        raise ParameterError(
            "released", values.shape, f"must have the shape of the true values, {truth.shape}"
        )
    return truth.reshape(-1), (values - truth).reshape(-1)


def _estimate(terms: Array, excluded: int = 0) -> Estimate:
    """Mean of the terms and its standard error, ``s/√n`` with ``n - 1`` in ``s²``."""
    largest = float(np.max(np.abs(terms)))
    if not math.isfinite(largest):
        raise ParameterError("true", largest, "must not be so close to 0 that the error overflows")
    # In units of the largest, so that the squares of the spread stay finite.
    unit = largest if largest > 0.0 else 1.0
    scaled = terms / unit
    spread = float(np.std(scaled, ddof=1)) if scaled.size > 1 else math.nan
    return Estimate(
        float(np.mean(scaled)) * unit,
        spread / math.sqrt(scaled.size) * unit,
        int(scaled.size),
        excluded,
    )
