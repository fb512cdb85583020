"""Cells that stand for "no value"."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from compdp_core.tables.number_parsing import PAD, TEXT, Bytes, Mask, Places, cells_of, parse
from compdp_core.tables.units import is_unit

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


_MOST_WORDS, _LONGEST_WORDS = 3, 24


def may_mean_missing(text: str) -> bool:
    """Whether the owner may mean "no value" by it: marks alone, or a few words without digits.

    >>> [may_mean_missing(text) for text in ("--", "n. r.", "sick", "7a", "kg", "How old are you?")]
    [True, True, True, False, False, False]
    """
    bare = text.strip()
    if not any(map(str.isalnum, bare)):
        return len(bare) <= _MOST_WORDS
    few = len(bare) <= _LONGEST_WORDS and len(bare.split()) <= _MOST_WORDS
    odd = is_unit(bare.strip("()[]")) or bare[-1] in "?:!" or bare[0] in "#<>=+@~≤≥"
    return few and not odd and not any(map(str.isdigit, bare))


@lru_cache(maxsize=32)
def spellings_of(texts: tuple[str, ...], codec: str, decimal: str = ".") -> Spellings:
    """The same set for the same settings: a file is read with a few of them, many times over."""
    return Spellings(texts, codec, decimal)


class Spellings:
    """A set of missing spellings, ready to be looked for in many cells at once. Never changes.

    >>> Spellings(["n/a", "-99"], "utf-8").numeric
    True
    """

    def __init__(self, spellings: Iterable[str], codec: str, decimal: str = ".") -> None:
        self.texts: list[str] = []
        self._owners: dict[int, dict[bytes, int]] = {}
        self._first: dict[int, Mask] = {}
        """Of the spellings of each length: which is which, and how they may begin."""
        every: set[bytes] = set()
        for text in dict.fromkeys(s.strip() for s in spellings):
            typed = _typed(text, codec)
            if not typed or typed & every:
                continue
            for word in typed:
                self._owners.setdefault(len(word), {})[word] = len(self.texts)
                first = self._first.setdefault(len(word), np.zeros(256, dtype=np.bool_))
                first[list(word[:1] + word[:1].upper())] = True
            every |= typed
            self.texts.append(text)
        self.numeric = _any_number(every, decimal)
        """Some spelling, such as -99, looks like a number: numbers have to be looked up too."""

    def __contains__(self, cell: bytes) -> bool:
        """Whether a trimmed cell is one of them."""
        return cell.lower() in self._owners.get(len(cell), {})

    def find(self, block: Bytes, starts: Places, stops: Places) -> Places:
        """Number of the spelling each (trimmed) cell has, or -1. Blank cells give -1."""
        found = np.full(len(starts), -1, dtype=np.intp)
        lengths, first = stops - starts, block[starts]
        for length, owners in self._owners.items():
            at = np.flatnonzero(lengths == length)
            at = at[self._first[length][first[at]]]
            if len(at):
                cells, which = np.unique(cells_of(block, stops[at], length), return_inverse=True)
                codes = [owners.get(cell.lower(), -1) for cell in cells.tolist()]
                found[at] = np.array(codes, dtype=np.intp)[which]
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


def _any_number(words: set[bytes], decimal: str) -> bool:
    if not words:
        return False
    lengths = np.array([len(word) for word in words])
    stops = np.cumsum(lengths) + PAD
    block = np.frombuffer(bytes(PAD) + b"".join(words) + bytes(PAD), dtype=np.uint8)
    return bool((parse(block, stops - lengths, stops, decimal).kind != TEXT).any())
