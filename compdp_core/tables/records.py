"""From the records of a text to the rows and columns of a table."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np

from compdp_core.tables.errors import TooManyColumnsError
from compdp_core.tables.index import BLANK_BYTES, STEP, Index
from compdp_core.tables.number_parsing import Places
from compdp_core.tables.tokens import CR, Edges, Tokens

MAX_COLUMNS = 16_384
"""As many as a spreadsheet has."""


def arrange(content: bytes, tokens: Tokens, quote: str, blank: Places, escape: str = "") -> Index:
    """Take the records that are not blank as rows."""
    firsts, widths = tokens.records[:-1], np.diff(tokens.records)
    if len(blank):
        firsts, widths = np.delete(firsts, blank), np.delete(widths, blank)
    code = ord(quote) if quote else -1
    mark = ord(escape) if escape else -1
    index = Index(content, tokens, code, 0, 0, 0, None, None, escape=mark)
    return _of_rows(index, firsts, widths)


def below(index: Index, names: int) -> Index:
    """The same rows but for so many at the top, which hold the names."""
    names = min(names, index.row_count)
    if index.firsts is None or index.widths is None:
        rows = index.row_count - names
        return replace(index, row_count=rows, offset=index.offset + names * index.width)
    return _of_rows(index, index.firsts[names:], index.widths[names:])


def _of_rows(index: Index, firsts: Edges, widths: Edges) -> Index:
    rows, width = len(firsts), usual_width(widths)
    # Blank lines above the first or below the last row do not part the rows.
    together = rows > 0 and int(firsts[-1]) - int(firsts[0]) == (rows - 1) * width
    if together and int(widths.min()) == int(widths.max()):
        first = int(firsts[0])
        return replace(index, row_count=rows, width=width, offset=first, firsts=None, widths=None)
    return replace(index, row_count=rows, width=width, offset=0, firsts=firsts, widths=widths)


def usual_width(widths: Edges) -> int:
    """The most frequent number of cells, the larger one of two equally frequent."""
    times: Counter[int] = Counter()
    for start in range(0, len(widths), STEP):
        found, counts = np.unique(widths[start : start + STEP], return_counts=True)
        times.update(dict(zip(found.tolist(), counts.tolist(), strict=True)))
    return max(times, key=lambda width: (times[width], width), default=0)


def blank_records(content: bytes, tokens: Tokens) -> Places:
    """Numbers of the records with nothing but spaces in their only cell."""
    spaces = np.zeros(256, dtype=np.bool_)
    spaces[list(BLANK_BYTES + b"\r")] = True
    data = np.frombuffer(content, dtype=np.uint8)
    found = [np.zeros(0, dtype=np.intp)]
    for begin in range(0, len(tokens.records) - 1, STEP):
        records = tokens.records[begin : begin + STEP + 1]
        single = np.flatnonzero(np.diff(records) == 1)
        starts = tokens.edges[records[single]].astype(np.intp)
        stops = tokens.edges[records[single] + 1].astype(np.intp) - 1
        empty = stops <= starts
        blank = ~empty & spaces[data[np.minimum(starts, len(data) - 1)]]
        empty |= blank & (stops - starts == 1)
        for i in np.flatnonzero(blank & ~empty):
            cell = content[starts[i] : stops[i]].rstrip(b"\r")
            empty[i] = not cell.strip(BLANK_BYTES)
        found.append(single[empty] + begin)
    return np.concatenate(found)


def column_count(index: Index, names: tuple[str, ...]) -> int:
    """As many as the header has, unless most rows fill more cells or none reaches the last name.

    An empty cell behind a separator at the end of the rows is not a column.
    """
    count = index.width
    if names:
        count = len(names)
        while count > max(1, index.width) and not names[count - 1].strip():
            count -= 1
        if index.width > count and _filled(index, count):
            count = index.width
    elif count > 1 and not _filled(index, count - 1):
        # Without a header, a last column in which nothing ever stands is a separator too many.
        count -= 1
    if count > MAX_COLUMNS:
        raise TooManyColumnsError(count, MAX_COLUMNS)
    return count


def _filled(index: Index, column: int) -> bool:
    """Whether most rows hold something in this column."""
    edges = index.tokens.edges
    filled = 0
    for start, stop in index.steps():
        wide = index.cell_counts(start, stop) > column
        cells = index.first_cells(start, stop)[wide] + column
        filled += int((edges[cells + 1] - edges[cells] > 2).sum())
        # One byte and its end: a character, or CR in front of LF.
        single = cells[edges[cells + 1] - edges[cells] == 2]
        filled += int((index.data[edges[single]] != CR).sum())
    return filled * 2 > index.row_count


def with_columns(index: Index, count: int) -> Index:
    """Rows shorter than the table need the general index, so that absent cells are known."""
    if index.widths is not None or index.width >= count:
        return index
    firsts = index.first_cells(0, index.row_count).astype(np.uint32)
    widths = index.cell_counts(0, index.row_count).astype(np.uint32)
    return replace(index, firsts=firsts, widths=widths)
