"""Quantiles of any mechanism from its closed-form tails, with few evaluations of them."""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import dataclass, field

from compdp_core.mechanisms.baselines import Mechanism

FAR = 1e8
"""Widths of the inputs beyond which no quantile is sought."""

_NEXT_TO_NONE = 1e-300


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
        from scipy.optimize import brentq

        low, high = self._bracket(level)
        if low is None or not self._share(high) >= level:
            return high
        tolerance = max(self.precision * self._width, 2.0 * math.ulp(max(abs(low), abs(high))))
        # No share is the level itself: the first place with it is sought, and others may follow.
        brentq(lambda t: self._share(t) - level or _NEXT_TO_NONE, low, high, xtol=tolerance)
        nearest = bisect_left(self._shares, level)
        low, high = self._places[nearest - 1], self._places[nearest]
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
