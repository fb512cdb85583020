"""Which rows to use: a column, a comparison and a constant. Data, never code.

Whether a row meets a condition depends on that row's own cell and on nothing else, so that one row
changes a count of such rows by 1 at most. What kind of cells are compared, numbers or texts, is
part of the condition: were it looked up in the column, one cell could turn all others over. A cell
of another kind is missing, and a missing value meets no condition, neither ``==`` nor ``!=``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import shown
from compdp_core.statistics.errors import ConditionError
from compdp_core.statistics.statistic import Selection
from compdp_core.validation import is_one_of, of, real, text

Comparison: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">="]
COMPARISONS: tuple[Comparison, ...] = get_args(Comparison)
Kind: TypeAlias = Literal["number", "text"]
KINDS: tuple[Kind, ...] = get_args(Kind)
"""What the cells of a column are read as, in the owner's words."""
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

    As numbers with all six comparisons; as texts with ``==`` and ``!=``, letter for letter.

    >>> Condition("age", ">=", 18).select({"age": [17, 18, "x", float("nan")]}).mask.tolist()
    [False, True, False, False]
    """

    column: str
    comparison: Comparison
    constant: float | str
    kind: Kind | None = None
    """What is compared; that of the constant where nothing is said."""

    def __post_init__(self) -> None:
        text("column", self.column)
        if not is_one_of(self.comparison, COMPARISONS):
            raise ConditionError(self.column, f"must use one of {' '.join(COMPARISONS)}")
        if isinstance(self.constant, str):
            if self.comparison not in ("==", "!="):
                raise ConditionError(self.column, "compares with text: use == or !=")
        elif (number := real(self.constant)) is None:
            raise ConditionError(self.column, "must compare with a finite number or with text")
        else:
            object.__setattr__(self, "constant", number)
        kind: Kind = "text" if isinstance(self.constant, str) else "number"
        if not is_one_of(self.kind, (None, kind)):
            raise ConditionError(
                self.column,
                f"compares with a {kind}, so its kind must be {kind}, not {shown(self.kind)}",
            )
        object.__setattr__(self, "kind", kind)

    @property
    def text(self) -> str:
        """The condition in words."""
        constant = self.constant
        return f"{self.column} {self.comparison} " + (
            f'"{constant}"' if isinstance(constant, str) else f"{constant:.15g}"
        )

    def select(self, table: Mapping[str, Column]) -> Selection:
        """The rows of ``table`` that meet it.

        Raises :class:`ConditionError` for an unknown column, and for none of its cells.
        """
        if self.column not in table:
            raise ConditionError(self.column, "names no column of this table")
        cells = table[self.column]
        mask = self._text_mask(cells) if isinstance(self.constant, str) else self._mask(cells)
        return Selection(mask, self.text)

    def _text_mask(self, cells: Column) -> NDArray[np.bool_]:
        wanted = self.comparison == "=="
        matches = ((isinstance(cell, str), cell == self.constant) for cell in cells)
        return np.fromiter((text and equal is wanted for text, equal in matches), np.bool_)

    def _mask(self, cells: Column) -> NDArray[np.bool_]:
        numbers = _numbers(cells)
        compared = _COMPARE[self.comparison](numbers, self.constant)
        return np.asarray(compared & np.isfinite(numbers), dtype=np.bool_)


def _numbers(cells: Column) -> NDArray[np.float64]:
    """The finite numbers among the cells, NaN for all others: each cell by itself.

    An array says of which type all its cells are. A list does not, and what numpy would make of
    it as a whole can turn with one cell.
    """
    if isinstance(cells, np.ndarray) and cells.dtype.kind in "iuf" and type(cells) is np.ndarray:
        return cells.astype(np.float64)
    found = (real(cell) for cell in cells)
    return np.array([np.nan if each is None else each for each in found], dtype=np.float64)


@dataclass(frozen=True)
class AllOf:
    """Rows that meet every one of several conditions.

    >>> AllOf((Condition("age", ">=", 18), Condition("class", "==", "9a"))).text
    'age >= 18 and class == "9a"'
    """

    conditions: tuple[Condition, ...]

    def __post_init__(self) -> None:
        requirement = "must be a list of conditions, as in [Condition('age', '>', 3)]"
        several = tuple(of("conditions", self.conditions, (list, tuple), requirement))
        for each in several:
            of("conditions", each, Condition, requirement)
        if not several:
            raise ConditionError("", "list is empty: leave it out to use all rows")
        object.__setattr__(self, "conditions", several)

    @property
    def text(self) -> str:
        """The conditions in words."""
        return " and ".join(each.text for each in self.conditions)

    def select(self, table: Mapping[str, Column]) -> Selection:
        """The rows of ``table`` that meet all of them. Raises as :meth:`Condition.select`."""
        masks = [each.select(table).mask for each in self.conditions]
        return Selection(np.logical_and.reduce(masks), self.text)
