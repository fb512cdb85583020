"""New cells spliced in, and by rewriting each cell with Python's csv module."""

from __future__ import annotations

import csv
import io
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from compdp_core.errors import ParameterError
from compdp_core.tables import ReplacementError, Table, format_cells, read, write, writing


def cells(data: bytes, separator: str = ",") -> list[list[str]]:
    reader = csv.reader(io.StringIO(data.decode(), newline=""), delimiter=separator)
    return [row for row in reader if row]


def rewritten(
    table: Table, data: bytes, new: dict[int, list[str | None]], kept: list[bool]
) -> list[list[str]]:
    """The slow and obvious way, cell by cell."""
    header, *rows = cells(data, table.format.separator)
    out = [header]
    for i, row in enumerate(rows):
        if not kept[i]:
            continue
        for column, texts in sorted(new.items()):
            text = texts[i]
            if text is None or (column >= len(row) and not text):
                continue
            row += [""] * (column + 1 - len(row))
            row[column] = text
        out.append(row)
    return out


CELL = st.text('ab 1.;"é\n', max_size=5)


@st.composite
def jobs(draw: st.DrawFn) -> tuple[bytes, dict[int, list[str | None]], list[bool]]:
    """A table with quoted, ragged and blank lines, new columns, and the rows to keep."""
    width = draw(st.integers(2, 4))
    rows = draw(st.lists(st.lists(CELL, min_size=2, max_size=width + 1), min_size=1, max_size=8))
    out = io.StringIO()
    end = draw(st.sampled_from(["\n", "\r\n"]))
    quoting: Literal[0, 1] = draw(st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
    writer = csv.writer(out, lineterminator=end, quoting=quoting)
    writer.writerow([f"name {i}" for i in range(width)])
    for row in rows:
        writer.writerow(row)
        out.write(end * draw(st.integers(0, 1)))
    text = out.getvalue()
    if draw(st.booleans()):
        text = text.rstrip("\r\n")
    columns = draw(st.sets(st.integers(0, width - 1)))
    one = st.lists(st.none() | CELL, min_size=len(rows), max_size=len(rows))
    new = {column: draw(one) for column in columns}
    kept = draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows)))
    return text.encode(), new, kept


