"""The released cells of a column, read by its card: each is a value that could have been drawn.

The file is public, so what is refused is quoted.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta, timezone
from functools import partial

import numpy as np
from numpy.typing import NDArray

from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.received.opening import may_miss
from compdp_core.report.card_parts import Item
from compdp_core.report.card_reading import CardError
from compdp_core.tables import Table
from compdp_core.tables.containers.typed import PARSERS
from compdp_core.tables.errors import short
from compdp_core.tables.spelled import plainly
from compdp_core.tables.value_formats import ValueFormat
from compdp_core.tables.value_formats.base import Texts
from compdp_core.text import count, plain
from compdp_core.validation import Array

_PLAIN = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)
_A_DAY = 86_400
_TICKS = 3e-6
"""Seconds by which files that count time in floats may be off."""
_TAKE = "take the file as it was released"
_MANY = 0.005
"""Of the rows; more cells than that are not single ones that somebody changed."""


class ReleasedCells:
    """A column of a file, and what its card says of how it is written."""

    def __init__(self, table: Table, place: int, item: Item) -> None:
        self.table, self.place, self.item = table, place, item
        self.mark = item.cells.decimal if item.cells else None
        self.gap = item.cells.missing if item.cells else None
        self.may_miss = may_miss(item)

    def numbers(self, channel: NumberChannel) -> Array:
        """The values of a column of numbers."""
        given = self.place in self.table.given
        usual = "." if self.table.container.typed else self.mark or self.table.format.decimal
        values = self.table.readings(self.place, None, usual).values
        if not given and np.isnan(values).any():
            other = self.table.readings(self.place, None, "," if usual == "." else ".").values
            values = max(values, other, key=lambda each: int(np.isfinite(each).sum()))
        self._read_others(values, _number)
        return self._drawn(values, channel)

    def steps(self, form: ValueFormat, channel: NumberChannel) -> Array:
        """The values of dates, times or durations, in steps of their format."""
        values = self.table.values(self.place, form).values
        self._read_others(values, partial(_steps, form, self.item.kind))
        return self._drawn(values, channel)

    def places(self, names: tuple[str, ...]) -> Array:
        """The values of categories: places in the list."""
        codes = {name: float(code) for code, name in enumerate(names)}
        values = np.full(self.table.row_count, np.nan)
        self._read_others(values, codes.get, blank=codes.get(""))
        return values

    def _read_others(
        self, values: Array, read: Callable[[str], float | None], *, blank: float | None = None
    ) -> None:
        """Read the cells that have no value so far one by one; refuse what is none."""
        rows = np.flatnonzero(np.isnan(values))
        if not rows.size:
            return
        codec, known = self.table.reading.codec, dict[bytes, float]()
        cells = self._texts()[rows]
        for cell in np.unique(cells).tolist():
            text = cell.decode(codec, "replace")
            found = blank if not text and blank is not None else read(text)
            if found is None and not (self.may_miss and self._is_gap(cell, text)):
                wrong = rows[cells == cell]
                raise self._refusal(wrong, "" if text else "no value is missing by the card")
            known[cell] = np.nan if found is None else found
        values[rows] = [known[cell] for cell in cells.tolist()]

    def _texts(self) -> Texts:
        parts = [cells for _, cells in self.table.cells(self.place, spellings=False)]
        return np.concatenate(parts) if parts else np.zeros(0, dtype="S1")

    def _is_gap(self, cell: bytes, text: str) -> bool:
        """Whether a cell is written as missing, by the card or by another program."""
        spelled = text == (self.gap or "").strip() or cell in self.table.reading.spellings
        return not text or spelled

    def _drawn(self, values: Array, channel: NumberChannel) -> Array:
        """The values, if each of them can be drawn."""
        wrong = np.flatnonzero(~(np.isnan(values) | _is_point(values, channel)))
        if not wrong.size:
            return values
        lower, upper = (plain(end) for end in (channel.outputs.lower, channel.outputs.upper))
        if self.item.written is not None:
            lower, upper = self.item.written.outputs.lower, self.item.written.outputs.upper
            raise self._refusal(wrong, f"every released value lies between {lower} and {upper}")
        spacing = plain(channel.spacing)
        raise self._refusal(
            wrong, f"every released value is a multiple of {spacing} between {lower} and {upper}"
        )

    def _refusal(self, wrong: NDArray[np.intp], why: str) -> CardError:
        """That these rows hold what cannot have been released."""
        row, rows = int(wrong[0]), self.table.row_count
        text = short(self.table.cell(row, self.place).strip())
        cell = f"{text!r}" if text else "a blank cell"
        others = f" and {count(wrong.size - 1, 'other')}" if wrong.size > 1 else ""
        way = _TAKE
        if wrong.size > max(2.0, _MANY * rows):
            way = f"is this the card of another release? Else {_TAKE}"
        if not why and self.item.kind == "category":
            why = "the card lists no such category"
        why = why or f"{_NOUNS[self.item.kind]} of this column are not written so"
        return CardError(
            f"column {self.item.name}, row {self.table.row_number(row)}: {cell}{others} cannot "
            f"have been released, as {why}: {way}"
        )


_NOUNS = {
    "number": "numbers",
    "whole": "whole numbers",
    "scale": "whole numbers",
    "date": "dates",
    "time": "times",
    "datetime": "dates with times",
    "duration": "durations",
}


def _is_point(values: Array, channel: NumberChannel) -> NDArray[np.bool_]:
    """Which values are outputs of the mechanism."""
    lattice, within = channel.lattice, channel.outputs
    known = np.where(np.isnan(values), within.lower, values)
    if lattice is None:
        steps = np.rint(known / channel.spacing)
        near = np.abs(known - steps * channel.spacing) <= 1e-9 * channel.spacing + np.spacing(
            np.abs(known)
        )
        found: NDArray[np.bool_] = near & (known >= within.lower) & (known <= within.upper)
        return found
    index = np.clip(np.rint(known / lattice.spacing) - lattice.first, 0, lattice.points - 1)
    return np.asarray(lattice.value(index.astype(np.int64)) == known)


def _number(text: str) -> float | None:
    """A number whose digits are too many for a whole one to be trusted elsewhere."""
    written = plainly(text).replace(",", ".")
    return float(written) if _PLAIN.fullmatch(written) else None


def _steps(form: ValueFormat, kind: str, text: str) -> float | None:
    """Steps of a text in ISO 8601, which files with types and other programs make of dates."""
    try:
        seconds = _SECONDS[kind](text, getattr(form, "zone", None))
    except (ValueError, OverflowError):
        return None
    length = form.step * _A_DAY if kind == "date" else form.step
    steps = round(seconds / length)
    return float(steps) if abs(seconds - steps * length) < _TICKS else None


def _moment(text: str, zone: int | None) -> float:
    found = datetime.fromisoformat(text)
    if found.tzinfo is not None:
        ahead = UTC if zone is None else timezone(timedelta(minutes=zone))
        found = found.astimezone(ahead).replace(tzinfo=None)
    return (found - datetime(1970, 1, 1)) / timedelta(seconds=1)  # noqa: DTZ001 - by its clock


def _clock(text: str, _: int | None) -> float:
    found: time = PARSERS["time"](text)
    since = timedelta(
        hours=found.hour,
        minutes=found.minute,
        seconds=found.second,
        microseconds=found.microsecond,
    )
    return since / timedelta(seconds=1)


def _span(text: str, _: int | None) -> float:
    found: timedelta = PARSERS["duration"](text)
    return found / timedelta(seconds=1)


def _day(text: str, _: int | None) -> float:
    day = text[:10] if text[10:] in ("", "T00:00:00", " 00:00:00") else text
    found: date = PARSERS["date"](day)
    return (found.toordinal() - date(1970, 1, 1).toordinal()) * float(_A_DAY)


_SECONDS: dict[str, Callable[[str, int | None], float]] = {
    "date": _day,
    "time": _clock,
    "datetime": _moment,
    "duration": _span,
}
