"""How values other than plain numbers stand in cells: dates, times, durations, limits, classes."""

from __future__ import annotations

from compdp_core.tables.value_formats.base import Texts as Texts
from compdp_core.tables.value_formats.base import UnwritableError as UnwritableError
from compdp_core.tables.value_formats.base import ValueFormat as ValueFormat
from compdp_core.tables.value_formats.classes import Classes as Classes
from compdp_core.tables.value_formats.clock import DurationFormat as DurationFormat
from compdp_core.tables.value_formats.clock import TimeFormat as TimeFormat
from compdp_core.tables.value_formats.counted import DayNumberFormat as DayNumberFormat
from compdp_core.tables.value_formats.counted import UnixTimeFormat as UnixTimeFormat
from compdp_core.tables.value_formats.dates import DateFormat as DateFormat
from compdp_core.tables.value_formats.dates import DateTimeFormat as DateTimeFormat
from compdp_core.tables.value_formats.kinds import FORMATS as FORMATS
from compdp_core.tables.value_formats.limits import Limits as Limits
from compdp_core.tables.value_formats.worded import IsoDurationFormat as IsoDurationFormat
from compdp_core.tables.value_formats.worded import UnitDurationFormat as UnitDurationFormat
