"""Durations with their units in each cell: ``7h 30m``, ``90 min``, ``PT1H30M``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.tables.number_parsing import Floats
from compdp_core.tables.value_formats.base import Steps, Texts, ValueFormat, whole_steps
from compdp_core.tables.value_formats.clock import LARGEST_STEPS, Clock, check_clock, clock_of
from compdp_core.tables.value_formats.layout import Part, parts_of
from compdp_core.validation import flag

_SPELLED = {
    "d": "d day days tag tage j jour jours día días dia dias giorno giorni dag dagen",
    "H": "h hr hrs hour hours std stunde stunden heure heures hora horas ora ore uur",
    "M": "m min mins minute minutes minuten minuto minutos minuti minuut ' ′ ’",
    "S": "s sec secs second seconds sek sekunde sekunden seg segundo segundos seconde secondes "
    "secondo secondi sec ″ ” '' ′′ \"",
}
WORDS = {word: letter for letter, words in _SPELLED.items() for word in words.split()}
"""Which part a unit means."""

_ONE = re.compile(r"(\d{1,15})\s*([^\W\d_]+\.?|[′’'″”\"]+)(\s*,?\s*)")
_ISO = re.compile(
    r"(-?)P(?:(\d{1,15})D)?(?:T(?=\d)(?:(\d{1,15})H)?(?:(\d{1,15})M)?(?:(\d{1,15})(?:[.,](\d{1,9}))?S)?)?"
)
_SECONDS = {"d": 86400, "H": 3600, "M": 60, "S": 1}


def unit_of(word: str) -> str | None:
    """The letter of the part that a unit in a cell means."""
    return WORDS.get(word.rstrip(".").lower())


def words_in(text: str) -> list[tuple[int, str, str]] | None:
    """The numbers of a duration with the words and spaces behind each; None where it is none."""
    found, end = list[tuple[int, str, str]](), 0
    for match in _ONE.finditer(text):
        if match.start() != end:
            return None
        end = match.end()
        found.append((int(match[1]), match[2], match[3]))
    letters = [unit_of(word) for _, word, _ in found]
    places = ["dHMS".index(letter) for letter in letters if letter]
    in_order = len(places) == len(found) and all(a < b for a, b in zip(places, places[1:]))
    return found if found and end == len(text) and in_order else None


class _Distinct(ValueFormat):
    """What is read and written one by one, each text and number once."""

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

    def _each(self, cells: Texts, codec: str, one: Callable[[str], float | None]) -> Floats:
        found, places = np.unique(cells, return_inverse=True)
        read = (one(cell.decode(codec, "replace")) if cell else None for cell in found.tolist())
        numbers = [np.nan if value is None or abs(value) > LARGEST_STEPS else value for value in read]
        return np.array(numbers, dtype=np.float64)[places]

    def _every(self, values: Floats, codec: str, one: Callable[[dict[str, int]], str]) -> Texts:
        told = f"about {LARGEST_STEPS:.0e} {self.unit}"
        found, places = np.unique(whole_steps(values, -LARGEST_STEPS, LARGEST_STEPS, told), return_inverse=True)
        fields = self._clock.fields(np.abs(found))
        rows = zip(*(each.tolist() for each in fields.values()), strict=True)
        signs = ("-" if minus else "" for minus in (found < 0).tolist())
        texts = [
            (sign + one(dict(zip(fields, row, strict=True)))).encode(codec)
            for sign, row in zip(signs, rows, strict=True)
        ]
        return np.array(texts, dtype=np.bytes_)[places]

    def _steps(self, amounts: Iterable[tuple[str, int]]) -> float | None:
        """All together; None where it is no whole number of steps."""
        seconds = sum(amount * _SECONDS[letter] for letter, amount in amounts)
        whole, rest = divmod(seconds, round(self.step)) if self.step >= 1 else (seconds, 0)
        return None if rest else float(whole if self.step >= 1 else round(seconds / self.step))


@dataclass(frozen=True)
class UnitDurationFormat(_Distinct):
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
        units = [word.strip(" ,") for _, word, _ in self._units]
        letters = [letter for letter, _, _ in self._units]
        if self._parts[0].text or [unit_of(word) for word in units] != letters:
            requirement = "must have a unit behind each part, as in %-Hh %-Mm"
            raise ParameterError("pattern", self.pattern, requirement)

    @cached_property
    def _parts(self) -> tuple[Part, ...]:
        return parts_of(self.pattern, "dHMS")

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
        return self._each(cells, codec, self._one)

    def _one(self, text: str) -> float | None:
        words = words_in(text.removeprefix("-").lstrip() if text[:1] == "-" else text)
        if words is None:
            return None
        steps = self._steps((unit_of(word) or "", amount) for amount, word, _ in words)
        return -steps if steps and text[:1] == "-" else steps

    def write(self, values: Floats, codec: str) -> Texts:
        """The durations of these steps."""
        return self._every(values, codec, self._written)

    def _written(self, fields: dict[str, int]) -> str:
        padded = {part.letter: 1 if part.flag else 2 for part in self._parts if part.letter}
        shown = [
            (f"{fields[letter]:0{padded[letter]}d}{unit}", behind)
            for letter, unit, behind in self._units
            if self.zeros or fields[letter]
        ]
        if not shown:
            letter, unit, behind = self._units[-1]
            shown = [(f"{0:0{padded[letter]}d}{unit}", behind)]
        return "".join(each + behind for each, behind in shown[:-1]) + shown[-1][0]


@dataclass(frozen=True)
class IsoDurationFormat(_Distinct):
    """Durations as ISO 8601 has them, as steps; parts that are 0 are left out.

    >>> IsoDurationFormat("HM").value("PT1H30M"), IsoDurationFormat("HM").text(-45)
    (90.0, '-PT45M')
    """

    name: ClassVar[str] = "ISO 8601 duration"
    kind: ClassVar[str] = "duration"

    parts: str = "HMS"
    """Which are written, of D (days), H, M, S and f (milliseconds), none between left out."""

    def __post_init__(self) -> None:
        if not isinstance(self.parts, str) or self.parts not in "DHMSf" or self.parts in ("", "f"):
            raise ParameterError("parts", self.parts, "must be some of DHMSf in this order")

    @cached_property
    def _clock(self) -> Clock:
        places = {"D": "d", "f": "f"}
        return clock_of(
            tuple(Part(places.get(each, each), "3" if each == "f" else "") for each in self.parts)
        )

    @property
    def label(self) -> str:
        """In words."""
        return f"durations as {self.text(round(105000 / self.step))}, as in ISO 8601"

    def read(self, cells: Texts, codec: str) -> Floats:
        """Steps."""
        return self._each(cells, codec, self._one)

    def _one(self, text: str) -> float | None:
        match = _ISO.fullmatch(text)
        if match is None or not any(match.groups()[1:]):
            return None
        sign, *amounts, fraction = match.groups()
        whole = zip("dHMS", (int(amount or 0) for amount in amounts), strict=True)
        steps = self._steps(whole)
        if steps is None or (fraction and "f" not in self.parts and int(fraction)):
            return None
        steps += round(float(f"0.{fraction or 0}") / self.step) if "f" in self.parts else 0
        return -steps if steps and sign else steps

    def write(self, values: Floats, codec: str) -> Texts:
        """The durations of these steps."""
        return self._every(values, codec, self._written)

    def _written(self, fields: dict[str, int]) -> str:
        days = f"{fields['d']}D" if fields.get("d") else ""
        time = "".join(f"{fields[p]}{p}" for p in "HM" if fields.get(p))
        if "S" in fields and (fields["S"] or fields.get("f")):
            behind = f".{fields['f']:03d}" if fields.get("f") else ""
            time += f"{fields['S']}{behind}S"
        if not days and not time:
            last = self.parts.rstrip("f")[-1]
            days, time = ("0D", "") if last == "D" else ("", f"0{last}")
        return f"P{days}" + (f"T{time}" if time else "")
