"""Which types of columns a plan can read: said by the schema, which is public, before any cell."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from compdp_core.errors import ParameterError
from compdp_core.release import ColumnPlan
from compdp_core.tables.value_formats import (
    DateFormat,
    DateTimeFormat,
    DurationFormat,
    TimeFormat,
    ValueFormat,
)
from compdp_core.tables.value_formats.found import in_steps

if TYPE_CHECKING:
    import pyarrow as pa

_NAMES = {
    "number": "numbers, or texts of numbers",
    "text": "texts or numbers",
    "date": "dates, moments without a zone, texts or numbers",
    "datetime": "moments, dates, texts or numbers",
    "time": "times, texts or numbers",
    "duration": "durations, texts or numbers",
}


def check_type(plan: ColumnPlan, label: str, kind: pa.DataType) -> None:
    """Raise :class:`ParameterError` where cells of such a type are none that the plan can read."""
    wanted = plan.kind if plan.is_written else "number" if plan.reads_numbers else "text"
    if not (_is_plain(kind) or is_text(kind) or is_moment(plan, kind)):
        raise ParameterError(
            f"column {label}", str(kind), f"must hold {_NAMES[wanted]}: cast it first"
        )
    zone = getattr(kind, "tz", None)
    if zone is None or not is_moment(plan, kind):
        return
    if plan.kind == "date" or getattr(plan.format, "zone", None) is None:
        raise ParameterError(
            f"column {label}",
            str(kind),
            "must have no time zone, or the plan must be of kind datetime with a zone at the end "
            "of its format, as in DateTimeFormat('%Y-%m-%d %H:%M:%SZ')",
        )


def is_text(kind: pa.DataType) -> bool:
    """Whether its cells are texts, as they are or as numbers of a list."""
    from pyarrow import types

    kind = kind.value_type if types.is_dictionary(kind) else kind
    found = (types.is_string, types.is_large_string, types.is_string_view, types.is_null)
    return any(test(kind) for test in found)


def _is_plain(kind: pa.DataType) -> bool:
    from pyarrow import types

    kind = kind.value_type if types.is_dictionary(kind) else kind
    found = (types.is_integer, types.is_floating, types.is_decimal, types.is_boolean)
    return any(test(kind) for test in found)


def is_moment(plan: ColumnPlan, kind: pa.DataType) -> bool:
    """Whether its cells are dates, times or durations as the plan declares them, and no texts."""
    from pyarrow import types

    dates = types.is_date(kind) or types.is_timestamp(kind)
    return bool(
        {
            "date": dates,
            "datetime": dates,
            "time": types.is_time(kind),
            "duration": types.is_duration(kind),
        }.get(plan.kind, False)
    )


def placed_by_type(plan: ColumnPlan, position: int, label: str, kind: pa.DataType) -> ColumnPlan:
    """The plan at that place of a schema, where all is said about how its cells are read.

    What is left to the column is that of its type: dates in days, moments, times and durations in
    whole seconds, or in thousandths where the type has parts of a second. Raises
    :class:`ParameterError` for a type that the plan cannot read, and where texts would need a
    format.
    """
    plan = replace(plan, position=position)
    if plan.kind in ("number", "whole"):
        plan = replace(plan, decimal=plan.decimal or ".", digits=plan.digits or "0")
    else:
        plan = in_format_of_type(plan, label, kind)
    check_type(plan, label, kind)
    return plan


def in_format_of_type(plan: ColumnPlan, label: str, kind: pa.DataType) -> ColumnPlan:
    """The plan in the format that the type of its column says, where none was said."""
    if plan.is_written and plan.format is None:
        form = _usual_format(plan, label, kind)
        outputs = None if plan.outputs is None else in_steps(plan.outputs, form)
        plan = replace(plan, format=form, inputs=in_steps(plan.inputs, form), outputs=outputs)
    return plan


def _usual_format(plan: ColumnPlan, label: str, kind: pa.DataType) -> ValueFormat:
    if not is_moment(plan, kind):
        what = (
            f"must be said of column {label}, which holds no {plan.kind}s: as format=DateFormat()"
        )
        raise ParameterError("format", None, what)
    zone = "Z" if getattr(kind, "tz", None) is not None else ""
    part = "" if getattr(kind, "unit", "s") == "s" else ".%f"
    usual: dict[str, ValueFormat] = {
        "date": DateFormat(),
        "datetime": DateTimeFormat(f"%Y-%m-%d %H:%M:%S{part}{zone}"),
        "time": TimeFormat(f"%H:%M:%S{part}"),
        "duration": DurationFormat(f"%-H:%M:%S{part}"),
    }
    return usual[plan.kind]
