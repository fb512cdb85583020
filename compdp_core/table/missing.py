"""Cells that stand for "no value"."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from compdp_core.table.numerals import PAD, Bytes, Places, Words, load, parse

DEFAULT_MISSING: tuple[str, ...] = (
    "", "NA", "N/A", "n.a.", "<NA>", "NaN", "null", "none", "nil", "missing", "-", "--", "–", "—",
    ".", "..", "?", "k.A.", "#N/A", "#NA", "#NULL!", "#VALUE!", "#DIV/0!", "#REF!", "#NUM!",
    "#NAME?",
)  # fmt: skip
"""Compared without regard to upper and lower case. A blank cell is always missing."""

# _FIRST[k] keeps the first k characters of a word.
_FIRST: Words = np.array([(1 << 8 * k) - 1 for k in range(9)], dtype=np.uint64)


class Spellings:
    """A set of missing spellings, ready to be looked for in many cells at once.

    >>> Spellings(["n/a", "-99"], "utf-8").numeric
    True
    """

    def __init__(self, spellings: Iterable[str], codec: str, decimal: str = ".") -> None:
        self.texts: list[str] = []
        found: list[bytes] = []
        for text in dict.fromkeys(s.strip() for s in spellings):
            try:
                typed = text.encode(codec).lower()
            except UnicodeEncodeError:
                continue
            if typed and typed not in found:
                self.texts.append(text)
                found.append(typed)
        self._typed = found
        self._lengths = np.array([len(t) for t in found], dtype=np.intp)
        keys = np.array([int.from_bytes(t[:8], "little") for t in found], dtype=np.uint64)
        self._order = np.argsort(keys, kind="stable")
        self._keys = keys[self._order]
        self.numeric = any(_is_number(t, decimal) for t in found)
        """Some spelling, such as -99, looks like a number: numbers have to be looked up too."""

    def find(self, block: Bytes, starts: Places, stops: Places) -> Places:
        """Number of the spelling each (trimmed) cell has, or -1. Blank cells give -1."""
        found = np.full(len(starts), -1, dtype=np.intp)
        if not len(self._keys) or not len(starts):
            return found
        length = stops - starts
        at = np.flatnonzero((length > 0) & (length <= int(self._lengths.max())))
        words = _lower(load(block, starts[at]) & _FIRST[np.minimum(length[at], 8)])
        place = np.searchsorted(self._keys, words)
        # Spellings of more than eight characters may share their first eight.
        for shift in range(_most_equal(self._keys)):
            near = np.minimum(place + shift, len(self._keys) - 1)
            spelling = self._order[near]
            same = (self._keys[near] == words) & (self._lengths[spelling] == length[at])
            for i in np.flatnonzero(same & (length[at] > 8)):
                typed = block[starts[at[i]] : stops[at[i]]].tobytes()
                same[i] = typed.lower() == self._typed[spelling[i]]
            found[at[same]] = spelling[same]
        return found


def _most_equal(keys: Words) -> int:
    return int(np.unique(keys, return_counts=True)[1].max())


def _lower(words: Words) -> Words:
    letters = words.view(np.uint8)
    capital = (letters - np.uint8(ord("A"))) < 26
    lowered: Words = (letters + capital * np.uint8(32)).view(np.uint64)
    return lowered


def _is_number(typed: bytes, decimal: str) -> bool:
    block = np.frombuffer(bytes(PAD) + typed + bytes(PAD), dtype=np.uint8)
    kind = parse(block, np.array([PAD]), np.array([PAD + len(typed)]), decimal).kind
    return bool(kind[0] != 0)
