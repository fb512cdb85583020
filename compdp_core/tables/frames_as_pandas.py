"""Polars frames and PyArrow tables as the pandas frames of the same cells, to be read.

The dtype of a column is that of its type alone, whatever it holds and however it is chunked. What
no cell of a CSV file is, lists, records and bytes, becomes its text in JSON.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable
from datetime import date, datetime, time
from functools import partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

_NULLABLE = {
    f"{sign}int{bits}": f"{sign.upper()}Int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)
} | {"bool": "boolean"}
"""pandas' names of types, by Arrow's."""


def of_arrow(table: pa.Table) -> pd.DataFrame:
    """The cells of a table; columns may share a name."""
    return _frame([series_of(column) for column in table.columns], table.column_names)


def of_polars(frame: pl.DataFrame) -> pd.DataFrame:
    """The cells of a frame."""
    return _frame([_of_polars(column) for column in frame.get_columns()], frame.columns)


def _frame(columns: list[pd.Series[Any]], names: list[str]) -> pd.DataFrame:
    import pandas as pd

    # By places: labels may repeat.
    frame = pd.DataFrame(dict(enumerate(columns)))
    frame.columns = pd.Index(names, dtype=object)
    return frame


def _of_polars(column: pl.Series) -> pd.Series[Any]:
    import polars as pl

    if column.dtype in (pl.Int128, pl.UInt128):  # which Arrow has not
        return _objects(column.to_list())
    if column.dtype == pl.Object:
        return _objects(None if cell is None else str(cell) for cell in column.to_list())
    return series_of(column.to_arrow())


def series_of(column: pa.Array | pa.ChunkedArray) -> pd.Series[Any]:
    """The cells of a column."""
    from pyarrow import types

    form: Any = column.type
    cells: Any = column
    while _is_extension(form):
        cells, form = _storage(cells), form.storage_type
    if types.is_dictionary(form):
        # Texts, as those of a plan's list are; what the frame gets back is a dictionary again.
        return series_of(cells.cast(form.value_type))
    if types.is_run_end_encoded(form):
        from pyarrow import compute

        chunks = cells.chunks if hasattr(cells, "chunks") else [cells]
        return series_of(_chunked(map(compute.run_end_decode, chunks), form.value_type))
    for test, make in _makers():
        if test(form):
            found: pd.Series[Any] = make(cells)
            return found
    return _objects(map(_as_json, cells.to_pylist()))


def _makers() -> Iterable[tuple[Callable[[Any], bool], Callable[[Any], Any]]]:
    """What a column of a type becomes, in the order in which it is asked."""
    from pyarrow import types

    return (
        (lambda form: str(form) in _NULLABLE, _nullable),
        (types.is_floating, _to_pandas),
        (types.is_date, partial(_moments, unit="s")),
        (types.is_timestamp, _moments),
        (types.is_duration, _moments),
        (types.is_string, _texts),
        (types.is_large_string, _texts),
        (types.is_string_view, _texts),
        (types.is_null, _plain),
        (types.is_decimal, _plain),
        (types.is_time, lambda cells: _plain(_in_microseconds(cells))),
    )


def _is_extension(form: Any) -> bool:
    import pyarrow as pa

    return isinstance(form, pa.BaseExtensionType)


def _storage(cells: Any) -> Any:
    if not hasattr(cells, "chunks"):
        return cells.storage
    return _chunked((chunk.storage for chunk in cells.chunks), cells.type.storage_type)


def _chunked(chunks: Iterable[Any], form: Any) -> Any:
    import pyarrow as pa

    return pa.chunked_array(list(chunks), form)


def _objects(cells: Iterable[Any]) -> pd.Series[Any]:
    import pandas as pd

    return pd.Series(list(cells), dtype=object)


def _plain(cells: Any) -> pd.Series[Any]:
    return _objects(cells.to_pylist())


def _in_microseconds(cells: Any) -> Any:
    """Times as Python has them; of what is less than a microsecond nothing stands in the text."""
    import pyarrow as pa

    return cells.cast(pa.time64("us"), safe=False)


def _to_pandas(cells: Any) -> pd.Series[Any]:
    found: pd.Series[Any] = cells.to_pandas()
    return found.rename(None)


def _nullable(cells: Any) -> pd.Series[Any]:
    """Whole numbers and flags of pandas' nullable types: no float on the way rounds them."""
    import pandas as pd

    dtype = pd.api.types.pandas_dtype(_NULLABLE[str(cells.type)])
    found: pd.Series[Any] = cells.to_pandas(types_mapper=lambda form: dtype)
    return found.rename(None)


def _moments(cells: Any, unit: str | None = None) -> pd.Series[Any]:
    import pyarrow as pa

    return _to_pandas(cells if unit is None else cells.cast(pa.timestamp(unit)))


def _texts(cells: Any) -> pd.Series[Any]:
    import pyarrow as pa

    return _to_pandas(cells.cast(pa.large_string())).astype("str")


def _as_json(value: Any) -> str | None:
    """What no cell is, as text; None where it is missing.

    >>> _as_json({"a": [1, float("nan")], "b": b"xy"}), _as_json(b"xy")
    ('{"a": [1, null], "b": "eHk="}', 'eHk=')
    """
    known = _known(value)
    return known if known is None or isinstance(known, str) else json.dumps(known)


def _known(value: Any) -> Any:
    """The same of what JSON knows; bytes in base64, as there."""
    if isinstance(value, dict):
        return {str(_known(name)): _known(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_known(each) for each in value]
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    if value != value:  # no number
        return None
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return value.isoformat() if isinstance(value, date | datetime | time) else str(value)
