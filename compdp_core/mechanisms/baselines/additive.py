"""Additive noise: the output is the true value plus a symmetric draw that does not depend on it.

And its clamped form, where outputs beyond the inputs are moved to the nearest end.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Self

import numpy as np

from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines.base import Baseline
from compdp_core.validation import Array


@dataclass(frozen=True, init=False)
class AdditiveBaseline(Baseline):
    """``M(x) = x + N`` with continuous symmetric ``N``: unbiased, unbounded, same variance."""

    @property
    @abstractmethod
    def noise_variance(self) -> float:
        """``Var[N]``, squared data units."""

    @abstractmethod
    def density(self, z: Array) -> Array:
        """Density of ``N``."""

    @abstractmethod
    def survival(self, z: Array) -> Array:
        """``Pr[N > z]``."""

    @abstractmethod
    def draw_noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
        """Independent draws of ``N``."""

    def _bias(self, x: Array) -> Array:
        return np.zeros(x.shape)

    def _variance(self, x: Array) -> Array:
        return np.full(x.shape, self.noise_variance)

    def _outside(self, target: Interval, x: Array) -> Array:
        return self.survival(target.upper - x) + self.survival(x - target.lower)

    def _draw(self, x: Array, rng: np.random.Generator) -> Array:
        return x + self.draw_noise(x.shape, rng)

    def _pdf(self, x: Array, value: Array) -> Array:
        return self.density(x - value)


@dataclass(frozen=True, init=False)
class ClampedBaseline(Baseline):
    """``M(x) = min(max(x + N, a), b)``: bounded, and biased except at the middle.

    Clamping is post-processing, so the privacy is that of the noise. The outputs have a density
    inside ``(a, b)`` and a point mass at each end.
    """

    unclamped: AdditiveBaseline
    """The same mechanism before clamping."""

    def __init__(self, unclamped: AdditiveBaseline) -> None:
        super().__init__(unclamped.epsilon, unclamped.interval, sensitivity=unclamped.sensitivity)
        self._set("delta", unclamped.delta)
        self._set("unclamped", unclamped)

    def moved(self, shift: float) -> Self:
        """Moved together with what is clamped."""
        other = super().moved(shift)
        other._set("unclamped", self.unclamped.moved(shift))
        return other

    @property
    def outputs(self) -> tuple[float, float]:
        return self.inputs

    @property
    @abstractmethod
    def _unit(self) -> float:
        """Scale of the noise in data units."""

    @abstractmethod
    def _moments(self, p: Array, q: Array) -> tuple[Array, Array]:
        """First and second moment of ``min(max(N, -p), q)``, all in units of the scale."""

    def _standard_moments(self, x: Array) -> tuple[Array, Array]:
        lower, upper = self.inputs
        return self._moments((x - lower) / self._unit, (upper - x) / self._unit)

    def _bias(self, x: Array) -> Array:
        return self._unit * self._standard_moments(x)[0]

    def _variance(self, x: Array) -> Array:
        first, second = self._standard_moments(x)
        return self._unit**2 * (second - first**2)

    def _outside(self, target: Interval, x: Array) -> Array:
        lower, upper = self.inputs
        # Below a or above b there is nothing; an end of the target beyond both is passed by all.
        survival = self.unclamped.survival
        above = clamped_tail(survival(target.upper - x), target.upper, lower, upper)
        below = clamped_tail(survival(x - target.lower), -target.lower, -upper, -lower)
        return above + below

    def _draw(self, x: Array, rng: np.random.Generator) -> Array:
        return self.interval.clamp(self.unclamped.simulate(x, seed=rng))

    def _pdf(self, x: Array, value: Array) -> Array:
        lower, upper = self.inputs
        inside = (x >= lower) & (x <= upper)
        return np.where(inside, self.unclamped.density(x - value), 0.0)

    def _pmf(self, x: Array, value: Array) -> Array:
        lower, upper = self.inputs
        low = np.where(x == lower, self.unclamped.survival(value - lower), 0.0)
        high = np.where(x == upper, self.unclamped.survival(upper - value), 0.0)
        return low + high


def clamped_tail(tail: Array, at: float, lower: float, upper: float) -> Array:
    """``Pr[clamped > at]`` from ``Pr[unclamped > at]``: 1 below the outputs, 0 from the top on."""
    if at < lower:
        return np.ones_like(tail)
    return np.zeros_like(tail) if at >= upper else tail
