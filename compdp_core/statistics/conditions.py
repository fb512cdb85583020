"""Which rows to use: a column, a comparison and a constant. Data, never code.

A missing value meets no condition, neither ``==`` nor ``!=``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from compdp_core.statistics.errors import ConditionError
from compdp_core.statistics.statistic import Selection
from compdp_core.validation import real

Comparison: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">="]
COMPARISONS: tuple[Comparison, ...] = get_args(Comparison)
Column: TypeAlias = Sequence[Any] | NDArray[Any]

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


@dataclass(frozen=True)
class Condition:
    """Rows whose ``column`` compares with a public ``constant``.

    Against a number all six comparisons, on a numeric column; against text ``==`` and ``!=``,
    letter for letter.

    >>> Condition("age", ">=", 18).select({"age": [17, 18, float("nan")]}).mask.tolist()
    [False, True, False]
    """

    column: str
    comparison: Comparison
    constant: float | str

    def __post_init__(self) -> None:
        if self.comparison not in COMPARISONS:
            raise ConditionError(self.column, f"must use one of {' '.join(COMPARISONS)}")
        if isinstance(self.constant, str):
            if self.comparison not in ("==", "!="):
                raise ConditionError(self.column, "compares with text: use == or !=")
        elif (number := real(self.constant)) is None:
            raise ConditionError(self.column, "must compare with a finite number or with text")
        else:
            object.__setattr__(self, "constant", number)

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns it reads."""
        return (self.column,)

    @property
    def text(self) -> str:
        """The condition in words."""
        constant = self.constant
        return f"{self.column} {self.comparison} " + (
            f'"{constant}"' if isinstance(constant, str) else f"{constant:.15g}"
        )

    def select(self, table: Mapping[str, Column]) -> Selection:
        """The rows of ``table`` that meet it.

        Raises :class:`ConditionError` for an unknown column, and for a number compared with a
        column that is not numeric; no cell is quoted.
        """
        if self.column not in table:
            raise ConditionError(self.column, "names no column of this table")
        cells = table[self.column]
        mask = self._text_mask(cells) if isinstance(self.constant, str) else self._mask(cells)
        return Selection(mask, self.text, self.columns)

    def _text_mask(self, cells: Column) -> NDArray[np.bool_]:
        wanted = self.comparison == "=="
        matches = ((isinstance(cell, str), cell == self.constant) for cell in cells)
        return np.fromiter((text and equal is wanted for text, equal in matches), np.bool_)

    def _mask(self, cells: Column) -> NDArray[np.bool_]:
        array = np.asarray(cells)
        if array.dtype.kind == "O":
            if any(isinstance(cell, str) for cell in array):
                raise ConditionError(self.column, "compares text with a number")
            try:
                array = array.astype(np.float64)
            except (TypeError, ValueError):
                raise ConditionError(self.column, "needs a numeric column") from None
        if array.dtype.kind not in "biuf":
            raise ConditionError(self.column, "compares text with a number")
        compared = _COMPARE[self.comparison](array, self.constant)
        return np.asarray(compared & ~np.isnan(array), dtype=np.bool_)


@dataclass(frozen=True)
class AllOf:
    """Rows that meet every one of several conditions.

    >>> AllOf((Condition("age", ">=", 18), Condition("class", "==", "9a"))).text
    'age >= 18 and class == "9a"'
    """

    conditions: tuple[Condition, ...]

    def __post_init__(self) -> None:
        if not self.conditions:
            raise ConditionError("", "list is empty: leave it out to use all rows")

    @property
    def columns(self) -> tuple[str, ...]:
        """Columns that any of the conditions reads, each once."""
        return tuple(dict.fromkeys(each.column for each in self.conditions))

    @property
    def text(self) -> str:
        """The conditions in words."""
        return " and ".join(each.text for each in self.conditions)

    def select(self, table: Mapping[str, Column]) -> Selection:
        """The rows of ``table`` that meet all of them. Raises as :meth:`Condition.select`."""
        masks = [each.select(table).mask for each in self.conditions]
        return Selection(np.logical_and.reduce(masks), self.text, self.columns)
