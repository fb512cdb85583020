"""A file without some of its columns; every other cell keeps its bytes."""

from __future__ import annotations

import io
from collections.abc import Collection

import numpy as np

from compdp_core.tables.dialect import Format
from compdp_core.tables.index import BLANK_BYTES, Index
from compdp_core.tables.number_parsing import Mask, Places
from compdp_core.tables.patch import Edits, joined, splice_part
from compdp_core.tables.reading import read
from compdp_core.tables.table import Table
from compdp_core.tables.tokens import CR, LF

NONE = Edits.repeated(np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp), b"")
_BLOCK_CELLS = 1 << 16
_BLANK = BLANK_BYTES + b"\r"


def without_columns(data: bytes, form: Format, columns: Collection[int]) -> bytes:
    r"""The file without the columns at these positions, in its header and in every row.

    ``form``: how the file is read. Title lines, blank lines, line ends, quotes and cells beyond
    the header stay. A row that has nothing else keeps the separators between the columns that
    stay, so that it is still a row: no reader drops it as a blank line.

    >>> from compdp_core.tables.reading import read
    >>> data = b'name,score,class\n"Ada, L.",3,7a\nBen\n'
    >>> without_columns(data, read(data).format, [0])
    b'score,class\n3,7a\n,\n'
    """
    return cut(read(data, **form.options, limit=max(1, len(data))), columns)


def cut(table: Table, columns: Collection[int], *, part: bool = False) -> bytes:
    """The file of a table as :func:`without_columns` has it. ``part``: the table is a part of a
    file below its top, so nothing above its rows is a name.
    """
    form, index = table.format, table.index
    gone = np.unique(np.asarray(list(columns), dtype=np.intp))
    staying = len(table.columns) - int(np.isin(gone, np.arange(len(table.columns))).sum())
    empty = 2 * form.quote if form.separator == " " or staying == 1 else ""
    filler = form.separator.join([empty] * max(1, staying))
    out = io.BytesIO()
    out.write(table.decoded.bom)

    def put(edits: Edits, begin: int, end: int) -> None:
        out.write(table.decoded.to_file(splice_part(index.data, edits, begin, end)))

    top = int(index.row_starts(0, 1)[0])
    named = form.header and not part
    names = _header(index, gone, filler.encode(), form.header_rows) if named else NONE
    put(names, table.decoded.origin, top)
    for start, stop in index.steps(_BLOCK_CELLS, index.width):
        rows, positions, starts, stops = index.cells(start, stop)
        there = np.isin(positions, gone)
        cuts = _cut(index, rows, there, starts, stops, filler.encode())
        put(cuts, *index.span(start, stop))
    return out.getvalue()


def are_cut_alone(table: Table, gone: Places) -> bool:
    """Whether cells of these columns can be cut out while new cells are put into others.

    In other files what is left of a row may look like a blank line, or rows are filled up, so that
    :func:`without_columns` has to look at the new text.
    """
    index, separator = table.index, table.format.separator.encode()
    even = index.widths is None and index.width == len(table.columns)
    return not len(gone) or (even and index.width - len(gone) > 1 and separator not in _BLANK)


def cuts_above(table: Table, gone: Places) -> Edits:
    """Deletes these columns from the rows of names."""
    form = table.format
    if not len(gone) or not form.header:
        return NONE
    filler = form.separator * (len(table.columns) - len(gone) - 1)
    return _header(table.index, gone, filler.encode(), form.header_rows)


def cuts_within(table: Table, gone: Places, start: int, stop: int, written: Mask) -> Edits:
    """Deletes these columns from those of the rows ``start`` to ``stop - 1`` that are written."""
    rows, positions, starts, stops = table.index.cells(start, stop)
    there = np.isin(positions, gone)
    there &= written[rows - start]
    return _cut(table.index, rows, there, starts, stops, b"")


def header_lines(index: Index, rows: int) -> list[Places]:
    """Numbers of the cells of the rows of names, the first lines above the others that are not
    blank.
    """
    found: list[Places] = []
    numbers = np.arange(int(index.first_cells(0, 1)[0]))
    # Which byte ends a cell tells lines apart.
    ended = index.data[index.tokens.edges[numbers + 1].astype(np.intp) - 1]
    for line in np.split(numbers, np.flatnonzero(np.isin(ended, [CR, LF])) + 1):
        starts, stops = index.places(line)
        filled = len(line) and index.content[int(starts[0]) : int(stops[-1])].strip(_BLANK)
        if filled and len(found) < rows:
            found.append(line)
    return found


def _header(index: Index, gone: Places, filler: bytes, rows: int) -> Edits:
    cuts = [NONE]
    for line in header_lines(index, rows):
        there = np.isin(line - line[0], gone)
        cuts.append(_cut(index, np.zeros(len(line), np.intp), there, *index.places(line), filler))
    return joined(cuts)


def _cut(
    index: Index, rows: Places, gone: Mask, starts: Places, stops: Places, filler: bytes
) -> Edits:
    """Deletes cells with the separator behind them, or before them where no cell stays behind."""
    fresh = np.append(True, rows[1:] != rows[:-1])
    row, heads = np.cumsum(fresh) - 1, np.flatnonzero(fresh)
    # The last cell of each row that stays, -1 where none does.
    last = np.full(len(heads), -1, dtype=np.intp)
    np.maximum.at(last, row[~gone], np.flatnonzero(~gone))
    cells = np.flatnonzero(gone)
    behind = cells > last[row[cells]]
    before = behind & ~fresh[cells]
    begin = np.where(before, stops[np.maximum(cells - 1, 0)], starts[cells])
    end = np.where(behind, stops[cells], starts[np.minimum(cells + 1, len(rows) - 1)])
    cuts = Edits.repeated(begin, end, b"")

    lost = np.bincount(row[gone], minlength=len(heads)) > 0
    left = np.bincount(row[~gone], minlength=len(heads))
    empty = starts[heads[lost & (left == 0)]]
    bare = _blank(index, last[lost & (left == 1)], starts, stops)
    # Quotes belong in front of blanks, separators behind them.
    beside = starts[bare] if filler[:1] in (b'"', b"'") else stops[bare]
    places = np.sort(np.append(empty, beside))
    return joined([Edits.repeated(places, places, filler), cuts])


def _blank(index: Index, cells: Places, starts: Places, stops: Places) -> Places:
    """Those of the cells that would look like a blank line if they stood alone."""
    spans = zip(starts[cells].tolist(), stops[cells].tolist(), strict=True)
    blank = [not index.content[start:stop].strip(_BLANK) for start, stop in spans]
    return cells[np.array(blank, dtype=np.bool_)]
