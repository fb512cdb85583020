"""Shares of categories from a column that was released by randomised response.

A row of the true category i is released as i with probability ``p = a/W`` and every other row with
``q = b/W``, so that i is released with probability ``g = q + (p - q) s`` for a share s. From the
released share f of n rows follows ``s = (f - q)/(p - q)``, right on average, with the standard
error ``sqrt(f (1 - f)/n) / (p - q)`` as an estimate for the population that the rows are drawn
from. For the share among the rows themselves ``s p (1 - p) + (1 - s) q (1 - q)`` takes the place of
``g (1 - g)``.

Intervals hold all shares s under which an f so far from its expectation is not unlikely: z standard
deviations, taken at s (for ``p = 1, q = 0`` Wilson, J. Am. Stat. Assoc. 22, 1927). So they are
right for rare categories, too, where ``f ± z·error`` is not. Estimates below 0 and above 1 occur
and keep sums and means of them right: :meth:`Shares.whole` is for pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.parameters import share as share_parameter
from compdp_core.release.columns import ReleasedColumn
from compdp_core.validation import figures, of, one_of

Floats = NDArray[np.float64]

_ROUNDING = 1e-12

About = Literal["population", "rows"]
"""Whose shares: of the population that the rows are a sample of, or of the rows alone."""


@dataclass(frozen=True, eq=False)
class Shares:
    """Estimated shares, in the order of the categories."""

    mechanism: RandomizedResponse
    counts: Floats
    """How often each category was released."""
    about: About
    names: tuple[str, ...] = ()
    """Of the categories; may be empty."""

    @property
    def rows(self) -> int:
        """Rows that have a value."""
        return int(self.counts.sum())

    @property
    def released(self) -> Floats:
        """Shares of the released cells, pulled towards each other by the noise."""
        shares: Floats = self.counts / self.counts.sum()
        return shares

    @cached_property
    def estimates(self) -> Floats:
        """Right on average and 1 in sum; one may lie below 0 or above 1."""
        found: Floats = (self.released - self.mechanism.probability_other) / self._slope
        return found

    @property
    def standard_errors(self) -> Floats:
        """Of the estimates."""
        v0, v1, v2 = self._variance
        s = self.estimates
        if self.about == "rows":
            s = np.clip(s, 0.0, 1.0)
        found: Floats = np.sqrt(np.maximum(v0 + v1 * s + v2 * s * s, 0.0) / self.rows) / self._slope
        return found

    def intervals(self, level: float = 0.95) -> Floats:
        """Lower and upper ends, shape (k, 2), within 0 and 1; each holds its share at that rate.

        All k at once hold theirs more seldom.
        """
        from scipy.special import ndtri

        chance = share_parameter("level").check(level)
        z = float(ndtri(0.5 + 0.5 * chance))
        # (d s - e)² = z² (v0 + v1 s + v2 s²)/n, with e what f is above q.
        scale = z * z / self.rows
        v0, v1, v2 = self._variance
        d = self._slope
        e = d * self.estimates
        a, b, c = d * d - scale * v2, d * e + 0.5 * scale * v1, e * e - scale * v0
        root = np.sqrt(np.maximum(b * b - a * c, 0.0))
        # A share of 1 of which all was kept is not lost for the last digit.
        ends = np.stack([(b - root) / a - _ROUNDING, (b + root) / a + _ROUNDING], axis=1)
        return np.clip(ends, 0.0, 1.0)

    def whole(self) -> Floats:
        """The nearest shares that are none below 0 and 1 in sum, for a picture.

        They are no longer right on average: small shares come out too large.
        """
        falling = np.sort(self.estimates)[::-1]
        spare = (np.cumsum(falling) - 1.0) / np.arange(1, len(falling) + 1)
        last = np.flatnonzero(falling > spare)[-1]
        found: Floats = np.maximum(self.estimates - spare[last], 0.0)
        return found

    @property
    def _slope(self) -> float:
        return 1.0 / self.mechanism.noise_factor

    @property
    def _variance(self) -> tuple[float, float, float]:
        """Of one released cell being of a category, as a polynomial in the share of it."""
        p, q = self.mechanism.probability_kept, self.mechanism.probability_other
        if self.about == "rows":
            return q * (1.0 - q), p * (1.0 - p) - q * (1.0 - q), 0.0
        d = self._slope
        return q * (1.0 - q), d * (1.0 - 2.0 * q), -d * d


def share(counts: Any, mechanism: RandomizedResponse, *, about: About = "population") -> Shares:
    """Shares from how often each category was released.

    >>> found = share([700, 500, 400, 400], RandomizedResponse(1.0, 4))
    >>> found.estimates.round(3).tolist(), found.intervals()[0].round(3).tolist()
    ([0.583, 0.25, 0.084, 0.084], [0.514, 0.653])

    Raises :class:`~compdp_core.errors.ParameterError` for what are no counts of these categories.
    """
    of("mechanism", mechanism, RandomizedResponse, "must be that of a category")
    one_of("about", about, get_args(About))
    given, k = figures("counts", counts, largest=2.0**53), mechanism.categories
    if given.shape != (k,) or not (bool((given >= 0).all()) and bool((given % 1 == 0).all())):
        raise ParameterError("counts", counts, f"must be {k} whole numbers, one for each category")
    if not given.sum() > 0:
        raise ParameterError("counts", counts, "must not all be 0: no row has a value")
    return Shares(mechanism, given, about)


def of_column(column: ReleasedColumn, *, about: About = "population") -> Shares:
    """Shares of the categories of a released column, of the cells that have a value.

    Missing cells that were filled count to all categories alike.

    Raises :class:`~compdp_core.errors.ParameterError` for a column that holds no categories, or no
    value at all.
    """
    of("column", column, ReleasedColumn, "must be one of release.columns")
    what = "must be that of a category: see the card for what can be estimated of numbers"
    mechanism = of("column", column.mechanism, RandomizedResponse, what)
    values = column.values[~np.isnan(column.values)].astype(np.int64)
    found = share(np.bincount(values, minlength=mechanism.categories), mechanism, about=about)
    listed = column.plan.categories
    names = () if listed is None else listed.names
    return Shares(mechanism, found.counts, about, names)
