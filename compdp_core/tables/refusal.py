"""Why the numbers of a column cannot be used: the reason, a cell as example, and a way out."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from compdp_core.tables.affix import Affix, Mixture
from compdp_core.tables.errors import short
from compdp_core.tables.number_parsing import LARGEST_WHOLE

if TYPE_CHECKING:
    from compdp_core.tables.columns import Cell, Column

_OTHER_MARK = re.compile(r"[+-]?\d*[.,]\d+")
_LETTERS_BEHIND = re.compile(r"[+-]?\d+(?:[.,]\d+)?\s*([^\W\d_][^\s\d]{0,7})")
_CORRECT = "Correct that, or add this spelling to the missing ones."


def why_not(column: Column) -> str:
    """The reason, empty if the numbers can be used."""
    if column.texts and column.text_example is not None:
        return _not_numeric(column, column.text_example)
    if column.non_finite and column.non_finite_example is not None:
        cells = _cells(column.non_finite, "finite decimal number")
        return f"{cells}, {_example(column.non_finite_example)}. {_CORRECT}"
    if column.numbers == 0:
        return "It has no values: every cell is missing."
    if column.too_long is not None:
        return (
            f"{short(column.too_long.text)!r} in row {column.too_long.row} is beyond "
            f"{LARGEST_WHOLE}, where whole numbers lose digits. It is most likely an ID: leave it "
            "as it is."
        )
    return ""


def _not_numeric(column: Column, cell: Cell) -> str:
    example, affix = _example(cell), column.affix
    if isinstance(affix, Affix) and column.stripped is None:
        return (
            f"{_cells(column.texts, 'plain number')}, {example}. "
            f"All cells can be read if you let {affix} be taken off{_as_well(column, affix)}."
        )
    if isinstance(affix, Mixture):
        return (
            f"Its cells carry different symbols or units, such as {short(affix.one)!r} and "
            f"{short(affix.other)!r}. Bring them to one unit first."
        )
    cells = _cells(column.texts, "number")
    if letters := _LETTERS_BEHIND.fullmatch(cell.text.strip()):
        return (
            f"{cells}, {example}: the letters {letters[1]!r} behind it are no unit that all cells "
            "share. If these are names, as of classes, leave the column as it is; else correct "
            "them, or add this spelling to the missing ones."
        )
    if _OTHER_MARK.fullmatch(cell.text.strip()):
        return (
            f"{_cells(column.texts, 'number')} with this decimal mark, {example}. Choose the "
            "other decimal mark, or correct these cells."
        )
    if column.numbers > column.texts:
        return f"{cells}, {example}. {_CORRECT}"
    return f"It holds text, {example}."


def _example(cell: Cell) -> str:
    return f"such as {short(cell.text)!r} in row {cell.row}"


def _as_well(column: Column, affix: Affix) -> str:
    """Plain numbers beside cells with a unit would be taken for the same unit: say so."""
    if not (affix.suffix or affix.prefix) or not column.numbers:
        return ""
    one = column.numbers == 1
    plain = "1 cell is a plain number" if one else f"{column.numbers} cells are plain numbers"
    return f"; {plain} already and would count as the same"


def _cells(count: int, noun: str) -> str:
    return f"1 cell is no {noun}" if count == 1 else f"{count} cells are no {noun}s"
