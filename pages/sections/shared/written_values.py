"""Dates, times and durations as they are typed, in steps of their format, and in plain words."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from compdp_core.errors import CompdpError
from compdp_core.tables.value_formats import ValueFormat
from compdp_core.tables.value_formats.found import bounds_in
from compdp_core.text import plain

_BEYOND = 1e300
"""An upper bound that any value lies below."""


def step_of(text: str, form: ValueFormat) -> float | None:
    """What was typed in steps of the format; None where it is no such value."""
    try:
        found, _ = bounds_in(form.kind, (text, _BEYOND), form)
    except CompdpError:
        return None
    return found


def typed_as(value: float, form: ValueFormat) -> str:
    """A text that :func:`step_of` reads as this value."""
    try:
        text = form.text(value)
    except CompdpError:
        text = ""
    return text if step_of(text, form) == value else in_words(value, form)


def in_words(value: float, form: ValueFormat) -> str:
    """A value in a form that can be read in one way only."""
    if form.kind == "date":
        return (date(1970, 1, 1) + timedelta(days=value * form.step)).isoformat()
    seconds = value * form.step
    if form.kind == "datetime":
        return (datetime(1970, 1, 1) + timedelta(seconds=seconds)).isoformat(" ")  # noqa: DTZ001
    hours, rest = divmod(abs(seconds), 3600)
    minutes, rest = divmod(rest, 60)
    parts = [(hours, "h"), (minutes, "min"), (rest, "s")]
    said = " ".join(f"{plain(amount)} {unit}" for amount, unit in parts if amount) or "0 s"
    return f"−{said}" if seconds < 0 else said
