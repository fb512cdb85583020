r"""The one rule by which the cells of a file that is no text become those of a CSV file.

UTF-8, commas, line feeds. A blank cell is empty, a number is the shortest text that reads as the
same number, dates and times are those of ISO 8601, durations ``h:mm:ss``, truth values TRUE and
FALSE. A text has quotes around it where it holds a comma, a quote or a line end, and where it could
be taken for anything but a text: so it can be told from a number also in what is written again.
What a cell becomes depends on this cell alone.

>>> [cell(each) for each in (71.0, 0.1, "007", "a,b", True, None)]
['71', '0.1', '"007"', '"a,b"', 'TRUE', '']
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Collection, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from compdp_core.tables.errors import FileTooLargeError

_LARGEST_WHOLE = 1e15
_STARTS = frozenset("0123456789+-.")
_WORDS = frozenset(("TRUE", "FALSE"))
_AT_ONCE = 10_000


def quoted(text: str) -> str:
    """A text as a cell."""
    if not text:
        return ""
    special = "," in text or '"' in text or "\n" in text or "\r" in text
    if special or text[0] in _STARTS or text in _WORDS or text[0] == " " or text[-1] == " ":
        return '"' + text.replace('"', '""') + '"'
    return text


def number(value: float) -> str:
    """A number as a cell; what is none is blank."""
    if value != value:
        return ""
    if value.is_integer() and abs(value) < _LARGEST_WHOLE:
        return str(int(value))
    return repr(value) if math.isfinite(value) else ("inf" if value > 0 else "-inf")


def flag_text(value: bool, listed: Collection[str]) -> str:
    """True or false as a cell, in small letters where a list has it so alone.

    >>> flag_text(True, ["true", "false"]), flag_text(True, ["True", "true"]), flag_text(True, [])
    ('true', 'True', 'True')
    """
    typed = str(bool(value))
    small = typed.lower()
    return small if small in listed and typed not in listed else typed


def duration(value: timedelta) -> str:
    """A duration as a cell.

    >>> from datetime import timedelta
    >>> duration(timedelta(hours=36, seconds=1)), duration(-timedelta(minutes=90))
    ('36:00:01', '-1:30:00')
    """
    ticks = round(value / timedelta(microseconds=1))
    seconds, rest = divmod(abs(ticks), 10**6)
    text = f"{seconds // 3600}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    text += f".{rest:06}".rstrip("0") if rest else ""
    return "-" + text if ticks < 0 else text


def _fraction(text: str) -> str:
    """Without zeros at the end of a fraction of a second, which has six digits."""
    return text.rstrip("0") if "." in text else text


def _datetime(value: datetime) -> str:
    if value.tzinfo is None:
        return _fraction(value.isoformat())
    return value.isoformat()


_WRITERS: dict[type, Callable[[Any], str]] = {
    type(None): lambda value: "",
    str: quoted,
    float: number,
    int: str,
    bool: lambda value: "TRUE" if value else "FALSE",
    datetime: _datetime,
    date: date.isoformat,
    time: lambda value: _fraction(value.isoformat()),
    timedelta: duration,
    Decimal: lambda value: format(value, "f") if value.is_finite() else "",
}


def cell(value: object) -> str:
    """One value as a cell."""
    return _WRITERS[type(value)](value)


class Lines:
    """The text of a table, row by row, no longer than the limit."""

    def __init__(self, limit: int) -> None:
        self._out, self._limit = io.BytesIO(), limit
        self._waiting: list[str] = []
        self.rows = self.width = 0

    def add(self, cells: Sequence[str]) -> None:
        """One row of cells that are written already."""
        line = ",".join(cells)
        # An empty cell alone in its line would read as a blank line.
        self._waiting.append(line if line or len(cells) != 1 else '""')
        self.rows, self.width = self.rows + 1, len(cells)
        if len(self._waiting) >= _AT_ONCE:
            self._flush()

    def _flush(self) -> None:
        if self._waiting:
            self._out.write("\n".join([*self._waiting, ""]).encode("utf-8", "replace"))
            self._waiting.clear()
        if self._out.tell() > self._limit:
            raise FileTooLargeError(self._limit, unpacked=True)

    def content(self) -> bytes:
        """The whole text."""
        self._flush()
        return self._out.getvalue()
