"""What a receiver will be able to say of a column, before anything is drawn.

The intervals of :class:`~compdp_core.estimates.estimates.Estimates` as they are to be expected
where true values are spread evenly between the bounds, or over the list. All from public settings
and a public number of rows: no value is read, nothing is drawn, so it costs no privacy.

With ``v`` the variance of a column so spread and ``V`` that of its noise on average, ``λ = v/(v +
V)`` is how reliable one released value is. The mean of n rows lies within ``z sqrt(V/n)``. A
correlation with a column of λ' that is not there is found by chance with the standard error
``1/sqrt(λ λ' n)``, and one of 2.8 such errors is found 80 % of the time (1.96 + 0.84; Cohen,
Statistical Power Analysis, 1988). Where a person has up to k rows, which may be all alike, n of
them tell of a population as much as ``n/(1 + (k - 1) λ)`` rows of n persons (Kish, Survey Sampling,
1965).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from compdp_core.adjacency import Person
from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.estimate import About
from compdp_core.estimates.forecast.expected_shape import share_above, tells_picture
from compdp_core.estimates.forecast.flat import Flat, flat_between
from compdp_core.estimates.moments import quantile
from compdp_core.estimates.ratios import CLEAR
from compdp_core.estimates.shares import Shares
from compdp_core.intervals import Interval
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.protocol import Mechanism
from compdp_core.parameters import count, positive
from compdp_core.parameters import share as share_parameter
from compdp_core.release.column_plan import ColumnPlan
from compdp_core.validation import Array, of

POWER = 0.8
"""How often a correlation of the least size that is told is found."""
_ROWS = count("rows", lower=1)
_SHARE = positive("share", upper=1.0)
_ROUNDING = 1e-6


@dataclass(frozen=True, eq=False)
class Expected:
    """What is common to numbers and categories."""

    rows: int
    """That have a value."""
    level: float = 0.95
    """Of the intervals."""
    share: float = 1.0
    """Of the rows of the file those that have a value: they are drawn from it."""
    at_most: int = 1
    """The most rows of a person."""

    @property
    def z(self) -> float:
        """Standard errors to either side of an estimate."""
        return quantile(self.level)

    @property
    def reliability(self) -> float:
        """``λ``: the share of the true values in the variance of the released ones."""
        raise NotImplementedError

    @property
    def variance_in_errors(self) -> float:
        """How many standard errors of its estimate the variance of the true values is above 0."""
        raise NotImplementedError

    def correlation(self, other: Expected | None = None, rows: int | None = None) -> float:
        """The least correlation with another column that is found 80 % of the time; above 1 where
        none is, infinite where none would be told as the noise hides how much the column varies.

        ``other``: a released column; one without noise where left out. ``rows``: those with a value
        in both.
        """
        from scipy.special import ndtri

        given, power = self.rows if rows is None else _ROWS.check(rows), float(ndtri(POWER))
        both = self.reliability
        sure = self.variance_in_errors * math.sqrt(given / self.rows)
        if other is not None:
            both *= other.reliability
            sure = min(sure, other.variance_in_errors * math.sqrt(given / other.rows))
        if not sure >= CLEAR + power:
            return math.inf
        return (self.z + power) / math.sqrt(both * self._persons(given, both))

    def _persons(self, rows: float, reliability: float) -> float:
        """As how many rows of a person each these count for a population."""
        return rows / (1.0 + (self.at_most - 1) * reliability)


@dataclass(frozen=True, eq=False, kw_only=True)
class ExpectedNumbers(Expected):
    """Of a column of numbers; dates and places of scales are numbers, too."""

    mechanism: CompositeMechanism

    @cached_property
    def flat(self) -> Flat:
        """Moments of true values spread evenly, and of what is released of them."""
        return Flat.of(self.mechanism.lattice, whole=self.mechanism.is_discrete)

    @property
    def reliability(self) -> float:
        """``λ``."""
        return self.flat.variance / (self.flat.variance + self.flat.noise)

    @property
    def variance_in_errors(self) -> float:
        """See :class:`Expected`."""
        return self.flat.variance / self._variance_error

    @property
    def _variance_error(self) -> float:
        alike = (self.at_most - 1) * self.flat.of_true
        return math.sqrt((self.flat.of_variance + alike) / self.rows)

    @property
    def mean_within(self) -> float:
        """Half the width of the interval for the mean of the rows of the file."""
        drawn = (1.0 - self.share) * self.flat.variance  # of some rows for that of all
        return self.z * math.sqrt((self.flat.noise + drawn) / self.rows)

    @property
    def std(self) -> float:
        """Standard deviation of true values spread evenly, which :attr:`std_between` is about."""
        return math.sqrt(self.flat.variance)

    @property
    def std_between(self) -> tuple[float, float]:
        """Ends of the interval for the standard deviation of the population; from 0 where the noise
        hides it.
        """
        off = self.z * self._variance_error
        ends = (self.flat.variance - off, self.flat.variance + off)
        most = 0.5 * Interval(*self.mechanism.inputs).width
        low, high = (min(math.sqrt(max(end, 0.0)), most) for end in ends)
        return low, high

    @cached_property
    def above_within(self) -> float:
        """Half the width of the interval for the share above the middle, as a share."""
        rows = self._persons(self.rows, self.reliability)
        low, high = share_above(self._channel, rows, self.level)
        return 0.5 * (high - low)

    @cached_property
    def tells_distribution(self) -> bool:
        """Whether the distribution will be told by a picture, as one of two humps would."""
        return tells_picture(self._channel, self._persons(self.rows, self.reliability))

    @property
    def _channel(self) -> NumberChannel:
        made = self.mechanism
        return NumberChannel.of(made.lattice, Interval(*made.outputs), whole=made.is_discrete)


@dataclass(frozen=True, eq=False, kw_only=True)
class ExpectedOther(Expected):
    """Of a column of numbers with noise by any mechanism, as the mean of what is released tells
    it: right only where that is right on average.
    """

    mechanism: Mechanism
    whole: bool = False
    """Whether true values are whole numbers."""

    @cached_property
    def _true(self) -> Array:
        return flat_between(Interval(*self.mechanism.inputs), whole=self.whole)

    @cached_property
    def worst_bias(self) -> float:
        """The most by which the mean is off, however many rows there are."""
        return float(np.abs(self.mechanism.bias(self._true)).max())

    @property
    def is_unbiased(self) -> bool:
        """Whether the mean is right on average, but for rounding."""
        return self.worst_bias <= _ROUNDING * Interval(*self.mechanism.inputs).width

    @property
    def variance_in_errors(self) -> float:
        """See :class:`Expected`; about as noise and values of normal shape have it."""
        return self.reliability * math.sqrt(0.5 * self.rows / self.at_most)

    @cached_property
    def _noise(self) -> float:
        return float(np.mean(self.mechanism.variance(self._true)))

    @property
    def reliability(self) -> float:
        """``λ``."""
        true = float(self._true.var())
        return true / (true + self._noise)

    @property
    def mean_within(self) -> float:
        """Half the width of the interval for the mean of the rows of the file."""
        drawn = (1.0 - self.share) * float(self._true.var())
        return self.z * math.sqrt((self._noise + drawn) / self.rows)


@dataclass(frozen=True, eq=False, kw_only=True)
class ExpectedCategory(Expected):
    """Of a column that holds one of a list."""

    mechanism: RandomizedResponse

    @property
    def reliability(self) -> float:
        """``λ`` of one category as 1 where a row has it, where all are as frequent."""
        return 1.0 / self.mechanism.noise_factor**2

    @property
    def variance_in_errors(self) -> float:
        """See :class:`Expected`: the variance is ``s (1 - s)`` of a share s."""
        s = 1.0 / self.mechanism.categories
        rows = self._persons(self.rows, self.reliability)
        error = abs(1.0 - 2.0 * s) * math.sqrt(s * (1.0 - s) / (self.reliability * rows))
        return s * (1.0 - s) / error if error > 0.0 else math.inf

    def share_within(self, about: About = "population") -> float:
        """Half the width of the interval for the share of a category, as a share, where all are as
        frequent.
        """
        k, own = self.mechanism.categories, float(self.at_most)
        if about == "rows":  # of some rows for that of all
            own = 1.0 - self.share
        shares = Shares(self.mechanism, np.full(k, self.rows / k), about, between=own)
        low, high = shares.intervals(self.level)[0].tolist()
        return 0.5 * float(high - low)


def expected(
    what: ColumnPlan | CompositeMechanism | RandomizedResponse,
    rows: int,
    *,
    share: float | Fraction = 1.0,
    person: Person | None = None,
    level: float = 0.95,
) -> ExpectedNumbers | ExpectedCategory:
    """What will be told of a column with noise by that plan or mechanism.

    ``rows``: of the file. ``share``: of them those that answer the column. ``person``: whose rows
    are one person's.

    >>> plan = ColumnPlan(inputs=(0, 100), epsilon=1)
    >>> found = expected(plan, 2000)
    >>> round(found.mean_within, 1), round(found.correlation(), 2)
    (4.5, 0.23)

    Raises :class:`~compdp_core.errors.ParameterError`.
    """
    kinds = (ColumnPlan, CompositeMechanism, RandomizedResponse)
    of("what", what, kinds, "must be the plan of a column, or its mechanism")
    made = what.mechanism() if isinstance(what, ColumnPlan) else what
    answering = _SHARE.check(share)
    valued = max(1, int(_ROWS.check(rows) * share))  # exact where the share is
    of("person", person, (Person, type(None)), "must be a Person, or left out")
    most = 1 if person is None else person.at_most
    given = (valued, share_parameter("level").check(level), answering, most)
    if isinstance(made, RandomizedResponse):
        return ExpectedCategory(*given, mechanism=made)
    return ExpectedNumbers(*given, mechanism=made)


def pair_rows(rows: int, columns: int, answered: int | None) -> int:
    """How many rows have a value in both of two columns on average, where each of so many answers
    as many of the ``columns``; None: all of them.

    >>> pair_rows(600, 4, 2), pair_rows(600, 4, None), pair_rows(600, 4, 1)
    (100, 600, 0)
    """
    n = int(_ROWS.check(rows))
    d = int(count("columns", lower=2).check(columns))
    k = d if answered is None else int(count("answered", lower=1, upper=d).check(answered))
    return n * k * (k - 1) // (d * (d - 1))
