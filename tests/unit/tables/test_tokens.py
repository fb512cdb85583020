"""Cells found by array operations, and by Python's csv module."""

from __future__ import annotations

import csv
import io
from typing import Literal

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from compdp_core.tables import tokens
from compdp_core.tables.index import Index, trimmed, unquoted
from compdp_core.tables.records import arrange, blank_records
from compdp_core.tables.tokens import physical_line, tokenize
from tests.unit.tables.cells import padded


def records(text: str, separator: str = ",", quote: str = '"') -> list[list[str]]:
    content = text.encode()
    found = tokenize(content, 0, separator, quote)
    code = ord(quote) if quote else -1
    index = Index(content, found, code, 0, 0, 0, None, None)
    rows = []
    for first, last in zip(found.records[:-1].tolist(), found.records[1:].tolist(), strict=True):
        places = index.places(np.arange(first, last))
        cells = zip(*(place.tolist() for place in places), strict=True)
        rows.append([unquoted(content[a:b], code).decode() for a, b in cells])
    return rows


def by_csv(text: str, separator: str, *, quoting: bool = True) -> list[list[str]]:
    how: Literal[0, 3] = csv.QUOTE_MINIMAL if quoting else csv.QUOTE_NONE
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, quoting=how)
    # The module gives [] for an empty line.
    return [row or [""] for row in reader]


@pytest.fixture(params=[3, 7, 1 << 18], ids=lambda size: f"blocks of {size}")
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    size: int = request.param
    monkeypatch.setattr(tokens, "_BLOCK", size)
    return size


TEXTS = st.text('"""",,\n\r;a é', max_size=40)
BLOCKS = st.sampled_from([1, 2, 3, 5, 16, 1 << 18])


@given(TEXTS, st.sampled_from([",", ";"]), BLOCKS)
@example('a,"b', ",", 1)
@example('"a""b",c"d"e\r\n"x"y"z,\r"",', ",", 2)
@example('""""""\n"""a,""",b', ",", 3)
@example("\r\n\r\r\n", ",", 1)
def test_cells_are_those_of_the_csv_module(text: str, separator: str, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tokens, "_BLOCK", size)
        found = tokenize(text.encode(), 0, separator, '"')
        cells = records(text, separator)
    theirs = by_csv(text, separator)
    if found.open_quote is None:
        assert cells == theirs
    else:
        # What follows the open quote is one cell for both.
        assert cells[:-1] == theirs[:-1]
        assert text.encode()[found.open_quote : found.open_quote + 1] == b'"'


@given(TEXTS)
def test_without_quotes_quotes_are_characters(text: str) -> None:
    assert records(text, quote="") == by_csv(text, ",", quoting=False)


@pytest.mark.usefixtures("block")
def test_line_ends_inside_quotes_are_remembered() -> None:
    found = tokenize(b'a,"b\r\nc"\n"\n",d\n', 0, ",", '"')
    assert found.embedded.tolist() == [5, 10]
    assert found.open_quote is None


@pytest.mark.usefixtures("block")
def test_open_quote_is_the_last_one_that_opens() -> None:
    found = tokenize(b'"a",b\n1,"c\nd', 0, ",", '"')
    assert found.open_quote == 8


def test_long_run_of_quotes_is_never_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tokens, "_BLOCK", 4)
    for count in range(1, 40):
        text = "a," + '"' * count + ",b\n"
        if tokenize(text.encode(), 0, ",", '"').open_quote is None:
            assert records(text) == by_csv(text, ",")


def test_origin_is_the_start_of_a_cell() -> None:
    found = tokenize(b'\xef\xbb\xbf"a,b",c\n', 3, ",", '"')
    assert found.edges.tolist() == [3, 9, 11]


def test_regular_tables_keep_no_place_for_rows() -> None:
    content = b"\na,b\n1,2\n3,4\n\n"
    found = tokenize(content, 0, ",", '"')
    blank = blank_records(content, found)
    assert blank.tolist() == [0, 4]
    index = arrange(content, found, '"', blank)
    assert (index.row_count, index.width) == (3, 2)
    assert index.firsts is None
    ragged = content.replace(b"1,2", b"1")
    found = tokenize(ragged, 0, ",", '"')
    assert arrange(ragged, found, '"', blank_records(ragged, found)).widths is not None


@pytest.mark.parametrize(
    ("position", "line"), [(0, 1), (1, 1), (3, 2), (4, 2), (5, 3), (7, 4), (9, 5)]
)
def test_physical_lines(position: int, line: int) -> None:
    assert physical_line(b"a\r\nb\nc\r\r\nd", position) == line


@given(st.lists(st.text(" \ta1", max_size=50), min_size=1, max_size=20))
@example([" " * 100 + "a" + "\t" * 70, " " * 90, ""])
def test_trimmed_like_python(cells: list[str]) -> None:
    block, starts, stops = padded(cells)
    begin, end = trimmed(block, starts, stops)
    texts = [block[a:b].tobytes().decode() for a, b in zip(begin, end, strict=True)]
    assert texts == [cell.strip(" \t") for cell in cells]
    assert (begin <= end).all()
