"""All formats by the name that settings know them by."""

from __future__ import annotations

from compdp_core.tables.value_formats.base import ValueFormat
from compdp_core.tables.value_formats.classes import Classes
from compdp_core.tables.value_formats.clock import DurationFormat, TimeFormat
from compdp_core.tables.value_formats.counted import DayNumberFormat, UnixTimeFormat
from compdp_core.tables.value_formats.dates import DateFormat, DateTimeFormat
from compdp_core.tables.value_formats.limits import Limits
from compdp_core.tables.value_formats.worded import IsoDurationFormat, UnitDurationFormat

FORMATS: dict[str, type[ValueFormat]] = {
    each.name: each
    for each in (
        Classes,
        DateFormat,
        DateTimeFormat,
        DayNumberFormat,
        DurationFormat,
        IsoDurationFormat,
        Limits,
        TimeFormat,
        UnitDurationFormat,
        UnixTimeFormat,
    )
}
