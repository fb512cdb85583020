"""Cells that a spreadsheet would run as a formula: which of a file get an apostrophe in front.

A text cell that starts with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return is run, or may
be, when the file is opened in a spreadsheet. An apostrophe in front makes it text. Numbers are
never touched: -12.5 stays a number, also with the symbol its column carries (-5 %), and so do the
dashes and the like that stand for a missing value.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from compdp_core.tables.affix import Affix
from compdp_core.tables.classify import CellReading, classify
from compdp_core.tables.drop_columns import header_lines
from compdp_core.tables.index import Index, trimmed
from compdp_core.tables.missing import spellings_of
from compdp_core.tables.number_parsing import PAD, TEXT, Bytes, Mask, Places
from compdp_core.tables.patch import Edits
from compdp_core.tables.repair import in_quotes
from compdp_core.tables.table import Table
from compdp_core.tables.tokens import CR, LF, tokenize

GUARD = b"'"
STARTS = b"=+-@\t\r"
"""What a formula begins with."""
_BLOCK_CELLS = 1 << 16

_STARTS = np.zeros(256, dtype=np.bool_)
_STARTS[list(STARTS)] = True
_BEFORE = np.zeros(256, dtype=np.bool_)
_BEFORE[list(b" \t\"'")] = True
"""What may stand in front of the first byte of a cell: its quote, and spaces around it."""
_DASHES = ("-", "--", "---", "-nan", "-1.#IND")


class Guard:
    """Looks for such cells in one table."""

    def __init__(self, index: Index, reading: CellReading, affixes: dict[int, Affix]) -> None:
        self.index = index
        spellings = spellings_of(_DASHES, reading.codec, reading.decimal)
        self.reading = replace(reading, spellings=spellings)
        self.affixes = affixes

    def in_rows(self, start: int, stop: int, taken: dict[int, Mask], kept: Mask) -> Places:
        """Where an apostrophe belongs in rows ``start`` to ``stop - 1``.

        ``taken`` tells, for columns that are replaced, in which of these rows; ``kept`` which of
        the rows are written at all.
        """
        rows, columns, starts, stops = self._suspects(start, stop)
        starts, stops = self.index.unquote(self.index.data, starts, stops)
        at = _likely(self.index.data, starts, stops)
        at = at[kept[rows[at] - start]]
        for column, mask in taken.items():
            at = at[~((columns[at] == column) & mask[rows[at] - start])]
        if not len(at):
            return at
        data = self.index.data
        risky = self._texts(data, starts[at], stops[at], None)
        for column, affix in self.affixes.items():
            here = np.flatnonzero(risky & (columns[at] == column))
            if len(here):
                risky[here] = self._texts(data, starts[at[here]], stops[at[here]], affix)
        return starts[at[risky]]

    def _suspects(self, start: int, stop: int) -> tuple[Places, Places, Places, Places]:
        """Row, column, start and stop of the cells whose first byte alone may make them likely."""
        index = self.index
        if index.firsts is not None:
            return index.cells(start, stop)
        first, width = index.offset + start * index.width, index.width
        edges = index.tokens.edges[first : first + (stop - start) * width]
        begins = index.data.take(edges, mode="clip")
        numbers = np.flatnonzero((_STARTS | _BEFORE if index.tokens.quoted else _STARTS)[begins])
        return numbers // width + start, numbers % width, *index.places(numbers + first)

    def in_cells(self, numbers: Places) -> Places:
        """The same for the cells with these numbers (those of the header)."""
        return self.in_ranges(*self.index.unquote(self.index.data, *self.index.places(numbers)))

    def in_ranges(self, starts: Places, stops: Places) -> Places:
        """The same for any texts."""
        data = self.index.data
        at = _likely(data, starts, stops)
        return starts[at[self._texts(data, starts[at], stops[at], None)]] if len(at) else at

    def of_texts(self, texts: Sequence[bytes], column: int | None = None) -> Mask:
        """Which of these texts get one, as cells of that column, or as names."""
        stops = np.cumsum([len(text) for text in texts], dtype=np.intp)
        starts = np.append(0, stops[:-1]).astype(np.intp)
        data = np.frombuffer(b"".join(texts) + b" ", dtype=np.uint8)
        at, risky = _likely(data, starts, stops), np.zeros(len(texts), dtype=np.bool_)
        if len(at):
            affix = None if column is None else self.affixes.get(column)
            risky[at] = self._texts(data, starts[at], stops[at], affix)
        return risky

    def _texts(self, data: Bytes, starts: Places, stops: Places, affix: Affix | None) -> Mask:
        """Which of the cells are text, not numbers and not dashes."""
        begin, end = int(starts.min()), int(stops.max())
        block = np.zeros(end - begin + 2 * PAD, dtype=np.uint8)
        block[PAD : PAD + end - begin] = data[begin:end]
        cells = trimmed(block, starts + (PAD - begin), stops + (PAD - begin))
        kinds = classify(block, *cells, self.reading, affix)[1]
        text: Mask = kinds == TEXT
        return text


def _likely(data: Bytes, starts: Places, stops: Places) -> Places:
    filled = starts < stops
    first = data[np.where(filled, starts, 0)]
    # A dash alone is none of them, and stands in many cells that are not filled in.
    filled &= (first != ord("-")) | (stops - starts > 1)
    return np.flatnonzero(filled & _STARTS[first])


def apostrophes(index: Index, places: Places) -> Edits:
    """An apostrophe in front of each of these cells, inside their quotes.

    Where cells stand in single quotes it is doubled, and a cell without any gets them.
    """
    if index.quote != ord(GUARD) or not len(places):
        return Edits.repeated(places, places, GUARD)
    rows = places >= int(index.tokens.edges[0])  # not in title lines, which are no cells
    starts, stops = index.places(
        np.searchsorted(index.tokens.edges, places[rows], side="right") - 1
    )
    begin, end, texts = places.copy(), places.copy(), [GUARD] * len(places)
    found = zip(np.flatnonzero(rows).tolist(), starts.tolist(), stops.tolist(), strict=True)
    for i, start, stop in found:
        texts[i] = 2 * GUARD
        if start == int(places[i]):
            texts[i] = in_quotes(GUARD + index.content[start:stop], index)
            end[i] = stop
    lengths = np.array([len(text) for text in texts], dtype=np.intp)
    return Edits(begin, end, np.frombuffer(b"".join(texts), dtype=np.uint8), lengths)


def guard_of(table: Table) -> Guard:
    """The guard that knows the symbols of the table's columns."""
    affixes = {c.position: c.affix for c in table.columns if isinstance(c.affix, Affix)}
    return Guard(table.index, table.reading, affixes)


