"""The two-point mechanism of Duchi, Jordan and Wainwright."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines.local import LocalBaseline
from compdp_core.validation import Array


@dataclass(frozen=True, init=False)
class Duchi(LocalBaseline):
    """``±B`` with ``B = (e^ε + 1)/(e^ε - 1)`` and ``Pr[+B] = ½ + t/2B``: ε-LDP, unbiased.

    Variance ``B² - t²``: largest in the middle, and never below ``(b - a)²/4`` there, however
    large ε is. Duchi, Jordan, Wainwright, *Minimax Optimal Procedures for Locally Private
    Estimation*, JASA 2018; in one dimension as in Wang et al., ICDE 2019, Algorithm 1.

    >>> mechanism = Duchi(1.0, (0, 100))
    >>> [round(end, 3) for end in mechanism.outputs]
    [-58.198, 158.198]
    >>> float(mechanism.pmf(mechanism.outputs[1], value=50.0))
    0.5
    """

    name = "Duchi et al."
    reference = "Duchi, Jordan, Wainwright, JASA 2018"
    is_discrete = True

    @property
    def reach(self) -> float:
        """``B = coth(ε/2)``."""
        return 1.0 / math.tanh(0.5 * self.epsilon)

    def _variance(self, x: Array) -> Array:
        # B² - t² as (B² - 1) + (1 - t)(1 + t), neither of which cancels.
        lower, upper = self.inputs
        return (self.half_width / math.sinh(0.5 * self.epsilon)) ** 2 + (x - lower) * (upper - x)

    def _lower_mass(self, x: Array) -> Array:
        """``Pr[-B] = ((B - 1) + (1 - t))/2B``."""
        excess = 2.0 / math.expm1(self.epsilon)
        return (excess + (self.interval.upper - x) / self.half_width) / (2.0 * self.reach)

    def _upper_mass(self, x: Array) -> Array:
        excess = 2.0 / math.expm1(self.epsilon)
        return (excess + (x - self.interval.lower) / self.half_width) / (2.0 * self.reach)

    def _outside(self, target: Interval, x: Array) -> Array:
        low, high = (0.0 if target.contains(end) else 1.0 for end in self.outputs)
        return low * self._lower_mass(x) + high * self._upper_mass(x)

    def _draw(self, x: Array, rng: np.random.Generator) -> Array:
        low, high = self.outputs
        return np.where(rng.uniform(size=x.shape) < self._lower_mass(x), low, high)

    def _pmf(self, x: Array, value: Array) -> Array:
        low, high = self.outputs
        at_low = np.where(x == low, self._lower_mass(value), 0.0)
        return np.where(x == high, self._upper_mass(value), at_low)
