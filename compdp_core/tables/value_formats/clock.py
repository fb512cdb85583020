"""Times of day and durations as a clock shows them: ``14:05``, ``2:05 PM``, ``1:23:45``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import ClassVar

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.tables.number_parsing import Floats, Mask
from compdp_core.tables.value_formats.base import Steps, Texts, ValueFormat, whole_steps
from compdp_core.tables.value_formats.layout import (
    Fields,
    Part,
    parts_of,
    read_parts,
    write_parts,
)

CLOCK = "HIMSfpP"
"""Letters of times of day."""
LARGEST_STEPS = 10.0**15
_SECONDS = {"d": 86400, "H": 3600, "M": 60, "S": 1}
_SIZES = "dHMSf"
_BELOW = {"H": 24, "M": 60, "S": 60}
_UNITS = {"d": "days", "H": "hours", "M": "minutes", "S": "seconds"}
_EXAMPLES = {"d": 105005, "H": 105005, "M": 2705, "S": 45}
"""Seconds of the duration that shows a pattern, by the first of its parts."""
_FRACTIONS = {1: "tenths of a second", 2: "hundredths of a second", 3: "milliseconds"}


@dataclass(frozen=True)
class Clock:
    """The parts of a pattern that count time, and how many of the smallest each is."""

    steps: dict[str, int]
    """Of each part, from the largest down."""
    unit: str
    step: float
    """Seconds."""

    def total(self, fields: Fields, lead: str = "") -> tuple[Steps, Mask]:
        """All together in steps, and whether no part but the ``lead`` runs over."""
        whole = np.zeros(len(next(iter(fields.values()))), dtype=np.int64)
        good = np.ones(len(whole), dtype=np.bool_)
        for letter, steps in self.steps.items():
            whole += fields[letter] * steps
            if letter in _BELOW and letter != lead:
                good &= fields[letter] < _BELOW[letter]
        return whole, good

    def fields(self, whole: Steps) -> dict[str, Steps]:
        """The parts of numbers of steps from 0 on."""
        found, rest = dict[str, Steps](), whole
        for letter, steps in self.steps.items():
            found[letter] = rest // steps
            rest = rest - found[letter] * steps
        return found


@lru_cache(maxsize=256)
def clock_of(parts: tuple[Part, ...]) -> Clock:
    """The clock of a pattern's parts; one without any is refused by who knows the pattern."""
    letters = [part.field for part in parts if part.field and part.field in _SIZES]
    places = next((min(part.places, 3) for part in parts if part.letter == "f"), 0)
    smallest = letters[-1]
    finest = 10**places if places else 1
    size = {letter: finest * seconds for letter, seconds in _SECONDS.items()} | {"f": 1}
    steps = {letter: size[letter] // size[smallest] for letter in letters}
    unit = _FRACTIONS[places] if places else _UNITS[smallest]
    return Clock(steps, unit, size[smallest] / finest)


def check_clock(pattern: str, parts: tuple[Part, ...], first: str) -> None:
    """Refuse a clock that does not run down from one of the ``first`` parts without a gap."""
    letters = "".join(part.field for part in parts if part.field and part.field in _SIZES)
    halves = "p" in {part.field for part in parts}
    if letters[:1] not in first.split() or letters not in _SIZES:
        requirement = f"must run down from %{' or %'.join(first.split())}, with none left out"
    elif halves != ("I" in {part.letter for part in parts}):
        requirement = "must have %p with %I, and with it alone"
    elif any(part.close for part in parts if part.letter):
        requirement = "must have a text between any two parts"
    else:
        return
    raise ParameterError("pattern", pattern, requirement)


def hours_of_day(fields: dict[str, Steps]) -> Mask:
    """Turn hours with AM or PM into those of the day, in place; which of them there are."""
    hours = fields["H"]
    good: Mask = (hours >= 1) & (hours <= 12)
    fields["H"] = hours % 12 + 12 * fields["p"]
    return good


def with_halves(fields: dict[str, Steps]) -> dict[str, Steps]:
    """Hours of the day as those with AM or PM."""
    hours = fields["H"]
    return fields | {"H": (hours - 1) % 12 + 1, "p": (hours >= 12).astype(np.int64)}


class _Clocked(ValueFormat):
    """What runs on beyond its largest part, and below nothing with a minus."""

    pattern: str
    _letters: ClassVar[str]
    _first: ClassVar[str]

    def __post_init__(self) -> None:
        check_clock(self.pattern, self._parts, self._first)

    @cached_property
    def _parts(self) -> tuple[Part, ...]:
        return parts_of(self.pattern, self._letters)

    @cached_property
    def _lead(self) -> str:
        return next(part.field for part in self._parts if part.letter)

    @property
    def unit(self) -> str:
        """Of a step."""
        return clock_of(self._parts).unit

    @property
    def step(self) -> float:
        """Seconds of a step."""
        return clock_of(self._parts).step

    def _read_on(self, parts: tuple[Part, ...], cells: Texts, codec: str) -> Floats:
        lead = self._lead
        fields, fits, minus = read_parts(parts, cells, codec, lead=lead)
        clock = clock_of(parts)
        if lead == "d":  # as Python and pandas have it: only the days are below 0
            fields["d"] = np.where(minus, -fields["d"], fields["d"])
            minus = np.zeros_like(minus)
        fits &= np.abs(fields[lead]) <= LARGEST_STEPS / clock.steps[lead] - 1
        fields[lead] = np.where(fits, fields[lead], 0)
        whole, good = clock.total(fields, lead)
        good &= fits
        return np.where(good, np.where(minus, -whole, whole), np.nan)

    def _write_on(self, parts: tuple[Part, ...], values: Floats, codec: str) -> Texts:
        steps = whole_steps(
            values, -LARGEST_STEPS, LARGEST_STEPS, f"about {LARGEST_STEPS:.0e} {self.unit}"
        )
        clock, minus = clock_of(parts), steps < 0
        fields = clock.fields(steps if self._lead == "d" else np.abs(steps))
        fields[self._lead] = np.abs(fields[self._lead])
        return write_parts(parts, fields, codec, lead=self._lead, minus=minus)


@dataclass(frozen=True)
class TimeFormat(_Clocked):
    """Times of day in one format, as steps since midnight.

    Noisy ones may lie on another day: they run on beyond 24 hours, and have a minus below 0; with
    AM and PM they are written so without either.

    >>> form = TimeFormat("%-I:%M %p")
    >>> form.value("2:05 PM"), form.text(845), form.text(1530), form.text(-75)
    (845.0, '2:05 PM', '25:30', '-1:15')
    """

    name: ClassVar[str] = "time"
    kind: ClassVar[str] = "time"
    _letters: ClassVar[str] = CLOCK
    _first: ClassVar[str] = "H"

    pattern: str = "%H:%M"
    """As ``strftime`` has it, with ``%-H`` for hours without a zero in front."""

    @property
    def label(self) -> str:
        """In words."""
        return f"times of day as {self.text(round(75900 / self.step))}"

    @cached_property
    def _halves(self) -> bool:
        return any(part.field == "p" for part in self._parts)

    @cached_property
    def _beyond(self) -> tuple[Part, ...]:
        """What is written on another day: without AM or PM."""
        kept = [part for part in self._parts if part.field != "p"]
        shown = [Part("H", p.flag, p.text) if p.letter == "I" else p for p in kept]
        return tuple(p for p in shown if p.letter or p.text.strip())

    def read(self, cells: Texts, codec: str) -> Floats:
        """Steps since midnight."""
        if not self._halves:
            return self._read_on(self._parts, cells, codec)
        fields, fits, _ = read_parts(self._parts, cells, codec)
        fits &= hours_of_day(fields)
        whole, good = clock_of(self._parts).total(fields)
        found = np.where(fits & good, whole, np.nan)
        rest = np.flatnonzero(~(fits & good) & (cells != b""))
        if len(rest):
            others = self._read_on(self._beyond, cells[rest], codec)
            beyond = (others < 0) | (others * self.step >= 86400)
            found[rest] = np.where(beyond, others, np.nan)
        return found

    def write(self, values: Floats, codec: str) -> Texts:
        """The times of these steps."""
        if not self._halves:
            return self._write_on(self._parts, values, codec)
        seconds = np.rint(values) * self.step
        beyond = ~((seconds >= 0) & (seconds < 86400))
        others = self._write_on(self._beyond, values[beyond], codec)
        clock = clock_of(self._parts)
        usual = np.rint(np.where(beyond, 0, values)).astype(np.int64)
        texts = write_parts(self._parts, with_halves(clock.fields(usual)), codec)
        texts = texts.astype(np.result_type(texts, others))
        texts[beyond] = others
        return texts


@dataclass(frozen=True)
class DurationFormat(_Clocked):
    """Durations in one format, as steps; a noisy one below 0 has a minus in front.

    With days in front only these are below 0, as Python and pandas write it.

    >>> DurationFormat().value("1:23:45"), DurationFormat("%-M:%S").text(-250)
    (5025.0, '-4:10')
    """

    name: ClassVar[str] = "duration"
    kind: ClassVar[str] = "duration"
    _letters: ClassVar[str] = "dHMSf"
    _first: ClassVar[str] = "d H M S"

    pattern: str = "%-H:%M:%S"
    """As ``strftime`` has it; the first part is as large as it likes, and ``%-d`` counts days."""

    @property
    def label(self) -> str:
        """In words."""
        units = [p.field for p in self._parts if p.field in _UNITS]
        shown, example = " : ".join(map(_UNITS.__getitem__, units)), _EXAMPLES[units[0]]
        return f"durations as {self.text(round(example / self.step))} ({shown})"

    def read(self, cells: Texts, codec: str) -> Floats:
        """Steps."""
        return self._read_on(self._parts, cells, codec)

    def write(self, values: Floats, codec: str) -> Texts:
        """The durations of these steps."""
        return self._write_on(self._parts, values, codec)
