"""Spreadsheets and other files that are no text, on the Privatize page."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from pyarrow import parquet

from compdp_core.tables import read
from pages.sections.shared import release_panel
from tests.app.driving import Driven
from tests.unit.tables.containers.made import file, workbook, zipped

PAGE = "pages/privatize.py"
CHOICE = "Columns to privatize"
BOOK = workbook(
    {
        "Scores": [["name", "score"], ["Ada", 71], ["@SUM(1)", 64.5], ["Cy", 88]],
        "Heights": [["name", "height"], ["Ada", 171], ["Ben", 164]],
    }
)


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> dict[str, tuple[str, Callable[[], Any]]]:
    """The name of each file that is offered, and what it would hold, by its button."""
    found: dict[str, tuple[str, Callable[[], Any]]] = {}

    def download(label: str, content: Callable[[], Any], name: str, *_: str, **how: Any) -> None:
        found[label] = (name, content)

    monkeypatch.setattr(release_panel, "download", download)
    return found


def test_a_sheet_is_chosen_with_one_press_and_comes_back_as_a_sheet(
    files: dict[str, tuple[str, Callable[[], Any]]],
) -> None:
    app = Driven(PAGE).upload("book.csv", BOOK)
    assert not app.messages("error")
    assert "Which table of the file?" in app.said()
    app.press("Scores")
    assert "3 rows and 2 columns · Excel file · table Scores" in app.said()
    app.press("Another table of this file").press("Heights")
    assert app.options(CHOICE)[-1] == "height"
    app.press("Another table of this file").press("Scores")
    app.choose(CHOICE, [1]).bounds(2, "0", "100").press("Release").awaited()
    (release,) = app.releases
    name, content = files["Download the table"]
    assert name == "book_privatized.xlsx"
    again = read(content())
    assert again.texts(0) == ["Ada", "@SUM(1)", "Cy"]
    assert again.numbers(1).values.tolist() == release.columns[0].values.tolist()
    assert b"'@SUM(1)" in files["Download as CSV"][1]()
    assert "Download as .xlsx" not in files
    assert "other sheets are not in it" in app.said()


def test_the_kind_that_came_and_excel_are_offered(
    files: dict[str, tuple[str, Callable[[], Any]]],
) -> None:
    app = Driven(PAGE).upload("scores.PARQUET", file("parquet"))
    app.choose(CHOICE, [3]).bounds(4, "-100", "100").press("Release").awaited()
    name, content = files["Download the table"]
    assert name == "scores_privatized.parquet"
    table = parquet.read_table(io.BytesIO(content()))
    assert table.column_names == ["name", "code", "seen", "score", "size"]
    assert read(files["Download as .xlsx"][1]()).texts(1) == ["007", "", "TRUE"]


UNITS = [{"time": "s", "temp": "K"}, {"time": "0", "temp": "21"}, {"time": "1", "temp": "9"}]
LAYOUT = {"Encoding", "Cells are quoted with", "Separator", "A backslash", "First row"}
NAMES_LINE = "Which line holds the names?"


@pytest.mark.parametrize(
    ("data", "asked"),
    [
        (b"name,score\nAda,7\n", {*LAYOUT, NAMES_LINE}),
        (workbook({"Scores": [["name", "score"], ["Ada", 71]]}), {"First row", NAMES_LINE}),
        (file("parquet"), set()),
        ("\n".join(map(json.dumps, UNITS)).encode(), set()),
        (json.dumps(UNITS).encode(), set()),
    ],
)
def test_only_what_a_kind_of_file_leaves_open_is_asked(data: bytes, asked: set[str]) -> None:
    app = Driven(PAGE).upload("t", data)
    assert {*LAYOUT, NAMES_LINE} & set(app.labels("selectbox")) == asked
    assert ("Header rows" in app.labels("number_input")) == bool(asked)
    assert "Decimal mark" in app.labels("selectbox")
    assert CHOICE in app.labels("multiselect")  # no question about names is in the way


def test_a_text_leaves_as_it_did_and_as_a_workbook(
    files: dict[str, tuple[str, Callable[[], Any]]],
) -> None:
    app = Driven(PAGE).upload("t.csv", b"name;score\nAda;7,5\nBen;8\n")
    app.choose(CHOICE, [1]).bounds(2, "0", "10").press("Release").awaited()
    assert files["Download the table"][0] == "t_privatized.csv"
    assert files["Download the table"][1]().startswith(b"name;score\nAda;")
    assert read(files["Download as .xlsx"][1]()).texts(0) == ["Ada", "Ben"]
    assert "Download as CSV" not in files


def test_an_archive_of_several_tables_asks_and_of_one_opens() -> None:
    two = zipped({"a.csv": b"n,m\n1,2\n3,4\n", "b.csv": b"k\n3\n4\n"})
    app = Driven(PAGE).upload("t.zip", two).press(r"b\.csv")
    assert app.options(CHOICE) == ["k"]
    app = Driven(PAGE).upload("t.zip", zipped({"a.csv": b"n,m\n1,2\n3,4\n"}))
    assert app.options(CHOICE) == ["n", "m"]
    assert "Another table of this file" not in app.labels("button")


def test_what_is_no_table_says_how_to_make_one() -> None:
    app = Driven(PAGE).upload("t.csv", zipped({"Index/Document.iwa": b"x"}))
    (message,) = app.messages("error")
    assert "Apple Numbers" in message
    assert "Export To > CSV" in message
