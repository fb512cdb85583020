"""Released columns as columns of a PyArrow table; their types depend on public facts alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from compdp_core.release.columns import Mask, ReleasedColumn
from compdp_core.report.frames import frame_cells
from compdp_core.tables.arrow_notes import notes_without
from compdp_core.tables.frames_as_pandas import series_of
from compdp_core.validation import Array

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

_A_DAY = 86_400.0


def arrow_frame(
    data: pa.Table, columns: Sequence[ReleasedColumn], kept: Mask | None, *, sampled: bool
) -> pa.Table:
    """The table with released columns in their places, without the rows that are not ``kept``.

    ``sampled``: whether each row answers some columns only.
    """
    table = data if kept is None else _rows(data, kept)
    for column in columns:
        at = column.plan.position
        field = data.schema.field(at)
        gaps = column.plan.missing == "keep" or sampled
        values = column.values if kept is None else column.values[kept]
        cells = arrow_cells(column, values, field.type, gaps=gaps)
        # What was noted of other values, such as those of a list, is not true of these.
        noted = field.metadata if cells.type == field.type and _is_simple(field.type) else None
        made = field.with_type(cells.type).with_metadata(noted)
        table = table.set_column(at, made.with_nullable(field.nullable or gaps), cells)
    released = {data.column_names[column.plan.position] for column in columns}
    return table.replace_schema_metadata(notes_without(table.schema.metadata, released))


def _is_simple(form: pa.DataType) -> bool:
    from pyarrow import types

    return not types.is_dictionary(form)


def _rows(table: pa.Table, kept: Mask) -> pa.Table:
    import pyarrow as pa

    try:
        return table.filter(pa.array(kept))
    except pa.ArrowNotImplementedError:  # types of which no rows can be chosen, only cut out
        ends = np.flatnonzero(np.diff(kept, prepend=False, append=False)).reshape(-1, 2)
        return pa.concat_tables(table.slice(a, b - a) for a, b in ends.tolist())


def arrow_cells(
    column: ReleasedColumn, values: Array, form: pa.DataType, *, gaps: bool
) -> pa.Array:
    """Released values as an array, of a column that was of the type ``form``; NaN is null.

    ``gaps``: some of them may be missing.
    """
    import pyarrow as pa
    from pyarrow import types

    plan = column.plan
    if plan.categories is not None and plan.is_category and types.is_dictionary(form):
        return _dictionary(plan.categories.names, values, form)
    if plan.kind == "time" and types.is_time(form) and _are_times(column):
        return _times(values, column, form)
    before = series_of(pa.array([], _values_of(form))).dtype
    made = pa.array(frame_cells(column, values, before, gaps=gaps), from_pandas=True)
    if plan.kind == "date" and types.is_date(form):
        return made.cast(form)
    if types.is_large_string(made.type) or types.is_string(made.type):
        return made.cast(_text_type(_values_of(form)))
    return made


def _values_of(form: pa.DataType) -> pa.DataType:
    from pyarrow import types

    nested = types.is_dictionary(form) or types.is_run_end_encoded(form)
    return form.value_type if nested else form


def _text_type(form: pa.DataType) -> pa.DataType:
    """The type of texts that the column had; the usual one where it held none."""
    import pyarrow as pa
    from pyarrow import types

    tests = (types.is_string, types.is_large_string, types.is_string_view)
    return form if any(test(form) for test in tests) else pa.string()


def _dictionary(names: tuple[str, ...], values: Array, form: pa.DataType) -> pa.Array:
    import pyarrow as pa

    missing = np.isnan(values)
    fits = len(names) <= np.iinfo(form.index_type.to_pandas_dtype()).max
    places = pa.array(
        np.where(missing, 0, values).astype(np.int32),
        form.index_type if fits else pa.int32(),
        mask=missing,
    )
    listed = pa.array(names, _text_type(form.value_type))
    return pa.DictionaryArray.from_arrays(places, listed, ordered=form.ordered)


def _are_times(column: ReleasedColumn) -> bool:
    """Whether all that could be drawn are times of one day, which read as the file's texts do."""
    form, (low, high) = column.plan.format, column.composite.outputs
    if form is None or not (low >= 0 and high * form.step < _A_DAY):
        return False
    middle = float(np.rint((low + high) / 2))
    return form.value(_clock(middle * form.step)) == middle


def _clock(seconds: float) -> str:
    return np.datetime_as_string(np.datetime64(round(seconds), "s")).rpartition("T")[2]


def _times(values: Array, column: ReleasedColumn, form: pa.DataType) -> pa.Array:
    import pyarrow as pa

    step: Any = 1.0 if column.plan.format is None else column.plan.format.step
    missing = np.isnan(values)
    ticks = np.where(missing, 0, np.rint(np.where(missing, 0, values) * (step * 1e6)))
    made = pa.array(ticks.astype(np.int64), pa.int64(), mask=missing).cast(pa.time64("us"))
    return made if step < 1 and form == pa.time32("s") else made.cast(form)
