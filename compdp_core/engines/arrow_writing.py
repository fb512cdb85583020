"""Released values as a typed column, whose type is decided by plan and schema before any cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from compdp_core.engines.arrow_reading import A_DAY
from compdp_core.engines.arrow_types import is_moment, is_text
from compdp_core.release import CertifiedColumn, ColumnPlan
from compdp_core.tables.number_parsing import LARGEST_WHOLE, Floats
from compdp_core.tables.value_formats import ValueFormat

if TYPE_CHECKING:
    import pyarrow as pa

_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
_REACH = 2.0**63 / 10**9
"""Seconds that nanoseconds reach from the epoch."""


def released_type(column: CertifiedColumn, before: pa.DataType) -> pa.DataType:
    """The type of a released column, of its plan and of the type that it had ``before`` alone.

    Whole numbers are int64, others float64; categories are texts. Dates, times and durations keep
    the type that they had, in a unit that holds all that could be drawn, and are texts in their
    format where they were texts or numbers, or where times of another day could be drawn.
    """
    import pyarrow as pa
    from pyarrow import types

    plan = column.plan
    text = before if is_text(before) and not types.is_null(before) else pa.string()
    listed = types.is_dictionary(text)
    if plan.is_category:
        # So many numbers as there may be categories have to fit.
        wide = not listed or text.index_type.bit_width > 8
        return text if wide else pa.dictionary(pa.int32(), text.value_type, text.ordered)
    outputs = column.composite.outputs
    ends = max(map(abs, outputs))
    if not plan.is_written:
        return pa.int64() if plan.whole and ends <= LARGEST_WHOLE else pa.float64()
    if not is_moment(plan, before) or _leaves_the_day(plan, outputs):
        return text.value_type if listed else text
    if types.is_date(before):
        return pa.date32() if plan.kind == "date" else pa.timestamp("us")
    return _in_unit(before, plan, ends)


def _leaves_the_day(plan: ColumnPlan, outputs: tuple[float, float]) -> bool:
    """Whether times could be drawn that no clock shows."""
    return plan.kind == "time" and not (outputs[0] >= 0 and outputs[1] * _seconds(plan) < A_DAY)


def _in_unit(before: pa.DataType, plan: ColumnPlan, ends: float) -> pa.DataType:
    """The type in its own unit, or in microseconds where a step is finer or a value beyond it."""
    import pyarrow as pa
    from pyarrow import types

    seconds = _seconds(plan)
    fine = seconds * _PER_SECOND[before.unit] < 1
    far = before.unit == "ns" and ends * seconds >= _REACH
    if not (fine or far):
        return before
    if types.is_time(before):
        return pa.time64("us")
    return pa.timestamp("us", before.tz) if types.is_timestamp(before) else pa.duration("us")


def _seconds(plan: ColumnPlan) -> float:
    form = _format(plan)
    return form.step * (A_DAY if form.kind == "date" else 1.0)


def _format(plan: ColumnPlan) -> ValueFormat:
    if plan.format is None:
        raise TypeError("a plan of dates or times is placed before it is written")
    return plan.format


def released_array(column: CertifiedColumn, values: Floats, kind: pa.DataType) -> pa.Array:
    """Released values as cells of that type; NaN is a missing one.

    Every cell is a function of its value and of public facts alone.
    """
    import pyarrow as pa
    from pyarrow import types

    plan, missing = column.plan, np.isnan(values)
    if plan.categories is not None and plan.is_category:
        return _of_list(plan.categories.names, values, kind)
    if plan.is_written and is_text(kind):
        return _in_format(_format(plan), values, kind)
    known = np.where(missing, 0.0, values)
    if not plan.is_written:
        numbers = known.astype(np.int64) if types.is_integer(kind) else known
        return pa.array(numbers, kind, mask=missing)
    form = _format(plan)
    if types.is_date(kind):
        return pa.array(known.astype(np.int32), pa.int32(), mask=missing).view(kind)
    per_step = _seconds(plan) * _PER_SECOND[kind.unit]
    ticks = known.astype(np.int64) * round(per_step)
    if getattr(kind, "tz", None):
        ticks -= 60 * (getattr(form, "zone", None) or 0) * _PER_SECOND[kind.unit]
    if types.is_time32(kind):
        return pa.array(ticks.astype(np.int32), pa.int32(), mask=missing).view(kind)
    return pa.array(ticks, pa.int64(), mask=missing).view(kind)


def _of_list(names: tuple[str, ...], values: Floats, kind: pa.DataType) -> pa.Array:
    import pyarrow as pa
    from pyarrow import types

    missing = np.isnan(values)
    places = pa.array(np.where(missing, 0, values).astype(np.int32), mask=missing)
    if types.is_dictionary(kind):
        listed = pa.array([*names], kind.value_type)
        return pa.DictionaryArray.from_arrays(
            places.cast(kind.index_type), listed, ordered=kind.ordered
        )
    return pa.DictionaryArray.from_arrays(places, pa.array([*names])).cast(pa.string()).cast(kind)


def _in_format(form: ValueFormat, values: Floats, kind: Any) -> pa.Array:
    import pyarrow as pa

    missing = np.isnan(values)
    known, places = np.unique(values[~missing], return_inverse=True)
    texts = [text.decode() for text in form.write(known, "utf-8").tolist()] if known.size else []
    whole = np.zeros(values.size, dtype=np.int64)
    whole[~missing] = places
    cells = pa.array(texts, pa.string()).take(pa.array(whole, mask=missing))
    return cells.cast(kind)
