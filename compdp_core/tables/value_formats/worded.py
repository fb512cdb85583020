"""Durations with their units in each cell: ``7h 30m``, ``90 min``, ``PT1H30M``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.tables.number_parsing import Floats, Mask
from compdp_core.tables.value_formats.base import Steps, Texts, ValueFormat, whole_steps
from compdp_core.tables.value_formats.clock import LARGEST_STEPS, Clock, check_clock, clock_of
from compdp_core.tables.value_formats.layout import LEAD_DIGITS, Part, encoded, parts_of
from compdp_core.tables.value_formats.marks import Cursor, Marks
from compdp_core.tables.value_formats.months import spellings
from compdp_core.validation import flag

PARTS = "dHMS"
_SPELLED = {
    "d": "d day days tag tage tagen j jour jours día días dia dias giorno giorni dag dagen",
    "H": "h hr hrs hour hours std stunde stunden heure heures hora horas ora ore uur",
    "M": "m min mins minute minutes minuten minuto minutos minuti minuut ' ′ ’",
    "S": "s sec secs second seconds sek sekunde sekunden seg segundo segundos seconde secondes "
    "secondo secondi '' \" ″ ” ′′",
}
_WORDS = {letter: words.split() for letter, words in _SPELLED.items()}
_SECONDS = np.array([86400, 3600, 60, 1])
_LONGEST_NUMBER = LEAD_DIGITS + 1


def unit_of(word: str) -> str | None:
    """The letter of the part that a unit in a cell means."""
    plain = word.rstrip(".").lower()
    return next((letter for letter, words in _WORDS.items() if plain in words), None)


class _Amounts(ValueFormat):
    """What names the unit of each of its numbers."""

    @cached_property
    def _clock(self) -> Clock:
        raise NotImplementedError

    @property
    def unit(self) -> str:
        """Of a step."""
        return self._clock.unit

    @property
    def step(self) -> float:
        """Seconds of a step."""
        return self._clock.step

    def _steps(self, seconds: Floats, fits: Mask, minus: Mask) -> Floats:
        """Seconds as steps, NaN where they are no whole number of them."""
        steps = np.rint(seconds / self.step)
        fits = fits & (np.abs(steps * self.step - seconds) < 1e-6) & (steps <= LARGEST_STEPS)
        # What adds 0 has no sign.
        return np.where(fits, np.where(minus, -steps, steps) + 0.0, np.nan)

    def _parted(self, values: Floats) -> tuple[dict[str, Steps], Marks]:
        """The parts of numbers, and their cells as far as the sign."""
        told = f"about {LARGEST_STEPS:.0e} {self.unit}"
        steps = whole_steps(values, -LARGEST_STEPS, LARGEST_STEPS, told)
        marks = Marks(len(steps))
        marks.text(b"-", steps < 0)
        return self._clock.fields(np.abs(steps)), marks


@dataclass(frozen=True)
class UnitDurationFormat(_Amounts):
    """Durations with the units of their parts, as steps.

    Any spelling of a unit is read, with parts left out; what is written is the pattern's.

    >>> form = UnitDurationFormat("%-Hh %-Mm")
    >>> form.value("7h 30m"), form.value("2 hours"), form.text(450), form.text(-60)
    (450.0, 120.0, '7h 30m', '-1h 0m')
    """

    name: ClassVar[str] = "duration with units"
    kind: ClassVar[str] = "duration"

    pattern: str = "%-Hh %-Mm"
    """As ``strftime`` has it; ``%-d`` counts days. Each part has its unit behind it."""
    zeros: bool = True
    """Whether parts that are 0 are written, too; without, nothing at all is the last one's 0."""

    def __post_init__(self) -> None:
        flag("zeros", self.zeros)
        check_clock(self.pattern, self._parts, "d H M S")
        letters = [letter for letter, _, _ in self._units]
        if self._parts[0].text or [unit_of(unit.strip()) for _, unit, _ in self._units] != letters:
            requirement = "must have a unit behind each part, as in %-Hh %-Mm"
            raise ParameterError("pattern", self.pattern, requirement)

    @cached_property
    def _parts(self) -> tuple[Part, ...]:
        return parts_of(self.pattern, PARTS)

    @cached_property
    def _units(self) -> list[tuple[str, str, str]]:
        """Letter, unit with the space in front of it, and what stands behind it."""
        found = []
        for part, behind in zip(self._parts, (*self._parts[1:], Part("")), strict=True):
            if part.letter:
                unit = behind.text.rstrip(" ,")
                found.append((part.letter, unit, behind.text[len(unit) :]))
        return found

    @cached_property
    def _clock(self) -> Clock:
        return clock_of(self._parts)

    @property
    def label(self) -> str:
        """In words."""
        return f"durations as {self.text(round(105000 / self.step))}"

    def read(self, cells: Texts, codec: str) -> Floats:
        """Steps."""
        words = [
            {typed for word in each for typed in encoded(spellings(word), codec)}
            for each in _WORDS.values()
        ]
        cursor = Cursor(cells)
        minus = cursor.sign()
        seconds, last = np.zeros(len(cells)), np.full(len(cells), -1, dtype=np.int64)
        for _ in PARTS:
            more = cursor.more()
            if not more.any():
                break
            amount = cursor.digits(1, LEAD_DIGITS, more)
            cursor.skip(ord(" "))
            unit = cursor.word(words, more)
            for letter in ". , ":
                cursor.skip(ord(letter))
            cursor.need((unit > last) | ~more)
            seconds += np.where(more, amount * 1.0 * _SECONDS.take(unit, mode="clip"), 0)
            last = np.where(more, unit, last)
        cursor.need(last >= 0)
        return self._steps(seconds, cursor.ended(), minus)

    def write(self, values: Floats, codec: str) -> Texts:
        """The durations of these steps."""
        fields, marks = self._parted(values)
        shown = {letter: (each > 0) | self.zeros for letter, each in fields.items()}
        shown[self._units[-1][0]] |= ~np.logical_or.reduce([*shown.values()])
        padded = {part.letter: 1 if part.flag else 2 for part in self._parts}
        behind = np.zeros(len(values), dtype=np.bool_)
        joined = {}
        for letter in reversed(fields):
            joined[letter] = shown[letter] & behind
            behind = behind | shown[letter]
        for letter, unit, between in self._units:
            marks.number(fields[letter], padded[letter], _LONGEST_NUMBER, shown[letter])
            marks.text(unit.encode(codec), shown[letter])
            marks.text(between.encode(codec), joined[letter])
        return marks.cells()


