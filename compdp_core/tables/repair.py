"""Rows that do not line up, brought in line as it was said: completed, or cells of them joined."""

from __future__ import annotations

import re

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.tables.alignment import Alignment, RowsByKind, widths_of
from compdp_core.tables.index import Index
from compdp_core.tables.number_parsing import Places
from compdp_core.tables.patch import Edits, joined, splice


def repaired(
    found: RowsByKind, blank: Places, index: Index, columns: int, separator: str, wish: Alignment
) -> bytes | None:
    """The text with rows completed and cells joined, None where nothing is to be done."""
    edits = []
    if wish.short_rows == "complete" and len(found.short):
        edits.append(_completed(index, found.short, columns, separator))
    for name, column, rows in (
        ("long_rows", wish.long_rows, found.long),
        ("trailing_cells", wish.trailing_cells, found.trailing),
    ):
        if isinstance(column, int) and len(rows):
            if not column < columns:
                raise ParameterError(name, column, f"must be a column from 0 to {columns - 1}")
            _quotes_needed(index, name, column)
            edits.append(_joined_cells(index, rows, columns, column))
    if wish.blank_lines == "missing" and len(blank):
        _quotes_needed(index, "blank_lines", wish.blank_lines)
        starts, stops = index.places(blank)
        edits.append(Edits.repeated(starts, stops, 2 * bytes([index.quote])))
    return splice(index.data, joined(edits)).tobytes() if edits else None


def in_quotes(text: bytes, index: Index) -> bytes:
    """A text as a quoted cell."""
    mark = bytes([index.quote])
    escape = bytes([index.escape]) if index.escape >= 0 else b""
    if not escape:
        return mark + text.replace(mark, 2 * mark) + mark
    pairs = re.compile(re.escape(escape) + b"." + b"|" + mark, re.DOTALL)
    return (
        mark
        + pairs.sub(lambda found: found[0] if len(found[0]) > 1 else escape + mark, text)
        + mark
    )


def without_runs(index: Index) -> bytes | None:
    """The text where one space parts two cells; None where it does so everywhere.

    How wide a gap is would tell how long the true value beside it was. A line of spaces is empty.
    """
    starts, stops = index.places(np.arange(len(index.tokens.edges) - 1))
    records = index.tokens.records.astype(np.intp)
    empty = starts >= stops
    row = np.repeat(np.arange(len(records) - 1), np.diff(records))
    # The last filled cell of each record: what is empty behind it goes with the space in front.
    last = records[1:] - 1
    alone = np.ones(len(last), dtype=np.bool_)
    at = np.flatnonzero(~empty)
    last[row[at]], alone[row[at]] = at, False
    empty[last[alone]] = False
    cells = np.flatnonzero(empty)
    if not len(cells):
        return None
    behind = cells > last[row[cells]]
    begin = np.where(behind, starts[cells] - 1, starts[cells])
    return splice(index.data, Edits.repeated(begin, begin + 1, b"")).tobytes()


def _quotes_needed(index: Index, name: str, value: object) -> None:
    if index.quote < 0:
        raise ParameterError(name, value, "needs quotes, and the file is read without them")


def _completed(index: Index, rows: Places, columns: int, separator: str) -> Edits:
    ends = index.row_ends(rows)
    lacking = columns - widths_of(index, rows)
    # Where spaces part cells an empty one needs quotes, or nobody sees it.
    cell = separator.encode() + (2 * bytes([index.quote]) if separator == " " else b"")
    flat = np.frombuffer(cell * int(lacking.sum()), dtype=np.uint8)
    return Edits(ends, ends, flat, len(cell) * lacking)


def _joined_cells(index: Index, rows: Places, columns: int, column: int) -> Edits:
    """Quotes around the cells that are one, quotes inside doubled."""
    starts, stops, texts = [], [], []
    for row, width in zip(rows.tolist(), widths_of(index, rows).tolist(), strict=True):
        # With the empty ones at the end: else a part of the cell would stand in the next column.
        places = np.array([column, column + width - columns])
        begin, end = index.bounds(row, row + 1, places)
        start, stop = int(begin[0, 0]), int(end[1, 0])
        starts.append(start)
        stops.append(stop)
        texts.append(in_quotes(index.content[start:stop], index))
    flat = np.frombuffer(b"".join(texts), dtype=np.uint8)
    return Edits(np.array(starts), np.array(stops), flat, np.array([len(t) for t in texts]))
