"""The discrete Laplace mechanism with its outputs clamped to the grid points of the inputs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines.additive import clamped_tail
from compdp_core.mechanisms.baselines.clamped_laplace import exponential_gap
from compdp_core.mechanisms.baselines.discrete_laplace import DiscreteLaplace
from compdp_core.validation import Array


@dataclass(frozen=True, init=False)
class TruncatedDiscreteLaplace(DiscreteLaplace):
    """``M(x) = h min(max(i(x) + N, i_a), i_b)``: ε-DP, bounded, biased towards the middle.

    The noise beyond either end is gathered on it (the "range-restricted" geometric mechanism of
    Ghosh, Roughgarden and Sundararajan, STOC 2009), which is post-processing. With
    ``p = i - i_a``, ``q = i_b - i`` grid steps, the bias is
    ``(α^(p+1) - α^(q+1))/(1 - α²)`` and the second moment of the noise ``h(p) + h(q)``,
    ``h(q) = Σ_{n<q} (2n + 1) Pr[N > n]``.

    >>> mechanism = TruncatedDiscreteLaplace(1.0, (0, 10), sensitivity=1)
    >>> mechanism.bias(5), mechanism.bias(0)
    (0.0, 0.4254)
    >>> mechanism.outputs
    (0.0, 10.0)
    """

    name = "Discrete Laplace, truncated"
    reference = "Ghosh, Roughgarden, Sundararajan, STOC 2009"

    @property
    def outputs(self) -> tuple[float, float]:
        """The first and the last grid point inside the inputs."""
        low, high = self.grid.points(np.array(self.grid.range(self.interval), dtype=np.float64))
        return float(low), float(high)

    def _moments(self, x: Array) -> tuple[Array, Array]:
        first, last = self.grid.range(self.interval)
        index = self._indices(x)
        p, q, s = index - first, last - index, self.decay
        mean = exponential_gap(s * (p + 1.0), s * (q + 1.0)) / -np.expm1(-2.0 * s)
        return mean, _half_second_moment(p, s) + _half_second_moment(q, s)

    def _bias(self, x: Array) -> Array:
        return super()._bias(x) + self.spacing * self._moments(x)[0]

    def _variance(self, x: Array) -> Array:
        mean, second = self._moments(x)
        return self.spacing**2 * (second - mean**2)

    def _outside(self, target: Interval, x: Array) -> Array:
        first, last = self.grid.range(self.interval)
        target_first, target_last = self.grid.range(target)
        index = self._indices(x)
        above = clamped_tail(self.upper_tail(target_last + 1.0 - index), target_last, first, last)
        below = clamped_tail(
            self.upper_tail(index - target_first + 1.0), -target_first, -last, -first
        )
        return above + below

    def _draw(self, x: Array, rng: np.random.Generator) -> Array:
        noisy = self._indices(x) + self.draw_noise(x.shape, rng)
        return self.grid.points(np.clip(noisy, *self.grid.range(self.interval)))

    def _pmf(self, x: Array, value: Array) -> Array:
        first, last = self.grid.range(self.interval)
        output, index = self.grid.indices(x), self._indices(value)
        mass = np.where(output == first, self.upper_tail(index - first), self.mass(output - index))
        mass = np.where(output == last, self.upper_tail(last - index), mass)
        inside = self.grid.is_point(x) & (output >= first) & (output <= last)
        return np.where(inside, mass, 0.0)


def _half_second_moment(q: Array, s: float) -> Array:
    """``E[min(N, q)²; N > 0] = Σ_{n<q} (2n + 1) α^(n+1)/(1 + α)`` in closed form.

    ``Σ_{n<q} α^n = (1 - α^q)/(1 - α)`` and, with ``x = qs``,
    ``Σ_{n<q} n α^n = α (1 - e^-x (1 + q (e^s - 1)))/(1 - α)²``, whose bracket is written as
    ``γ(2, x) - e^-x q (e^s - 1 - s)``: the plain form loses all digits for small ``s``.
    """
    from scipy.special import gammainc

    alpha, complement, x = np.exp(-s), -np.expm1(-s), q * s
    # e^-x q e^s in one exponential: q = 0 or x >= s, so it cannot overflow.
    excess = np.where(q > 0.0, q * np.exp(-x) * (np.expm1(s) - s), 0.0)
    weighted = alpha * (gammainc(2.0, x) - excess)
    total = -np.expm1(-x) * complement + 2.0 * weighted
    return np.asarray(alpha / (1.0 + alpha) * total / complement**2, dtype=np.float64)
