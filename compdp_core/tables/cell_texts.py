"""The texts of a column's cells, many at once, for what is not a plain number."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from compdp_core.tables.classify import CellReading
from compdp_core.tables.index import Index, trimmed
from compdp_core.tables.number_parsing import Bytes, Places
from compdp_core.tables.value_formats.base import Texts

LONGEST = 200
"""Bytes of the longest value; a longer cell is cut behind the byte that makes it too long."""
_BLOCK_CELLS = 1 << 16


def cell_texts(
    index: Index, column: int, reading: CellReading | None
) -> Iterator[tuple[slice, Texts]]:
    """Rows and their trimmed cells; a blank one and, with a ``reading``, a missing spelling of it
    are empty.
    """
    for begin, end in index.steps(_BLOCK_CELLS, 1):
        block, shift = index.block(begin, end)
        raw = [places[0] + shift for places in index.bounds(begin, end, np.array([column]))]
        starts, stops = trimmed(block, *index.unquote(block, *raw))
        lengths = np.minimum(stops - starts, LONGEST + 1)
        if reading is not None:
            lengths[reading.spellings.find(block, starts, stops) >= 0] = 0
        width = max(1, int(lengths.max(initial=1)))
        room = np.concatenate([block, np.zeros(width, dtype=np.uint8)])
        # Every place of the block as the text that begins there, without a copy.
        every = np.ndarray((len(block),), dtype=f"S{width}", buffer=room.data, strides=(1,))
        texts: Texts = every[starts]
        letters = texts.view(np.uint8).reshape(-1, width)
        letters *= np.arange(width) < lengths[:, None]
        if index.tokens.quoted or index.escape >= 0:
            _undouble(texts, letters, block, raw, index)
        yield slice(begin, end), texts


def _undouble(texts: Texts, letters: Bytes, block: Bytes, raw: list[Places], index: Index) -> None:
    """Cells that still hold a quote or an escape, as the text they stand for."""
    marked = letters.ravel() == index.quote
    if index.escape >= 0:
        marked |= letters.ravel() == index.escape
    held = np.unique(np.flatnonzero(marked) // letters.shape[1])
    for i in held.tolist():
        cell = index.plain(block[raw[0][i] : raw[1][i]].tobytes())
        texts[i] = cell.strip(b" \t")[: LONGEST + 1]
