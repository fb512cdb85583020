"""Quantiles of any mechanism from its closed-form tails, with few evaluations of them."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass, field

from compdp_core.mechanisms.baselines import Mechanism

FAR = 1e8
"""Widths of the inputs beyond which no quantile is sought."""


@dataclass
class Inverse:
    """``p ↦ inf {t : Pr[M(x) <= t] >= p}`` for one mechanism ``M`` and true value ``x``.

    To ``precision`` of the width of the inputs, data units. Every value of the distribution
    function that is worked out for one level narrows the search for the next ones.
    """

    mechanism: Mechanism
    value: float
    precision: float = 1e-9
    _places: list[float] = field(default_factory=list)
    _shares: list[float] = field(default_factory=list)

    def __call__(self, level: float) -> float:
        """The quantile at a level in (0, 1)."""
        low, high = self._bracket(level)
        if low is None:
            return high
        tolerance = max(self.precision * self._width, 2.0 * math.ulp(max(abs(low), abs(high))))
        low, high = narrowed(
            lambda t: self._share(t) - level,
            (low, self._share(low) - level),
            (high, self._share(high) - level),
            tolerance,
        )
        # Where an end holds a point mass, the quantile is that end and not a hair beside it.
        ends = (*self.mechanism.inputs, *self.mechanism.outputs)
        return next((end for end in ends if low <= end <= high), high)

    @property
    def _width(self) -> float:
        lower, upper = self.mechanism.inputs
        return upper - lower

    def _bracket(self, level: float) -> tuple[float | None, float]:
        """Places below and at or above the quantile; None where nothing lower is sought."""
        (lower, upper), (lowest, highest) = self.mechanism.inputs, self.mechanism.outputs
        width = self._width
        low = lowest if math.isfinite(lowest) else lower - width
        high = highest if math.isfinite(highest) else upper + width
        if math.isfinite(lowest) and self._share(low) >= level:
            return None, low
        while (
            not math.isfinite(lowest)
            and self._share(low) >= level
            and low > lower - 0.1 * FAR * width
        ):
            low -= 4.0 * (high - low)
        while (
            not math.isfinite(highest)
            and not self._share(high) >= level
            and high < upper + 0.1 * FAR * width
        ):
            high += 4.0 * (high - low)
        if self._share(low) >= level:
            return None, low
        nearest = bisect_left(self._shares, level)
        if nearest < len(self._places):
            high = min(high, self._places[nearest])
        if nearest > 0:
            low = max(low, self._places[nearest - 1])
        return low, high

    def _share(self, t: float) -> float:
        """``Pr[M(x) <= t]``."""
        at = bisect_left(self._places, t)
        if at < len(self._places) and self._places[at] == t:
            return self._shares[at]
        # All outputs of a bounded mechanism lie above this; of the others all but next to none.
        lower, _ = self.mechanism.inputs
        floor = max(self.mechanism.outputs[0] - self._width, lower - FAR * self._width)
        share = 1.0 - float(self.mechanism.probability_outside((floor, t), self.value))
        # Sums of two tails may fall by a last bit where the function is flat; the search may not.
        share = max(share, self._shares[at - 1] if at else 0.0)
        share = min(share, self._shares[at] if at < len(self._shares) else 1.0)
        self._places.insert(at, t)
        self._shares.insert(at, share)
        return share


def narrowed(
    height: Callable[[float], float],
    low: tuple[float, float],
    high: tuple[float, float],
    tolerance: float,
) -> tuple[float, float]:
    """A bracket of the root of a non-decreasing function, at most ``tolerance`` wide.

    Interpolate, truncate, project (Oliveira & Takahashi, ACM Trans. Math. Softw. 2020): as quick
    as the secant where the function is smooth, and at a jump one step slower than halving.
    ``low`` and ``high`` are places with their heights, below 0 and at least 0.

    >>> low, high = narrowed(lambda t: t - 0.3, (0.0, -0.3), (1.0, 0.7), 1e-6)
    >>> low < 0.3 <= high, high - low <= 1e-6
    (True, True)
    """
    (a, below), (b, above) = low, high
    first = b - a
    allowed = math.ceil(math.log2(max(first / tolerance, 1.0))) + 1
    step = 0
    while b - a > tolerance:
        middle = a + 0.5 * (b - a)
        crossing = a - below / (above - below) * (b - a)
        aside = math.copysign(0.2 * (b - a) ** 2 / first, middle - crossing)
        place = crossing + aside if abs(aside) <= abs(middle - crossing) else middle
        # As far from the middle as still leaves the number of steps that halving needs.
        slack = max(0.5 * (tolerance * 2.0 ** (allowed - step) - (b - a)), 0.0)
        place = middle + max(-slack, min(slack, place - middle))
        if not a < place < b:
            place = middle
        here = height(place)
        if here < 0.0:
            a, below = place, here
        else:
            b, above = place, here
        step += 1
    return a, b