def guarded(
    table: Table,
    replaced: Collection[int] = (),
    *,
    rows: Mask | None = None,
    omit: Collection[int] = (),
) -> int:
    r"""How many cells and names ``write`` guards in a file with every cell of the columns
    ``replaced`` new, of the ``rows`` that stay, when the columns ``omit`` are taken out of it.

    That is how many apostrophes are in the file that were not in the upload: no cell that stays
    behind is counted.

    >>> from compdp_core.tables.reading import read
    >>> guarded(read(b"name,score\n=1+1,71\n@Bo,72\n"), [1])
    2
    """
    guard, index = guard_of(table), table.index
    found = len(above_rows(table, guard, omit))
    gone = {*replaced, *omit}
    for start, stop in index.steps(_BLOCK_CELLS, index.width):
        all_ = np.ones(stop - start, dtype=np.bool_)
        kept = all_ if rows is None else rows[start:stop]
        found += len(guard.in_rows(start, stop, dict.fromkeys(gone, all_), kept))
    return found


def above_rows(table: Table, guard: Guard, omit: Collection[int] = ()) -> Places:
    """Where an apostrophe belongs above the first row: in title lines and names."""
    index = table.index
    names = np.arange(int(index.first_cells(0, 1)[0]))
    if omit and table.format.header:
        for line in header_lines(index, table.format.header_rows):
            names = np.setdiff1d(names, line[[place for place in omit if place < len(line)]])
    places = np.concatenate([_titles(table, guard), guard.in_cells(names)])
    return places[~_within(places, index.holes)]


def _within(places: Places, holes: tuple[Places, Places]) -> Mask:
    """Which places lie in rows that are left out."""
    hole = np.searchsorted(holes[0], places, side="right") - 1
    inside: Mask = (hole >= 0) & (places < np.append(holes[1], 0)[hole])
    return inside


def _titles(table: Table, guard: Guard) -> Places:
    """Formulas in the title lines, whose quotes need not be balanced."""
    end = int(table.index.tokens.edges[0])
    titles = table.index.content[:end]
    if not table.format.skip_lines:
        return np.zeros(0, dtype=np.intp)
    tokens = tokenize(titles, table.decoded.origin, table.format.separator, "")
    starts = tokens.edges[:-1].astype(np.intp)
    stops = tokens.edges[1:].astype(np.intp) - 1
    quoted = (starts < stops) & (table.index.data[np.minimum(starts, end - 1)] == ord('"'))
    line_end = np.isin(table.index.data[np.minimum(starts, end - 1)], [CR, LF])
    return guard.in_ranges((starts + quoted)[~line_end], stops[~line_end])
