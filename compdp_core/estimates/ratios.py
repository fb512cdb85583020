"""Ratios of two means over rows, with intervals that hold where the denominator is uncertain, too.

Slopes, correlations and means of noisy groups are ratios ``P/Q`` of means whose denominators, such
as a variance less that of the noise, are themselves uncertain. Fieller (J. R. Stat. Soc. B 16,
1954): all b with ``(P - b Q)² <= z² Var(P - b Q)``. That is an interval where Q is above 0 by more
than its error, and where it is not, nothing is said.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from compdp_core.estimates.estimate import EstimateError
from compdp_core.estimates.reading import Sampling
from compdp_core.text import count
from compdp_core.validation import Array

CLEAR = 3.0
"""By how many of its errors a denominator lies above 0 where anything is said."""
NEARLY = (
    "The noise is nearly too large to tell: of tables of which few releases would give an answer, "
    "those that do miss the truth more often than the interval says."
)
FEWEST = 20
"""Rows, besides one for each predictor: below, errors themselves are not known."""


@dataclass(frozen=True)
class CompleteRows:
    """Rows that have all values, and whose they are."""

    count: int
    persons: NDArray[np.intp] | None
    """Counted from 0 without gaps; None where each row is another's, or it is not known."""
    repeated: int
    """The most rows of a person where it is not known whose they are, else 1."""

    @classmethod
    def of(cls, sampling: Sampling, mask: NDArray[np.bool_]) -> CompleteRows:
        """Those of the file that a mask picks."""
        if sampling.persons is None:
            return cls(int(np.count_nonzero(mask)), None, sampling.at_most)
        found = np.unique(sampling.persons[mask], return_inverse=True)[1]
        return cls(len(found), found, 1)

    @property
    def independent(self) -> int:
        """Persons, or rows where each is another's."""
        if self.persons is not None:
            return int(self.persons.max(initial=-1)) + 1
        return self.count // self.repeated

    def covariance(self, *terms: Array, used: int = 1) -> Array:
        """Of the means of terms, one a row: those of one person are added before squaring.

        ``used``: degrees of freedom that the terms took from the rows.
        """
        sums = np.stack(terms) - np.array([[each.mean()] for each in terms])
        if self.persons is not None:
            sums = np.stack([np.bincount(self.persons, each) for each in sums])
        m = sums.shape[1]
        alike = self.repeated * m / max(m - used * self.repeated, 1)
        found: Array = sums @ sums.T * (alike / self.count**2)
        return found

    def freedom(self, used: int) -> float:
        """Degrees of freedom of errors that are estimated from these rows."""
        return float(max(self.independent - used, 1))

    def enough(self, fewest: int, where: str) -> None:
        """Raise :class:`EstimateError` for fewer."""
        if self.independent >= fewest:
            return
        kind, have = "row", self.count
        if self.persons is not None:
            kind, have = "person", self.independent
        raise EstimateError(
            f"only {count(have, kind)} with a value {where}: it needs at least "
            f"{fewest * self.repeated}"
        )

    def clear(self, found: Ratio, level: float, what: str) -> None:
        """Raise :class:`EstimateError` where the denominator, which is ``what``, is not above 0 by
        its error.
        """
        if found.is_clear(level):
            return
        value, error = found.below, found.below_error
        factor = (CLEAR * error / max(value, error)) ** 2 if error > 0.0 else math.inf
        wish = (
            f"{'about' if value > error else 'more than'} "
            f"{float(f'{self.count * factor:.1e}'):,.0f}"
            if 1.0 < factor < math.inf
            else "more"
        )
        raise EstimateError(
            f"the noise is too large to tell with {count(self.count, 'row')}: {what} is not above "
            f"0 by enough of its errors, which needs {wish} rows, or a larger ε"
        )


@dataclass(frozen=True)
class Ratio:
    """``P/Q`` with the covariance of the two."""

    above: float
    below: float
    covariance: Array
    freedom: float
    """Degrees of freedom of the covariance."""

    @classmethod
    def of(
        cls, above: Array, below: Array, rows: CompleteRows, used: int = 2, *, sure: bool = False
    ) -> Ratio:
        """Of terms, one a row. ``sure``: that of Q is without noise, and taken as it is."""
        parts = rows.covariance(above, below, used=used)
        made = cls(float(above.mean()), float(below.mean()), parts, rows.freedom(used))
        return made.surely if sure else made

    @property
    def surely(self) -> Ratio:
        """The same as if Q were known, with the same error."""
        known = np.array([[(self.error * self.below) ** 2, 0.0], [0.0, 0.0]])
        return replace(self, covariance=known)

    @property
    def doubt(self) -> tuple[str, ...]:
        """Note where Q is hardly clear of 0."""
        return (NEARLY,) if self.said < 0.9 else ()

    def is_clear(self, level: float) -> bool:
        """Whether Q is above 0 by enough of its errors."""
        return self.below > CLEAR * self.below_error and math.isfinite(self.interval(level)[1])

    @property
    def value(self) -> float:
        """``P/Q``."""
        return self.above / self.below

    @property
    def error(self) -> float:
        """Standard error, to first order."""
        b, ((pp, pq), (_, qq)) = self.value, self.covariance
        return math.sqrt(max(float(pp - 2.0 * b * pq + b * b * qq), 0.0)) / abs(self.below)

    @property
    def below_error(self) -> float:
        """Standard error of Q."""
        return math.sqrt(float(self.covariance[1, 1]))

    @property
    def said(self) -> float:
        """How often Q would come out as clear of 0 as it must, were it an error less."""
        from scipy.special import ndtr

        error = self.below_error
        return float(ndtr(self.below / error - 1.0 - CLEAR)) if error > 0.0 else 1.0

    def interval(self, level: float, *others: Ratio) -> tuple[float, float]:
        """Fieller's; infinite where Q is not above 0 by as many of its errors.

        What is said only where Q came out clear of 0 misses more often than what is always said. So
        it may miss less by as much as that happens seldom. ``others``: with as much to clear.
        """
        from scipy.special import stdtrit

        said = min(each.said for each in (self, *others))
        z = float(stdtrit(self.freedom, 1.0 - 0.5 * (1.0 - level) * said))
        (pp, pq), (_, qq) = (z * z * self.covariance).tolist()
        a = self.below**2 - qq
        if not a > 0.0:
            return -math.inf, math.inf
        b, c = self.above * self.below - pq, self.above**2 - pp
        root = math.sqrt(max(b * b - a * c, 0.0))
        return (b - root) / a, (b + root) / a