@given(jobs(), st.sampled_from([1, 3, 1 << 16]))
def test_as_if_every_cell_were_rewritten(
    job: tuple[bytes, dict[int, list[str | None]], list[bool]], block: int
) -> None:
    data, new, kept = job
    table = read(data, separator=",", header=True, skip_lines=0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(writing, "_BLOCK_CELLS", block)
        written = write(table, new, rows=np.array(kept), guard_formulas=False)
    assert cells(written.data) == rewritten(table, data, new, kept)
    assert written.rows == sum(kept)


@pytest.mark.parametrize(
    ("data", "new", "written"),
    [
        # Quotes stay, and come where they are needed: also many, in the order of their cells.
        (b'a,b\n"1",2\n3,4\n', {0: ["x,y", 'say "hi"'], 1: ["1,5", "6"]},
         b'a,b\n"x,y","1,5"\n"say ""hi""",6\n'),
        (b"a,b\n" + b"1,2\n" * 200, {0: ['x"y"z,'] * 200}, b"a,b\n" + b'"x""y""z,",2\n' * 200),
        # A missing cell of a single column does not become a blank line.
        (b"a\n1\n2\n", {0: ["", "5"]}, b'a\n""\n5\n'),
        # Short rows grow only where something is written.
        (b"a,b,c,d\n1,2,3,4\n5\n6,7\r\n8", {2: [None, "x", None, ""], 3: [None, None, "y", "z"]},
         b"a,b,c,d\n1,2,3,4\n5,,x\n6,7,,y\r\n8,,,z"),
        # The new second cell and the added third one belong to the same place.
        (b"a,b,c\n" + b"1,\n" * 200 + b"1,2,3\n", {1: ["x"] * 201, 2: ["y"] * 201},
         b"a,b,c\n" + b"1,x,y\n" * 201),
        # A blank line of tabs is not guarded.
        (b"a,b\n\t\n1,2\n\t \n", {}, b"a,b\n\t\n1,2\n\t \n"),
    ],
)  # fmt: skip
def test_new_cells_stand_where_they_belong(
    data: bytes, new: dict[int, list[str | None]], written: bytes
) -> None:
    assert write(read(data), new).data == written


def test_lines_around_the_rows_stay() -> None:
    data = b"\xef\xbb\xbfsep=;\r\nTitle of this;;\r\n\r\na;b;c\r\n1;2;3\r\n\r\n4;5;6\r\n\r\n"
    table = read(data)
    assert table.format.skip_lines == 2
    assert write(table, {1: ["7", "8"]}).data == data.replace(b";2;", b";7;").replace(
        b";5;", b";8;"
    )


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-be", "utf-32", "shift_jis", "gb18030"])
def test_other_encodings_come_back_in_their_own(encoding: str) -> None:
    data = "名前,点\n田中,71.5\n鈴木,64\n".encode(encoding)
    table = read(data, encoding=encoding)
    assert table.texts(0) == ["田中", "鈴木"]
    assert write(table).data == data
    new = write(table, {1: ["70", "60"]}).data
    assert new == "名前,点\n田中,70\n鈴木,60\n".encode(encoding)
    assert write(table, excel=True).data == "\ufeff名前,点\n田中,71.5\n鈴木,64\n".encode()


def test_letters_the_encoding_does_not_have() -> None:
    table = read("a,b\né,2\n".encode("cp1252"), encoding="cp1252")
    with pytest.raises(ReplacementError, match="cp1252"):
        write(table, {1: ["Ł"]})
    japanese = read("a,b\n名,2\n".encode("shift_jis"), encoding="shift_jis")
    with pytest.raises(ReplacementError, match="shift_jis"):
        write(japanese, {1: ["Ł"]})


def test_refusals_name_the_way_out() -> None:
    table = read(b"a,b\n1,2\n3,4\n")
    with pytest.raises(ReplacementError, match="2 rows and the new column b has 1 cells"):
        write(table, {1: ["1"]})
    with pytest.raises(ParameterError, match="column"):
        write(table, {2: ["1", "2"]})
    with pytest.raises(ParameterError, match="format_cells"):
        write(table, {0: np.array([1.0, 2.0])})
    with pytest.raises(ParameterError, match="2 booleans"):
        write(table, rows=np.array([True]))
    with pytest.raises(ParameterError, match="2 booleans"):
        write(table, rows=np.array([1, 0]))
    unquoted = read(b"a,b\n1,2\n3,4\n", quote="")
    with pytest.raises(ReplacementError, match="without quotes"):
        write(unquoted, {0: ["1,5", "2"]})


def test_guard_leaves_numbers_with_their_symbols_and_dashes() -> None:
    data = b"share,delta,note,code\n-5 %,-1.5,-,+a\n+3 %,-inf,--,-2\n-2.5 %,+1e3,- x,@\n"
    table = read(data)
    written = write(table)
    assert written.guarded == 3
    assert written.data == data.replace(b",+a", b",'+a").replace(b",- x", b",'- x").replace(
        b",@", b",'@"
    )


def test_guard_covers_titles_extra_cells_and_names() -> None:
    data = b'"=1+1 of today"\n@title\na,=b,c\n1,2,3,=4\n5,6,7\n'
    written = write(read(data))
    assert written.data == b"\"'=1+1 of today\"\n'@title\na,'=b,c\n1,2,3,'=4\n5,6,7\n"
    assert written.guarded == 4
    assert write(read(data), guard_formulas=False).data == data


def test_guard_does_not_touch_new_cells_and_dropped_rows() -> None:
    table = read(b"a,b\n=1,=1\n=2,=2\n=3,=3\n")
    written = write(table, {0: ["-1", None, "-3"]}, rows=np.array([True, True, False]))
    assert written.data == b"a,b\n-1,'=1\n'=2,'=2\n"
    assert written.guarded == 3


def test_all_rows_dropped() -> None:
    table = read(b"a,b\n1,2\n3,4")
    assert write(table, rows=np.zeros(2, dtype=np.bool_)).data == b"a,b\n"


def test_numbers_to_cells_and_back() -> None:
    data = b"id;score\r\n1;71,5\r\n2;NA\r\n3;64,25\r\n"
    table = read(data)
    column = table.columns[1]
    numbers = table.numbers(1)
    cells = format_cells(numbers.values, column.decimals, table.format.decimal)
    again = read(write(table, {1: cells}).data)
    np.testing.assert_array_equal(again.numbers(1).values, numbers.values)
    assert again.cell(1, 1) == "NA"
