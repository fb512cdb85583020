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
and keep sums and means of them right: :meth:`Shares.whole` is for pictures. Intervals take them for
0 and 1, so that none looks the surer the farther it is off.

An untouched column is ``p = 1, q = 0``. What the rows themselves add, ``s (1 - s)`` each, counts
less where they are some of all rows and it is said of those, and more where a person has several:
see :mod:`compdp_core.estimates.moments`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.estimates import wording
from compdp_core.estimates.estimate import About, Estimate, EstimateError
from compdp_core.estimates.moments import quantile
from compdp_core.estimates.reading import Sampling
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.parameters import share as share_parameter
from compdp_core.release.columns import ReleasedColumn
from compdp_core.validation import figures, of, one_of

Floats = NDArray[np.float64]

_ROUNDING = 1e-12


@dataclass(frozen=True)
class Untouched:
    """What draws the categories of a column that came as it was."""

    categories: int
    probability_kept = 1.0
    probability_other = 0.0
    noise_factor = 1.0


@dataclass(frozen=True, eq=False)
class Shares:
    """Estimated shares, in the order of the categories."""

    mechanism: RandomizedResponse | Untouched
    counts: Floats
    """How often each category was released."""
    about: About
    """Whose shares: of the population that the rows are a sample of, or of the rows alone."""
    names: tuple[str, ...] = ()
    """Of the categories; may be empty."""
    between: Floats | float | None = None
    """How often what the rows themselves add is counted; None: once of a population, else not."""
    freedom: float = math.inf
    """Degrees of freedom of Student's t, where few persons have many rows."""

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
        if self.about == "rows" or self.between is not None:
            s = np.clip(s, 0.0, 1.0)
        found: Floats = np.sqrt(np.maximum(v0 + v1 * s + v2 * s * s, 0.0) / self.rows) / self._slope
        return found

    def intervals(self, level: float = 0.95) -> Floats:
        """Lower and upper ends, shape (k, 2), within 0 and 1; each holds its share at that rate.

        All k at once hold theirs more seldom.
        """
        z = quantile(share_parameter("level").check(level), self.freedom)
        # (d s - e)² = z² (v0 + v1 s + v2 s²)/n, with e what f is above q.
        scale = z * z / self.rows
        v0, v1, v2 = self._variance
        d = self._slope
        e = d * np.clip(self.estimates, 0.0, 1.0)
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
    def _between(self) -> Floats | float:
        return float(self.about == "population") if self.between is None else self.between

    @property
    def _variance(self) -> tuple[Floats | float, Floats | float, Floats | float]:
        """Of one released cell being of a category, as a polynomial in the share of it."""
        p, q = self.mechanism.probability_kept, self.mechanism.probability_other
        rows = self._between * self._slope**2
        return q * (1.0 - q), p * (1.0 - p) - q * (1.0 - q) + rows, -rows

    def among(self, sampling: Sampling, codes: Floats) -> Shares:
        """The same where rows were drawn to answer, or persons have several.

        ``codes``: the released category of each row of the file, NaN where it has none.
        """
        if self.about == "rows":
            is_some = isinstance(self.mechanism, RandomizedResponse)
            return replace(self, between=1.0 - sampling.share if is_some else 0.0)
        if sampling.at_most == 1:
            return self
        there = ~np.isnan(codes)
        if sampling.persons is None:
            freedom = max(math.ceil(self.rows / sampling.at_most) - 1, 1)
            return replace(self, between=float(sampling.at_most), freedom=freedom)
        _, whose = np.unique(sampling.persons[there], return_inverse=True)
        persons, k = int(whose.max()) + 1, self.counts.size
        # Of what a person has of each category, less what their rows would have on average, the
        # squares in sum; of few of the many pairs that there are.
        pairs, has = np.unique(whose * k + codes[there].astype(np.intp), return_counts=True)
        rows, of = np.bincount(whose).astype(np.float64), pairs % k
        squares = np.bincount(of, has.astype(np.float64) ** 2, k) + self.released * (
            self.released * np.sum(rows**2) - 2.0 * np.bincount(of, rows[pairs // k] * has, k)
        )
        s = np.clip(self.estimates, 0.0, 1.0)
        once = replace(self, about="rows", between=0.0)
        noise = (once.standard_errors * self._slope) ** 2 * self.rows
        true = self._slope**2 * s * (1.0 - s)
        found = squares * persons / (max(persons - 1, 1) * self.rows) - noise
        most = float(sampling.at_most if persons > 1 else self.rows)
        between = np.divide(found, true, out=np.full(k, most), where=true > 0.0)
        return replace(self, between=np.clip(between, 1.0, most), freedom=max(persons - 1, 1))

    def each(self, level: float, note: str) -> tuple[Estimate, ...]:
        """One estimate for each category."""
        ends, method = self.intervals(level).tolist(), "share of the rows"
        if isinstance(self.mechanism, RandomizedResponse):
            method = "(f − b/W) W/(a − b) of the released share f, all shares that f is likely of"
        parts = zip(self.estimates.tolist(), self.standard_errors.tolist(), ends, strict=True)
        return tuple(
            Estimate(value, error, low, high, level, self.rows, method, note, self.about)
            for value, error, (low, high) in parts
        )


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


def estimated(
    codes: Floats,
    names: Sequence[str],
    mechanism: RandomizedResponse | None,
    sampling: Sampling,
    about: About,
    level: float,
    missing: str,
) -> dict[str, Estimate]:
    """The share of each category; ``codes`` as :meth:`Shares.among` takes them, ``mechanism`` None
    of an untouched column, ``missing`` the policy.
    """
    there = codes[~np.isnan(codes)].astype(np.intp)
    if not there.size:
        raise EstimateError("no row has a value in this column: nothing can be said of it")
    counts = np.bincount(there, minlength=len(names)).astype(np.float64)
    plain = Shares(mechanism or Untouched(len(names)), counts, about, tuple(names))
    found = plain.among(sampling, codes)
    note = wording.of_shares(about, sampling, mechanism, missing)
    return dict(zip(names, found.each(level, note), strict=True))
