"""The unbounded staircase mechanism of Geng and Viswanath."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.mechanisms.baselines.additive import AdditiveBaseline
from compdp_core.validation import Array, real

# Far beyond every step that still has a probability; keeps an infinite distance countable.
_FARTHEST = 2.0**53


@dataclass(frozen=True, init=False)
class StaircaseMechanism(AdditiveBaseline):
    """Noise whose density falls by ``b = e^-ε`` once in every sensitivity: ε-DP, unbiased.

    ``f(z) = A b^k`` for ``|z| in [kΔ, (k + γ)Δ)`` and ``A b^(k+1)`` on the rest of the step, with
    ``A = (1 - b) / (2Δ(γ + b(1 - γ)))``. At the default γ it has the least variance of all
    additive ε-DP noise: ``γ = ((b(1 + b)/2)^⅓ - b)/(1 - b)``.

    Geng, Viswanath, *The Optimal Mechanism in Differential Privacy*, ISIT 2014 (arXiv 1212.1186).

    >>> mechanism = StaircaseMechanism(1.0, (0, 1))
    >>> mechanism.gamma, mechanism.variance(0.5)
    (0.41674, 1.91810)
    """

    name = "Staircase"
    reference = "Geng, Viswanath, ISIT 2014"

    gamma: float
    """``γ``: where in a step the density falls, in (0, 1]."""

    def __init__(
        self,
        epsilon: float,
        inputs: Any,
        *,
        sensitivity: float | None = None,
        gamma: float | None = None,
    ) -> None:
        super().__init__(epsilon, inputs, sensitivity=sensitivity)
        chosen = least_variance_gamma(self.epsilon) if gamma is None else real(gamma)
        if chosen is None or not 0.0 < chosen <= 1.0:
            raise ParameterError("gamma", gamma, "must be a number above 0 and at most 1")
        self._set("gamma", chosen)

    @property
    def _decay(self) -> float:
        return math.exp(-self.epsilon)

    @property
    def _height(self) -> float:
        """``AΔ``: the density at 0, per sensitivity."""
        b, gamma = self._decay, self.gamma
        return -math.expm1(-self.epsilon) / (2.0 * (gamma + b * (1.0 - gamma)))

    @property
    def noise_variance(self) -> float:
        """Second moment, summed over the steps as geometric series.

        At the best γ it is ``Δ² ((b(1 + b)/2)^⅔ + b)/(1 - b)²`` (Geng and Viswanath).
        """
        b, c, gamma = self._decay, -math.expm1(-self.epsilon), self.gamma
        series = (
            (gamma**3 + b * (1.0 - gamma**3)) / (3.0 * c)
            + (gamma**2 + b * (1.0 - gamma**2)) * b / c**2
            + (gamma + b * (1.0 - gamma)) * b * (1.0 + b) / c**3
        )
        return 2.0 * self._height * series * self.sensitivity**2

    def density(self, z: Array) -> Array:
        """``A b^k``, one more factor ``b`` beyond ``γ`` of the step."""
        step, part = self._position(np.abs(z))
        level = step + np.where(part >= self.gamma, 1.0, 0.0)
        return self._height / self.sensitivity * np.exp(-self.epsilon * level)

    def survival(self, z: Array) -> Array:
        """``b^k (b/2 + AΔ((γ - v)₊ + b(1 - max(v, γ))))`` at ``z = (k + v)Δ >= 0``."""
        step, part = self._position(np.abs(z))
        b, gamma = self._decay, self.gamma
        rest = np.maximum(gamma - part, 0.0) + b * (1.0 - np.maximum(part, gamma))
        tail = np.exp(-self.epsilon * step) * (0.5 * b + self._height * rest)
        return np.where(z >= 0.0, tail, 1.0 - tail)

    def draw_noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
        """Sign, step, side of ``γ`` and place within it, drawn apart, as Geng and Viswanath do."""
        b, gamma = self._decay, self.gamma
        step = np.floor(rng.standard_exponential(shape) / self.epsilon)
        inner = rng.uniform(size=shape) * (gamma + b * (1.0 - gamma)) < gamma
        place = rng.uniform(size=shape)
        part = np.where(inner, gamma * place, gamma + (1.0 - gamma) * place)
        sign = np.where(rng.uniform(size=shape) < 0.5, -1.0, 1.0)
        return np.asarray(sign * self.sensitivity * (step + part), dtype=np.float64)

    def _position(self, distance: Array) -> tuple[Array, Array]:
        """Number of the step and place within it, 0 to 1."""
        steps = np.minimum(distance / self.sensitivity, _FARTHEST)
        whole = np.floor(steps)
        return whole, steps - whole


def least_variance_gamma(epsilon: float) -> float:
    """``((b(1 + b)/2)^⅓ - b)/(1 - b)`` with ``b = e^-ε``, without cancellation for small ε.

    >>> least_variance_gamma(1e-9)
    0.5000
    """
    b, c = math.exp(-epsilon), -math.expm1(-epsilon)
    return b * math.expm1((math.log1p(-0.5 * c) + 2.0 * epsilon) / 3.0) / c
