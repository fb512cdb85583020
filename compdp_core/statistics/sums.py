"""Count, sum, mean and variance: a row or a person moves them by a share of the bounds' width.

Each plan gives the range and the sensitivity for both neighbour notions, and for rows picked by a
condition, where the number of rows that are read is private under either notion. Where a person is
stated, ``k`` is the most rows of a person that are read, and one in all else. The proofs are in the
reasons; the tests search all small tables for a larger change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.intervals import Interval
from compdp_core.statistics.errors import NotOfferedError, TooFewRowsError
from compdp_core.statistics.exact import squared_deviation, total
from compdp_core.statistics.question import PublicFacts, QueryPlan, is_whole_from, outward, show
from compdp_core.statistics.statistic import Statistic
from compdp_core.validation import integer


def _rows(public: PublicFacts) -> int:
    if public.rows is None:
        raise ParameterError(
            "max_rows", None, "must be the most rows the table could have, a public number"
        )
    if public.rows < 1:
        raise ParameterError("max_rows", public.rows, "must be at least 1")
    return public.rows


def _surely_read(public: PublicFacts) -> bool:
    """Whether at least one row of each of a public number of rows or persons is read."""
    return public.neighbours.n_is_public and public.where is None


def _rows_of_each(public: PublicFacts) -> int:
    """How many rows may be read for each one of ``public.rows``: all are counted where private."""
    return public.most if public.neighbours.n_is_public else 1


@dataclass(frozen=True)
class Count(Statistic):
    """Number of rows, or of rows that meet a condition: Δ = 1 on ``[0, rows]``.

    Of persons: Δ = k, but k − 1 where a person is replaced and at least one row of each is read.

    >>> Count().ask(["a", "b", "c"]).sensitivity
    Fraction(1, 1)
    """

    name: ClassVar[str] = "count"

    def plan(self, public: PublicFacts) -> QueryPlan:
        """See the class."""
        rows, k = _rows(public) * _rows_of_each(public), public.most
        sensitivity, formula = k, "Δ = 1" if k == 1 else f"Δ = k = {k}"
        one, counted = public.one, public.one if public.per_person != "rows" else "row"
        if public.n_is_public:
            reason = (
                f"replacing one {one} leaves the number of all {one}s as it is, which is public "
                "here: 1 is more than needed, and the count could be told without noise"
            )
        elif k == 1:
            reason = f"one {one} is counted or is not, so the count changes by at most 1"
        elif _surely_read(public):
            sensitivity, formula = k - 1, f"Δ = k − 1 = {k - 1}"
            reason = (
                "of each person from 1 to k rows are read, so replacing one changes their number "
                "by at most k − 1"
            )
        else:
            reason = "of each person from 0 to k rows are counted"
        return QueryPlan(
            statistic=self.name,
            text=public.describe(f"number of {counted}s"),
            unit=f"{counted}s",
            range=Interval(0, rows),
            sensitivity=Fraction(sensitivity),
            formula=formula,
            reason=reason,
            neighbours=public.neighbours,
            whole=True,
            rounded=False,
        )

    def evaluate(self, values: NDArray[np.float64], public: PublicFacts) -> Fraction:
        """How many rows there are."""
        return Fraction(len(values))

    def _prepared(
        self, values: Sequence[Any] | NDArray[Any], public: PublicFacts
    ) -> NDArray[np.float64]:
        return np.zeros(len(values))  # a count reads no value, so any value will do


@dataclass(frozen=True)
class Sum(Statistic):
    """Sum of the clamped values; with ``h = [min(a, 0), max(b, 0)]``

    * n public: range ``[n a, n b]``, Δ = b − a;
    * replace one, with a condition: range ``n h``, Δ = the width of ``h``;
    * add or remove one: range ``n_max h``, Δ = max(|a|, |b|).

    Of N persons with up to k rows: N for n, and k times as much, but that somebody of whom a row is
    surely read adds no less than a where a > 0, and no more than b where b < 0.

    >>> Sum().ask([1, 2, 300], (-5, 100)).plan.formula
    'Δ = b − a = 100 − −5 = 105'
    """

    name: ClassVar[str] = "sum"

    def plan(self, public: PublicFacts) -> QueryPlan:
        """See the class."""
        a, b = public.ends
        rows, k = _rows(public), public.most
        times = "" if k == 1 else f"{k} · "
        low, high = min(a, Fraction(0)), max(b, Fraction(0))
        if _surely_read(public):
            low, high = (a if a >= 0 else k * a), (b if b < 0 else k * b)
            sensitivity = high - low
            ends = f"{times if b >= 0 else ''}b − {times if a < 0 else ''}a"
            formula = f"Δ = {ends} = {show(high)} − {show(low)} = {show(sensitivity)}"
            reason = "one row's value moves from one bound to the other at most"
            if public.person is not None:
                reason = (
                    f"one person's part, the sum of 1 to {k} values between a and b, moves from "
                    "its least to its most at most"
                    if k > 1
                    else "one person's value moves from one bound to the other at most"
                )
        elif public.neighbours.n_is_public:
            low, high = k * low, k * high
            sensitivity = high - low
            ends = "max(b, 0) − min(a, 0)" if k == 1 else f"{k} · max(b, 0) − {k} · min(a, 0)"
            formula = f"Δ = {ends} = {show(high)} − {show(low)} = {show(sensitivity)}"
            reason = (
                f"a {public.one} that does not meet the condition contributes 0, any other between "
                "a and b; a replacement moves one contribution between these"
                if k == 1
                else f"one person contributes from 0 to {k} values between a and b; a replacement "
                "moves their sum from its least to its most at most"
            )
        else:
            sensitivity = k * max(abs(a), abs(b))
            formula = f"Δ = {times}max(|a|, |b|) = {show(sensitivity)}"
            reason = (
                f"one {public.one}'s value appears or disappears, and it is as large as a bound at "
                "most"
                if k == 1
                else f"up to {k} values of one person appear or disappear, each as large as a "
                "bound at most"
            )
        return QueryPlan(
            statistic=self.name,
            text=public.describe(f"sum of {public.subject}"),
            unit=public.unit,
            range=outward(rows * low, rows * high),
            sensitivity=sensitivity,
            formula=formula,
            reason=reason,
            neighbours=public.neighbours,
            whole=public.answers_whole,
            rounded=not public.answers_whole or rows * max(abs(low), abs(high)) > 2**53,
        )

    def evaluate(self, values: NDArray[np.float64], public: PublicFacts) -> Fraction:
        """The exact sum; 0 for no rows."""
        return total(values)


@dataclass(frozen=True)
class Mean(Statistic):
    """Mean of the clamped values, on ``[a, b]``.

    * n public: Δ = (b − a)/n.
    * Otherwise the number ``n`` of rows read is private and only a public ``at_least = m`` helps:
      the answer is the mean of the rows and of ``max(m − n, 0)`` midpoints, with Δ = (b − a)/m
      under replacement and (b − a)/(m + 1) under addition or removal. It is the plain mean where
      the claim ``n ≥ m`` is true, and private where it is not.

    Of N persons with up to k rows: Δ = k (b − a)/m, no more than b − a, and k (b − a)/(m + k).
    Where a row of each person is surely read, n is at least N, and Δ = k (b − a)/(N + k − 1) under
    replacement without a claim; with one, the smaller of the two counts.

    >>> Mean().ask([0, 0, 0, 0], (0, 100)).sensitivity
    Fraction(25, 1)
    """

    name: ClassVar[str] = "mean"
    at_least: int | None = None
    """A public number of rows that are surely read; not needed where n is public."""

    def __post_init__(self) -> None:
        if self.at_least is not None and not is_whole_from(1, self.at_least):
            raise ParameterError("at_least", self.at_least, "must be a whole number from 1")

    def plan(self, public: PublicFacts) -> QueryPlan:
        """See the class. Raises :class:`NotOfferedError` for a private n without ``at_least``."""
        a, b = public.ends
        k, m = public.most, self.at_least
        if m is None and not _surely_read(public):
            raise NotOfferedError(
                "mean",
                "the number of rows it reads is private, and its sensitivity would tell it",
                "release the sum and the count and divide them, or state a public number of rows "
                "that are surely there (at_least)",
            )
        if public.neighbours.n_is_public and not public.n_is_public:
            self._check_claim(public)
        if public.n_is_public:
            divisor, name = _rows(public), "n"
            reason = "one of n values moves by b − a at most, and each counts 1/n"
        elif not public.neighbours.n_is_public:
            divisor, name = (m or 0) + k, f"(m + {'1' if k == 1 else 'k'})"
            reason = (
                "a value that joins n ≥ m others is at most b − a from their mean and counts "
                "1/(n + 1); with fewer, it replaces a midpoint, half of b − a away, and counts 1/m"
                if k == 1
                else "k values that join n ≥ m others are at most b − a from their mean and count "
                "k/(n + k); with fewer, they replace midpoints, half of b − a away, as far as "
                "there are some"
            )
        elif not self._filled(public):
            divisor, name = _rows(public) + k - 1, "(N + k − 1)"
            reason = (
                "with n ≥ N − 1 rows of the others, k values of a person are at most b − a from "
                "the mean of the rest and count k/(n + k)"
            )
        else:
            divisor, name = m or 0, "m"
            reason = (
                f"with at least m values {'one' if k == 1 else 'k'} of them "
                f"{'moves' if k == 1 else 'move'} by b − a, enter{'s' * (k == 1)} or "
                f"leave{'s' * (k == 1)}; with fewer, midpoints fill up to m, and entering or "
                "leaving moves half of b − a"
            )
        sensitivity = (b - a) * min(Fraction(k, divisor), Fraction(1))
        times = ("", "") if k == 1 else ("k ", f"{k} · ")
        formula = (
            f"Δ = {times[0]}(b − a)/{name} = {times[1]}({show(b)} − {show(a)})/{divisor} = "
            f"{show(sensitivity)}"
        )
        if k > divisor:
            formula = f"Δ = b − a = {show(b)} − {show(a)} = {show(sensitivity)}"
            reason = "the mean of a few rows moves from one bound to the other at most"
        return QueryPlan(
            statistic=self.name,
            text=public.describe(f"mean of {public.subject}"),
            unit=public.unit,
            range=public.interval,
            sensitivity=sensitivity,
            formula=formula,
            reason=reason,
            neighbours=public.neighbours,
            whole=False,
            rounded=True,
        )

    def evaluate(self, values: NDArray[np.float64], public: PublicFacts) -> Fraction:
        """The exact mean, filled up with midpoints where n is private."""
        least = (self.at_least or 0) if self._filled(public) else 0
        missing = max(least - len(values), 0)
        return (total(values) + missing * public.middle) / (len(values) + missing)

    def _filled(self, public: PublicFacts) -> bool:
        """Whether midpoints fill up to ``at_least``: not where less noise is needed without."""
        if self.at_least is None or public.n_is_public:
            return False
        return not _surely_read(public) or self.at_least > _rows(public) + public.most - 1

    def _check_claim(self, public: PublicFacts) -> None:
        """Refuse a claim of more rows than can be read."""
        most = _rows(public) * public.most
        if self.at_least is not None and self.at_least > most:
            what = "the table" if public.person is None else "all persons together"
            raise ParameterError(
                "at_least", self.at_least, f"must not exceed the {most} rows of {what}"
            )


@dataclass(frozen=True)
class Variance(Statistic):
    """Variance of the clamped values, ``Σ(x − mean)²/(n − ddof)``; n must be public.

    Range ``[0, w²/4 · n/(n − ddof)]`` with ``w = b − a``; Δ = w²(n − 1)/n² for ddof = 0 and w²/n
    for ddof = 1.

    >>> Variance(ddof=1).ask([0, 10, 5, 5], (0, 10)).sensitivity
    Fraction(25, 1)
    """

    name: ClassVar[str] = "variance"
    ddof: Literal[0, 1] = 0
    """0 divides by n, 1 by n − 1."""

    def __post_init__(self) -> None:
        if integer(self.ddof, 0, 1) is None:
            raise ParameterError("ddof", self.ddof, "must be 0 or 1")

    def plan(self, public: PublicFacts) -> QueryPlan:
        """See the class. Raises :class:`NotOfferedError` for a private n, and
        :class:`TooFewRowsError` for n < 2.
        """
        if _surely_read(public) and public.most > 1:
            raise NotOfferedError(
                "variance",
                "a person may have several rows, and how many are read is private",
                "read one row of each person (at_most=1), or one value of each, the mean or the "
                "total of the rows (per_person)",
            )
        if not public.n_is_public:
            raise NotOfferedError(
                "variance",
                "the number of rows it reads is private, and its sensitivity would tell it",
                "ask for all rows with neighbours that replace one row, or release the count, the "
                "sum and the sum of a column of squares",
            )
        n = _rows(public)
        if n < 2:
            raise TooFewRowsError("variance", n, 2, public.one)
        a, b = public.ends
        w = b - a
        correction = Fraction(n, n - self.ddof)
        sensitivity = w**2 * Fraction(n - 1, n**2) * correction
        formula = "(b − a)²(n − 1)/n²" if self.ddof == 0 else "(b − a)²/n"
        return QueryPlan(
            statistic=self.name,
            text=public.describe(f"variance of {public.subject}"),
            unit=f"{public.unit}²" if public.unit else "",
            range=outward(Fraction(0), w**2 / 4 * correction),
            sensitivity=sensitivity,
            formula=f"Δ = {formula} with b − a = {show(w)}, n = {n}: {show(sensitivity)}",
            reason=(
                "with the other n − 1 values fixed, the variance is a parabola in the last one "
                "with leading coefficient (n − 1)/n², lowest at their mean; it changes most where "
                "they all lie at one bound and the last moves from it to the other"
            ),
            neighbours=public.neighbours,
            whole=False,
            rounded=True,
        )

    def evaluate(self, values: NDArray[np.float64], public: PublicFacts) -> Fraction:
        """The exact variance."""
        n = len(values)
        return squared_deviation(values) / (n * (n - self.ddof))
