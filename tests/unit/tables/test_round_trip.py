"""Any bytes at all: a table whose untouched bytes come back, or a TableError that says why not.

Together the tests draw 2,500 files in CI and 800 elsewhere; TABLE_FUZZ=200000 draws that many.
What so few do not meet of what 10,000 do (refusals, notices, encodings, kinds of columns) is given.
"""

from __future__ import annotations

import gzip
import os
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compdp_core.errors import TableError
from compdp_core.tables import NoRowsError, Table, read, write
from tests.conftest import IN_CI
from tests.unit.tables.files import FILES, ODDITIES, unpacked

FILES_DRAWN = int(os.environ.get("TABLE_FUZZ") or (2_500 if IN_CI else 800))
LIMIT = 1 << 20
WAYS_OUT = ("upload", "save", "skip", "choose", "correct", "say that", "check", "pack")


def share(part: float) -> settings:
    """So many of the files that are drawn in all."""
    slow = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    return settings(max_examples=max(1, round(part * FILES_DRAWN)), suppress_health_check=slow)


def look_at_everything(table: Table, data: bytes) -> None:
    assert write(table, guard_formulas=False).data == unpacked(data)
    assert write(table).guarded >= 0
    write(table, excel=True)
    table.head(3)
    for notice in table.notices:
        assert notice.text
        assert all(1 <= row <= table.row_count for row in notice.rows)
    for column in table.columns:
        kinds = column.numbers + column.missing + column.non_finite + column.texts
        assert kinds == table.row_count
        assert column.label
        if column.usable:
            numbers = table.numbers(column.position)
            assert int(numbers.missing.sum()) == column.missing
        else:
            assert column.refusal
            with pytest.raises(TableError):
                table.numbers(column.position)
    assert len({column.label for column in table.columns}) == len(table.columns)
    replace_one(table, len(data) % len(table.columns))


def replace_one(table: Table, column: int) -> None:
    """No cell of another column changes when one is replaced, and none of the header or titles."""
    new = [f"{row}7" for row in range(table.row_count)]
    written = write(table, {column: new}, guard_formulas=False).data
    assert written.startswith(top_of(table))
    if table.decoded.damaged:
        return
    again = read(written, **table.format.options)
    assert again.row_count == table.row_count
    for other in range(min(len(table.columns), len(again.columns))):
        expected = new if other == column else table.texts(other)
        assert again.texts(other) == expected


def top_of(table: Table) -> bytes:
    """What stands above the first row, in the encoding of the file."""
    top = int(table.index.row_starts(0, 1)[0])
    text = table.index.content[table.decoded.origin : top]
    return table.decoded.bom + table.decoded.to_file(text)


def check(data: bytes, options: dict[str, Any] | None = None) -> None:
    refused = None
    try:
        table = read(data, limit=LIMIT, **(options or {}))
    except TableError as problem:
        refused = str(problem)
    if refused is None:
        look_at_everything(table, data)
    else:
        assert any(way in refused.lower() for way in WAYS_OUT), refused


OPTIONS: st.SearchStrategy[dict[str, Any]] = st.just({}) | st.fixed_dictionaries(
    {},
    optional={
        "encoding": st.sampled_from(["utf-8", "cp1252", "utf-16", "latin-1", "shift_jis"]),
        "separator": st.sampled_from([",", ";", "\t", "|", " "]),
        "decimal": st.sampled_from([".", ","]),
        "quote": st.sampled_from(['"', "'", ""]),
        "escape": st.sampled_from(["", "\\"]),
        "header": st.booleans(),
        "skip_lines": st.integers(0, 4),
    },
)


@share(0.25)
@given(st.binary(max_size=200), OPTIONS)
def test_bytes(data: bytes, options: dict[str, Any]) -> None:
    check(data, options)


RARE = [
    b"\x1f\x8b\x08", b"PK\x03\x04", b"PK\x05\x06" + bytes(30), b"\xff\xfe", b"\xff\xfe\x00\xd8",
    b"\xef\xbb\xbf", b"sep=", b"sep=,", b'sep=,\n"', b'"', b'""', b",", b"\r", b"\x80",
    gzip.compress(b"", mtime=0), gzip.compress(gzip.compress(b"a", mtime=0), mtime=0), b"%PDF-1",
    b"PAR1\x15", b"\x89PNG\r\n",
    b"<html>", b"a,b\n1,2\n# note\n3,4\n", b"a;b\nx;1,234\ny;2,345\n", b"a,b\n,1\ninf,2\nx,3\n",
    b"t\nt\nt\na,b,c\n1,2,3\n4,5,6\n", b"d,x\n20240101,1\n20240215,2\n20231231,3\n",
]  # fmt: skip
LETTERS = {
    "big5": "中", "big5hkscs": "中", "cp949": "中", "gb18030": "中", "johab": "中",
    "shift_jis_2004": "中", "cp852": "é", "cp1006": "ﺍ", "cp1251": "И", "cp1256": "ا",
    "hp-roman8": "é", "mac-greek": "α",
}  # fmt: skip


@pytest.mark.parametrize("data", RARE, ids=ascii)
def test_beginnings_and_rare_sights(data: bytes) -> None:
    check(data)


@pytest.mark.parametrize("encoding", LETTERS)
def test_rare_encodings(encoding: str) -> None:
    letter = LETTERS[encoding]
    data = f"name,n\n{letter}{letter},1\n{letter},2.5\n".encode(encoding)
    check(data, {"encoding": encoding})
    look_at_everything(read(data, encoding=encoding), data)


PIECES = [
    *"\",;\t|\n\r0123456789.-+eE%$€() '=@aNx#", "\r\n", "\n\n", '""', '","', "\u00a0", "é", "漢",
    "\ufeff", "\x1a", "\0", "\u2028", "\x85", "NA", "not measured", "Total", "7a", "172 cm",
    "1e400", "inf", "0x1A", "9" * 30, "0." + "0" * 30 + "1", "sep=;\n", "name,score\n",
    "1,2\n", "a;1,5\n", "\U0001f600", "\u202e",
]  # fmt: skip
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252",
             "gb18030", "shift_jis"]  # fmt: skip


@share(0.4)
@given(
    st.lists(st.sampled_from(PIECES), max_size=60).map("".join),
    st.sampled_from(ENCODINGS),
    OPTIONS,
    st.booleans(),
)
def test_texts_like_tables(text: str, encoding: str, options: dict[str, Any], packed: bool) -> None:
    data = text.encode(encoding, "ignore")
    check(gzip.compress(data, 1) if packed else data, options)


SEEDS = sorted((FILES | ODDITIES).items())
CHANGES = st.lists(
    st.tuples(st.integers(0, 399), st.sampled_from(["set", "insert", "delete", "double"]),
              st.integers(0, 255) | st.sampled_from(list(b'",;\n\r\t\0\x80\xef'))),
    min_size=1, max_size=4,
)  # fmt: skip


@share(0.2)
@given(st.sampled_from(SEEDS).map(lambda seed: seed[1]), CHANGES)
def test_damaged_files(seed: bytes, changes: list[tuple[int, str, int]]) -> None:
    data = bytearray(seed[:400] or b"x")
    for where, kind, byte in changes:
        place = where % (len(data) or 1)
        if kind == "set" and data:
            data[place] = byte
        elif kind == "insert":
            data.insert(place, byte)
        elif kind == "delete":
            del data[place : place + 1 + byte % 8]
        else:
            data[place:place] = data[place : place + byte]
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


@share(0.15)
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
