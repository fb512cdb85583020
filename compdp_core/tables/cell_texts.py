"""The texts of a column's cells, many at once, for what is not a plain number."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from compdp_core.tables.classify import Reading
from compdp_core.tables.index import Index, trimmed
from compdp_core.tables.value_formats.base import Texts

LONGEST = 200
"""Bytes of the longest cell that is looked at; a longer one is cut and so is no value."""
_BLOCK_CELLS = 1 << 16


def cell_texts(index: Index, column: int, reading: Reading) -> Iterator[tuple[slice, Texts]]:
    """Rows and their trimmed cells; a blank one and a missing spelling are empty."""
    for begin, end in index.steps(_BLOCK_CELLS, 1):
        block, shift = index.block(begin, end)
        raw = tuple(places[0] + shift for places in index.bounds(begin, end, np.array([column])))
        starts, stops = trimmed(block, *index.unquote(block, *raw))
        missing = reading.spellings.find(block, starts, stops) >= 0
        lengths = np.minimum(np.where(missing, 0, stops - starts), LONGEST)
        width = max(1, int(lengths.max(initial=1)))
        inside = np.arange(width) < lengths[:, None]
        places = np.where(inside, starts[:, None] + np.arange(width), 0)
        letters = np.where(inside, block[places], np.uint8(0))
        texts = letters.view(f"S{width}")[:, 0]
        mark = index.quote
        marked = np.zeros(end - begin, dtype=np.bool_)
        if index.tokens.quoted and mark >= 0 and (letters == mark).any():
            marked |= (letters == mark).any(axis=1) & (starts > raw[0])
        if index.escape >= 0:
            marked |= (letters == index.escape).any(axis=1)
        for i in np.flatnonzero(marked).tolist():
            whole = bytes([mark]) if starts[i] > raw[0][i] and block[raw[0][i]] == mark else b""
            texts[i] = index.plain(whole + bytes(texts[i]) + whole)
        yield slice(begin, end), texts
