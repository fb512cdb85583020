"""Ratios of two means over rows, with intervals that hold where the denominator is uncertain, too.

Slopes, correlations and means of noisy groups are ratios ``P/Q`` of means whose denominators, such
as a variance less that of the noise, are themselves uncertain. Fieller (J. R. Stat. Soc. B 16,
1954): all b with ``(P - b Q)² <= z² Var(P - b Q)``. That is an interval where Q is above 0 by more
than its error, and where it is not, nothing is said.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.estimate import EstimateError
from compdp_core.estimates.reading import Reading, Sampling
from compdp_core.text import count
from compdp_core.validation import Array

CLEAR = 3.0
"""By how many of its errors a denominator lies above 0 where anything is said."""
FEWEST = 20
"""Rows, besides one for each predictor: below, errors themselves are not known."""
MOST_WHOLE = 10_000


@dataclass(frozen=True)
class Rows:
    """Rows that have all values, and whose they are."""

    count: int
    persons: NDArray[np.intp] | None
    """Counted from 0 without gaps; None where each row is another's, or it is not known."""
    repeated: int
    """The most rows of a person where it is not known whose they are, else 1."""

    @classmethod
    def of(cls, sampling: Sampling, mask: NDArray[np.bool_]) -> Rows:
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
        return max(self.count // self.repeated, 1)

    def covariance(self, *terms: Array) -> Array:
        """Of the means of terms, one a row: those of one person are added before squaring."""
        sums = np.stack(terms) - np.array([[each.mean()] for each in terms])
        if self.persons is not None:
            sums = np.stack([np.bincount(self.persons, each) for each in sums])
        m = sums.shape[1]
        found: Array = sums @ sums.T * (self.repeated / self.count**2 * m / max(m - 1, 1))
        return found

    def quantile(self, level: float, used: int) -> float:
        """Student's, as errors are estimated from these rows, of which some freedom is used."""
        return student(level, max(self.independent - used, 1))

    def clear(self, value: float, error: float, what: str) -> None:
        """Raise :class:`EstimateError` where a value is not above 0 by its error."""
        if value > CLEAR * error:
            return
        factor = (CLEAR * error / max(value, error)) ** 2 if error > 0 else math.inf
        wish = f"about {float(f'{self.count * factor:.1e}'):,.0f}" if factor < math.inf else "more"
        raise EstimateError(
            f"the noise is too large to tell with {count(self.count, 'row')}: {what} is not above "
            f"0 by {CLEAR:g} of its errors, which needs {wish} rows, or a larger ε"
        )


@dataclass(frozen=True)
class Ratio:
    """``P/Q`` with the covariance of the two."""

    above: float
    below: float
    covariance: Array

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

    def interval(self, z: float) -> tuple[float, float]:
        """Fieller's; infinite where Q is not above 0 by z of its errors."""
        (pp, pq), (_, qq) = (z * z * self.covariance).tolist()
        a = self.below**2 - qq
        if not a > 0.0:
            return -math.inf, math.inf
        b, c = self.above * self.below - pq, self.above**2 - pp
        root = math.sqrt(max(b * b - a * c, 0.0))
        return (b - root) / a, (b + root) / a


def student(level: float, freedom: float) -> float:
    """Student's two-sided quantile."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 0.5 + 0.5 * level))


def noise(reading: Reading) -> Array:
    """Of each row what is the variance of its noise on average.

    Rounding on a coarse lattice adds what depends on the true value: its average over all the true
    values there may be, off by a quarter of a squared spacing at most.
    """
    channel = reading.channel
    if not isinstance(channel, NumberChannel) or channel.lattice is None:
        return reading.noise
    added = channel.p * channel.spacing**2 / 6.0
    first, last = math.ceil(channel.inputs.lower), math.floor(channel.inputs.upper)
    if channel.whole and last - first < MOST_WHOLE:
        whole = np.arange(first, last + 1.0)
        smooth = channel.c0 + channel.c2 * (whole - channel.c) ** 2
        added = float(np.mean(channel.variance(whole) - smooth))
    found: Array = reading.noise + added
    return found
