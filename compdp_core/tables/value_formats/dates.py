"""Dates, and dates with a time, as whole numbers of steps since 1970-01-01."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, get_args

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.tables.number_parsing import Floats, Mask
from compdp_core.tables.value_formats.base import Steps, Texts, ValueFormat, whole_steps
from compdp_core.tables.value_formats.clock import (
    CLOCK,
    Clock,
    check_clock,
    clock_of,
    hours_of_day,
    with_halves,
)
from compdp_core.tables.value_formats.layout import Fields, Part, parts_of, read_parts, write_parts
from compdp_core.tables.value_formats.months import Language, names_of
from compdp_core.validation import one_of, whole

_DATE = "YymdBb"
_FIRST, _LAST = -719162, 2932896
"""0001-01-01 and 9999-12-31."""
_EXAMPLE = 19357
"""2022-12-31, which tells the day from the month."""
_BEFORE = np.array([0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334])
_LENGTHS = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
_ZONE = re.compile(r"(?:Z|UTC|GMT|([+-])(\d\d):?(\d\d)?)$")


class _Calendar(ValueFormat):
    """What is common to dates with and without a time."""

    pattern: str
    language: str
    first_year: int
    _letters: ClassVar[str]

    def __post_init__(self) -> None:
        one_of("language", self.language, get_args(Language))
        object.__setattr__(self, "first_year", whole("first_year", self.first_year, 1, 9900))
        fields = {part.field for part in self._parts}
        if not fields >= {"Y", "m", "d"}:
            raise ParameterError("pattern", self.pattern, "must have a year, a month and a day")

    @cached_property
    def _parts(self) -> tuple[Part, ...]:
        return parts_of(self.pattern, self._letters)

    @property
    def letters(self) -> str:
        """Those of the pattern, and of all names of months."""
        named = [part.letter for part in self._parts if part.letter in ("B", "b")]
        names = [name for letter in named for name in names_of(letter, self.language)]
        return self.pattern + "".join([*names, *map(str.upper, names)])

    @cached_property
    def _ends(self) -> tuple[int, int]:
        """The first and the last day that can be written."""
        if all(part.letter != "y" for part in self._parts):
            return _FIRST, _LAST
        years = np.array([self.first_year, self.first_year + 100], dtype=np.int64)
        first, behind = _days(years, np.zeros(2, dtype=np.int64), np.ones(2, dtype=np.int64))
        return int(first), int(behind) - 1

    @property
    def _told(self) -> str:
        first, last = np.array(self._ends).astype("M8[D]")
        return f"the dates from {first} to {last}"

    @property
    def _day_first(self) -> str:
        order = "".join(part.field for part in self._parts if part.field in ("Y", "m", "d"))
        numbers = all(part.letter not in "Bb" for part in self._parts if part.letter)
        told = {"d": " (day first)", "m": " (month first)"}
        return told.get(order[0], "") if numbers else ""

    def _read_days(self, fields: Fields) -> tuple[Steps, Mask]:
        year, month, day = fields["Y"], fields["m"] - 1, fields["d"]
        if any(part.letter == "y" for part in self._parts):
            year = self.first_year + (year - self.first_year) % 100
        good = (year >= 1) & (month >= 0) & (month < 12) & (day >= 1)
        month = np.where(good, month, 0)
        leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
        good &= day <= _LENGTHS.take(month) + (leap & (month == 1))
        return _days(year, month, day), good

    @staticmethod
    def _day_fields(days: Steps) -> dict[str, Steps]:
        dates = days.astype("M8[D]")
        months = dates.astype("M8[M]")
        since = months.astype(np.int64)
        years = since // 12
        return {
            "Y": years + 1970,
            "m": since - years * 12 + 1,
            "d": days - months.astype("M8[D]").astype(np.int64) + 1,
        }


def _days(year: Steps, month: Steps, day: Steps) -> Steps:
    """Days since 1970-01-01 of a year, a month from 0 and a day from 1."""
    leap = (year % 4 == 0) & ((year % 100 != 0) | (year % 400 == 0))
    before = year - 1
    leaps = before // 4 - before // 100 + before // 400
    days = before * 365 + leaps + _BEFORE.take(month) + (leap & (month > 1)) + day
    return days + (_FIRST - 1)  # type: ignore[no-any-return]


@dataclass(frozen=True)
class DateFormat(_Calendar):
    """Dates in one format, as days since 1970-01-01.

    >>> DateFormat().value("1970-01-11"), DateFormat("%-d. %B %Y", "de").text(10)
    (10.0, '11. Januar 1970')
    """

    name: ClassVar[str] = "date"
    kind: ClassVar[str] = "date"
    _letters: ClassVar[str] = _DATE

    pattern: str = "%Y-%m-%d"
    """As ``strftime`` has it, with ``%-d`` and ``%-m`` for numbers without a zero in front."""
    language: Language = "en"
    """Of the names of months."""
    first_year: int = 1969
    """The first of the hundred years that two digits may mean."""

    @property
    def unit(self) -> str:
        """Of a step."""
        return "days"

    @property
    def label(self) -> str:
        """In words."""
        day = min(max(_EXAMPLE, self._ends[0]), self._ends[1])
        return f"dates as {self.text(day)}{self._day_first}"

    def read(self, cells: Texts, codec: str) -> Floats:
        """Days since 1970-01-01."""
        fields, fits, _ = read_parts(self._parts, cells, codec, self.language)
        days, good = self._read_days(fields)
        return np.where(fits & good, days, np.nan)

    def write(self, values: Floats, codec: str) -> Texts:
        """The dates of these days."""
        days = whole_steps(values, *self._ends, self._told)
        return write_parts(self._parts, self._day_fields(days), codec, self.language)


@dataclass(frozen=True)
class DateTimeFormat(_Calendar):
    """Dates with times in one format, as steps since 1970-01-01 at 0:00, by the clock they show.

    A zone is a text of the pattern: it is the same in every cell.

    >>> DateTimeFormat("%Y-%m-%dT%H:%MZ").value("1970-01-02T00:10Z")
    1450.0
    """

    name: ClassVar[str] = "datetime"
    kind: ClassVar[str] = "datetime"
    _letters: ClassVar[str] = _DATE + CLOCK

    pattern: str = "%Y-%m-%d %H:%M:%S"
    """As ``strftime`` has it; see :class:`DateFormat`."""
    language: Language = "en"
    """Of the names of months."""
    first_year: int = 1969
    """The first of the hundred years that two digits may mean."""

    def __post_init__(self) -> None:
        super().__post_init__()
        # In full, what stands close together can be told apart: 20240501T140509.
        times = tuple(
            Part(part.letter, part.flag, part.text)
            for part in self._parts
            if part.field not in ("", "Y", "m", "d")
        )
        check_clock(self.pattern, times, "H")

    @cached_property
    def _clock(self) -> Clock:
        return clock_of(tuple(part for part in self._parts if part.field != "d"))

    @cached_property
    def _halves(self) -> bool:
        return any(part.field == "p" for part in self._parts)

    @property
    def zone(self) -> int | None:
        """Minutes that its clock is ahead of UTC, where the pattern says so at its end."""
        found = _ZONE.search(self._parts[-1].text)
        if found is None:
            return None
        sign, hours, minutes = found.groups()
        ahead = int(hours or 0) * 60 + int(minutes or 0)
        return -ahead if sign == "-" else ahead

    @property
    def unit(self) -> str:
        """Of a step."""
        return self._clock.unit

    @property
    def step(self) -> float:
        """Seconds of a step."""
        return self._clock.step

    @property
    def label(self) -> str:
        """In words."""
        day = min(max(_EXAMPLE, self._ends[0]), self._ends[1])
        seconds = day * 86400 + 75900
        return f"dates with times as {self.text(round(seconds / self.step))}{self._day_first}"

    @property
    def _day(self) -> int:
        """Steps of a day."""
        return self._clock.steps["H"] * 24

    def read(self, cells: Texts, codec: str) -> Floats:
        """Steps since 1970-01-01 at 0:00."""
        fields, fits, _ = read_parts(self._parts, cells, codec, self.language)
        days, good = self._read_days(fields)
        if self._halves:
            good &= hours_of_day(fields)
        times, within = self._clock.total(fields)
        return np.where(fits & good & within, days * self._day + times, np.nan)

    def write(self, values: Floats, codec: str) -> Texts:
        """The dates and times of these steps."""
        first, last = self._ends
        steps = whole_steps(values, first * self._day, (last + 1) * self._day - 1, self._told)
        days = steps // self._day
        times = self._clock.fields(steps - days * self._day)
        if self._halves:
            times = with_halves(times)
        return write_parts(self._parts, times | self._day_fields(days), codec, self.language)
