"""Which format the cells of a column have, and bounds as they are typed or as Python has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from compdp_core.errors import ParameterError
from compdp_core.intervals import Interval
from compdp_core.tables.value_formats.base import ValueFormat
from compdp_core.tables.value_formats.dates import DateFormat

if TYPE_CHECKING:
    from compdp_core.tables.table import Table


def found_format(table: Table, column: int, kind: str) -> ValueFormat:
    """The one format that most cells of a column have.

    Raises :class:`ParameterError` where none fits, or two fit as well.
    """
    if kind == "date":
        return DateFormat()
    raise ParameterError("kind", kind, "must have a format")


def bounds_in(kind: str, ends: Any, form: ValueFormat | None) -> tuple[float, float]:
    """Bounds in steps of the format; in days or seconds where there is none yet.

    Each end is a number of these, a text, or one of Python's dates, times and durations.
    """
    if isinstance(ends, Interval):  # it was worked out before
        return ends.as_tuple()
    form = form or DateFormat()
    lower, upper = (form.value(end) if isinstance(end, str) else float(end) for end in ends)
    return lower, upper
