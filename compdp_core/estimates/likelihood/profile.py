"""The share of true values beyond a limit, with the interval of all that are likely enough.

All distributions whatever of true values are compared, so there is no bias of smoothing: a share
is in the interval where the best distribution with this share makes what was released about as
likely as the best of all (profile likelihood; Owen, Biometrika 75, 1988; of shares that are none
below 0: Kuusela and Stark, Ann. Appl. Stat. 11, 2017).

``D = 2 (max l - max_{share} l)`` is compared with the quantile of χ² with one degree of freedom,
and one more for each place of true values by which the best of all has more of them than the best
with this share. That is the conditional test of Wollan and Dykstra (Advances in Order Restricted
Statistical Inference, 1986) for what lies at the border of what is possible, as where all true
values are one. One degree alone holds its level where the true distribution is spread out, and
seldom there (Batlle, Patil, Stanley, Ruiz Baker and Kuusela, 2023, refute that it always does).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from compdp_core.estimates.likelihood.solver import log_likelihood, most_likely
from compdp_core.validation import Array

Mask = NDArray[np.bool_]

_LEAST = 1e-9
_SEEN = 1e-3
"""Of ``1/sqrt(n)``: what is less at a place counts as nothing."""
_PLACES = 5
"""Where nothing lies beyond the limit, it may seem to lie at many places: a share of 0 or 1 is left
out only where so many degrees of freedom would leave it out."""

_FEW_ROWS = 5
"""Of fewer rows on a side, as by the best of all, χ² knows too little: a degree more."""


@dataclass(frozen=True, eq=False)
class Profile:
    """The likelihood of each share, for one or more releases."""

    kernel: Array
    """Probability of each cell for each true value, shape (m, k)."""
    counts: Array
    """In cells, shape (b, m); may be fractions, such as those expected."""
    above: Mask
    """Which of the true values lie beyond the limit, shape (k,)."""
    apart: bool
    """Whether neighbouring true values are two, and not steps between which one may lie."""

    @cached_property
    def best(self) -> Array:
        """The most likely distributions, shape (b, k)."""
        ones = np.ones((1, self.above.size))
        return most_likely(self.kernel, self.counts, ones, np.ones((len(self.counts), 1)))

    @cached_property
    def share(self) -> Array:
        """Beyond the limit in the most likely distributions, one of those where it can be told
        from none of its neighbours; shape (b,).
        """
        found: Array = np.clip(self.best[:, self.above].sum(axis=1), 0.0, 1.0)
        return found

    def compared(self, share: Array) -> tuple[Array, Array]:
        """``D`` and its degrees of freedom, for a share of each release."""
        sides = np.stack([~self.above, self.above]).astype(np.float64)
        held = np.clip(share, _LEAST, 1.0 - _LEAST)
        totals = np.stack([1.0 - held, held], axis=1)
        found = most_likely(self.kernel, self.counts, sides, totals)
        gap = 2.0 * (self._height - log_likelihood(self.kernel, self.counts, found))
        rows = self.counts.sum(axis=1) * np.minimum(self.share, 1.0 - self.share)
        more = np.maximum(self._places(self.best) - self._places(found), 0)
        return gap, 1.0 + more + (rows < _FEW_ROWS)

    def holds(self, share: Array, level: float) -> Mask:
        """Whether the interval of each release holds the share."""
        from scipy.special import chdtri

        gap, freedom = self.compared(share)
        held = gap <= chdtri(freedom, 1.0 - level)
        if not held.all():
            end = (share > self.share).astype(np.float64)
            gap, freedom = self.compared(end)
            held |= gap <= chdtri(np.maximum(freedom, _PLACES), 1.0 - level)
        found: Mask = held
        return found

    def interval(self, level: float) -> tuple[float, float]:
        """All shares that are likely enough, of one release."""
        return self._end(0.0, level), self._end(1.0, level)

    @cached_property
    def _height(self) -> Array:
        return log_likelihood(self.kernel, self.counts, self.best)

    def _places(self, shares: Array) -> NDArray[np.int64]:
        """How many true values have a share; of neighbours one, unless they are apart."""
        there = shares > _SEEN / np.sqrt(self.counts.sum(axis=1, keepdims=True))
        if not self.apart:
            there = np.diff(there, axis=1, prepend=False) & there
        found: NDArray[np.int64] = there.sum(axis=1)
        return found

    def _end(self, outer: float, level: float) -> float:
        from scipy.optimize import brentq
        from scipy.special import chdtri

        if self.holds(np.array([outer]), level)[0]:
            return outer

        def beyond(share: float) -> float:
            gap, freedom = self.compared(np.array([share]))
            return float(np.sqrt(max(gap[0], 0.0)) - np.sqrt(chdtri(freedom[0], 1.0 - level)))

        return float(brentq(beyond, self.share[0], outer, xtol=1e-5, rtol=1e-4))
