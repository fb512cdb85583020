"""Any bytes at all: a table whose untouched bytes come back, or a TableError that says why not.

Cases are four times as many as the profile asks for: 200 by default, more with
HYPOTHESIS_PROFILE=thorough.
"""

from __future__ import annotations

import gzip

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from compdp_core.errors import TableError
from compdp_core.table import NoRowsError, Table, read, write
from tests.unit.table.files import FILES, ODDITIES, unpacked

CASES = 4 * settings.default.max_examples if settings.default else 200


def look_at_everything(table: Table, data: bytes) -> None:
    assert write(table, guard_formulas=False).data == unpacked(data)
    assert write(table).guarded >= 0
    write(table, excel=True)
    table.head(3)
    for notice in table.notices:
        assert notice.text
    for column in table.columns:
        kinds = column.numbers + column.missing + column.non_finite + column.texts
        assert kinds == table.row_count
        assert column.label
        if column.usable:
            numbers = table.numbers(column.position)
            assert int(numbers.missing.sum()) == column.missing
        else:
            with pytest.raises(TableError):
                table.numbers(column.position)
    assert len({column.label for column in table.columns}) == len(table.columns)


def check(data: bytes) -> None:
    try:
        table = read(data, limit=1 << 20)
    except TableError:
        return
    look_at_everything(table, data)


@settings(max_examples=CASES)
@given(st.binary(max_size=200))
@example(b"\x1f\x8b\x08")
@example(b"PK\x03\x04")
@example(b"PK\x05\x06" + bytes(30))
@example(b"\xff\xfe")
@example(b"\xff\xfe\x00\xd8")
@example(b"\xef\xbb\xbf")
@example(b"sep=")
@example(b"sep=,")
@example(b'sep=,\n"')
@example(b'"')
@example(b'""')
@example(b",")
@example(b"\r")
@example(b"\x80")
@example(gzip.compress(b""))
@example(gzip.compress(gzip.compress(b"a")))
def test_bytes(data: bytes) -> None:
    check(data)


ALPHABET = "\",;\t|\n\r0123456789.-+eE%$€() '=@abNAinfx\u00a0é漢\ufeff\x1a"


@settings(max_examples=CASES)
@given(
    st.text(ALPHABET, max_size=120),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "cp1252", "gb18030"]),
)
def test_texts_like_tables(text: str, encoding: str) -> None:
    check(text.encode(encoding, "ignore"))


@settings(max_examples=CASES)
@given(st.sampled_from(sorted(FILES | ODDITIES)), st.data())
def test_damaged_files(name: str, draw: st.DataObject) -> None:
    data = bytearray((FILES | ODDITIES)[name][:400] or b"x")
    for _ in range(draw.draw(st.integers(1, 4), label="changes")):
        place = draw.draw(st.integers(0, len(data) - 1), label="place")
        data[place] = draw.draw(st.integers(0, 255), label="byte")
    check(bytes(data))


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False).map(repr) | st.integers().map(str)


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, str, list[list[str]]]:
    """Separator, text, and the rows a reader should find in it."""
    separator = draw(st.sampled_from(",;\t|"))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    width = draw(st.integers(1, 5))
    columns = [draw(st.sampled_from([CELLS, NUMBERS, NUMBERS | st.just("")])) for _ in range(width)]
    drawn = draw(st.lists(st.tuples(*columns).map(list), min_size=1, max_size=12))
    lines = [separator.join(f"name{i}" for i in range(width))]
    rows = []
    for row in drawn:
        quoted = [
            draw(st.booleans()) or any(mark in cell for mark in (separator, '"', "\r", "\n"))
            for cell in row
        ]
        typed = ['"' + cell.replace('"', '""') + '"' if q else cell
                 for cell, q in zip(row, quoted, strict=True)]  # fmt: skip
        lines.append(separator.join(typed))
        # A blank line is no row.
        if width > 1 or typed[0].strip(" \t\x0b\x0c\x1a"):
            rows.append(row)
    return separator, end.join(lines) + end * draw(st.integers(0, 2)), rows


@settings(max_examples=CASES)
@given(tables(), st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "utf-32-be"]))
def test_structured_tables(drawn: tuple[str, str, list[list[str]]], encoding: str) -> None:
    separator, text, rows = drawn
    data = text.encode(encoding)
    if not rows:
        with pytest.raises(NoRowsError):
            read(data, separator=separator, header=True, skip_lines=0, encoding=encoding)
        return
    table = read(data, separator=separator, header=True, skip_lines=0, encoding=encoding)
    look_at_everything(table, data)
    assert table.head(len(rows)) == rows


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_separator_of_an_ordinary_table_is_found(separator: str) -> None:
    rows = [["id", "town", "score"]] + [[str(i), f"town {i % 3}", f"{i}.5"] for i in range(20)]
    data = "\n".join(separator.join(row) for row in rows).encode()
    table = read(data)
    assert table.format.separator == separator
    assert table.numbers(2).values.tolist() == [i + 0.5 for i in range(20)]
