"""Cells that a spreadsheet would run as a formula.

A text cell that starts with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return is run, or may
be, when the file is opened in a spreadsheet. An apostrophe in front makes it text. Numbers are
never touched: -12.5 stays a number, also with the symbol its column carries (-5 %), and so do the
dashes and the like that stand for a missing value.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from compdp_core.tables.affix import Affix
from compdp_core.tables.classify import Reading, classify
from compdp_core.tables.index import Index, trimmed
from compdp_core.tables.missing import spellings_of
from compdp_core.tables.number_parsing import PAD, TEXT, Mask, Places

GUARD = b"'"

_STARTS = np.zeros(256, dtype=np.bool_)
_STARTS[list(b"=+-@\t\r")] = True
_DASHES = ("-", "--", "---", "-nan", "-1.#IND")


class Guard:
    """Looks for such cells in one table."""

    def __init__(self, index: Index, reading: Reading, affixes: dict[int, Affix]) -> None:
        self.index = index
        spellings = spellings_of(_DASHES, reading.codec, reading.decimal)
        self.reading = replace(reading, spellings=spellings)
        self.affixes = affixes

    def in_rows(self, start: int, stop: int, taken: dict[int, Mask], kept: Mask) -> Places:
        """Where an apostrophe belongs in rows ``start`` to ``stop - 1``.

        ``taken`` tells, for columns that are replaced, in which of these rows; ``kept`` which of
        the rows are written at all.
        """
        rows, columns, starts, stops = self.index.cells(start, stop)
        starts, stops = self.index.unquote(self.index.data, starts, stops)
        at = self._likely(starts, stops)
        at = at[kept[rows[at] - start]]
        for column, mask in taken.items():
            at = at[~((columns[at] == column) & mask[rows[at] - start])]
        if not len(at):
            return at
        risky = self._texts(starts[at], stops[at], None)
        for column, affix in self.affixes.items():
            here = np.flatnonzero(risky & (columns[at] == column))
            if len(here):
                risky[here] = self._texts(starts[at[here]], stops[at[here]], affix)
        return starts[at[risky]]

    def in_cells(self, numbers: Places) -> Places:
        """The same for the cells with these numbers (those of the header)."""
        return self.in_ranges(*self.index.unquote(self.index.data, *self.index.places(numbers)))

    def in_ranges(self, starts: Places, stops: Places) -> Places:
        """The same for any texts."""
        at = self._likely(starts, stops)
        return starts[at[self._texts(starts[at], stops[at], None)]] if len(at) else at

    def _likely(self, starts: Places, stops: Places) -> Places:
        data = self.index.data
        filled = starts < stops
        return np.flatnonzero(filled & _STARTS[data[np.where(filled, starts, 0)]])

    def _texts(self, starts: Places, stops: Places, affix: Affix | None) -> Mask:
        """Which of the cells are text, not numbers and not dashes."""
        begin, end = int(starts.min()), int(stops.max())
        block = np.zeros(end - begin + 2 * PAD, dtype=np.uint8)
        block[PAD : PAD + end - begin] = self.index.data[begin:end]
        cells = trimmed(block, starts + (PAD - begin), stops + (PAD - begin))
        kinds = classify(block, *cells, self.reading, affix)[1]
        text: Mask = kinds == TEXT
        return text
