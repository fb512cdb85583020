"""The Gaussian distribution on the whole numbers: mass, tails, variance and privacy loss."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from compdp_core.validation import Array

# Above, Euler-Maclaurin with three terms is exact to double precision; below, sums are short.
_SUM_LIMIT = 200.0
# exp(-39²/2) is below the smallest float.
_REACH = 39.0
_ROOT_TAU = math.sqrt(2.0 * math.pi)


@dataclass(frozen=True)
class WholeGaussian:
    """``Pr[N = n] = exp(-n²/2σ²)/S``, ``S = Σ exp(-n²/2σ²)`` over all whole ``n``.

    >>> float(WholeGaussian(1.0).mass(np.array(0.0)))
    0.39894
    """

    sigma: float

    @property
    def total(self) -> float:
        """``S``; for σ above ½ by Poisson summation, ``σ √2π Σ exp(-2π²σ²k²)``."""
        if self.sigma < 0.5:
            return 1.0 + 2.0 * float(np.sum(self._weights()[1:]))
        k = np.arange(1.0, 4.0)
        return self.sigma * _ROOT_TAU * (1.0 + 2.0 * float(np.sum(self._dual(k))))

    @property
    def variance(self) -> float:
        """``Σ n² exp(-n²/2σ²)/S``; for σ above ½ ``σ² (1 - 4π²σ² Σ k² q(k)/Σ q(k))``.

        ``q(k) = exp(-2π²σ²k²)``: the logarithmic derivative of Poisson's sum.
        """
        if self.sigma < 0.5:
            weights = self._weights()
            squares = np.arange(float(weights.size)) ** 2
            return 2.0 * float(np.sum(squares * weights)) / self.total
        k = np.arange(1.0, 4.0)
        dual = self._dual(k)
        correction = 2.0 * float(np.sum(k**2 * dual)) / (1.0 + 2.0 * float(np.sum(dual)))
        return self.sigma**2 * (1.0 - 4.0 * math.pi**2 * self.sigma**2 * correction)

    def _dual(self, k: Array) -> Array:
        return np.exp(-2.0 * (math.pi * self.sigma * k) ** 2)

    def _weights(self) -> Array:
        n = np.arange(math.ceil(_REACH * self.sigma) + 2.0)
        return np.exp(-0.5 * (n / self.sigma) ** 2)

    def mass(self, n: Array) -> Array:
        """``Pr[N = n]`` for whole ``n``."""
        return np.exp(-0.5 * (n / self.sigma) ** 2) / self.total

    def upper_tail(self, n: Array) -> Array:
        """``Pr[N >= n]`` for whole ``n``: summed from the far end, or Euler-Maclaurin."""
        n = np.asarray(n, dtype=np.float64)
        positive = n > 0.0
        one_sided = self._positive_tail(np.where(positive, n, 1.0 - n))
        return np.where(positive, one_sided, 1.0 - one_sided)

    def _positive_tail(self, n: Array) -> Array:
        if self.sigma > _SUM_LIMIT:
            z = (n - 0.5) / self.sigma
            return np.exp(-0.5 * z**2) * self._mills(z)
        weights = self._weights()
        tails = np.cumsum(weights[::-1])[::-1] / self.total
        inside = np.minimum(n, weights.size - 1.0).astype(np.int64)
        return np.where(n < weights.size, tails[inside], 0.0)

    def _mills(self, z: Array) -> Array:
        """``Pr[N >= n] / exp(-z²/2)`` at ``z = (n - ½)/σ >= 0``.

        Euler-Maclaurin about midpoints: the integral, plus ``f'/24 - 7 f'''/5760 +
        31 f⁗'/967680`` at ``n - ½``; the derivatives of the normal density are Hermite
        polynomials.
        """
        from scipy.special import erfcx

        s = self.sigma
        terms = (
            -z / (24.0 * s**2)
            + 7.0 * (z**3 - 3.0 * z) / (5760.0 * s**4)
            - 31.0 * (z**5 - 10.0 * z**3 + 15.0 * z) / (967680.0 * s**6)
        )
        return np.asarray(0.5 * erfcx(z / math.sqrt(2.0)) + terms / _ROOT_TAU, dtype=np.float64)

    def delta(self, epsilon: float, steps: int) -> float:
        """The smallest δ at ε for neighbours at most ``steps`` apart.

        ``Pr[N > εσ²/D - D/2] - e^ε Pr[N > εσ²/D + D/2]`` (Canonne, Kamath, Steinke 2020,
        Theorem 7), which is the sum of ``Pr[N = n] (1 - exp(ε - loss(n)))`` over the ``n`` whose
        privacy loss ``(D² + 2nD)/2σ²`` exceeds ε. Nearer neighbours lose less.

        >>> WholeGaussian(0.1).delta(1.0, 1)
        1.0000
        """
        s = self.sigma
        first = math.floor(epsilon * s**2 / steps - 0.5 * steps) + 1.0
        if s <= _SUM_LIMIT:
            n = np.arange(first, max(first, 0.0) + math.ceil(_REACH * s) + 2.0)
            loss = (0.5 * steps + n) * steps / s**2
            return float(np.sum(self.mass(n) * -np.expm1(np.minimum(epsilon - loss, 0.0))))
        z, shift = (first - 0.5) / s, steps / s
        if z < 0.0:
            near, far = self.upper_tail(np.array([first, first + steps]))
            return float(near) - (math.exp(epsilon) * float(far) if far > 0.0 else 0.0)
        # e^ε exp(-z'²/2) = exp(-z²/2 + η) with a tiny η: the tails cancel before they are formed.
        eta = epsilon - shift * (z + 0.5 * shift)
        near, far = self._mills(np.array([z, z + shift]))
        return math.exp(-0.5 * z * z) * (float(near) - math.exp(eta) * float(far))
