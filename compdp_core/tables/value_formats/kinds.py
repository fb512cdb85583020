"""All formats by the name that settings know them by."""

from __future__ import annotations

from compdp_core.tables.value_formats.base import ValueFormat
from compdp_core.tables.value_formats.classes import Classes
from compdp_core.tables.value_formats.dates import DateFormat
from compdp_core.tables.value_formats.limits import Limits

FORMATS: dict[str, type[ValueFormat]] = {each.name: each for each in (DateFormat, Limits, Classes)}
