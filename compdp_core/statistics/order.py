"""Minimum, maximum, median and mode: a row or a person can carry them from bound to bound.

Where a condition or a group picks no row at all, the answer is the midpoint of the bounds, a
public number. A refusal would tell that no row was picked.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from compdp_core.statistics.question import PublicFacts, QueryPlan, show
from compdp_core.statistics.statistic import Statistic
from compdp_core.validation import one_of


@dataclass(frozen=True)
class _Located(Statistic):
    """Range ``[a, b]``, Δ = b − a under both notions, with and without a condition."""

    def plan(self, public: PublicFacts) -> QueryPlan:
        """Range ``[a, b]`` and Δ = b − a."""
        a, b = public.ends
        return QueryPlan(
            statistic=self.name,
            text=public.describe(f"{self.name} of {public.subject}"),
            unit=public.unit,
            range=public.interval,
            sensitivity=b - a,
            formula=f"Δ = b − a = {show(b)} − {show(a)} = {show(b - a)}",
            reason=(
                f"with the other {public.one}s at the bounds, one {public.one} can carry the "
                f"{self.name} from one bound to the other"
            ),
            neighbours=public.neighbours,
            whole=public.answers_whole,
            rounded=False,
        )

    def evaluate(self, values: NDArray[np.float64], public: PublicFacts) -> Fraction:
        """One of the values; the midpoint where there is none, rounded up for whole numbers."""
        if len(values):
            return self._locate(values)
        middle = public.middle
        return Fraction(math.ceil(middle)) if public.answers_whole else middle

    @abstractmethod
    def _locate(self, values: NDArray[np.float64]) -> Fraction:
        """The answer for at least one value."""


@dataclass(frozen=True)
class Minimum(_Located):
    """Smallest clamped value: Δ = b − a on ``[a, b]``.

    >>> Minimum().ask([3, 7, -50], (0, 10)).value
    0.0
    """

    name: ClassVar[str] = "minimum"

    def _locate(self, values: NDArray[np.float64]) -> Fraction:
        return Fraction(float(values.min()))


@dataclass(frozen=True)
class Maximum(_Located):
    """Largest clamped value: Δ = b − a on ``[a, b]``.

    >>> Maximum().ask([3, 7, -50], (0, 10)).value
    7.0
    """

    name: ClassVar[str] = "maximum"

    def _locate(self, values: NDArray[np.float64]) -> Fraction:
        return Fraction(float(values.max()))


@dataclass(frozen=True)
class Median(_Located):
    """Middle of the n sorted clamped values, on ``[a, b]``.

    For odd n the middle value. For even n, of the two middle ones, ``kind`` takes the ``lower``
    (default: always one of the values), the ``upper``, or their mean (``mid``). Δ = b − a, but
    (b − a)/2 for ``mid`` where n is public and even, or where rows are added or removed, and no
    person has several of them.

    >>> [Median(kind).ask([1, 2, 4, 9], (0, 10)).value for kind in ("lower", "mid", "upper")]
    [2.0, 3.0, 4.0]
    """

    name: ClassVar[str] = "median"
    kind: Literal["lower", "upper", "mid"] = "lower"

    def __post_init__(self) -> None:
        one_of("kind", self.kind, ("lower", "upper", "mid"))

    def plan(self, public: PublicFacts) -> QueryPlan:
        """See the class."""
        plan = super().plan(public)
        if self.kind != "mid":
            return plan
        even = public.n_is_public and public.rows is not None and public.rows % 2 == 0
        halved = even or (not public.neighbours.n_is_public and public.most == 1)
        plan = replace(plan, whole=False, rounded=True)
        if not halved:
            return plan
        half = plan.sensitivity / 2
        formula = f"Δ = (b − a)/2 = {show(half)}"
        return replace(
            plan, sensitivity=half, formula=formula, reason=_HALVED.format(one=public.one)
        )

    def evaluate(self, values: NDArray[np.float64], public: PublicFacts) -> Fraction:
        """The median; the exact midpoint of the bounds for no rows where ``kind`` is mid."""
        if self.kind == "mid" and not len(values):
            return public.middle
        return super().evaluate(values, public)

    def _locate(self, values: NDArray[np.float64]) -> Fraction:
        low, high = (len(values) - 1) // 2, len(values) // 2
        ordered = np.partition(values, (low, high))
        lower, upper = Fraction(float(ordered[low])), Fraction(float(ordered[high]))
        return {"lower": lower, "upper": upper, "mid": (lower + upper) / 2}[self.kind]


_HALVED = (
    "one {one} shifts each of the two middle values by one place at most, and their mean, or the "
    "middle value they become, moves by half the width of the bounds at most"
)


@dataclass(frozen=True)
class Mode(_Located):
    """Most frequent clamped value; of several equally frequent ones, the smallest.

    Equal means equal as numbers: in a column of measurements without repeats it is the minimum.

    >>> Mode().ask([5, 2, 5, 2, 9], (0, 10)).value
    2.0
    """

    name: ClassVar[str] = "mode"

    def _locate(self, values: NDArray[np.float64]) -> Fraction:
        distinct, counts = np.unique(values, return_counts=True)
        return Fraction(float(distinct[np.argmax(counts)]))
