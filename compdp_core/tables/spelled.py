"""Numbers as other scripts and programs spell them: as the plain ASCII text that is read.

Digits of any script, a minus that is no hyphen, marks that nobody sees, ``="12"`` and ``'12`` as
spreadsheets keep text. Such cells are found by the bytes at their two ends.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

import numpy as np

from compdp_core.tables.number_parsing import PAD, Bytes, Places

MINUS = "\u2212\ufe63\uff0d"
"""Minus signs that are no hyphen."""

INVISIBLE = (
    "\ufeff\u200b\u200c\u200d\u2060\u00ad\u200e\u200f\u061c"
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
"""Byte order mark, zero-width spaces and joiners, soft hyphen, marks of direction."""

_SPACES = "\u00a0\u202f\u2009\u2007\u3000"
_MARKS = {"\u066b": ".", "\uff0e": ".", "\uff0c": ",", "\uff0b": "+"}
_FIRST = "0123456789+-.,='("
_LAST = '0123456789.,-")'
_LONGEST = 80


def plainly(text: str) -> str:
    """The text with ASCII digits and minus, and without what is not seen.

    >>> plainly("٣٤"), plainly("−3.5"), plainly("\ufeff12"), plainly("7५"), plainly('="12"')
    ('34', '-3.5', '12', '75', '12')
    """
    if not text.isascii():
        text = text.translate(_table()).strip()
    if text[:2] == '="' and text[-1:] == '"' and len(text) > 3:
        text = text[2:-1].strip()
    elif text[:1] == "'" and text[1:2].isdigit():
        text = text[1:]
    return text


def zero_of(text: str) -> int:
    """The code point of the zero of its first digit that is not ASCII; 0 where there is none."""
    for letter in text:
        if letter.isdecimal() and not letter.isascii():
            return ord(letter) - unicodedata.decimal(letter)
    return 0


def is_zero(letter: str) -> bool:
    """Whether it is the digit zero of some script."""
    return len(letter) == 1 and letter.isdecimal() and unicodedata.decimal(letter) == 0


@dataclass(frozen=True, eq=False)
class Respelled:
    """Some cells as plain text, in a block of their own."""

    at: Places
    """Which cells they are."""
    block: Bytes
    starts: Places
    stops: Places
    zeros: Places
    """Code points of the zeros of their digits; 0 for ASCII digits."""


def respelled(
    block: Bytes, starts: Places, stops: Places, at: Places, codec: str, around: Iterable[str] = ()
) -> Respelled | None:
    """Those of the cells ``at`` that are spelled in such a way; None where none is.

    ``around``: what may stand in front of numbers, and behind them.
    """
    around = tuple(around)
    ends = _ends(codec, *around) if around else _ends(codec)
    first = ends.first[block[starts[at]].astype(np.intp) << 8 | block[starts[at] + 1]]
    last = ends.last[block[stops[at] - 2].astype(np.intp) << 8 | block[stops[at] - 1]]
    # Both ends are of a number, and one of them is odd.
    odd = (first > 0) & (last > 0) & ((first > 1) | (last > 1) | bool(around))
    odd &= stops[at] - starts[at] <= _LONGEST
    if not odd.any():
        return None
    known: dict[bytes, tuple[bytes, int]] = {}
    found, texts, zeros = [], [], []
    for cell in at[odd].tolist():
        typed = block[starts[cell] : stops[cell]].tobytes()
        if typed not in known:
            known[typed] = _plain(typed, codec)
        text, zero = known[typed]
        if text != typed:
            found.append(cell)
            texts.append(text)
            zeros.append(zero)
    if not found:
        return None
    lengths = np.fromiter(map(len, texts), dtype=np.intp, count=len(texts))
    ended = np.cumsum(lengths) + PAD
    joined = np.frombuffer(bytes(PAD) + b"".join(texts) + bytes(PAD), dtype=np.uint8)
    places, codes = np.fromiter(found, np.intp), np.fromiter(zeros, np.intp)
    return Respelled(places, joined, ended - lengths, ended, codes)


def _plain(typed: bytes, codec: str) -> tuple[bytes, int]:
    try:
        text = typed.decode(codec)
        return plainly(text).encode(codec), zero_of(text)
    except UnicodeError:
        return typed, 0


@dataclass(frozen=True, eq=False)
class _Ends:
    """By the first two bytes of a cell, and by its last two: 0 where no number has them, 1 where a
    plain one has, 2 where only an odd one has.
    """

    first: Bytes
    last: Bytes


@lru_cache(maxsize=64)
def _ends(codec: str, before: str = "", behind: str = "") -> _Ends:
    ends = _Ends(np.zeros((256, 256), np.uint8), np.zeros((256, 256), np.uint8))
    odd = "".join(chr(z + i) for z in _zeros() for i in range(10))
    odd += MINUS + INVISIBLE + _SPACES + "".join(_MARKS)
    ours = ((_FIRST + before[:1], _LAST + behind[-1:], 1), ("='" + odd, odd, 2))
    for firsts, lasts, what in ours:
        for letter in firsts:
            if typed := letter.encode(codec, "ignore"):
                ends.first[(typed[0], typed[1]) if len(typed) > 1 else (typed[0],)] = what
        for letter in lasts:
            if typed := letter.encode(codec, "ignore"):
                if len(typed) > 1:
                    ends.last[typed[-2], typed[-1]] = what
                else:
                    ends.last[:, typed[0]] = what
    return _Ends(ends.first.ravel(), ends.last.ravel())


@cache
def _zeros() -> tuple[int, ...]:
    found = (code for code in range(0x80, sys.maxunicode + 1) if chr(code).isdecimal())
    return tuple(code for code in found if unicodedata.decimal(chr(code)) == 0)


@cache
def _table() -> dict[int, str | None]:
    table: dict[int, str | None] = {zero + i: str(i) for zero in _zeros() for i in range(10)}
    table |= {ord(mark): "-" for mark in MINUS}
    table |= {ord(mark): plain for mark, plain in _MARKS.items()}
    return table | dict.fromkeys(map(ord, INVISIBLE))
