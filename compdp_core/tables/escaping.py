"""Which cells of a file get an apostrophe in front, and how many of them leave."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from compdp_core.tables.affix import Affix
from compdp_core.tables.drop_columns import header_line
from compdp_core.tables.formulas import Guard
from compdp_core.tables.number_parsing import Mask, Places
from compdp_core.tables.table import Table
from compdp_core.tables.tokens import CR, LF, tokenize

_BLOCK_CELLS = 1 << 16


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
    step = max(1, _BLOCK_CELLS // index.width)
    for start in range(0, table.row_count, step):
        stop = min(start + step, table.row_count)
        all_ = np.ones(stop - start, dtype=np.bool_)
        kept = all_ if rows is None else rows[start:stop]
        found += len(guard.in_rows(start, stop, dict.fromkeys(gone, all_), kept))
    return found


def above_rows(table: Table, guard: Guard, omit: Collection[int] = ()) -> Places:
    """Where an apostrophe belongs above the first row: in title lines and names."""
    index = table.index
    names = np.arange(int(index.first_cells(0, 1)[0]))
    if omit and table.format.header:
        line = header_line(index)
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
