"""What a step of a pipeline takes, and what comes back as the same."""

from __future__ import annotations

from typing import Any

from compdp_core.errors import ParameterError, Unquoted
from compdp_core.tables import Table
from compdp_core.tables.frame_kinds import is_arrow, is_lazy, is_pandas, is_polars


def check_kind(data: object) -> None:
    """Refuse what would come back as something else, with the way to what does not.

    Raises :class:`ParameterError` for a lazy frame, a PyArrow table and a table of ``read_csv``;
    scikit-learn has words of its own for all else that is no array.
    """
    if is_lazy(data):
        way_out = "call .collect() first"
    elif is_arrow(data):
        way_out = "take its .to_pandas(), or polars.from_arrow(table)"
    elif isinstance(data, Table):
        way_out = "hand it to compdp_core.privatize, or read the file with pandas or Polars"
    else:
        return
    what = f"must be a pandas or Polars DataFrame, or an array: {way_out}"
    raise ParameterError("X", Unquoted(type(data).__name__), what)


def like(given: Any, frame: Any) -> Any:
    """The released frame with the labels of what was given, or an array for an array."""
    if is_polars(given):
        return frame
    return frame.set_axis(given.columns, axis=1) if is_pandas(given) else frame.to_numpy()
