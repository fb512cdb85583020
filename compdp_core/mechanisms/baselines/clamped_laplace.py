"""The Laplace mechanism with its outputs clamped into the inputs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from compdp_core.mechanisms.baselines.additive import ClampedBaseline
from compdp_core.mechanisms.baselines.laplace import Laplace
from compdp_core.validation import Array


@dataclass(frozen=True, init=False)
class ClampedLaplace(ClampedBaseline):
    """``M(x) = min(max(x + Lap(Δ/ε), a), b)``: ε-DP, bounded, biased towards the middle.

    With ``s = Δ/ε``, ``p = (x - a)/s``, ``q = (b - x)/s``: bias ``s (e^-p - e^-q)/2`` and
    ``E[(M(x) - x)²] = s² (γ(2, p) + γ(2, q))``, ``γ(2, p) = 1 - (1 + p) e^-p``.
    Clamping is post-processing: Dwork, Roth 2014, Proposition 2.1.

    >>> mechanism = ClampedLaplace(1.0, (0, 100))
    >>> mechanism.bias(50.0), mechanism.bias(0.0)
    (0.0, 31.606)
    """

    name = "Laplace, clamped"
    reference = "Dwork, McSherry, Nissim, Smith, TCC 2006; clamped afterwards"

    def __init__(self, epsilon: float, inputs: Any, *, sensitivity: float | None = None) -> None:
        super().__init__(Laplace(epsilon, inputs, sensitivity=sensitivity))

    @property
    def scale(self) -> float:
        """``Δ/ε``, data units."""
        return self.sensitivity / self.epsilon

    @property
    def _unit(self) -> float:
        return self.scale

    def _moments(self, p: Array, q: Array) -> tuple[Array, Array]:
        from scipy.special import gammainc

        second = np.asarray(gammainc(2.0, p) + gammainc(2.0, q), dtype=np.float64)
        return 0.5 * exponential_gap(p, q), second


def exponential_gap(p: Array, q: Array) -> Array:
    """``e^-p - e^-q`` for nonnegative ``p``, ``q``, without cancellation or overflow.

    >>> float(exponential_gap(np.array(1e-9), np.array(3e-9))) * 1e9
    2.0000
    """
    gap = -np.exp(-np.minimum(p, q)) * np.expm1(-np.abs(q - p))
    return np.where(q >= p, gap, -gap)
