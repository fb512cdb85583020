"""Public bounds as they are typed, or as Python, numpy and pandas have them, in steps."""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from typing import Any

import numpy as np

from compdp_core.errors import BoundsError, ParameterError
from compdp_core.intervals import Interval
from compdp_core.tables.value_formats.base import ValueFormat
from compdp_core.tables.value_formats.clock import DurationFormat, TimeFormat
from compdp_core.tables.value_formats.dates import DateFormat, DateTimeFormat
from compdp_core.tables.value_formats.guesses import guesses
from compdp_core.tables.value_formats.worded import IsoDurationFormat, UnitDurationFormat
from compdp_core.validation import real

_DAY = 86400
_ISO: dict[str, tuple[ValueFormat, ...]] = {
    "date": (DateFormat(),),
    "datetime": tuple(
        DateTimeFormat(f"%Y-%m-%d{between}%H:%M{more}")
        for between in "T "
        for more in (":%S.%3f", ":%S", "")
    ),
    "time": (TimeFormat("%H:%M:%S.%3f"), TimeFormat("%H:%M")),
    "duration": (
        DurationFormat("%H:%M:%S.%3f"),
        DurationFormat("%-d days %H:%M:%S.%3f"),
        IsoDurationFormat("DHMSf"),
        UnitDurationFormat("%-Hh %-Mm %-Ss"),
    ),
}
WHAT = {
    "date": "dates, as in ('2024-01-01', '2024-12-31')",
    "datetime": "dates with times, as in ('2024-01-01T00:00', '2024-12-31T23:59')",
    "time": "times of day, as in ('08:00', '17:30')",
    "duration": "durations, as in ('0:00:00', '3:00:00')",
}


def bounds_in(
    kind: str, ends: Any, form: ValueFormat | None, name: str = "inputs"
) -> tuple[float, float]:
    """Bounds in steps of the format; in days or seconds where there is none yet.

    Each end is a number of these, a text as ISO 8601 or in the format, or one of Python's, numpy's
    or pandas' dates, times and durations. What has a zone is taken by the clock it shows, of a
    format that says its zone by that one's.

    Raises :class:`BoundsError` for what is no pair of them in order, :class:`ParameterError` for a
    text that can be read in two ways.
    """
    if isinstance(ends, Interval):  # it was worked out before
        return ends.as_tuple()
    try:
        first, last = ends
    except (TypeError, ValueError):
        raise BoundsError(name, ends, None, f"must be a pair of {WHAT[kind]}") from None
    lower, upper = (end_in(kind, end, form, name) for end in (first, last))
    if lower is None or upper is None:
        raise BoundsError(name, first, last, f"must be two {WHAT[kind]}")
    if not lower < upper:
        raise BoundsError(name, first, last, "must have lower below upper")
    return lower, upper


def end_in(kind: str, end: Any, form: ValueFormat | None, name: str) -> float | None:
    """One of the ends of :func:`bounds_in`; None where it is none."""
    step = 1.0 if form is None or kind == "date" else form.step
    zone: int | None = getattr(form, "zone", None)
    if isinstance(end, str):
        if form is not None and not np.isnan(value := form.value(end)):
            return value
        length = _of_text(kind, end, name, zone)
    elif (length := _of_object(kind, end, zone)) is None:
        return real(end)
    if length is None:
        return None
    return _steps(length, step)


def in_steps(ends: Interval, form: ValueFormat) -> Interval:
    """Bounds in days or seconds in steps of the format."""
    return Interval(_steps(ends.lower, form.step), _steps(ends.upper, form.step))


def _steps(length: float, step: float) -> float:
    steps = length / step
    near = round(steps)  # a step of 0.001 is no float
    return float(near) if abs(steps - near) < 1e-6 else steps


def _of_text(kind: str, text: str, name: str, zone: int | None) -> float | None:
    """A text in days or seconds."""
    plain = text.strip()
    for form in _ISO[kind]:
        value = form.value(plain)
        if not np.isnan(value) and not _is_open(kind, plain):
            return value * form.step
    if kind == "datetime" and not np.isnan(day := _ISO["date"][0].value(plain)):
        return day * _DAY
    found: dict[float, ValueFormat] = {}
    if not re.fullmatch(r"-?\d*\.?\d*", plain):  # a number in quotes is none of these
        for form in guesses(kind, [plain]):
            value = form.value(plain) * form.step
            said: int | None = getattr(form, "zone", None)
            if said is not None and zone is not None:
                value += (zone - said) * 60
            if not np.isnan(value):
                found.setdefault(value, form)
    if any("%y" in getattr(form, "pattern", "") for form in found.values()):
        raise ParameterError(name, text, "must have years of four digits")
    if len(found) > 1:
        shown = " or ".join(form.label for form in found.values())
        like = WHAT[kind].partition(", ")[2]
        raise ParameterError(
            name, text, f"must be read in one way, not as {shown}: write it {like}"
        )
    return next(iter(found), None)


def _is_open(kind: str, text: str) -> bool:
    """Whether minutes and seconds could as well be hours and minutes."""
    return kind == "duration" and re.fullmatch(r"-?\d+:\d\d", text) is not None


def _of_object(kind: str, end: Any, zone: int | None) -> float | None:
    """A date, time or duration in days or seconds; None for what is none, and for a missing one."""
    if isinstance(end, np.datetime64):
        if np.isnat(end):
            return None
        day = end.astype("M8[D]")
        return _of_parts(
            kind, int(day.astype(np.int64)), float((end - day) / np.timedelta64(1, "s"))
        )
    if isinstance(end, np.timedelta64):
        end = None if np.isnat(end) else timedelta(seconds=float(end / np.timedelta64(1, "s")))
    if end is None or (isinstance(end, date | time | timedelta) and end != end):
        return None
    if isinstance(end, timedelta):
        return end.total_seconds() if kind in ("time", "duration") else None
    if isinstance(end, datetime):
        ahead = end.utcoffset()
        if ahead is not None and zone is not None:
            end = end.replace(tzinfo=None) - (ahead - timedelta(minutes=zone))
        return _of_parts(kind, _days(end), _seconds(end.time()))
    if isinstance(end, date):
        return _of_parts(kind, _days(end), 0.0)
    return _seconds(end) if isinstance(end, time) and kind == "time" else None


def _of_parts(kind: str, days: int, seconds: float) -> float | None:
    if kind == "date":
        return float(days) if not seconds else None
    return days * _DAY + seconds if kind == "datetime" else None


def _days(day: date) -> int:
    return day.toordinal() - date(1970, 1, 1).toordinal()


def _seconds(clock: time) -> float:
    return clock.hour * 3600 + clock.minute * 60 + clock.second + clock.microsecond / 1e6
