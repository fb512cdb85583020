"""Parquet files as data that is gone through part by part."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from compdp_core.engines.preparing import file_state
from compdp_core.engines.typed_release import BATCH_ROWS, HEAD_ROWS, TypedData
from compdp_core.errors import TableError
from compdp_core.tables.errors import NotTextError
from compdp_core.tables.sources import as_table

if TYPE_CHECKING:
    import pyarrow as pa

_MAGIC = b"PAR1"


def is_parquet(path: Path) -> bool:
    """Whether a file begins as Parquet does."""
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def parquet_data(path: Path) -> TypedData:
    """The rows of a file. Raises a :class:`TableError` where it cannot be read."""
    import pyarrow as pa
    from pyarrow import parquet

    state = file_state(path)
    try:
        with parquet.ParquetFile(path) as file:
            schema, rows = file.schema_arrow, file.metadata.num_rows
            first = next(file.iter_batches(batch_size=HEAD_ROWS), None)
    except (pa.ArrowException, OSError):
        raise NotTextError("a Parquet file that cannot be read", "Write it again.") from None
    head = as_table(schema.empty_table() if first is None else pa.Table.from_batches([first]))

    def parts() -> Iterator[pa.Table]:
        with parquet.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=BATCH_ROWS):
                yield pa.Table.from_batches([batch], schema)

    def check() -> None:
        if file_state(path) != state:
            raise TableError(
                f"The file {path.name} was changed while it was read. Release a copy that nobody "
                "writes to."
            )

    return TypedData(head, schema, parts, rows, check)
