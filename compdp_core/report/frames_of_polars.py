"""Released columns as columns of a Polars frame; their dtypes depend on public facts alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from compdp_core.release.columns import Mask, ReleasedColumn
from compdp_core.report.frames_of_arrow import arrow_cells
from compdp_core.validation import Array

if TYPE_CHECKING:
    from collections.abc import Iterable

    import polars as pl


def polars_frame(
    data: pl.DataFrame, columns: Iterable[ReleasedColumn], kept: Mask | None, *, sampled: bool
) -> pl.DataFrame:
    """The frame with released columns in their places, without the rows that are not ``kept``.

    ``sampled``: whether each row answers some columns only.
    """
    import polars as pl

    made = []
    for column in columns:
        before = data.to_series(column.plan.position)
        values = column.values if kept is None else column.values[kept]
        gaps = column.plan.missing == "keep" or sampled
        made.append(polars_cells(column, values, before, gaps=gaps))
    frame = data if kept is None else data.filter(pl.Series(kept))
    return frame.with_columns(made)


def polars_cells(
    column: ReleasedColumn, values: Array, before: pl.Series, *, gaps: bool
) -> pl.Series:
    """Released values as a series under the name of the one ``before``; NaN is null.

    ``gaps``: some of them may be missing.
    """
    import polars as pl
    import pyarrow as pa

    plan, empty = column.plan, before.clear()
    listed = isinstance(before.dtype, pl.Enum | pl.Categorical)
    if listed:
        form = pa.large_string()
    elif before.dtype in (pl.Int128, pl.UInt128, pl.Object):  # which Arrow has not
        form = pa.null()
    else:
        form = empty.to_arrow().type
    made = pl.Series(before.name, arrow_cells(column, values, form, gaps=gaps))
    if plan.categories is not None and plan.is_category and listed:
        names = plan.categories.names
        is_enum = isinstance(before.dtype, pl.Enum)
        return made.cast(pl.Enum(names) if is_enum else before.dtype)
    return made
