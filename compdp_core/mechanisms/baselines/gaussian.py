"""The Gaussian mechanism, with the classic and with the exact (analytic) noise."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.mechanisms.baselines.additive import AdditiveBaseline
from compdp_core.mechanisms.baselines.base import DELTA
from compdp_core.mechanisms.baselines.search import smallest_scale
from compdp_core.mechanisms.baselines.system_noise import Progress, release_gaussian
from compdp_core.validation import Array


@dataclass(frozen=True, init=False)
class GaussianBaseline(AdditiveBaseline):
    """``M(x) = x + N(0, σ²)``; subclasses choose σ from (ε, δ)."""

    sigma: float
    """Standard deviation of the noise, data units."""

    def __init__(
        self, epsilon: float, inputs: Any, *, delta: float, sensitivity: float | None = None
    ) -> None:
        super().__init__(epsilon, inputs, sensitivity=sensitivity)
        self._set("delta", DELTA.check(delta))
        self._set("sigma", self.sensitivity * self._unit_sigma())

    @abstractmethod
    def _unit_sigma(self) -> float:
        """``σ/Δ``."""

    @property
    def true_delta(self) -> float:
        """The smallest δ for which this σ is (ε, δ)-DP; see :func:`gaussian_delta`."""
        return gaussian_delta(self.epsilon, self.sigma / self.sensitivity)

    @property
    def noise_variance(self) -> float:
        """``σ²``."""
        return self.sigma**2

    def density(self, z: Array) -> Array:
        """``exp(-z²/2σ²) / (σ √2π)``."""
        return np.exp(-0.5 * (z / self.sigma) ** 2) / (self.sigma * math.sqrt(2.0 * math.pi))

    def survival(self, z: Array) -> Array:
        """``Φ(-z/σ)``."""
        from scipy.special import ndtr

        return np.asarray(ndtr(-z / self.sigma), dtype=np.float64)

    def draw_noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
        return rng.normal(0.0, self.sigma, shape)

    def release(self, values: Any, *, progress: Progress | None = None) -> Array:
        """One private answer for each value, with noise drawn by OpenDP from the system.

        OpenDP's noise is a discrete Gaussian on a grid far finer than the floats, of which it
        proves ``ρ = (Δ/σ)²/2``; (ε, δ) is the closed form at the same σ. OpenDP draws ten to
        sixty thousand values a second; ``progress(done, total)`` is called after every chunk.

        Raises :class:`ParameterError` where σ does not give the declared δ (classic, large ε).
        """
        if not self.true_delta <= self.delta:
            raise ParameterError(
                "epsilon",
                self.epsilon,
                f"is too large for the classic Gaussian: the declared delta is {self.delta:g} but "
                f"the true one {self.true_delta:.3g}; release with the analytic Gaussian instead",
            )
        return release_gaussian(
            self._clamped("values", values), self.sensitivity, self.sigma, progress
        )


@dataclass(frozen=True, init=False)
class ClassicGaussian(GaussianBaseline):
    """``σ = √(2 ln(1.25/δ)) Δ/ε``, proven for ``ε < 1`` only.

    Dwork, Roth, *The Algorithmic Foundations of Differential Privacy*, 2014, Theorem A.1. At
    larger ε the formula is in wide use without a proof: see ``proof_holds`` and ``true_delta``.

    >>> mechanism = ClassicGaussian(10.0, (0, 1), delta=1e-6)
    >>> mechanism.proof_holds, mechanism.true_delta > mechanism.delta
    (False, True)
    """

    name = "Gaussian (classic)"
    reference = "Dwork, Roth, Foundations and Trends in TCS 2014, Theorem A.1"

    def _unit_sigma(self) -> float:
        return math.sqrt(2.0 * math.log(1.25 / self.delta)) / self.epsilon

    @property
    def proof_holds(self) -> bool:
        """Whether ``ε < 1``, which the proof needs."""
        return self.epsilon < 1.0


@dataclass(frozen=True, init=False)
class AnalyticGaussian(GaussianBaseline):
    """The smallest σ that is (ε, δ)-DP, at every ε.

    Balle, Wang, *Improving the Gaussian Mechanism for Differential Privacy: Analytical
    Calibration and Optimal Denoising*, ICML 2018, Theorem 8.

    >>> mechanism = AnalyticGaussian(1.0, (0, 1), delta=1e-6)
    >>> mechanism.sigma < ClassicGaussian(1.0, (0, 1), delta=1e-6).sigma
    True
    >>> mechanism.true_delta <= mechanism.delta
    True
    """

    name = "Gaussian (analytic)"
    reference = "Balle, Wang, ICML 2018"

    def _unit_sigma(self) -> float:
        return smallest_scale(lambda sigma: gaussian_delta(self.epsilon, sigma), self.delta)


def gaussian_delta(epsilon: float, sigma: float) -> float:
    """The smallest δ of Gaussian noise of ``sigma`` sensitivities at ε (Balle and Wang 2018).

    ``δ = Φ(A) - e^ε Φ(B)`` with ``A = 1/2σ - εσ`` and ``B = -1/2σ - εσ``. Since
    ``e^ε φ(B) = φ(A)``, it is ``φ(A) (R(-A) - R(-B))`` with Mills' ratio ``R``, which neither
    overflows nor cancels as the plain form does.

    >>> gaussian_delta(0.0, 0.5)
    0.68269
    """
    from scipy.special import erfcx, ndtr

    a, b = 0.5 / sigma - epsilon * sigma, -0.5 / sigma - epsilon * sigma
    half_mills_b = 0.5 * float(erfcx(-b / math.sqrt(2.0)))
    if a < 0.0:
        half_mills_a = 0.5 * float(erfcx(-a / math.sqrt(2.0)))
        return math.exp(-0.5 * a * a) * (half_mills_a - half_mills_b)
    return float(ndtr(a)) - math.exp(-0.5 * a * a) * half_mills_b
