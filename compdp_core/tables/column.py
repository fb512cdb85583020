"""What is known about a column, and why its numbers cannot be used: reason, example, way out."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from compdp_core.tables.affix import Affix, Mixture
from compdp_core.tables.decimal_marks import both_readings
from compdp_core.tables.errors import short
from compdp_core.tables.missing import may_mean_missing
from compdp_core.tables.number_parsing import LARGEST_WHOLE
from compdp_core.tables.spelled import plainly
from compdp_core.tables.units import is_unit
from compdp_core.tables.value_formats.base import ValueFormat

_OTHER_MARK = re.compile(r"[+-]?\d*[.,]\d+")
_LETTERS_BEHIND = re.compile(r"[+-]?\d+(?:[.,]\d+)?\s*([^\W\d_][^\s\d]{0,7})")
_LIST = re.compile(r"\d{1,2}(,\d{1,2})+")
_WORDS = "release it as categories, or leave it as it is"


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
    decimal: str = "."
    """The decimal mark with which its numbers are read and counted."""
    doubt: Cell | None = None
    """A number that can be read with either mark, where no cell of the column tells which one it
    has: 1,250 may be 1250, or 1.25. Ask before it is used."""
    rule: ValueFormat | None = None
    """A rule by which what is no number can be taken for one, such as limits and classes."""
    digits: str = "0"
    """The zero of the script in which most of its numbers are written."""

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
            return (
                f"{cells}, {_example(self.non_finite_example)}. {_correct(self.non_finite_example)}"
            )
        if self.numbers == 0:
            return "It has no values: every cell is missing. Leave it as it is, or out of the file."
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
            f"{_cells(column.texts, 'plain number')}, {example}. All cells can be read if you let "
            f"{affix} be taken off{_as_well(column, affix)}.{_either(column.doubt)}"
        )
    if isinstance(affix, Mixture):
        return (
            f"Its cells carry different symbols or units, such as {short(affix.one)!r} and "
            f"{short(affix.other)!r}. Bring them to one unit first."
        )
    cells = _cells(column.texts, "number")
    if column.rule is not None:
        return (
            f"{cells}, {example}. They can be read by a rule: {column.rule.label}. Choose it in "
            "the plan of the column, or leave the column as it is."
        )
    text = plainly(cell.text.strip())
    if _LIST.fullmatch(text) and column.decimal == ".":
        return (
            f"{cells}, {example}. If they are numbers, choose the comma as decimal mark of this "
            f"column. If they are lists of codes, {_WORDS}."
        )
    if _OTHER_MARK.fullmatch(text):
        return (
            f"{_cells(column.texts, 'number')} with this decimal mark, {example}. Choose the "
            "other decimal mark, or correct these cells."
        )
    if letters := _LETTERS_BEHIND.fullmatch(text):
        if is_unit(letters[1]):
            return (
                f"{cells}, {example}, and not all of them are a number with {letters[1]!r} in the "
                "same spelling. Correct these cells, or choose the other decimal mark."
            )
        return (
            f"{cells}, {example}: the letters {letters[1]!r} behind it are no unit that all cells "
            "share. If these are names, as of classes, leave the column as it is; else correct "
            "them."
        )
    if column.numbers > column.texts:
        return f"{cells}, {example}. {_correct(cell)}"
    return f"It holds text, {example}. To use it, {_WORDS}."


def _correct(cell: Cell) -> str:
    if may_mean_missing(cell.text):
        return "Correct that, or add this spelling to the missing ones."
    return "Correct that, or leave the column as it is."


def _either(doubt: Cell | None) -> str:
    """Both readings of a number that fits either mark."""
    if doubt is None or (readings := both_readings(doubt.text)) is None:
        return ""
    marks = " or ".join(f"{value} with a decimal {name}" for name, value in readings.items())
    return f" {short(doubt.text)!r} is {marks}: say which one it is."


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
