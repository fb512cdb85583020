"""A table: the bytes of the file, where its cells lie, and what is known about its columns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from compdp_core.errors import ParameterError, TableError
from compdp_core.tables import errors
from compdp_core.tables.affix import Affix
from compdp_core.tables.alignment import Uneven
from compdp_core.tables.categories import Categories
from compdp_core.tables.cell_texts import cell_texts
from compdp_core.tables.classify import MISSING, CellReading, blocks
from compdp_core.tables.column import Column
from compdp_core.tables.columns import profile
from compdp_core.tables.containers.base import PLAIN_TEXT, Container
from compdp_core.tables.decimal_marks import Mark
from compdp_core.tables.decoding import Decoded
from compdp_core.tables.dialect import Format
from compdp_core.tables.index import Index
from compdp_core.tables.notices import Notice
from compdp_core.tables.number_parsing import (
    BLANK,
    INFINITE,
    LARGEST_WHOLE,
    NUMBER,
    TEXT,
    Floats,
    Mask,
)
from compdp_core.tables.value_formats.base import Texts, ValueFormat
from compdp_core.validation import one_of

_STEP = 1 << 16


@dataclass(frozen=True)
class Numbers:
    """The numbers of one column, one element a row."""

    values: Floats = field(repr=False)
    """NaN where the cell is missing."""
    missing: Mask = field(repr=False)


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """A CSV that was read with :func:`compdp_core.tables.read`. Never changes.

    Rows and columns are chosen by position and count from 0 in every argument. Row numbers in
    texts and in :class:`Notice` count from 1, the first data row.
    """

    name: str
    format: Format
    notices: tuple[Notice, ...]
    columns: tuple[Column, ...]
    header: tuple[str, ...]
    """All cells of the header line as typed, also those beyond the columns."""
    fingerprint: str
    """BLAKE2b-256 of the (unpacked) bytes, as hexadecimal digits."""
    decoded: Decoded
    index: Index
    reading: CellReading
    uneven: tuple[Uneven, ...] = ()
    """Rows that do not line up, of which nothing was said: nothing is released before it is."""
    skipped: frozenset[int] = frozenset()
    """Rows of the file, counted from 0, that are none by what was said of rows of their kind."""
    given: Mapping[int, Floats] = field(default_factory=dict)
    """The numbers of columns, by position, that were numbers before they were text: of a frame."""
    container: Container = PLAIN_TEXT
    """What kind of file it came in, and which of its tables it is."""

    def __repr__(self) -> str:
        """Its name and labels: a notebook or a log that shows a table shows no cell of it."""
        return f"Table({self.name!r}, columns={[column.label for column in self.columns]})"

    @property
    def row_count(self) -> int:
        """Number of data rows that are not left out."""
        return self.index.row_count

    @property
    def last_row(self) -> int:
        """The number of the last row of the file, where rows left out count, too."""
        return self.row_count + len(self.index.left_out)

    @property
    def left_out(self) -> tuple[int, ...]:
        """Rows of the file, counted from 0, that were left out one by one."""
        return tuple(row for row in self.index.left_out.tolist() if row not in self.skipped)

    @property
    def identity(self) -> tuple[object, ...]:
        """Equal for tables of the same bytes, read the same way, without the same rows.

        The fingerprint alone tells whose data it is: another reading of a file is no other file.
        """
        own = tuple((c.position, c.stripped, c.decimal) for c in self.columns)
        return self.fingerprint, self.format, self.left_out, own

    def row_number(self, row: int) -> int:
        """The number, counted from 1, of a row in the file, where rows left out count, too."""
        return self.index.number(row)

    def cell(self, row: int, column: int) -> str:
        """The text of one cell, without quotes; empty if its row is too short to have it."""
        self._check_column(column)
        if not 0 <= row < self.row_count:
            raise ParameterError("row", row, f"must be from 0 to {self.row_count - 1}")
        return self.index.text(row, column).decode(self.reading.codec, "replace")

    def line(self, number: int) -> str:
        """The text of a row by its number in the file, as it stands there; empty if left out."""
        row = self._row_of(number)
        if row is None:
            return ""
        start, end = self.index.row_starts(row, row + 1)[0], self.index.row_ends(np.array([row]))[0]
        return self.index.content[int(start) : int(end)].decode(self.reading.codec, "replace")

    def row(self, number: int) -> list[str]:
        """The texts of a row by its number in the file; none if it is left out."""
        row = self._row_of(number)
        return [] if row is None else [self.cell(row, c.position) for c in self.columns]

    def _row_of(self, number: int) -> int | None:
        row = self.index.row_of(number)
        return row if row is not None and 0 <= row < self.row_count else None

    def texts(self, column: int, start: int = 0, stop: int | None = None) -> list[str]:
        """The texts of one column, rows ``start`` to ``stop - 1``."""
        self._check_column(column)
        rows, index, found = range(self.row_count)[start:stop], self.index, []
        for begin in range(rows.start, rows.stop, _STEP):
            places = index.bounds(begin, min(begin + _STEP, rows.stop), np.array([column]))
            for at, end in zip(*(each[0].tolist() for each in places), strict=True):
                cell = index.plain(index.content[at:end])
                found.append(cell.decode(self.reading.codec, "replace"))
        return found

    def head(self, rows: int = 10, columns: int | None = None) -> list[list[str]]:
        """The first rows, cut to the first columns."""
        shown = range(len(self.columns))[:columns]
        return [[self.cell(row, c) for c in shown] for row in range(min(rows, self.row_count))]

    def numbers(self, column: int, strip: Affix | None = None) -> Numbers:
        """The numbers of one column, each the double nearest to what is typed.

        ``strip`` is taken off the cells first; by default what ``stripped`` has taken off. The
        decimal mark is that of the column, see :meth:`marked`.

        Raises NotNumericError, NonFiniteError or PrecisionError with the first cell that cannot be
        read, and NoValuesError if all are missing.
        """
        self._check_column(column)
        if column in self.given:
            return self._present(column, self.readings(column))
        strip = strip or self.columns[column].stripped
        values = np.full(self.row_count, np.nan)
        missing = np.zeros(self.row_count, dtype=np.bool_)
        reading = self.reading.with_decimal(self.columns[column].decimal)
        for block in blocks(self.index, np.array([column]), reading, strip, exact=True):
            rows = slice(block.rows.start, block.rows.stop)
            missing[rows] = (block.kinds == BLANK) | (block.kinds == MISSING)
            found = np.where(missing[rows], np.nan, block.numerals.value)
            long = block.numerals.integer & (np.abs(found) > LARGEST_WHOLE)
            wrong = (block.kinds == TEXT) | (block.kinds == INFINITE) | long
            if wrong.any():
                at = int(np.argmax(wrong))
                raise self._refuse(column, block.rows.start + at, int(block.kinds[at]))
            values[rows] = found
        return self._present(column, Numbers(values, missing))

    def cells(self, column: int, *, spellings: bool = True) -> Iterator[tuple[slice, Texts]]:
        """The cells of one column, some rows at a time, without quotes and spaces around.

        A blank cell is empty, and so is a missing spelling unless ``spellings`` is False; a cell
        longer than any value is cut to what is longer than any value.
        """
        self._check_column(column)
        yield from cell_texts(self.index, column, self.reading if spellings else None)

    def values(self, column: int, form: ValueFormat) -> Numbers:
        """The values of one column in steps of its format; what is not written so is missing."""
        found = np.full(self.row_count, np.nan)
        for rows, cells in self.cells(column):
            found[rows] = form.read(cells, self.reading.codec)
        return Numbers(found, np.isnan(found))

    def codes(self, column: int, categories: Categories) -> Numbers:
        """Which category each cell is, counted from 0; what is none is missing."""
        found = np.full(self.row_count, np.nan)
        for rows, cells in self.cells(column, spellings=False):
            codes = categories.codes(cells, self.reading.codec, self.reading.spellings)
            found[rows] = np.where(codes < 0, np.nan, codes)
        return Numbers(found, np.isnan(found))

    def readings(
        self, column: int, strip: Affix | None = None, decimal: str | None = None
    ) -> Numbers:
        """The numbers of one column as its plan declares them; what is none counts as missing.

        Unlike :meth:`numbers` nothing in the cells can make it refuse, so that nothing drawn from
        it depends on what a column *looks* like: text, an infinite number and a whole number
        beyond 2^53, whose digits would be lost, are no number of the plan. ``decimal``: the mark
        to read with, by default that of the column.
        """
        self._check_column(column)
        if column in self.given:
            values = np.where(np.isfinite(self.given[column]), self.given[column], np.nan)
            return Numbers(values, np.isnan(values))
        strip = strip or self.columns[column].stripped
        values = np.full(self.row_count, np.nan)
        reading = self.reading.with_decimal(decimal or self.columns[column].decimal)
        for block in blocks(self.index, np.array([column]), reading, strip, exact=True):
            found = block.numerals.value
            fits = block.kinds == NUMBER
            fits &= ~(block.numerals.integer & (np.abs(found) > LARGEST_WHOLE))
            values[block.rows.start : block.rows.stop] = np.where(fits, found, np.nan)
        return Numbers(values, np.isnan(values))

    def peek(
        self, column: int, strip: Affix | None = None, decimal: str | None = None
    ) -> tuple[float, float]:
        """Smallest and largest number of :meth:`readings`. As bounds they give the extremes away.

        Raises NoValuesError if there is none.
        """
        values = self._present(column, self.readings(column, strip, decimal)).values
        return float(np.nanmin(values)), float(np.nanmax(values))

    def stripped(self, column: int, affix: Affix | None = None) -> Table:
        """The same table, where ``affix`` is taken off the cells of a column before reading them.

        By default what ``Column.affix`` offers. The column is profiled again and ``numbers`` takes
        it off, too; the bytes stay.

        Raises TableError if nothing is given and nothing is offered.
        """
        self._check_column(column)
        old = self.columns[column]
        affix = affix or (old.affix if isinstance(old.affix, Affix) else None)
        if affix is None:
            raise TableError(f"Column {old.label} has nothing to take off. {old.refusal}".strip())
        return self._again(column, affix, Mark(old.decimal, old.doubt is not None))

    def marked(self, column: int, decimal: str) -> Table:
        r"""The same table, where the numbers of a column have that decimal mark, "." or ",".

        By default each column has the mark that its own cells speak for, or all have the one that
        was said when the table was read.

        >>> from compdp_core.tables.reading import read
        >>> table = read(b"name;height\nAda;1,250\nBen;1,750\n")
        >>> table.numbers(1).values.tolist(), table.columns[1].doubt is None
        ([1.25, 1.75], False)
        >>> table.marked(1, ".").stripped(1).numbers(1).values.tolist()
        [1250.0, 1750.0]
        """
        self._check_column(column)
        mark = Mark(one_of("decimal", decimal, (".", ",")))
        return self._again(column, self.columns[column].stripped, mark)

    def _again(self, column: int, affix: Affix | None, mark: Mark) -> Table:
        old = self.columns[column]
        new = profile(self.index, self.reading, [(old.header, old.label)], [column], affix, [mark])
        return replace(self, columns=self.columns[:column] + new + self.columns[column + 1 :])

    def without(self, rows: Iterable[int]) -> Table:
        r"""The same table without some of its rows: totals and notes, which are not people.

        They are not counted, read or privatised, and ``write`` leaves their lines out, so that a
        true total is never released. ``rows`` are those of the file, counted from 0, as messages
        count them from 1; what is left out already stays so.

        Raises ParameterError for a row that is not there, TableError if no row remains.

        >>> from compdp_core.tables.reading import read
        >>> table = read(b"name,score\nAda,71\nBen,64\nTotal,135\n")
        >>> table.without([2]).numbers(1).values.tolist()
        [71.0, 64.0]
        """
        wanted, last = sorted(set(rows)), self.last_row - 1
        for row in wanted[:1] + wanted[-1:]:
            if not 0 <= row <= last:
                raise ParameterError("row", row, f"must be from 0 to {last}")
        found = [self.index.row_of(row + 1) for row in wanted]
        places = np.array([row for row in found if row is not None], dtype=np.intp)
        if not len(places):
            return self
        if len(places) == self.row_count:
            raise TableError("Every row is left out, so nothing remains. Leave out fewer rows.")
        index = self.index.without(places)
        names = [(column.header, column.label) for column in self.columns]
        marks = [Mark(column.decimal, column.doubt is not None) for column in self.columns]
        columns = list(profile(index, self.reading, names, range(len(names)), marks=marks))
        for old in self.columns:
            if old.stripped is not None:
                here = slice(at := old.position, at + 1)
                columns[here] = profile(
                    index, self.reading, names[here], [at], old.stripped, marks[here]
                )
        given = {place: np.delete(cells, places) for place, cells in self.given.items()}
        return replace(self, index=index, columns=tuple(columns), given=given)

    def _present(self, column: int, found: Numbers) -> Numbers:
        if found.missing.all():
            raise errors.NoValuesError(self.columns[column].label)
        return found

    def _check_column(self, column: object) -> None:
        if not isinstance(column, int | np.integer) or not 0 <= column < len(self.columns):
            raise ParameterError("column", column, f"must be from 0 to {len(self.columns) - 1}")

    def _refuse(self, column: int, row: int, kind: int) -> errors.CellError:
        error, problem, way_out = _REFUSALS.get(kind, _TOO_LONG)
        label, text = self.columns[column].label, self.cell(row, column)
        return error(label, self.row_number(row), text, problem, way_out)


_REFUSALS: dict[int, tuple[type[errors.CellError], str, str]] = {
    INFINITE: (
        errors.NonFiniteError,
        "is not a finite decimal number",
        "Correct it, or add it to the missing spellings",
    ),
    TEXT: (
        errors.NotNumericError,
        "is not a number",
        "Correct it, add it to the missing spellings, or take its symbol off with strip",
    ),
}
_TOO_LONG = (
    errors.PrecisionError,
    f"is beyond {LARGEST_WHOLE}, where whole numbers lose digits",
    "It is most likely an ID: leave the column as it is",
)
