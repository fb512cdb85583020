"""A table takes at most three times the size of its file: the file, the places, and the work."""

from __future__ import annotations

import csv
import io
import tracemalloc
from collections.abc import Callable

import numpy as np
import pytest

from compdp_core.tables import Table, format_cells, read, write

SIZE = 20 * 2**20
TIMES = 3
"""The file itself included."""
WORK = 16 * 2**20
"""Blocks to work on: as large for a small file as for one of 500 MB."""


def file_of(line: bytes) -> bytes:
    return b"id,income,name,ratio\r\n" + line * (SIZE // len(line))


KINDS = {
    "quoted and plain": b'12345,5021.37,"Person, 977",0.30471707975443135\r\n',
    "short cells": b"1,5.25,ab,0.5\r\n",
    "ragged": b"12345,5021.37,Person,0.5,extra\r\n12345,5021.37\r\n\r\n",
    "western letters": "12345,5021.37,Jürgen Müller,0.30471707975443135\r\n".encode("cp1252"),
}


def largest(work: Callable[[], object]) -> int:
    """Bytes in use at the worst moment of the work, beyond those in use before."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("kind", KINDS)
def test_reading_takes_at_most_three_times_the_file(kind: str) -> None:
    data = file_of(KINDS[kind])
    # The file was there before, so twice its size is left.
    assert largest(lambda: read(data)) <= (TIMES - 1) * len(data) + WORK


def test_numbers_of_a_column_and_writing_it_add_little_more_than_what_is_written() -> None:
    data = file_of(KINDS["quoted and plain"])
    table = read(data)

    def release() -> int:
        cells = format_cells(np.round(table.numbers(1).values), 0)
        return len(write(table, {1: cells}).data)

    assert largest(release) <= (TIMES - 1) * len(data) + WORK


def test_leaving_the_last_row_out_copies_no_places() -> None:
    table = read(file_of(KINDS["quoted and plain"]))

    def without() -> Table:
        return table.without([table.row_count - 1])

    assert largest(without) <= 0.1 * SIZE + WORK + 2**22


def test_a_reader_that_makes_a_list_of_texts_is_told_from_this_one() -> None:
    """What the measure is for: the usual way takes several times more."""
    data = file_of(KINDS["quoted and plain"])

    def rows() -> list[list[str]]:
        return list(csv.reader(io.StringIO(data.decode(), newline="")))

    assert largest(rows) > (TIMES - 1) * len(data) + WORK
