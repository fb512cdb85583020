"""The Gaussian mechanism with its outputs clamped into the inputs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from compdp_core.mechanisms.baselines.additive import ClampedBaseline
from compdp_core.mechanisms.baselines.gaussian import AnalyticGaussian
from compdp_core.validation import Array


@dataclass(frozen=True, init=False)
class ClampedGaussian(ClampedBaseline):
    """``M(x) = min(max(x + N(0, σ²), a), b)``: (ε, δ)-DP, bounded, biased towards the middle.

    σ is the analytic one. With ``p = (x - a)/σ``, ``q = (b - x)/σ``: bias
    ``σ (q Φ(-q) - p Φ(-p) + φ(p) - φ(q))``, and the second moment of the error is
    ``σ² (h(p) + h(q))`` with ``h(p) = p² Φ(-p) + ½ P(3/2, p²/2)``, P the regularised incomplete
    gamma function. Clamping is post-processing: Dwork, Roth 2014, Proposition 2.1.

    >>> mechanism = ClampedGaussian(1.0, (0, 100), delta=1e-6)
    >>> mechanism.bias(50.0), mechanism.bias(100.0)
    (0.0, -45.300)
    """

    name = "Gaussian, clamped"
    reference = "Balle, Wang, ICML 2018; clamped afterwards"

    def __init__(
        self, epsilon: float, inputs: Any, *, delta: float, sensitivity: float | None = None
    ) -> None:
        super().__init__(AnalyticGaussian(epsilon, inputs, delta=delta, sensitivity=sensitivity))

    @property
    def sigma(self) -> float:
        """Standard deviation before clamping, data units."""
        return math.sqrt(self.unclamped.noise_variance)

    @property
    def _unit(self) -> float:
        return self.sigma

    def _moments(self, p: Array, q: Array) -> tuple[Array, Array]:
        from scipy.special import gammainc, ndtr

        low, high = p * ndtr(-p), q * ndtr(-q)
        # φ(p) - φ(q), exact also where both are close to φ(0).
        gap = (np.expm1(-0.5 * p**2) - np.expm1(-0.5 * q**2)) / math.sqrt(2.0 * math.pi)
        inside = 0.5 * (gammainc(1.5, 0.5 * p**2) + gammainc(1.5, 0.5 * q**2))
        return high - low + gap, p * low + q * high + inside
