"""Which library a frame is of, found without loading any: what was never loaded made no frame."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeGuard

from compdp_core.errors import ParameterError, Unquoted

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

_WAYS_OUT = {
    "duckdb": "take its .df(), .pl() or .to_arrow_table()",
    "ibis": "take its .to_pandas(), .to_polars() or .to_pyarrow()",
    "dask": "take its .compute()",
    "modin": "take its .modin.to_pandas()",
    "cudf": "take its .to_pandas()",
    "pyspark": "call compdp_core.spark.privatize, or take its .toPandas()",
    "vaex": "take its .to_pandas_df()",
    "datasets": "take its .to_pandas() or .to_polars()",
    "numpy": "name its columns, as in pandas.DataFrame({'bmi': array})",
    "builtins": "make a frame of it, as in pandas.DataFrame(data)",
}
"""By the package of what else columns may be in."""
_TAKEN = "must be a Table of read_csv, a pandas or Polars DataFrame, or a PyArrow Table"
_ONE_COLUMN = {("pandas", "Series"), ("polars", "Series")}


def is_pandas(data: object) -> TypeGuard[pd.DataFrame]:
    """Whether something is a pandas frame; nothing is, where pandas was never loaded."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(data, pandas.DataFrame)


def is_polars(data: object) -> TypeGuard[pl.DataFrame]:
    """Whether something is a Polars frame that holds its rows."""
    polars = sys.modules.get("polars")
    return polars is not None and isinstance(data, polars.DataFrame)


def is_lazy(data: object) -> TypeGuard[pl.LazyFrame]:
    """Whether something is a Polars frame that is still to be computed."""
    polars = sys.modules.get("polars")
    return polars is not None and isinstance(data, polars.LazyFrame)


def is_arrow(data: object) -> TypeGuard[pa.Table]:
    """Whether something is a PyArrow table."""
    pyarrow = sys.modules.get("pyarrow")
    return pyarrow is not None and isinstance(data, pyarrow.Table)


def refused(data: object) -> ParameterError:
    """The error for what no columns are taken from, with the way to what they are.

    >>> str(refused([1, 2])).partition(": ")[2]
    'make a frame of it, as in pandas.DataFrame(data), got list'
    """
    kind = type(data)
    package = kind.__module__.partition(".")[0]
    way_out = _WAYS_OUT.get(package, "")
    if is_lazy(data):
        way_out = "call .collect() first, or, where privatize is to write a file, name its path="
    elif (package, kind.__name__) in _ONE_COLUMN:
        way_out = "call .to_frame('name') on a series"
    elif package == "pyarrow":
        way_out = "take pyarrow.Table.from_batches([batch]), or .to_table() of a data set"
    return ParameterError(
        "data", Unquoted(kind.__name__), f"{_TAKEN}: {way_out}" if way_out else _TAKEN
    )
