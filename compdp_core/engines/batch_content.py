"""What stands in a batch of rows, as bytes that are the same for the same content.

Equal batches may lie in memory in many ways: as slices of larger ones, with or without a mask of
missing values, with anything at all in the cells that are missing. None of that is content.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pyarrow as pa

Part = bytes | memoryview


def content_hash(batch: pa.RecordBatch, before: bytes = b"") -> bytes:
    """A hash of all cells of all columns, and of what came ``before``.

    Two batches have the same one where their columns have the same types in the same order and
    their cells the same values, bit by bit, and are missing at the same places. How they lie in
    memory is left out; a column of numbers of a list of texts counts as the texts.

    >>> import pyarrow as pa
    >>> whole = pa.record_batch({"bmi": [21.5, None, 24.0], "name": ["Ada", "Ben", None]})
    >>> part = pa.record_batch({"bmi": [None, 24.0], "name": ["Ben", None]})
    >>> content_hash(whole.slice(1)) == content_hash(part)
    True
    >>> content_hash(whole) == content_hash(part), content_hash(part, b"1") == content_hash(part)
    (False, False)
    """
    # It takes most of what a batch costs: in hardware SHA-256 is the fastest of its kind.
    state = sha256()
    _add(state, before)
    _add(state, batch.num_columns.to_bytes(8, "little"))
    for column in batch.columns:
        for part in _parts(column):
            _add(state, part)
    return state.digest()


def _add(state: Any, part: Part) -> None:
    """A part with its length in front, so that no two lists of parts read alike."""
    state.update(memoryview(part).nbytes.to_bytes(8, "little"))
    state.update(part)


def _parts(column: pa.Array) -> Iterator[Part]:
    """Type, number of cells, which are missing, and what the others hold."""
    from pyarrow import types

    column = _plain(column)
    yield str(column.type).encode()
    yield len(column).to_bytes(8, "little")
    known = None
    if column.null_count and not types.is_null(column.type):
        known = np.asarray(column.is_valid().to_numpy(zero_copy_only=False), dtype=np.bool_)
        yield np.packbits(known).tobytes()
    else:
        yield b""
    yield from _values(column, known)


def _plain(column: pa.Array) -> pa.Array:
    """The same cells in the one way that is hashed for them."""
    import pyarrow as pa
    from pyarrow import types

    while True:
        kind = column.type
        if isinstance(kind, pa.BaseExtensionType):
            column = column.storage
        elif types.is_dictionary(kind):
            column = column.dictionary_decode()
        elif types.is_string_view(kind):
            column = column.cast(pa.large_string())
        elif types.is_binary_view(kind):
            column = column.cast(pa.large_binary())
        else:
            return column


def _values(column: pa.Array, known: Any) -> Iterator[Part]:
    from pyarrow import types

    kind = column.type
    ways: tuple[tuple[Callable[[Any], bool], Callable[[Any, Any], Iterator[Part]]], ...] = (
        (types.is_null, lambda column, known: iter(())),
        (types.is_boolean, _flags),
        (types.is_struct, _fields),
        (lambda kind: types.is_string(kind) or types.is_binary(kind), _texts),
        (lambda kind: types.is_large_string(kind) or types.is_large_binary(kind), _texts),
        (lambda kind: types.is_list(kind) or types.is_large_list(kind), _lists),
        (_is_fixed, _numbers),
    )
    for fits, way in ways:
        if fits(kind):
            return way(column, known)
    # Of kinds that hardly any table has: slowly, and surely.
    return iter([repr(column.to_pylist()).encode("utf-8", "surrogatepass")])


def _is_fixed(kind: pa.DataType) -> bool:
    """Whether each cell is as many whole bytes."""
    from pyarrow import types

    temporal, number = types.is_temporal(kind), types.is_integer(kind) or types.is_floating(kind)
    return bool(temporal or number or types.is_decimal(kind) or types.is_fixed_size_binary(kind))


def _flags(column: pa.Array, known: Any) -> Iterator[Part]:
    cells = column.fill_null(False).to_numpy(zero_copy_only=False)
    yield np.packbits(cells.astype(np.bool_)).tobytes()


def _numbers(column: pa.Array, known: Any) -> Iterator[Part]:
    """The bytes of the cells; of missing ones, in which anything may stand, zeros."""
    width, data = column.type.bit_width // 8, column.buffers()[1]
    if data is None or not len(column):
        return
    start, stop = column.offset * width, (column.offset + len(column)) * width
    cells = np.frombuffer(data, np.uint8, stop - start, start).reshape(-1, width)
    if known is not None:
        cells = np.where(known[:, None], cells, np.uint8(0))
    yield cells.data.cast("B") if cells.size else b""


def _texts(column: pa.Array, known: Any) -> Iterator[Part]:
    """How long each text is, and all of them one behind the other."""
    import pyarrow as pa
    from pyarrow import types

    if known is not None:
        column = column.fill_null(pa.scalar(b"", pa.binary()).cast(column.type))
    _, places, data = column.buffers()
    if places is None or not len(column):
        return
    large = types.is_large_string(column.type) or types.is_large_binary(column.type)
    form = np.dtype(np.int64 if large else np.int32)
    bounds = np.frombuffer(places, form, len(column) + 1, column.offset * form.itemsize)
    yield np.diff(bounds).data.cast("B")
    if data is not None:
        yield memoryview(data)[int(bounds[0]) : int(bounds[-1])]


def _lists(column: pa.Array, known: Any) -> Iterator[Part]:
    """How long each list is, and the cells of all of them."""
    lengths = column.value_lengths().fill_null(0)
    yield from _numbers(lengths, None)
    yield from _parts(column.flatten())


def _fields(column: pa.Array, known: Any) -> Iterator[Part]:
    """The fields, which are missing where the record is."""
    for place, field in enumerate(column.flatten()):
        yield column.type.field(place).name.encode()
        yield from _parts(field)
