"""Parquet and Arrow files, batch by batch."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from compdp_core.errors import TableError
from compdp_core.tables.containers.base import Container, check_extent
from compdp_core.tables.containers.csv_text import Lines, cell, number, quoted
from compdp_core.tables.errors import EmptyFileError, FileTooLargeError, NotTextError, some
from compdp_core.tables.file_kinds import NAMES

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS = 1 << 14


def to_text(kind: str, data: bytes, table: str | None, limit: int) -> tuple[bytes, Container]:
    """The text of the table, and what is known of the file."""
    import pyarrow as pa

    try:
        return _text(kind, data, limit)
    except (pa.ArrowException, OSError, OverflowError, UnicodeError, KeyError) as error:
        words = str(error).splitlines()[0][:100] if str(error).strip() else type(error).__name__
        raise NotTextError(
            f"{NAMES[kind]} that cannot be read ({words})",
            "Upload it again, or save the table as CSV and upload that.",
        ) from None


def _text(kind: str, data: bytes, limit: int) -> tuple[bytes, Container]:
    schema, batches = (_parquet if kind == "parquet" else _arrow)(data, limit)
    if not len(schema):
        raise EmptyFileError(1)
    wrong = [field.name for field in schema if _type(field.type) is None]
    if wrong:
        raise TableError(
            f"Columns of this file hold lists, records or bytes: {some(wrong)}. Write it again "
            "without them, or with one column for each part."
        )
    lines = Lines(limit)
    lines.add([quoted(name) for name in schema.names])
    for batch in batches:
        check_extent(lines.rows + batch.num_rows, batch.num_columns)
        for start in range(0, batch.num_rows, _ROWS):
            part = batch.slice(start, _ROWS)
            for row in zip(*(_cells(column) for column in part.columns), strict=True):
                lines.add(row)
    types = tuple(str(_type(field.type)) for field in schema)
    remark = f"This is {NAMES[kind]}: its columns were read by their types."
    return lines.content(), Container(kind, types=types, width=lines.width, remarks=(remark,))


def _parquet(data: bytes, limit: int) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    from pyarrow import parquet

    # Texts stay numbers of a list: one long text in each of a million rows is cheap to pack.
    file = parquet.ParquetFile(io.BytesIO(data))
    about = file.metadata
    check_extent(about.num_rows, about.num_columns)
    size = sum(about.row_group(i).total_byte_size for i in range(about.num_row_groups))
    if size > limit:
        raise FileTooLargeError(limit, unpacked=True)
    schema = file.schema_arrow
    file = parquet.ParquetFile(io.BytesIO(data), read_dictionary=[
        field.name for field in schema if _type(field.type) == "text"
    ])  # fmt: skip
    return schema, file.iter_batches(batch_size=_ROWS)


def _arrow(data: bytes, limit: int) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    import pyarrow as pa

    file = pa.ipc.open_file(pa.BufferReader(data))

    def batches() -> Iterator[pa.RecordBatch]:
        size = 0
        for place in range(file.num_record_batches):
            batch = file.get_batch(place)
            size += batch.nbytes
            if size > limit:
                raise FileTooLargeError(limit, unpacked=True)
            yield batch

    return file.schema, batches()


def _type(form: pa.DataType) -> str | None:
    """The kind of a column; None for what is no cell of a table."""
    from pyarrow import types

    if types.is_dictionary(form):
        return _type(form.value_type)
    for name, tests in _tests().items():
        if any(test(form) for test in tests):
            return name
    return "text" if types.is_null(form) else None


def _tests() -> dict[str, tuple[Callable[[Any], bool], ...]]:
    from pyarrow import types

    return {
        "int": (types.is_integer,),
        "float": (types.is_floating, types.is_decimal),
        "text": (types.is_string, types.is_large_string, types.is_string_view),
        "bool": (types.is_boolean,),
        "date": (types.is_date,),
        "time": (types.is_time,),
        "datetime": (types.is_timestamp,),
        "duration": (types.is_duration,),
    }


def _cells(column: pa.Array) -> list[str]:
    """The cells of a column."""
    import pyarrow as pa
    from pyarrow import types

    form = column.type
    if types.is_dictionary(form):
        texts = _cells(column.dictionary)
        return ["" if place is None else texts[place] for place in column.indices.to_pylist()]
    if types.is_float16(form) or types.is_float32(form):
        # The shortest text of a number of this size, not that of the double next to it.
        values = column.to_numpy(zero_copy_only=False)
        return [number(float(str(value))) for value in values]
    if types.is_timestamp(form):
        column = column.cast(pa.timestamp("us", form.tz), safe=False)
    elif types.is_time(form):
        column = column.cast(pa.time64("us"), safe=False)
    elif types.is_duration(form):
        column = column.cast(pa.duration("us"), safe=False)
    return [cell(value) for value in column.to_pylist()]