@dataclass(frozen=True)
class IsoDurationFormat(_Amounts):
    """Durations as ISO 8601 has them, as steps; parts that are 0 are left out.

    >>> IsoDurationFormat("HM").value("PT1H30M"), IsoDurationFormat("HM").text(-45)
    (90.0, '-PT45M')
    """

    name: ClassVar[str] = "ISO 8601 duration"
    kind: ClassVar[str] = "duration"

    parts: str = "HMS"
    """Which are written, of D (days), H, M, S and f (milliseconds), none between left out."""

    def __post_init__(self) -> None:
        given: object = self.parts
        if not isinstance(given, str) or given not in "DHMSf" or given in ("", "f"):
            raise ParameterError("parts", given, "must be some of DHMSf in this order")

    @cached_property
    def _clock(self) -> Clock:
        letters = self.parts.replace("D", "d")
        return clock_of(tuple(Part(letter, "3" * (letter == "f")) for letter in letters))

    @property
    def label(self) -> str:
        """In words."""
        return f"durations as {self.text(round(105000 / self.step))}, as in ISO 8601"

    def read(self, cells: Texts, codec: str) -> Floats:
        """Steps."""
        cursor = Cursor(cells)
        minus = cursor.sign()
        cursor.text(b"P")
        timed = np.zeros(len(cells), dtype=np.bool_)
        seconds, last = np.zeros(len(cells)), np.full(len(cells), -1, dtype=np.int64)
        for _ in PARTS:
            more = cursor.more()
            if not more.any():
                break
            timed |= cursor.skip(ord("T"), ~timed)
            amount = cursor.digits(1, LEAD_DIGITS, more)
            fraction = cursor.fraction(ord("."), 3) + cursor.fraction(ord(","), 3)
            unit = cursor.word([{b"D"}, {b"H"}, {b"M"}, {b"S"}], more)
            cursor.need(((unit > last) & ((unit > 0) == timed)) | ~more)
            cursor.need((fraction == 0) | (unit == 3))
            each = amount * 1.0 * _SECONDS.take(unit, mode="clip") + fraction / 1000
            seconds += np.where(more, each, 0)
            last = np.where(more, unit, last)
        cursor.need(last >= 0)
        return self._steps(seconds, cursor.ended(), minus)

    def write(self, values: Floats, codec: str) -> Texts:
        """The durations of these steps."""
        fields, marks = self._parted(values)
        below = fields.pop("f", np.zeros(len(values), dtype=np.int64))
        shown = {letter: each > 0 for letter, each in fields.items()}
        last = [*fields][-1]
        if last == "S":
            shown["S"] |= below > 0
        shown[last] |= ~np.logical_or.reduce([*shown.values()])
        marks.text(b"P")
        if "d" in fields:
            marks.number(fields["d"], 1, _LONGEST_NUMBER, shown["d"])
            marks.text(b"D", shown["d"])
        times = [letter for letter in fields if letter != "d"]
        if times:
            marks.text(b"T", np.logical_or.reduce([shown[letter] for letter in times]))
        for letter in times:
            marks.number(fields[letter], 1, _LONGEST_NUMBER, shown[letter])
            if letter == "S" and below.any():
                marks.text(b".", below > 0)
                marks.number(below, 3, 3, below > 0)
            marks.text(letter.encode(), shown[letter])
        return marks.cells()
