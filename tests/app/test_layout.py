"""How a file is laid out, on the Privatize page: what is in doubt is asked, a press mends it."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.app.driving import Driven
from tests.unit.tables.test_layout_cases import (
    COMMENT_LAST,
    ESCAPED,
    QUALTRICS,
    SECTIONS,
    SINGLE,
    UNITS,
)

PAGE = "pages/privatize.py"
CHOICE = "Columns to privatize"
LINES = "Which line holds the names?"


def opened(data: bytes, page: str = PAGE) -> Driven:
    return Driven(page).upload("t.csv", data)


def rows_and_columns(app: Driven) -> str:
    (said,) = [text for text in app.messages("markdown") if re.match(r"\d+ rows? and ", text)]
    return said


@pytest.mark.parametrize(
    ("data", "presses"),
    [
        (QUALTRICS, {"All 3 are header rows": ("4 rows", 3), "They are rows like the others":
                     ("6 rows", 1)}),
        (UNITS, {"Both are header rows": ("3 rows", 2), "It is a row like the others":
                 ("4 rows", 1)}),
    ],
)  # fmt: skip
def test_more_header_rows_are_asked_about_with_one_press(
    data: bytes, presses: dict[str, tuple[str, int]]
) -> None:
    for press, (rows, many) in presses.items():
        app = opened(data)
        assert "seem to name the columns: below the first, row" in app.said("warning")
        assert CHOICE not in app.labels("multiselect")
        assert "missing ones" not in app.said()
        app.press(press)
        assert rows_and_columns(app).startswith(rows)
        assert app.kept["reading.header_rows"] == many
        assert ("header rows" in rows_and_columns(app)) is (many > 1)
        assert CHOICE in app.labels("multiselect") or many == 1
    # It can be taken back where the file is read, also by saying that there are no names.
    app.set("number_input", "Header rows", 2)
    app.select("First row", False)
    assert "no header row" in rows_and_columns(app)
    assert "Header rows" not in app.labels("number_input")


@pytest.mark.parametrize("page", [PAGE, "pages/statistic.py"])
def test_which_line_holds_the_names(page: str) -> None:
    app = opened(SECTIONS, page)
    assert "Line 4 (Well, Value, Unit, Flag) most likely holds the names" in app.said("warning")
    assert app.labels("selectbox").count(LINES) == 1
    app.press("Line 4 holds the names")
    assert rows_and_columns(app).startswith("3 rows and 4 columns")
    assert list(app.at.dataframe[0].value.columns) == ["Well", "Value", "Unit", "Flag"]
    box = app._of("selectbox", LINES)
    assert box.options[:4] == [
        "line 1: Plate,P1,,", "line 2: Reader,X,,", "line 3: ,,,", "line 4: Well,Value,Unit,Flag",
    ]  # fmt: skip
    app.select(LINES, 1)
    assert list(app.at.dataframe[0].value.columns)[:2] == ["Reader", "X"]
    again = opened(SECTIONS, page).press("Line 1 holds the names")
    assert "most likely" not in again.said()


TITLED = b"Results\nof 2025\nid,age,score\n1,2,3\n4,5,6\n"
CASES: list[tuple[bytes, dict[str, Any], str, str, Any, str]] = [
    (TITLED, {}, "Skip no lines", "skip_lines", 0, "4 rows"),
    (b"14,71.5\n15,64\n", {}, "The first row holds the names", "header", True, "1 row"),
    (b"a;b\nx;1,234\ny;2,345\n", {}, "Read with a decimal point", "decimal", ".", "2 rows"),
    (b'id,r,n\n1,"late,6\n3,ok",5\n', {}, "Read quotes as ordinary characters", "quote", "",
     "2 rows"),
    (b"a,b\n1,2\n,\n3,4\n", {}, "Leave this row out", "left_out", "2", "2 rows"),
    (SINGLE, {}, "Read single quotes as quotes", "quote", "'", "2 rows"),
    (ESCAPED, {}, "A backslash in front of a quote makes it a letter", "escape", "\\", "2 rows"),
    (b"a,b\n\xe9,1\n\xe8,2\n", {}, "Read as ISO8859-1", "encoding", "iso8859-1", "2 rows"),
    (b"a,b\nx,1\ny,2\nz,sick\n", {}, "b\\: count 'sick' as missing", "also_missing", ["sick"],
     "3 rows"),
    # Refusals
    (b"name,age\n", {}, "It has no header: the line is data", "header", False, "1 row"),
    (b"a,b\n1,2\n", {"skip_lines": 9}, "Skip no lines", "skip_lines", 0, "1 row"),
    (UNITS, {"header_rows": 50}, "One row holds the names", "header_rows", 1, "4 rows"),
    (b"a,b\n#x,1\n", {"comment_rows": "leave out"}, "Ask again what becomes of such rows",
     "comment_rows", None, "1 row"),
    (b"a,b\n\xe9,1\n", {"encoding": "utf-8"}, "Read as Windows text (CP1252)", "encoding",
     "cp1252", "1 row"),
    (b"a,b\n\xe9,1\n", {"encoding": "utf-8"}, "Find the encoding", "encoding", "as found", "1 row"),
    (b'a,b\n"x,1\ny,2\n', {}, "Read quotes as ordinary characters", "quote", "", "2 rows"),
    (b'a,b\n"x\\"y",1\n"z",2\n"w\\",3"\n', {"escape": ""}, "A backslash in front of a quote makes "
     "it a letter", "escape", "\\", "3 rows"),
    (b"a,b\nit's,1\n'x,2\n", {"quote": "'"}, "Cells are quoted with double quotes", "quote", '"',
     "2 rows"),
    (b'a,b\n"x\\",1\n', {"escape": "\\"}, "A backslash is a letter", "escape", "as found", "1 row"),
    (";".join(["a,b"] * 17_000).encode() + b"\n1\n", {"separator": ";"}, "Separated by tab",
     "separator", "\t", "1 row"),
    (b"a,b\n1,2\n3,4,5\n", {"long_rows": 2}, "Ask again what becomes of such rows", "long_rows",
     None, "2 rows"),
    (b"a,b\n1,2\n", {"left_out": "7"}, "Leave no row out by its number", "left_out", "", "1 row"),
    (b"a,b\n1,2\n", {"left_out": "1"}, "Leave no row out", "left_out", "", "1 row"),
    (b"a,b\nTotal,2\n", {"suspects": "out"}, "Leave no row out", "suspects", None, "1 row"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "said", "press", "option", "value", "rows"), CASES)
def test_one_press_does_what_is_advised(
    data: bytes, said: dict[str, Any], press: str, option: str, value: Any, rows: str
) -> None:
    app = opened(data)
    for name, setting in said.items():
        app.kept[f"reading.{name}"] = setting
    app.run()
    app.press(press)
    assert app.kept[f"reading.{option}"] == value
    assert not app.messages("error")
    assert rows_and_columns(app).startswith(rows)


@pytest.mark.parametrize("data", [b"", b"\n\n", b"%PDF-1.4 x"])
def test_a_file_that_is_no_table_leads_to_another(data: bytes) -> None:
    app = opened(data)
    assert app.messages("error")
    app.press("Choose another file")
    assert not app.messages("error")
    assert len(app.every("file_uploader")) == 1


def test_separators_quotes_and_escapes_are_offered() -> None:
    app = opened(b"a b\n1  2\n3 4\n")
    assert "separated by space" in rows_and_columns(app)
    assert "Several in a row count as one" in app.said("info")
    app.select("Separator", "~").select("Separator", " ")
    assert rows_and_columns(app).startswith("2 rows and 2 columns")
    for label, value in (("Cells are quoted with", "'"), ("A backslash", "\\")):
        app.select(label, value)
    said = rows_and_columns(app)
    assert "single quotes" in said
    assert "backslashes" in said


def test_a_total_is_not_advised_to_be_called_missing() -> None:
    app = opened(b"n,a\n1,2\n2,3\nTotal,5\n")
    assert "missing ones" not in app.said()
    app.set("radio", "This row is", "keep")
    assert "missing ones" in app.said()
    assert not [label for label in app.labels("button") if "as missing" in label]
    comment = opened(COMMENT_LAST)
    assert "missing ones" not in comment.said()


def test_the_mark_of_comments_is_said_with_what_becomes_of_them() -> None:
    app = opened(COMMENT_LAST.replace(b"#", b"//"))
    (asked,) = [each for each in app.every("radio") if "in front, as comments have" in each.label]
    assert "//" in asked.label
    asked.set_value("keep")
    app.run()
    assert rows_and_columns(app).startswith("3 rows and 2 columns")
    assert app.options(CHOICE)
