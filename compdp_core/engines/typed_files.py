"""Files that know types, written batch by batch: Parquet, Arrow, JSON lines, and CSV of such."""

from __future__ import annotations

import io
from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from compdp_core.engines.formula_guard import FormulaGuard
from compdp_core.errors import ParameterError

if TYPE_CHECKING:
    import pyarrow as pa

Writer = Callable[["pa.RecordBatch | None"], None]
"""Takes one batch after the other, and None behind the last."""


def writer_of(
    path: Path,
    schema: pa.Schema,
    released: Collection[str],
    guard: FormulaGuard | None = None,
) -> Callable[[BinaryIO], Writer]:
    """What writes batches of that schema into a file of the kind that ``path`` names.

    ``guard``: puts an apostrophe in front of what a spreadsheet would run, which opens CSV alone.

    Raises :class:`ParameterError` for a name of no such kind, and for columns that it cannot hold.
    """
    import pyarrow as pa
    from polars.exceptions import PanicException

    make = _KINDS.get(path.suffix.lower())
    if make is None:
        known = ", ".join(_KINDS)
        raise ParameterError("path", path.name, f"must end with one of {known}")
    if make in (_csv, _lines):
        _check_texts(path, schema, released)
    try:  # on a row of no cell, so that what cannot be written is refused before anything is drawn
        # Of columns that may miss no cell, too: it is the way of writing that is tried.
        loose = pa.schema([field.with_nullable(True) for field in schema])
        trial = make(io.BytesIO(), loose)
        trial(pa.RecordBatch.from_arrays([pa.nulls(1, form) for form in loose.types], schema=loose))
        trial(None)
    except (Exception, PanicException) as error:  # of whichever library writes it
        what = f"must be of a kind that holds these columns, as .parquet does ({error})"
        raise ParameterError("path", path.name, what) from None
    if make is not _csv or guard is None:
        return lambda file: make(file, schema)
    names = guard.names(schema)
    return lambda file: _guarded(make(file, schema), guard, names)


def _guarded(write: Writer, guard: FormulaGuard, names: list[str]) -> Writer:
    return lambda batch: write(None if batch is None else guard.batch(batch, names))


def _check_texts(path: Path, schema: pa.Schema, released: Collection[str]) -> None:
    """Released moments would not be in the format that the card says, in which they are read; and
    no text holds bytes.
    """
    from pyarrow import types

    for field in schema:
        if field.name in released and types.is_temporal(field.type):
            what = f"must be .parquet or .arrow, where {field.name} is released as dates or times"
            raise ParameterError("path", path.name, what)
        if _holds_bytes(field.type):  # of which Polars would panic
            what = f"must be .parquet or .arrow, where {field.name} holds bytes"
            raise ParameterError("path", path.name, what)


def _holds_bytes(form: pa.DataType) -> bool:
    """Whether it is bytes, or of such in lists or records."""
    from pyarrow import types

    form = form.value_type if types.is_dictionary(form) else form
    if form.num_fields:
        return any(_holds_bytes(form.field(at).type) for at in range(form.num_fields))
    kinds = (
        types.is_binary,
        types.is_large_binary,
        types.is_binary_view,
        types.is_fixed_size_binary,
    )
    return any(test(form) for test in kinds)


def _parquet(file: Any, schema: pa.Schema) -> Writer:
    from pyarrow import parquet

    out = parquet.ParquetWriter(file, schema)
    return lambda batch: out.close() if batch is None else out.write_batch(batch)


def _arrow(file: Any, schema: pa.Schema) -> Writer:
    import pyarrow as pa
    from pyarrow import types

    listed = [field.name for field in schema if types.is_dictionary(field.type)]
    if listed:  # a file holds one list of each column, and batches come with lists of their own
        raise ParameterError("path", listed[0], "must hold no categories: cast it to text first")
    out = pa.ipc.new_file(file, schema)
    return lambda batch: out.close() if batch is None else out.write_batch(batch)


def _csv(file: Any, schema: pa.Schema) -> Writer:
    return _by_polars(file, schema, "write_csv", include_header=True)


def _lines(file: Any, schema: pa.Schema) -> Writer:
    return _by_polars(file, schema, "write_ndjson")


def _by_polars(file: Any, schema: pa.Schema, name: str, **first: bool) -> Writer:
    import polars as pl

    options = dict(first)

    def write(batch: pa.RecordBatch | None) -> None:
        if batch is None:
            return
        getattr(pl.DataFrame(batch), name)(file, **options)
        options.update(dict.fromkeys(options, False))

    return write


_KINDS: dict[str, Callable[[Any, Any], Writer]] = {
    ".parquet": _parquet,
    ".arrow": _arrow,
    ".ipc": _arrow,
    ".csv": _csv,
    ".jsonl": _lines,
    ".ndjson": _lines,
}
