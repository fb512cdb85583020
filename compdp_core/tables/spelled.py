"""Numbers as other scripts and programs spell them: as the plain ASCII text that is read."""

from __future__ import annotations

import sys
import unicodedata
from functools import cache

MINUS = "\u2212\ufe63\uff0d"
"""Minus signs that are no hyphen."""

INVISIBLE = (
    "\ufeff\u200b\u200c\u200d\u2060\u00ad\u200e\u200f\u061c"
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
"""Byte order mark, zero-width spaces and joiners, soft hyphen, marks of direction."""

_MARKS = {"\u066b": ".", "\uff0e": ".", "\uff0c": ",", "\u066c": "٬", "\uff0b": "+"}


def plainly(text: str) -> str:
    """The text with ASCII digits and minus, and without what is not seen.

    >>> plainly("٣٤"), plainly("−3.5"), plainly("\ufeff12"), plainly("7५")
    ('34', '-3.5', '12', '75')
    """
    if text.isascii():
        return text
    return text.translate(_table()).strip()


def zeros() -> tuple[str, ...]:
    """The zero of every script that writes numbers with ten digits."""
    return tuple(chr(code) for code in _zeros())


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
