"""Columns left out of a file: every other cell comes back, every row is still a row."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.errors import ParameterError
from compdp_core.tables import Table, read, write, writing
from compdp_core.tables.drop_columns import without_columns
from tests.unit.tables.files import unpacked
from tests.unit.tables.test_cases import READABLE

CELLS = st.text(alphabet='ab1,;" \n\r\t=', max_size=4)


def rows_of(table: Table, without: frozenset[int] = frozenset()) -> list[list[str]]:
    columns = [c.position for c in table.columns if c.position not in without]
    return [[table.cell(row, column) for column in columns] for row in range(table.row_count)]


def typed(rows: list[list[str]], end: str) -> bytes:
    """As a spreadsheet saves them; a row of one empty cell is not a blank line."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator=end)
    writer.writerows(rows)
    return out.getvalue().encode()


@given(
    st.lists(st.lists(CELLS, min_size=1, max_size=4), min_size=1, max_size=6),
    st.sets(st.integers(0, 3), min_size=1, max_size=3),
    st.sampled_from(["\n", "\r\n"]),
)
def test_against_another_reader(rows: list[list[str]], gone: set[int], end: str) -> None:
    """Short rows, quotes, line ends in cells, blank cells: the standard reader sees the rest."""
    data = typed([["p", "q", "r", "s"], *rows, ["1", "2", "3", "4"]], end)
    table = read(data, header=True, separator=",", skip_lines=0, encoding="utf-8")
    narrow = without_columns(data, table.format, gone)

    def told(text: bytes) -> list[list[str]]:
        lines = csv.reader(io.StringIO(text.decode(), newline=""))
        return [line for line in lines if any(cell.strip() for cell in line)]

    def cut(line: list[str]) -> list[str]:
        return [cell for i, cell in enumerate(line) if i not in gone]

    wanted = [cut(line) for line in told(data)]
    assert told(narrow) == [line for line in wanted if any(cell.strip() for cell in line)]
    again = read(narrow, **table.format.options)
    assert again.row_count == table.row_count
    assert rows_of(again) == rows_of(table, frozenset(gone))


@pytest.mark.parametrize("name", sorted(READABLE))
def test_files_from_the_field(name: str) -> None:
    data = unpacked(READABLE[name])
    table = read(data)
    places = [column.position for column in table.columns][:4]
    for gone in (set(each) for n in (1, 2) for each in combinations(places, n)):
        if len(gone) == len(table.columns):
            continue
        narrow = without_columns(data, table.format, gone)
        again = read(narrow, **table.format.options)
        assert again.row_count == table.row_count
        kept = rows_of(table, frozenset(gone))
        assert [row[: len(kept[0])] for row in rows_of(again)] == kept


@pytest.mark.parametrize("name", sorted(READABLE))
def test_cut_while_written_or_afterwards_it_is_the_same_file(name: str) -> None:
    """With new cells, rows left out, formulas guarded and for Excel: every byte, of every file."""
    table = read(unpacked(READABLE[name]))
    width = len(table.columns)
    rows = np.arange(table.row_count) % 5 != 1
    texts = ["7", "", "x;,y", None, '-1"5']
    for gone in [(0,), (1, 2), (0, width - 1)]:
        if not len(set(gone)) == len(gone) < width or not max(gone) < width:
            continue
        last = max(set(range(width)) - set(gone))
        form = table.format
        new = {last: [texts[row % (5 if form.quote else 2)] for row in range(table.row_count)]}
        if form.separator == " " and not form.quote:
            new = {last: ["7"] * table.row_count}
        for excel in (False, True):
            settings: dict[str, Any] = {
                "rows": rows,
                "excel": excel,
                "guard_formulas": gone[0] == 0,
            }
            whole = write(table, new, **settings).data
            form = replace(form, encoding="utf-8") if excel else form
            assert write(table, new, **settings, omit=gone).data == without_columns(
                whole, form, gone
            )


@given(
    rows=st.lists(st.lists(CELLS, min_size=4, max_size=4), min_size=1, max_size=6),
    gone=st.sets(st.integers(0, 2), min_size=1, max_size=2),
    end=st.sampled_from(["\n", "\r\n"]),
    guard=st.booleans(),
)
def test_any_even_file_is_cut_the_same_while_it_is_written(
    rows: list[list[str]], gone: set[int], end: str, *, guard: bool
) -> None:
    data = typed([["p", "=q", "r", "@s"], ["1", "2", "3", "4"], *rows], end)
    table = read(data, header=True, separator=",", skip_lines=0, encoding="utf-8")
    new = {3: ["", "a,b", '"', "-5"][: table.row_count] + ["9"] * (table.row_count - 4)}
    whole = write(table, new, guard_formulas=guard).data
    narrow = write(table, new, guard_formulas=guard, omit=gone).data
    assert narrow == without_columns(whole, table.format, gone)


def test_even_files_are_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one column stays, rows could pass for blank lines: these files are."""
    table = read(b"a,b,c\n1,2,3\n4,5,6\n")

    def refuse(*anything: object) -> bytes:
        raise AssertionError

    monkeypatch.setattr(writing, "without_columns", refuse)
    assert write(table, {0: ["", "7"]}, omit=[1]).data == b"a,c\n,3\n7,6\n"
    with pytest.raises(AssertionError):
        write(table, {0: ["", "7"]}, omit=[1, 2])
    with pytest.raises(ParameterError, match=r"omit must name no column that is replaced.*\[0\]"):
        write(table, {0: ["", "7"]}, omit=[0, 1])


def test_nothing_left_out_changes_nothing() -> None:
    for data in map(unpacked, READABLE.values()):
        assert without_columns(data, read(data).format, []) == data


def test_all_else_keeps_its_bytes() -> None:
    data = b'\xef\xbb\xbfsep=;\r\nTitle; x\r\n\r\nname;score;note\r\n\r\n"A;b"; 7 ;"q ""r"""\n'
    narrow = without_columns(data + b"c;8;;extra\r", read(data, skip_lines=1).format, [1])
    assert narrow == data.replace(b";score", b"").replace(b"; 7 ", b"") + b"c;;extra\r"


def test_a_row_that_loses_all_it_had_is_still_a_row() -> None:
    data = b"name,score\nAda,\nBen\nCy,3\n"
    form = read(data).format
    assert without_columns(data, form, [0]) == b'score\n""\n""\n3\n'
    wide = b"name,score,class\nAda\nBen,,\n"
    assert without_columns(wide, read(wide).format, [0]) == b"score,class\n,\n,\n"
