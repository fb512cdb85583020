"""Which types of columns a plan can read: said by the schema, which is public, before any cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compdp_core.errors import ParameterError
from compdp_core.release import ColumnPlan

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
    return any(test(kind) for test in (types.is_integer, types.is_floating, types.is_decimal))


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
