"""Dates that are plain numbers: days of spreadsheets, and Unix times. Only ever by choice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from compdp_core.tables.number_parsing import Floats
from compdp_core.tables.value_formats.base import Texts, ValueFormat, whole_steps
from compdp_core.tables.value_formats.clock import LARGEST_STEPS
from compdp_core.tables.value_formats.layout import LEAD_DIGITS
from compdp_core.tables.value_formats.marks import Cursor, Marks
from compdp_core.validation import one_of

_FIRST_DAYS = {"1900": -25569, "1904": -24107}


def _read(cells: Texts) -> Floats:
    cursor = Cursor(cells)
    minus = cursor.sign()
    whole = cursor.digits(1, LEAD_DIGITS)
    cursor.need(cursor.fraction(ord("."), 9) == 0)  # 45413.0 of a frame with gaps
    fits = cursor.ended()
    return np.where(fits, np.where(minus, -whole, whole), np.nan)


def _write(values: Floats, unit: str) -> Texts:
    steps = whole_steps(values, -LARGEST_STEPS, LARGEST_STEPS, f"about {LARGEST_STEPS:.0e} {unit}")
    marks = Marks(len(steps))
    marks.text(b"-", steps < 0)
    marks.number(np.abs(steps), 1, LEAD_DIGITS + 1)
    return marks.cells()


@dataclass(frozen=True)
class DayNumberFormat(ValueFormat):
    """Dates as the numbers that spreadsheets give to days, as days since 1970-01-01.

    >>> DayNumberFormat().value("45413"), DayNumberFormat().text(19844)
    (19844.0, '45413')
    """

    name: ClassVar[str] = "day number"
    kind: ClassVar[str] = "date"

    system: Literal["1900", "1904"] = "1900"
    """Which day is 1: 1900-01-01, as usual (from March 1900 on), or 1904-01-02 of older Macs."""

    def __post_init__(self) -> None:
        one_of("system", self.system, tuple(_FIRST_DAYS))

    @property
    def unit(self) -> str:
        """Of a step."""
        return "days"

    @property
    def label(self) -> str:
        """In words."""
        return f"dates as numbers of days, {self.text(19357)} for 2022-12-31"

    def read(self, cells: Texts, codec: str) -> Floats:
        """Days since 1970-01-01."""
        return _read(cells) + _FIRST_DAYS[self.system]

    def write(self, values: Floats, codec: str) -> Texts:
        """The numbers of these days."""
        return _write(values - _FIRST_DAYS[self.system], self.unit)


@dataclass(frozen=True)
class UnixTimeFormat(ValueFormat):
    """Dates and times as numbers of seconds since 1970-01-01 at 0:00 (UTC), or of milliseconds.

    >>> UnixTimeFormat().value("1714521600")
    1714521600.0
    """

    name: ClassVar[str] = "unix time"
    kind: ClassVar[str] = "datetime"

    counts: Literal["seconds", "milliseconds"] = "seconds"

    def __post_init__(self) -> None:
        one_of("counts", self.counts, ("seconds", "milliseconds"))

    @property
    def zone(self) -> int:
        """Minutes that it is ahead of UTC."""
        return 0

    @property
    def unit(self) -> str:
        """Of a step."""
        return self.counts

    @property
    def step(self) -> float:
        """Seconds of a step."""
        return 1.0 if self.counts == "seconds" else 0.001

    @property
    def label(self) -> str:
        """In words."""
        example = self.text(round(1672520700 / self.step))
        return f"Unix times in {self.counts}, {example} for 2022-12-31 21:05"

    def read(self, cells: Texts, codec: str) -> Floats:
        """Steps since 1970-01-01 at 0:00."""
        return _read(cells)

    def write(self, values: Floats, codec: str) -> Texts:
        """These numbers."""
        return _write(values, self.unit)
