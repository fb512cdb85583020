"""The hash of a batch: of what stands in it, and of nothing else."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from compdp_core.engines.batch_content import content_hash

MOMENT = datetime(2024, 5, 1, 12, tzinfo=UTC)
COLUMNS = {
    "double": pa.array([1.5, None, float("nan"), -0.0, 5.0, 6.0]),
    "float": pa.array([1.5, None, 2.5, 3.5, 4.5, 5.5], pa.float32()),
    "whole": pa.array([1, 2, 3, None, 5, 6]),
    "small": pa.array([1, 2, 3, None, 5, 6], pa.int8()),
    "flag": pa.array([True, None, False, True, True, False]),
    "text": pa.array(["a", None, "ccc", "", "é", "f" * 30]),
    "large text": pa.array(["a", None, "ccc", "", "é", "f"], pa.large_string()),
    "text view": pa.array(["a", None, "ccc", "", "é", "f" * 30], pa.string_view()),
    "bytes": pa.array([b"a", None, b"", b"d", b"e", b"f"]),
    "four bytes": pa.array([b"aaaa", None, b"bbbb", b"dddd", b"eeee", b"ffff"], pa.binary(4)),
    "listed text": pa.array(["a", None, "b", "a", "b", "c"]).dictionary_encode(),
    "date": pa.array([date(2024, 5, day) if day != 2 else None for day in range(1, 7)]),
    "time": pa.array([time(day) if day != 2 else None for day in range(1, 7)]),
    "moment": pa.array([MOMENT, None] * 3, pa.timestamp("us", "UTC")),
    "duration": pa.array([timedelta(1), None, timedelta(2)] * 2),
    "decimal": pa.array([Decimal("1.20"), None, Decimal("3.40")] * 2),
    "record": pa.array([{"x": 1, "y": "a"}, None, {"x": None, "y": "b"}] * 2),
    "list": pa.array([[1, 2], None, [], [None, 4], [5], [6]]),
    "list of texts": pa.array([["a", "b"], None, [], ["ab"], ["c"], ["d"]]),
    "pair": pa.array([[1, 2], None, [3, 4]] * 2, pa.list_(pa.int64(), 2)),
    "map": pa.array([[("k", 1)], None, []] * 2, pa.map_(pa.string(), pa.int64())),
    "nothing": pa.nulls(6),
}


def hash_of(column: pa.Array, before: bytes = b"") -> bytes:
    return content_hash(pa.record_batch([column], ["column"]), before)


def made_anew(column: pa.Array) -> pa.Array:
    """The same cells in memory of their own."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        return pa.array(column.to_pylist(), kind.value_type).dictionary_encode()
    return pa.array(column.to_pylist(), kind)


@pytest.mark.parametrize("name", COLUMNS)
def test_equal_cells_have_one_hash_wherever_they_lie(name: str) -> None:
    column = COLUMNS[name]
    for start, length in ((0, 6), (1, 4), (2, 4), (5, 1), (3, 0)):
        part = column.slice(start, length)
        assert hash_of(part) == hash_of(made_anew(part)), (start, length)


def raw_hash(column: pa.Array) -> bytes:
    """A twin that hashes what lies in memory."""
    return b"".join(b"" if each is None else each.to_pybytes() for each in column.buffers())


def test_a_twin_that_hashes_memory_is_told_apart() -> None:
    part = COLUMNS["double"].slice(2, 4)
    assert raw_hash(part) != raw_hash(made_anew(part))


def changed(value: Any) -> Any:
    """Another cell of the same type."""
    ways: dict[type, Callable[[Any], Any]] = {
        bool: lambda value: not value,
        str: lambda value: value + "x",
        bytes: lambda value: value[:-1] + b"z",
        date: lambda value: value + timedelta(1),
        time: lambda value: value.replace(minute=1),
        datetime: lambda value: value + timedelta(1),
        timedelta: lambda value: value * 2,
        dict: lambda value: {**value, "y": "other"},
        list: lambda value: [*value[:-1], changed(value[-1])],
        tuple: lambda value: (value[0], changed(value[1])),
    }
    return ways.get(type(value), lambda value: value + 1)(value)


@pytest.mark.parametrize("name", [name for name in COLUMNS if name != "nothing"])
def test_another_cell_and_a_missing_one_make_another_hash(name: str) -> None:
    column = COLUMNS[name]
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    cells = column.to_pylist()
    others = [[changed(cells[0]), *cells[1:]], [None, *cells[1:]], cells[:-1], cells[::-1]]
    hashes = {hash_of(pa.array(each, kind)) for each in [cells, *others]}
    assert len(hashes) == 5


def test_what_stands_under_a_missing_cell_is_no_content() -> None:
    data = [pa.py_buffer(b"\x05"), pa.py_buffer(pa.array([1.0, 99.0, 2.0]).buffers()[1])]
    assert hash_of(pa.Array.from_buffers(pa.float64(), 3, data)) == hash_of(
        pa.array([1.0, None, 2.0])
    )


def test_cells_cannot_move_between_neighbours() -> None:
    one, other = (
        pa.record_batch({"a": ["xy"], "b": ["z"]}),
        pa.record_batch({"a": ["x"], "b": ["yz"]}),
    )
    assert content_hash(one) != content_hash(other)
    assert hash_of(pa.array(["xy", "z"])) != hash_of(pa.array(["x", "yz"]))
    assert hash_of(pa.array([1, 2])) != hash_of(pa.array([1.0, 2.0]))


def test_what_came_before_counts() -> None:
    column = COLUMNS["double"]
    assert hash_of(column, hash_of(column)) != hash_of(column)
    assert hash_of(column, b"1") != hash_of(column, b"2")
