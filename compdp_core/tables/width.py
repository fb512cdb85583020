"""How many columns a table has, where header and rows may disagree."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from compdp_core.tables.errors import TooManyColumnsError
from compdp_core.tables.index import Index
from compdp_core.tables.tokens import CR

MAX_COLUMNS = 16_384
"""As many as a spreadsheet has."""


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
