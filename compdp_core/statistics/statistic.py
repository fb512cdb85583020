"""What every statistic has in common: a public plan first, then one look at the data."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from compdp_core.adjacency import Neighbours
from compdp_core.errors import ParameterError
from compdp_core.intervals import Interval
from compdp_core.statistics.errors import TooFewRowsError, ValuesError
from compdp_core.statistics.question import ExactAnswer, PublicFacts, QueryPlan
from compdp_core.validation import floats


@dataclass(frozen=True)
class Selection:
    """Rows picked by a condition or a group."""

    mask: NDArray[np.bool_] = field(repr=False)
    """One truth value per row. Private."""
    text: str
    """The public rule in words, such as ``age >= 18``."""

    def both(self, other: Selection) -> Selection:
        """Rows that ``other`` picks as well, such as one group's rows that meet a condition."""
        return Selection(self.mask & other.mask, f"{self.text} and {other.text}")


@dataclass(frozen=True)
class Statistic(ABC):
    """One number asked of a column, with its range and sensitivity (theory: statistics).

    A sensitivity depends on :class:`PublicFacts` alone: :meth:`plan` never sees a value, so no
    refusal of it can tell anything about the data.
    """

    name: ClassVar[str]

    @abstractmethod
    def plan(self, public: PublicFacts) -> QueryPlan:
        """Range and sensitivity. Raises a :class:`CompdpError` where there is none."""

    @abstractmethod
    def evaluate(self, values: NDArray[np.float64], public: PublicFacts) -> Fraction:
        """The exact answer on values that are selected, clamped and free of NaN."""

    def ask(
        self,
        values: Sequence[Any] | NDArray[Any],
        bounds: Interval | tuple[float, float] | None = None,
        *,
        neighbours: Neighbours = Neighbours.REPLACE_ONE,
        max_rows: int | None = None,
        where: Selection | None = None,
        whole_numbers: bool = False,
        column: str = "values",
        unit: str = "",
    ) -> ExactAnswer:
        """The question put to one column.

        ``values``: shape (n,), numbers without NaN; infinities are clamped like any other value.
        ``bounds``: public ``(lower, upper)``, in the column's unit; not for a count.
        ``max_rows``: the most rows the table could have, public; read only where the number of
        rows is private, and a table that is larger after all is counted as ``max_rows``.
        ``where``: rows to use; the number of rows it picks is private.
        ``whole_numbers``: the column is publicly known to be whole; values are rounded to be so.

        Raises :class:`NotOfferedError`, :class:`TooFewRowsError`, :class:`BoundsError` or
        :class:`ParameterError` from public facts, then :class:`MissingValueError` or
        :class:`ValuesError`, which quote no value.
        """
        neighbours = Neighbours.of(neighbours)
        rows = _length(values, column) if neighbours.n_is_public else max_rows
        public = PublicFacts(
            neighbours=neighbours,
            rows=rows,
            bounds=None if bounds is None else Interval.checked("bounds", bounds),
            where=None if where is None else where.text,
            whole_numbers=whole_numbers,
            column=column,
            unit=unit,
        )
        return self.answered(values, public, where)

    def answered(
        self,
        values: Sequence[Any] | NDArray[Any],
        public: PublicFacts,
        where: Selection | None = None,
    ) -> ExactAnswer:
        """The question of :meth:`ask` by all that is public of it; ``where``: which values count.

        Raises as :meth:`ask`.
        """
        if public.neighbours.n_is_public and public.rows == 0:
            raise TooFewRowsError(self.name, 0, 1, public.one)
        plan = self.plan(public)
        numbers = self._prepared(values, public)
        if where is not None:
            numbers = numbers[_checked_mask(where, len(numbers))]
        answer = self.evaluate(numbers, public)
        lower, upper = Fraction(plan.range.lower), Fraction(plan.range.upper)
        return ExactAnswer(plan, min(max(answer, lower), upper))

    def _prepared(
        self, values: Sequence[Any] | NDArray[Any], public: PublicFacts
    ) -> NDArray[np.float64]:
        """Numbers between the bounds, without NaN."""
        clamped = public.interval.clamp(_numbers(values, public.column))
        return np.rint(clamped) if public.answers_whole else clamped


def _length(values: Sequence[Any] | NDArray[Any], column: str) -> int:
    try:
        return len(values)
    except TypeError:
        raise ValuesError(column, "must be one list of numbers") from None


def _numbers(values: Sequence[Any] | NDArray[Any], column: str) -> NDArray[np.float64]:
    try:
        array = floats("values", values)
    except ParameterError:
        raise ValuesError(column, "must hold numbers only: choose a numeric column") from None
    if array.ndim != 1:
        raise ValuesError(column, "must be one list of numbers")
    return array


def _checked_mask(where: Selection, rows: int) -> NDArray[np.bool_]:
    hidden = np.ma.is_masked(where.mask)
    mask = np.asarray(where.mask)
    if hidden or mask.dtype != np.bool_ or mask.shape != (rows,):
        raise ParameterError("where", where.text, "must say yes or no for each row of the column")
    return mask
