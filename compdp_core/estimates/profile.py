"""The share of true values beyond a limit, with the interval of all that are likely enough.

All distributions whatever of true values are compared, so there is no bias of smoothing: the share
s is in the interval where the best of those with this share makes what was released about as likely
as the best of all: ``2 (max l - max_{share = s} l) <= z²`` (profile likelihood; for inverse
problems with shares of at least 0: Batlle, Stanley & Stark's and Kuusela's optimization-based
intervals; Owen, Biometrika 75, 1988).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from compdp_core.estimates.likelihood import log_likelihood, most_likely
from compdp_core.validation import Array

Mask = NDArray[np.bool_]

_LEAST = 1e-9
_DIRECTIONS = 5
"""Where no true value lies beyond the limit, there are many places where one might seem to lie: a
share of 0 or 1 is left out only where the ratio exceeds the quantile of so many of them."""


@dataclass(frozen=True, eq=False)
class Profile:
    """The likelihood of each share."""

    kernel: Array
    counts: Array
    """In cells, shape (m,); may be fractions, such as those expected."""
    above: Mask
    """Which of the true values lie beyond the limit, shape (k,)."""

    @cached_property
    def _best(self) -> tuple[float, float]:
        sides = np.ones((1, self.above.size))
        found = most_likely(self.kernel, self.counts[None], sides, np.ones((1, 1)))
        height = log_likelihood(self.kernel, self.counts[None], found)
        return float(found[0, self.above].sum()), float(height[0])

    @property
    def share(self) -> float:
        """The most likely one, or one of them."""
        return min(max(self._best[0], 0.0), 1.0)

    def deviance(self, share: float) -> float:
        """``2 (max l - max_{share} l)``."""
        sides = np.stack([~self.above, self.above]).astype(np.float64)
        held = min(max(share, _LEAST), 1.0 - _LEAST)
        totals = np.array([[1.0 - held, held]])
        found = most_likely(self.kernel, self.counts[None], sides, totals)
        return 2.0 * (
            self._best[1] - float(log_likelihood(self.kernel, self.counts[None], found)[0])
        )

    def side(self, share: float, level: float) -> int:
        """0 where the share is in the interval; else 1 where it lies above it, -1 below."""
        usual, at_end = _limits(level)
        if self.deviance(share) <= usual:
            return 0
        above = share > self.share
        return 0 if self.deviance(1.0 if above else 0.0) <= at_end else 1 if above else -1

    def interval(self, level: float) -> tuple[float, float]:
        """All shares that are likely enough."""
        return self._end(0.0, level), self._end(1.0, level)

    def _end(self, outer: float, level: float) -> float:
        from scipy.optimize import brentq

        usual, at_end = _limits(level)
        if self.deviance(outer) <= at_end:
            return outer
        z = float(np.sqrt(usual))

        def beyond(share: float) -> float:
            return float(np.sqrt(max(self.deviance(share), 0.0))) - z

        return float(brentq(beyond, self.share, outer, xtol=1e-5, rtol=1e-4))


def _limits(level: float) -> tuple[float, float]:
    from scipy.special import chdtri

    return float(chdtri(1, 1.0 - level)), float(chdtri(_DIRECTIONS, 1.0 - level))
