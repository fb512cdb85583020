"""Columns with types, for files that know them: of released values, and of cells that stay."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np

from compdp_core.tables.containers.csv_text import cell
from compdp_core.tables.number_parsing import Floats
from compdp_core.tables.table import Table

_EPOCH = datetime.fromisoformat("1970-01-01")
_PLAIN = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?")
_MOST_DIGITS = 15
_DURATION = re.compile(r"(-?)(\d+):(\d\d):(\d\d(?:\.\d{1,6})?)")
_EARLIEST = datetime.fromisoformat("1900-03-01")
"""Before that, spreadsheets count days in two ways, or not at all."""


@dataclass(frozen=True, eq=False)
class FileColumn:
    """A column of a file."""

    name: str
    type: str
    """``int``, ``float``, ``text``, ``bool``, ``date``, ``time``, ``datetime`` or ``duration``;
    ``mixed`` where each cell has its own, as in a spreadsheet."""
    values: Sequence[Any]
    """One for each row, None for a blank."""
    lowest: Any = None
    """Of a released date, moment or duration, the least that could have been drawn."""

    @property
    def texts(self) -> list[str]:
        """The values as texts, by the rule of :mod:`.csv_text`, without quotes."""
        return [value if isinstance(value, str) else cell(value) for value in self.values]

    @property
    def as_one_type(self) -> FileColumn:
        """The same with one type for all cells, which is ``text`` where none else holds them."""
        if self.type != "mixed":
            return self
        kinds = {_NAMES[type(value)] for value in self.values if value is not None}
        if kinds == {"int", "float"}:
            values = [None if value is None else float(value) for value in self.values]
            return FileColumn(self.name, "float", values)
        if len(kinds) == 1:
            return FileColumn(self.name, kinds.pop(), self.values)
        return self.as_text

    @property
    def as_text(self) -> FileColumn:
        """The same as texts."""
        return FileColumn(self.name, "text", [text or None for text in self.texts])

    @property
    def fits_a_sheet(self) -> bool:
        """Whether a spreadsheet can hold all its dates and durations as such."""
        if self.type in ("date", "datetime"):
            days = [self.lowest] if self.lowest else [v for v in self.values if v is not None]
            return all(_on_sheet(day) for day in days)
        if self.type == "duration":
            spans = [self.lowest] if self.lowest is not None else self.values
            return all(span is None or span >= timedelta(0) for span in spans)
        return True


_NAMES: dict[type, str] = {
    int: "int",
    float: "float",
    str: "text",
    bool: "bool",
    date: "date",
    time: "time",
    datetime: "datetime",
    timedelta: "duration",
}


def _on_sheet(day: date | datetime) -> bool:
    if isinstance(day, datetime):
        return day.tzinfo is None and day >= _EARLIEST
    return day >= _EARLIEST.date()


_A_DAY = 86_400


def of_steps(
    name: str, kind: str, values: Floats, step: float, outputs: tuple[float, float]
) -> FileColumn | None:
    """A released column of dates or times, of whole numbers of steps; NaN is a blank.

    None where numbers that could have been drawn stand for no day of the calendar, or for no time
    of one day: a clock would show another time.
    """
    made = _MADE[kind]
    if kind == "time" and not (outputs[0] >= 0 and outputs[1] * step < _A_DAY):
        return None
    try:
        lowest, _ = (made(end * step) for end in outputs)
    except OverflowError:
        return None
    known = [None if value != value else made(value * step) for value in values.tolist()]
    return FileColumn(name, kind, known, lowest)


def _time_of(seconds: float) -> time:
    return (_EPOCH + timedelta(seconds=seconds)).time()


_MADE: dict[str, Callable[[float], Any]] = {
    "date": lambda days: (_EPOCH + timedelta(days=days)).date(),
    "datetime": lambda seconds: _EPOCH + timedelta(seconds=seconds),
    "time": _time_of,
    "duration": lambda seconds: timedelta(seconds=seconds),
}


def untouched(table: Table, column: int) -> FileColumn:
    """A column that stays: its cells as values.

    They have the type that the file declared for the column, or else each has the one it had in the
    file. Of a text, only what nothing is lost of is a number: 007 stays a text.
    """
    kind, types = table.container.kind, table.container.types
    about, texts = table.columns[column], table.texts(column)
    name = about.header.strip() or about.label
    if types:
        declared = types[column]
        parse = PARSERS[declared]
        return FileColumn(name, declared, [parse(text) if text else None for text in texts])
    if kind in ("text", "zip"):
        mark = table.format.decimal
        found: list[Any] = [_plain(text.strip(), mark) if text.strip() else None for text in texts]
        return FileColumn(
            name, "mixed", [t if f is ... else f for t, f in zip(texts, found, strict=True)]
        )
    quotes = _quoted(table, column)
    pairs = zip(texts, quotes, strict=True)
    return FileColumn(name, "mixed", [text if has else _typed(text) for text, has in pairs])


def _quoted(table: Table, column: int) -> list[bool]:
    index = table.index
    starts, stops = (place[0] for place in index.bounds(0, table.row_count, np.array([column])))
    there = starts < stops
    first = index.data[np.where(there, starts, 0)]
    found: list[bool] = (there & (first == ord('"'))).tolist()
    return found


def _plain(text: str, mark: str) -> Any:
    """The number of a text, if the text is the one that anybody would write for it."""
    typed = text.replace(mark, ".") if mark != "." else text
    if not _PLAIN.fullmatch(typed) or (mark != "." and "." in text):
        return ...
    if sum(letter.isdigit() for letter in typed) > _MOST_DIGITS:
        return ...
    value = float(typed)
    return int(typed) if typed.lstrip("-").isdigit() else value if np.isfinite(value) else ...


def _typed(text: str) -> Any:
    """The value of a cell that this library wrote without quotes."""
    if not text:
        return None
    if text in ("TRUE", "FALSE"):
        return text == "TRUE"
    if text[0] not in "0123456789+-.":
        return text
    for parse in (int, float, date.fromisoformat, datetime.fromisoformat, _clock, _span):
        try:
            return parse(text)
        except ValueError:
            continue
    return text


def _clock(text: str) -> time:
    """A time of day, of two digits for the hour."""
    if text[2:3] != ":":
        raise ValueError(text)
    return time.fromisoformat(text)


def _span(text: str) -> timedelta:
    found = _DURATION.fullmatch(text)
    if found is None:
        raise ValueError(text)
    sign, hours, minutes, seconds = found.groups()
    span = timedelta(hours=int(hours), minutes=int(minutes), seconds=float(seconds))
    return -span if sign else span


PARSERS: dict[str, Callable[[str], Any]] = {
    "int": int,
    "float": float,
    "text": str,
    "bool": lambda text: text == "TRUE",
    "date": date.fromisoformat,
    "datetime": datetime.fromisoformat,
    "time": time.fromisoformat,
    "duration": _span,
}
