"""Which cells of some columns have the same text, but for spaces around it, as whole numbers.

Most cells are short, in ASCII and without anything around them: their bytes are compared as words
of eight. All others are read as texts, one by one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from compdp_core.tables.index import Index
from compdp_core.tables.number_parsing import Bytes, Places
from compdp_core.tables.table import Table

Codes = NDArray[np.int64]
Words = NDArray[np.uint64]

_STEP = 1 << 16
_FEW = 1 << 16
"""Values that the table of them has room for at first: room for one a row takes 32 MB."""
_WORDS = 8
"""Of so many words a cell may be: the 64 digits of a SHA-256 are, as a pseudonym often is."""

_KEPT = np.array([(1 << 8 * count) - 1 for count in range(9)], dtype=np.uint64)
"""By the number of bytes of a cell in a word: all of its bits."""
_HIGH = np.uint64(0x8080808080808080)
_BEHIND = ~_KEPT & _HIGH
"""The bytes of a word behind the end of a cell are 128, which no character of ASCII is."""
_ONES = np.uint64(0x0101010101010101)

_VISIBLE = np.zeros(256, dtype=np.bool_)
_VISIBLE[0x21:0x7F] = True


def same_texts(table: Table, columns: Sequence[int]) -> tuple[Codes, int]:
    """A number for each row, from 0 in order of first appearance, and how many there are.

    Equal for rows with the same texts in all of the columns, letter for letter, but for spaces.
    """
    parts = [part for column in columns for part in _words(table, column)]
    codes, count = _numbered(parts.pop(0))
    while parts:
        more, of_them = _numbered(parts.pop(0))
        codes, count = _numbered(codes * of_them + more)
    return codes, count


def _numbered(values: Words | Codes) -> tuple[Codes, int]:
    import pandas as pd

    codes, distinct = pd.factorize(values, size_hint=_FEW)
    return codes.astype(np.int64, copy=False), len(distinct)


def _words(table: Table, column: int) -> list[Words]:
    """First, second, … words of all cells: all are equal where the texts are, and only there."""
    every: list[Words] = []
    others = _Others(table.index, table.reading.codec)
    for start in range(0, table.row_count, _STEP):
        stop = min(start + _STEP, table.row_count)
        words, plain = _packed(table, column, start, stop)
        odd = np.flatnonzero(~plain)
        if len(odd):
            bounds = table.index.bounds(start, stop, np.array([column]))
            words[:, odd] = others.words(table.index.content, *(each[0][odd] for each in bounds))
        while len(every) < _WORDS and (words[len(every) :] != _BEHIND[0]).any():
            every.append(np.full(table.row_count, _BEHIND[0]))
        for kept, found in zip(every, words, strict=False):
            kept[start:stop] = found
    return every or [np.full(table.row_count, _BEHIND[0])]


class _Others:
    """Words of cells that are read as texts: those of the text itself, or of its number."""

    def __init__(self, index: Index, codec: str) -> None:
        self._index, self._codec = index, codec
        self._places: dict[bytes, int] = {}
        self._numbers: dict[str, int] = {}
        self._words = bytearray()

    def words(self, content: bytes, starts: Places, stops: Places) -> Words:
        """Shape (_WORDS, cells)."""
        cells = [content[a:b] for a, b in zip(starts.tolist(), stops.tolist(), strict=True)]
        for cell in cells:
            if cell not in self._places:
                self._places[cell] = len(self._places)
                self._words += self._padded(cell)
        distinct = np.frombuffer(self._words, dtype="<u8").reshape(-1, _WORDS)
        return distinct[[self._places[cell] for cell in cells]].T

    def _padded(self, cell: bytes) -> bytes:
        text = self._index.plain(cell).decode(self._codec, "replace").strip()
        found = text.encode() if text.isascii() else b""
        if len(found) != len(text) or len(text) > 8 * _WORDS:
            number = self._numbers.setdefault(text, len(self._numbers))
            found = number.to_bytes(7, "little") + b"\xff"  # never a byte of a cell
        return found.ljust(8 * _WORDS, b"\x80")


def _packed(table: Table, column: int, start: int, stop: int) -> tuple[Words, NDArray[np.bool_]]:
    """Words of some cells, shape (_WORDS, rows), and whether they are all there is to a cell."""
    index = table.index
    block, shift = index.block(start, stop)
    outer, ends = (p[0] + shift for p in index.bounds(start, stop, np.array([column])))
    begins, stops = index.unquote(block, outer, ends)
    lengths = stops - begins
    plain = (lengths == 0) | (_VISIBLE[block[begins]] & _VISIBLE[block[stops - 1]])
    plain &= lengths <= 8 * _WORDS
    quoted = begins != outer
    if index.quote >= 0:  # what is left of quotes: none around the cell, or some inside
        plain &= quoted | (lengths == 0) | (block[begins] != index.quote)
    words = np.full((_WORDS, stop - start), _BEHIND[0])
    used = min(_WORDS, -(-int(lengths.max(initial=0)) // 8))
    for place in range(used):
        found, kept = _eight(block, begins + 8 * place), (lengths - 8 * place).clip(0, 8)
        found &= _KEPT[kept]
        plain &= (found & _HIGH) == 0
        words[place] = found | _BEHIND[kept]
        if index.escape >= 0:
            plain &= ~_holds(words[place], index.escape)
        if quoted.any():
            plain &= ~quoted | ~_holds(words[place], index.quote)
    return words, plain


def _holds(words: Words, mark: int) -> NDArray[np.bool_]:
    """Which of the words hold the byte."""
    differs = words ^ (np.uint64(mark) * _ONES)
    found: NDArray[np.bool_] = ((differs - _ONES) & ~differs & _HIGH) != 0
    return found


def _eight(block: Bytes, places: Places) -> Words:
    """The eight bytes from each place on, the first one lowest."""
    at_each = np.ndarray((len(block) - 7,), dtype="<u8", buffer=block.data, strides=(1,))
    return at_each[np.minimum(places, len(at_each) - 1)].astype(np.uint64, copy=False)
