"""Cells that stand for "no value"."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from compdp_core.tables.number_parsing import PAD, Bytes, Places, Words, load, parse

DEFAULT_MISSING: tuple[str, ...] = (
    "", "NA", "N/A", "n.a.", "n. a.", "N.A", "<NA>", "NaN", "-nan", "null", "(null)", "<null>",
    "\\N", "none", "nil", "undefined", "(blank)", "(empty)", "blank", "empty",
    "missing", "<missing>", "no data", "no value", "no answer", "no response", "n/d", "n.d.", "nd",
    "not measured", "not tested", "not taken", "not done", "not recorded", "not reported",
    "not collected", "not given", "not known", "not available", "not applicable", "not determined",
    "not assessed", "not performed", "unavailable", "unknown", "unk", "unk.", "n/k", "n/m", "n/r",
    "refused", "declined", "don't know", "don’t know", "prefer not to say", "absent", "excused",
    "k.A.", "k. A.", "keine Angabe", "keine Angaben", "unbekannt", "fehlt", "fehlend",
    "nicht gemessen", "nicht bekannt", "entfällt", "s.o.", "non disponible", "manquant",
    "non mesuré", "sin datos", "sin dato", "s/d", "brak danych", "geen",
    "-", "--", "---", "–", "—", "‐", "−", ".", "..", "...", "…", "?", "??", "/",
    "#N/A", "#N/A N/A", "#NA", "#NV", "#N/V", "#N/D", "#NULL!", "#VALUE!", "#WERT!", "#VALEUR!",
    "#DIV/0!", "#REF!", "#BEZUG!", "#NUM!", "#ZAHL!", "#NAME?", "#CALC!", "#SPILL!",
    "1.#QNAN", "-1.#IND", "1.#IND",
)  # fmt: skip
"""Compared without regard to upper and lower case. A blank cell is always missing.

None is a number, so a column only counts them among numbers: in a column of text they stay words.
Codes such as -99 or 999 are numbers; only the owner knows whether they stand for a missing value.
"""

# _FIRST[k] keeps the first k characters of a word.
_FIRST: Words = np.array([(1 << 8 * k) - 1 for k in range(9)], dtype=np.uint64)


class Spellings:
    """A set of missing spellings, ready to be looked for in many cells at once.

    >>> Spellings(["n/a", "-99"], "utf-8").numeric
    True
    """

    def __init__(self, spellings: Iterable[str], codec: str, decimal: str = ".") -> None:
        self.texts: list[str] = []
        owners: dict[bytes, int] = {}
        for text in dict.fromkeys(s.strip() for s in spellings):
            typed = _typed(text, codec)
            if typed and not typed & owners.keys():
                owners |= dict.fromkeys(sorted(typed), len(self.texts))
                self.texts.append(text)
        found = list(owners)
        self._owners = np.array(list(owners.values()), dtype=np.intp)
        self._lengths = np.array([len(t) for t in found], dtype=np.intp)
        longest = max(map(len, found), default=0)
        keys, *self._rest = [_words(found, start) for start in range(0, max(longest, 1), 8)]
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
            for i, rest in enumerate(self._rest, 1):
                long = np.flatnonzero(same & (length[at] > 8 * i))
                left = np.minimum(length[at[long]] - 8 * i, 8)
                more = _lower(load(block, starts[at[long]] + 8 * i) & _FIRST[left])
                same[long] = more == rest[spelling[long]]
            found[at[same]] = self._owners[spelling[same]]
        return found


def _typed(text: str, codec: str) -> set[bytes]:
    """The bytes to look for, ASCII letters small; other letters are as typed, or all in one case.

    >>> sorted(word.decode() for word in _typed("Entfällt", "utf-8"))
    ['entfÄllt', 'entfällt']
    """
    found = set()
    for form in (text, text.lower(), text.upper()):
        try:
            found.add(form.encode(codec).lower())
        except UnicodeEncodeError:
            continue
    return found - {b""}


def _words(texts: list[bytes], start: int) -> Words:
    """Eight bytes of each text from ``start`` on, as a number."""
    return np.array([int.from_bytes(t[start : start + 8], "little") for t in texts], np.uint64)


def _most_equal(keys: Words) -> int:
    return int(np.unique(keys, return_counts=True)[1].max())


def _lower(words: Words) -> Words:
    letters = words.view(np.uint8)
    capital = (letters - np.uint8(ord("A"))) < 26
    lowered: Words = (letters + capital * np.uint8(32)).view(np.uint64)
    return lowered


@lru_cache(maxsize=1000)
def _is_number(typed: bytes, decimal: str) -> bool:
    block = np.frombuffer(bytes(PAD) + typed + bytes(PAD), dtype=np.uint8)
    kind = parse(block, np.array([PAD]), np.array([PAD + len(typed)]), decimal).kind
    return bool(kind[0] != 0)
