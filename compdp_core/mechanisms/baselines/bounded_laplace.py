"""The bounded-domain Laplace mechanism of Holohan et al."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines.base import Baseline
from compdp_core.mechanisms.baselines.search import smallest_scale
from compdp_core.validation import Array


@dataclass(frozen=True, init=False)
class BoundedLaplace(Baseline):
    """Laplace noise conditioned on an output in ``[a, b]``: ε-DP, bounded, biased.

    Density ``exp(-|y - x|/s) / (2 s C(x))`` on ``[a, b]`` with
    ``C(x) = 1 - (e^-p + e^-q)/2``, ``p = (x - a)/s``, ``q = (b - x)/s``. Since ``C`` depends on
    ``x``, ``s = Δ/ε`` is not private when ``Δ < b - a``; ``s`` is the solution of
    ``Δ/s + ln(C(a + Δ)/C(a)) = ε``.

    Holohan, Antonatos, Braghin, Mac Aonghusa, *The Bounded Laplace Mechanism in Differential
    Privacy*, Journal of Privacy and Confidentiality 10(1), 2020 (arXiv 2018).

    >>> mechanism = BoundedLaplace(1.0, (0, 100), sensitivity=10)
    >>> mechanism.scale > 10.0, mechanism.exact_epsilon <= 1.0
    (True, True)
    """

    name = "Laplace, bounded domain"
    reference = "Holohan, Antonatos, Braghin, Mac Aonghusa, JPC 2020"

    scale: float
    """``s``, data units."""

    def __init__(self, epsilon: float, inputs: Any, *, sensitivity: float | None = None) -> None:
        super().__init__(epsilon, inputs, sensitivity=sensitivity)
        ratio = self.interval.width / self.sensitivity
        unit = smallest_scale(
            lambda scale: privacy_loss(scale, ratio), self.epsilon, 1.0 / self.epsilon
        )
        self._set("scale", self.sensitivity * unit)

    @property
    def exact_epsilon(self) -> float:
        """The largest privacy loss: at most ε, and within a relative 1e-8 of it."""
        return privacy_loss(self.scale / self.sensitivity, self.interval.width / self.sensitivity)

    @property
    def outputs(self) -> tuple[float, float]:
        return self.inputs

    def _distances(self, x: Array) -> tuple[Array, Array]:
        lower, upper = self.inputs
        return (x - lower) / self.scale, (upper - x) / self.scale

    def _moments(self, x: Array) -> tuple[Array, Array]:
        """First and second moment of ``(y - x)/s``: incomplete gamma functions over ``2C``."""
        from scipy.special import gammainc

        p, q = self._distances(x)
        mass = -np.expm1(-p) - np.expm1(-q)
        first = (gammainc(2.0, q) - gammainc(2.0, p)) / mass
        return first, 2.0 * (gammainc(3.0, p) + gammainc(3.0, q)) / mass

    def _bias(self, x: Array) -> Array:
        return self.scale * self._moments(x)[0]

    def _variance(self, x: Array) -> Array:
        first, second = self._moments(x)
        return self.scale**2 * (second - first**2)

    def _outside(self, target: Interval, x: Array) -> Array:
        lower, upper = self.inputs
        p, q = self._distances(x)
        low, high = ((np.clip(end, lower, upper) - x) / self.scale for end in target.as_tuple())
        mass = -np.expm1(-p) - np.expm1(-q)
        missed = _signed_mass(low) - _signed_mass(-p) + _signed_mass(q) - _signed_mass(high)
        return np.asarray(missed / mass, dtype=np.float64)

    def _draw(self, x: Array, rng: np.random.Generator) -> Array:
        p, q = self._distances(x)
        left, right = -np.expm1(-p), -np.expm1(-q)
        # By inversion: how much of the mass lies between the true value and the output.
        u = rng.uniform(0.0, 1.0, x.shape) * (left + right)
        below = u < left
        inner = np.where(below, left - u, u - left)
        # A uniform of exactly 0 would be an infinite distance.
        distance = -np.log1p(-np.minimum(inner, 1.0 - 2.0**-53))
        return self.interval.clamp(x + self.scale * np.where(below, -distance, distance))

    def _pdf(self, x: Array, value: Array) -> Array:
        lower, upper = self.inputs
        p, q = self._distances(value)
        mass = -np.expm1(-p) - np.expm1(-q)
        inside = (x >= lower) & (x <= upper)
        return np.where(inside, np.exp(-np.abs(x - value) / self.scale) / (self.scale * mass), 0.0)


def _signed_mass(z: Array) -> Array:
    """``∫ e^-|t| dt`` from 0 to ``z``."""
    return np.asarray(np.copysign(-np.expm1(-np.abs(z)), z), dtype=np.float64)


def privacy_loss(scale: float, width: float) -> float:
    """``1/s + ln(C(1)/C(0))``: exact ε at scale ``s``; all in units of the sensitivity.

    ``ln C`` is concave and changes no faster than ``1/s``, so the worst neighbours are an end of
    the inputs and the value one sensitivity from it (``ΔC`` of Holohan et al.).

    >>> privacy_loss(2.0, 1.0)
    0.5
    """
    inner, outer = -math.expm1(-1.0 / scale), -math.expm1(-(width - 1.0) / scale)
    whole = -math.expm1(-width / scale)
    # C(1)/C(0) - 1 in a form without cancellation.
    return 1.0 / scale + math.log1p(inner * outer / whole)
