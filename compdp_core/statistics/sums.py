"""Count, sum, mean and variance: one row moves them by a share of the bounds' width.

Each plan gives the range and the sensitivity for both neighbour notions, and for rows picked by a
condition, where the number of rows that are read is private under either notion. The proofs are
in the reasons; the tests search all small tables for a larger change.
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


@dataclass(frozen=True)
class Count(Statistic):
    """Number of rows, or of rows that meet a condition: Δ = 1 on ``[0, rows]``.

    >>> Count().ask(["a", "b", "c"]).sensitivity
    Fraction(1, 1)
    """

    name: ClassVar[str] = "count"

    def plan(self, public: PublicFacts) -> QueryPlan:
        """Δ = 1 under both notions."""
        rows = _rows(public)
        if public.n_is_public:
            reason = (
                "replacing one row leaves the number of all rows as it is, which is public here: "
                "1 is more than needed, and the count could be told without noise"
            )
        else:
            reason = "one row is counted or is not, so the count changes by at most 1"
        return QueryPlan(
            statistic=self.name,
            text=public.describe("number of rows"),
            unit="rows",
            range=Interval(0, rows),
            sensitivity=Fraction(1),
            formula="Δ = 1",
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

    >>> Sum().ask([1, 2, 300], (-5, 100)).plan.formula
    'Δ = b − a = 100 − −5 = 105'
    """

    name: ClassVar[str] = "sum"

    def plan(self, public: PublicFacts) -> QueryPlan:
        """See the class."""
        a, b = public.ends
        rows = _rows(public)
        low, high = (a, b) if public.n_is_public else (min(a, Fraction(0)), max(b, Fraction(0)))
        if public.n_is_public:
            sensitivity = b - a
            formula = f"Δ = b − a = {show(b)} − {show(a)} = {show(sensitivity)}"
            reason = "one row's value moves from one bound to the other at most"
        elif public.neighbours.n_is_public:
            sensitivity = high - low
            formula = (
                f"Δ = max(b, 0) − min(a, 0) = {show(high)} − {show(low)} = {show(sensitivity)}"
            )
            reason = (
                "a row that does not meet the condition contributes 0, any other between a and b; "
                "a replacement moves one contribution between these"
            )
        else:
            sensitivity = max(abs(a), abs(b))
            formula = f"Δ = max(|a|, |b|) = {show(sensitivity)}"
            reason = "one row's value appears or disappears, and it is as large as a bound at most"
        return QueryPlan(
            statistic=self.name,
            text=public.describe(f"sum of {public.column}"),
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
    * Otherwise the number ``n`` of rows read is private and only a public ``at_least = k`` helps:
      the answer is the mean of the rows and of ``max(k − n, 0)`` midpoints, with Δ = (b − a)/k
      under replacement and (b − a)/(k + 1) under addition or removal. It is the plain mean where
      the claim ``n ≥ k`` is true, and private where it is not.

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
        if public.n_is_public:
            divisor, name = _rows(public), "n"
            reason = "one of n values moves by b − a at most, and each counts 1/n"
        elif self.at_least is None:
            raise NotOfferedError(
                "mean",
                "the number of rows it reads is private, and its sensitivity would tell it",
                "release the sum and the count and divide them, or state a public number of rows "
                "that are surely there (at_least)",
            )
        elif public.neighbours.n_is_public:
            divisor, name = self.at_least, "k"
            if divisor > _rows(public):
                raise ParameterError(
                    "at_least", divisor, f"must not exceed the {public.rows} rows of the table"
                )
            reason = (
                "with at least k values one of them moves by b − a, enters or leaves; with fewer, "
                "midpoints fill up to k, and entering or leaving moves half of b − a"
            )
        else:
            divisor, name = self.at_least + 1, "(k + 1)"
            reason = (
                "a value that joins n ≥ k others is at most b − a from their mean and counts "
                "1/(n + 1); with fewer, it replaces a midpoint, half of b − a away, and counts 1/k"
            )
        sensitivity = (b - a) / divisor
        return QueryPlan(
            statistic=self.name,
            text=public.describe(f"mean of {public.column}"),
            unit=public.unit,
            range=public.interval,
            sensitivity=sensitivity,
            formula=(
                f"Δ = (b − a)/{name} = ({show(b)} − {show(a)})/{divisor} = {show(sensitivity)}"
            ),
            reason=reason,
            neighbours=public.neighbours,
            whole=False,
            rounded=True,
        )

    def evaluate(self, values: NDArray[np.float64], public: PublicFacts) -> Fraction:
        """The exact mean, filled up with midpoints where n is private."""
        least = 0 if public.n_is_public or self.at_least is None else self.at_least
        missing = max(least - len(values), 0)
        return (total(values) + missing * public.middle) / (len(values) + missing)


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
        if not public.n_is_public:
            raise NotOfferedError(
                "variance",
                "the number of rows it reads is private, and its sensitivity would tell it",
                "ask for all rows with neighbours that replace one row, or release the count, the "
                "sum and the sum of a column of squares",
            )
        n = _rows(public)
        if n < 2:
            raise TooFewRowsError("variance", n, 2)
        a, b = public.ends
        w = b - a
        correction = Fraction(n, n - self.ddof)
        sensitivity = w**2 * Fraction(n - 1, n**2) * correction
        formula = "(b − a)²(n − 1)/n²" if self.ddof == 0 else "(b − a)²/n"
        return QueryPlan(
            statistic=self.name,
            text=f"variance of {public.column}",
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
