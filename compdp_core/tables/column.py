"""What is known about a column, and why its numbers cannot be used: reason, example, way out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from compdp_core.tables.affix import Affix, Mixture
from compdp_core.tables.errors import short
from compdp_core.tables.number_parsing import LARGEST_WHOLE

_OTHER_MARK = re.compile(r"[+-]?\d*[.,]\d+")
_LETTERS_BEHIND = re.compile(r"[+-]?\d+(?:[.,]\d+)?\s*([^\W\d_][^\s\d]{0,7})")
_CORRECT = "Correct that, or add this spelling to the missing ones."


@dataclass(frozen=True)
class Cell:
    """One cell as an example. ``row`` counts from 1, the first data row."""

    row: int
    text: str = field(repr=False)


@dataclass(frozen=True)
class Column:
    """Profile of one column. Holds no minimum or maximum: those would give the extremes away."""

    position: int
    """Counts from 0."""
    header: str
    """As typed; empty if the table has no header or the cell is blank."""
    label: str
    """Name to show: unique, nothing invisible."""
    rows: int
    numbers: int
    """Cells that are finite numbers."""
    missing: int
    """Blank cells and, unless the column is text, missing spellings."""
    missing_spellings: tuple[tuple[str, int], ...]
    """How often each occurs; "" is a blank cell."""
    non_finite: int
    """Cells such as inf, 1e400 and 0x1A."""
    non_finite_example: Cell | None
    texts: int
    """All other cells."""
    text_example: Cell | None
    whole: bool
    """All numbers are whole."""
    decimals: int
    """Most digits behind the decimal mark."""
    constant: bool
    """All numbers are equal."""
    identifier: str
    """Why the column looks like an ID, or empty."""
    too_long: Cell | None
    """A whole number beyond 2^53: its last digits would be lost."""
    affix: Affix | Mixture | None
    """What could be taken off to make the column numeric, or two units that cannot."""
    stripped: Affix | None = None
    """What was taken off before counting, see ``Table.stripped``."""

    @property
    def numeric(self) -> bool:
        """Every cell is a number or missing, and there are numbers."""
        return self.numbers > 0 and self.texts == 0

    @property
    def usable(self) -> bool:
        """The numbers can be read as they are."""
        return not self.refusal

    @property
    def mostly_numbers(self) -> bool:
        """Numbers outnumber what is neither number nor missing, so that the column can be declared
        to hold numbers: the other cells count as missing then.
        """
        odd = self.texts + self.non_finite
        return self.too_long is None and self.numbers > 0 and self.numbers > odd

    @property
    def refusal(self) -> str:
        """Why the numbers cannot be used, with a cell as example and a way out; empty if they can.

        For a column whose affix can be taken off, the text says so.
        """
        if self.texts and self.text_example is not None:
            return _not_numeric(self, self.text_example)
        if self.non_finite and self.non_finite_example is not None:
            cells = _cells(self.non_finite, "finite decimal number")
            return f"{cells}, {_example(self.non_finite_example)}. {_CORRECT}"
        if self.numbers == 0:
            return "It has no values: every cell is missing."
        if self.too_long is not None:
            return (
                f"{short(self.too_long.text)!r} in row {self.too_long.row} is beyond "
                f"{LARGEST_WHOLE}, where whole numbers lose digits. It is most likely an ID: leave "
                "it as it is."
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
