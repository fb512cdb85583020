"""A4, the staircase activation: for queries whose sensitivity is far below their range.

``P(x) = y exp(ε n(|x - c|))`` with ``n`` a descending staircase: ``K`` steps up in the middle, one
fewer every further sensitivity shift δ, none beyond ``(γ + K - 1) δ``. Neighbouring inputs move the
centre by at most δ, so the level changes by at most one anywhere: ε-DP with equality. Without
bounds this is the staircase mechanism of Geng and Viswanath (ISIT 2014), the least noise of any
additive ε-DP mechanism; with bounds and ``K = R/Δ`` it is the central piecewise mechanism
(Yamamoto, IEEE Transactions on Privacy 2026).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from compdp_core.parameters import EPSILON, count, positive
from compdp_core.shapes.kinds import Activation
from compdp_core.validation import Array

GAMMA = positive(
    "gamma",
    "γ",
    "Half the width of the staircase's top level over the sensitivity.",
    "sensitivities",
    usual=(0.05, 1.0),
)


def check_steps(steps: object, epsilon: float, deepest: float = 200.0) -> int:
    """A number of levels ``K``, for which ``εK`` goes to ``deepest`` or a little further.

    Beyond 200 more of them would not change a bit of any variance.

    >>> check_steps(3, 1.0)
    3

    Raises :class:`ParameterError`.
    """
    most = 2 + math.floor(deepest / epsilon)
    return int(count("steps", lower=1, upper=most).check(steps))


@dataclass(frozen=True)
class Staircase(Activation):
    """``h(v) = (e^{ε n} - 1)/(e^{ε K} - 1)`` at the level ``n`` of ``|2v - 1| (γ + K - 1)``.

    >>> Staircase(1, 0.4, 1.0).area
    1.0
    """

    steps: int
    """``K``, the number of levels above the base."""
    gamma: float
    """``γ``, half the width of the top level over the sensitivity shift δ; at most 1 where the
    number of levels is free, as a further level is better than a wider one."""
    epsilon: float
    """``ε``: neighbouring levels differ by the factor ``e^ε``."""

    name = "A4"
    title = "staircase"
    formula = "(exp(epsilon*n) - 1)/(exp(epsilon*K) - 1)"

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", EPSILON.check(self.epsilon))
        object.__setattr__(self, "steps", check_steps(self.steps, self.epsilon, 600.0))
        object.__setattr__(self, "gamma", GAMMA.check(self.gamma))

    @property
    def reach(self) -> float:
        """Half-width of the activation over δ: ``γ + K - 1``."""
        return self.gamma + (self.steps - 1)

    @property
    def height_ratio(self) -> float:
        """``κ = e^{ε K} - 1``: the top over the base."""
        return math.expm1(self.epsilon * self.steps)

    @cached_property
    def _levels(self) -> tuple[Array, Array]:
        """Outer end (in units of the half-width) and height of each level, from the middle out."""
        down = np.arange(self.steps)
        ends = (self.gamma + down) / self.reach
        # Relative to the top, so that nothing overflows.
        floor = math.exp(-self.epsilon * self.steps)
        heights = (np.exp(-self.epsilon * down) - floor) / (1.0 - floor)
        return np.minimum(ends, 1.0), heights

    @cached_property
    def _below(self) -> Array:
        """Area from the middle to the end of each level, from 0 on; both sides together."""
        ends, heights = self._levels
        return np.concatenate([[0.0], np.cumsum(heights * np.diff(ends, prepend=0.0))])

    @property
    def area(self) -> float:
        return float(self._below[-1])

    @cached_property
    def variance(self) -> float:
        ends, heights = self._levels
        return float(np.sum(heights * np.diff(ends**3, prepend=0.0)) / 3.0 / self.area) / 4.0

    @property
    def breakpoints(self) -> tuple[float, ...]:
        ends, _ = self._levels
        return (*(0.5 * (1.0 - ends[::-1])).tolist(), *(0.5 * (1.0 + ends)).tolist())

    def _height(self, v: Array) -> Array:
        ends, heights = self._levels
        level = np.searchsorted(ends, np.abs(2.0 * v - 1.0), side="left")
        return heights[np.minimum(level, self.steps - 1)]

    def _integral(self, v: Array) -> Array:
        ends, _ = self._levels
        distance = np.abs(2.0 * v - 1.0)
        half: Array = np.interp(distance, np.concatenate([[0.0], ends]), self._below)
        return 0.5 * (self.area + np.sign(2.0 * v - 1.0) * half)
