"""Tables as people bring them, on the Privatize page: what it says, offers and gives back."""

from __future__ import annotations

import csv
import io
import re
import time
from typing import Any

import pytest

from compdp_core.release import TableRelease
from compdp_core.tables.alignment import Kind
from compdp_core.tables.missing import DEFAULT_MISSING
from pages.sections.shared.alignment_questions import JOINABLE, QUESTIONS
from tests.app.driving import Driven
from tests.unit.tables.files import FILES, unpacked

PAGE = "pages/privatize.py"
CHOICE = "Columns to privatize"
TITLE = FILES["A16_title"]


def opened(name: str) -> Driven:
    return Driven(PAGE).upload(f"{name}.csv", FILES[name])


def answered(app: Driven, answer: str, label: str = "This row is") -> Driven:
    return app.set("radio", label, answer)


def released(app: Driven, column: int, lower: str, upper: str) -> TableRelease:
    app.choose(CHOICE, [column])
    app.bounds(column + 1, lower, upper)
    app.press("Release").awaited()
    (kept,) = app.releases
    return kept


def rows_of(data: bytes, separator: str = ",", encoding: str = "utf-8") -> list[list[str]]:
    """Cells by the standard library's reader."""
    text = data.decode(encoding)
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=separator))


@pytest.mark.parametrize(
    ("name", "rows", "columns", "words"),
    [
        ("A01", 3, ["age", "score"], "UTF-8 with mark"),
        ("A02", 3, ["leeftijd", "cijfer"], "UTF-16-LE with mark · separated by tab"),
        ("A02_nobom", 2, ["score"], "The encoding was taken to be utf-16-le"),
        ("A03", 2, ["price €"], "The encoding was taken to be cp1252"),
        ("A04", 3, ["Alter", "Gewicht"], "separated by semicolon · decimal comma"),
        ("A04_onecol", 3, ["Gewicht"], "decimal comma"),
        ("A10", 3, ["score"], "whole numbers lose digits"),
        ("A10_21digit", 3, [], "whole numbers lose digits"),
        ("A11", 8, ["score"], ""),
        ("A13_no_header", 3, ["column 1", "column 2"], "the first row (14, 71.5) looks like data"),
        ("A14_gzip", 2, ["score"], "packed with gzip and has been unpacked"),
        (
            "A15_swallow",
            3,
            ["id · looks like an ID", "remark", "score"],
            "(row 2: file lines 3 to 5)",
        ),
        ("A16_sep", 2, ["id · looks like an ID", "age", "score"], "sep=, is kept"),
        ("A20", 7, ["id · looks like an ID", "score"], "'inf' in row 2"),
        ("A23", 3, ["note"], ""),
        ("B06_onerow", 1, ["id", "score"], ""),
        ("C01_allmissing", 3, ["id · looks like an ID"], "every cell is missing"),
    ],
)
def test_what_is_understood_is_said(name: str, rows: int, columns: list[str], words: str) -> None:
    app = opened(name)
    text = app.said()
    assert not app.messages("error")
    assert f"{rows} row{'' if rows == 1 else 's'} and " in text
    assert words in text
    assert (app.options(CHOICE) if columns else []) == columns
    if not columns:
        assert "No column holds numbers" in text


@pytest.mark.parametrize("name", ["A01", "A09", "B09"])
def test_nothing_invisible_and_no_quotes_in_what_is_shown(name: str) -> None:
    app = opened(name)
    labels = list(app.at.dataframe[0].value.columns)
    assert labels[0] == {"A01": "student", "A09": "id", "B09": "cost $USD to $EUR"}[name]
    assert all(label.isprintable() and not label.startswith('"') for label in labels)


def test_each_reason_is_written_out_and_a_symbol_is_taken_off_on_demand() -> None:
    app = opened("A06")
    text = app.said()
    assert "'$1,234.50' and '€2,100.00'" in text
    assert "'172 cm' and '1.68 m'" in text
    assert "'12%' in row 1" in text
    offers = app.options("Take symbols off these columns")
    assert [offer.partition(":")[0] for offer in offers] == ["bonus_pct", "balance"]
    app.choose("Take symbols off these columns", [2])
    assert "bonus_pct" in app.options(CHOICE)


def test_separator_and_decimal_mark_can_be_changed() -> None:
    app = opened("A04")
    box = app._of("selectbox", "Separator")
    assert box.options[0] == "as found: semicolon"
    assert app._of("selectbox", "Decimal mark").options[0] == "as found: comma"
    app.select("Separator", ",").select("Decimal mark", ".")
    assert "separated by comma" in app.said()
    app.select("Separator", "as found").select("Decimal mark", "as found")
    assert "separated by semicolon · decimal comma" in app.said()


@pytest.mark.parametrize(
    ("name", "column", "separator", "encoding"),
    [("A01", 2, ",", "utf-8-sig"), ("A02", 2, "\t", "utf-16"), ("A03", 1, ",", "cp1252"),
     ("A04", 2, ";", "utf-8"), ("A09", 2, ",", "utf-8"), ("A10", 2, ",", "utf-8"),
     ("A11", 2, ",", "utf-8"), ("A12", 2, ",", "utf-8"), ("A23", 2, ",", "utf-8")],
)  # fmt: skip
def test_the_other_cells_of_the_download_are_those_of_the_upload(
    name: str, column: int, separator: str, encoding: str
) -> None:
    release = released(opened(name), column, "0", "100")
    data = release.csv(guard_formulas=False)
    assert data[:2] == unpacked(FILES[name])[:2]
    before, after = (rows_of(each, separator, encoding) for each in (FILES[name], data))
    assert before[0] == after[0]
    for old, new in zip(before[1:], after[1:], strict=True):
        assert [c for i, c in enumerate(old) if i != column] == [
            c for i, c in enumerate(new) if i != column
        ]
    drawn = [float(row[column].replace(",", ".")) for row in after[1:]]
    assert drawn == release.columns[0].values.tolist()
    if name == "A04":
        assert all("." not in row[column] for row in after)


def test_spellings_of_a_missing_value_are_listed_and_can_be_changed() -> None:
    app = Driven(PAGE).upload("t.csv", b"id,score\n1,71\n2,not measured\n3,-99\n4,NA\n5,64\n")
    table = app.at.dataframe[1].value
    assert list(table["missing"]) == ["none", "2: NA × 1, not measured × 1"]
    # A code among numbers is a number until the owner says what it stands for.
    app.choose("Also missing", ["-99"])
    assert "-99 × 1" in list(app.at.dataframe[1].value["missing"])[1]
    app.choose("Found, but not missing", ["not measured"])
    assert "'not measured' in row 2" in app.said()
    said = " ".join(app.at.dataframe[1].value["can be privatized"])
    assert "other cells count as missing" in said
    app.choose("Found, but not missing", [])
    assert "score" in app.options(CHOICE)
    # The usual ones are not spread out on the page.
    app = opened("A11")
    assert app._of("multiselect", "Also missing").value == []
    usual = app._of("multiselect", "Found, but not missing").placeholder
    assert "#N/A, -, NA, missing, n.a." in usual
    assert len(DEFAULT_MISSING) > 60


def test_endings_in_capitals_and_none_at_all_are_accepted() -> None:
    for file in ("SCORES.CSV", "scores", "scores.TXT"):
        app = Driven(PAGE).upload(file, FILES["A12"])
        assert app.options(CHOICE)


def test_a_wide_table_is_previewed_in_part_and_searched_quickly() -> None:
    app = opened("A25_wide")
    assert app.at.dataframe[0].value.shape == (5, 30)
    assert "The first 30 of 1,200 columns" in app.said()
    assert len(app.options(CHOICE)) == 1200
    clock = time.process_time()
    app.choose(CHOICE, [1199])
    assert time.process_time() - clock < 3
    assert app.labels("text_input").count("Lower bound, q1200") == 1


def test_a_cell_of_a_megabyte_is_not_sent_to_the_browser() -> None:
    app = Driven(PAGE).upload("t.csv", b"a,b\n" + b"x" * 2**20 + b",1\ny,2\n")
    assert max(len(cell) for cell in app.at.dataframe[0].value["a"]) == 200
    assert len(app.said()) < 20_000


def test_constant_single_and_missing_columns_draw_their_pages() -> None:
    app = opened("B06")
    assert "every cell is missing" in app.said()
    assert released(app, 1, "0", "100").columns[0].composite.variance(50) > 0
    assert "All values of this column are equal" in app.said()
    single = opened("B06_onerow")
    assert len(released(single, 1, "0", "100").columns[0].values) == 1


# Rows that do not line up


@pytest.mark.parametrize(
    ("name", "kind", "answer", "rows"),
    [
        ("A08", "trailing", "keep", 3),
        ("A08_firstrow", "trailing", "keep", 3),
        ("A16_ragged", "short", "complete", 3),
    ],
)
def test_rows_of_the_field_that_do_not_line_up_are_asked_about(
    name: str, kind: Kind, answer: str, rows: int
) -> None:
    app = opened(name)
    assert CHOICE not in app.labels("multiselect")
    for other, word in {"long": "leave out", kind: answer}.items():
        if any(QUESTIONS[other].said in each.label for each in questions(app)):
            uneven(app, other, word)
    assert f"{rows} rows and 3 columns" in app.said()
    assert app.options(CHOICE) == ["id · looks like an ID", "age", "score"]


def questions(app: Driven) -> list[Any]:
    return app.every("radio") + app.every("selectbox")


UNEVEN: dict[Kind, tuple[bytes, str, str]] = {
    "short": (b"name,score,note\nAda,12,x\nBen\nCy,15,y\n", "short_rows", "Ben"),
    "long": (b"name,score,rank\nAda,34,7\nLee, Bo,27,6\nCy,41,8\n", "long_rows", "Lee, Bo,27,6"),
    "trailing": (b"name,score,rank\nAda,34,7\nBo,27,5,\nCy,41,8\n", "trailing_cells", "Bo,27,5,"),
    "comment": (b"name,score\nAda,34\n# recalibrated,\nCy,41\n", "comment_rows", "# recalibrated"),
    "blank": (b"score\n34\n\n41\n", "blank_lines", "Behind row 1"),
}


@pytest.mark.parametrize("kind", UNEVEN)
def test_rows_that_do_not_line_up_hold_the_page_until_something_is_said(kind: Kind) -> None:
    data, option, shown = UNEVEN[kind]
    app = Driven(PAGE).upload("t.csv", data)
    assert shown in app.said()
    assert "Say what becomes of these rows to go on" in app.said()
    assert CHOICE not in app.labels("multiselect")
    assert app.labels("button").count("Release") == 0
    for answer in (*QUESTIONS[kind].answers, *([0] if kind in JOINABLE else [])):
        uneven(app, kind, answer)
        assert app.options(CHOICE)
        assert app.kept[f"reading.{option}"] == answer
        assert "Say what becomes of these rows" not in app.said()


def uneven(app: Driven, kind: Kind, answer: Any) -> Driven:
    """Answer the question about rows of that kind."""
    (found,) = [each for each in questions(app) if QUESTIONS[kind].said in each.label]
    found.set_value(answer)
    return app.run()


@pytest.mark.parametrize(
    ("kind", "answer", "lines"),
    [
        ("short", "complete", ["Ada,#,x", "Ben,#,", "Cy,#,y"]),
        ("short", "leave out", ["Ada,#,x", "Cy,#,y"]),
        ("long", "leave out", ["Ada,#,7", "Cy,#,8"]),
        ("long", 0, ["Ada,#,7", '"Lee, Bo",#,6', "Cy,#,8"]),
        ("trailing", "keep", ["Ada,#,7", "Bo,#,5,", "Cy,#,8"]),
        ("trailing", "leave out", ["Ada,#,7", "Cy,#,8"]),
        ("trailing", 1, ["Ada,#,7", "Bo,#,", "Cy,#,8"]),
        ("comment", "keep", ["Ada,#", "# recalibrated,", "Cy,#"]),
        ("comment", "leave out", ["Ada,#", "Cy,#"]),
        ("comment", "row", ["Ada,#", "# recalibrated,#", "Cy,#"]),
        ("blank", "skip", ["#", "", "#"]),
        ("blank", "missing", ["#", "#", "#"]),
    ],
)
def test_what_is_said_of_such_rows_is_what_the_file_shows(
    kind: Kind, answer: Any, lines: list[str]
) -> None:
    app = Driven(PAGE).upload("t.csv", UNEVEN[kind][0])
    uneven(app, kind, answer)
    done = released(app, 0 if kind == "blank" else 1, "0", "100")
    _, *rows = done.csv().decode().splitlines()
    # Joined, 27 and 5 are 27,5: the column then has a decimal comma, and quotes for it.
    number = r'"-?\d+,\d+"|-?\d+(\.\d+)?'
    assert [re.sub(number, "#", row, count=1) for row in rows] == lines


def test_an_answer_that_the_next_reading_cannot_use_can_be_taken_back() -> None:
    app = Driven(PAGE).upload("t.csv", b"a,b,c;d\n1,2,3;4\n1,2,3,4;5;6\n1,2,3;4\n")
    app.select("Separator", ",")
    uneven(app, "long", 2)
    app.select("Separator", ";")
    assert "joined to is not there" in " ".join(app.messages("error"))
    uneven(app, "long", "leave out")
    assert not app.messages("error")


@pytest.mark.parametrize(
    ("press", "rows"), [("It holds the names", 3), ("It is a row like the others", 4)]
)
def test_a_number_among_the_names_is_asked_about(press: str, rows: int) -> None:
    """One private cell can make names of the first row, which leave without noise."""
    app = Driven(PAGE).upload("t.csv", b"ill,57\n12,58\n13,60\n14,61\n")
    assert "'57' among them is a number" in app.said()
    assert CHOICE not in app.labels("multiselect")
    app.press(press)
    assert f"{rows} rows and 2 columns" in app.said()
    assert app.options(CHOICE)


# Rows that are no people


def test_a_total_row_is_named_and_holds_the_page_until_something_is_said() -> None:
    app = opened("A16_title")
    text = app.said()
    assert "Row 3 looks like a total (it starts with 'Total')" in text
    assert "row 3: Total,,135" in text
    assert "2 lines are above the header" in text
    assert CHOICE not in app.labels("multiselect")
    assert app.labels("button").count("Release") == 0
    answered(app, "out")
    assert "1 row left out (row 3)" in app.said()
    assert app.options(CHOICE) == ["id · looks like an ID", "age", "score"]
    assert "2 rows and 3 columns" in app.said()
    # So it is where a statistic is released.
    app = Driven("pages/statistic.py").upload("t.csv", TITLE)
    assert "looks like a total" in app.said()
    assert app.labels("radio").count("This row is") == 1


def test_a_total_that_is_left_out_is_in_no_download() -> None:
    # No noise reaches 98765.
    data = TITLE.replace(b"Total,,135", b"Total,,98765")
    app = answered(Driven(PAGE).upload("t.csv", data), "out")
    release = released(app, 2, "0", "100")
    for excel in (False, True):
        data = release.csv(excel=excel)
        assert b"Total" not in data
        assert b"98765" not in data
    assert release.row_count == 2
    top, rows = TITLE.split(b"id,age,score\n")
    text = release.csv()
    assert text.startswith(top + b"id,age,score\n")
    old = rows_of(rows)[:2]
    new = rows_of(text.removeprefix(top + b"id,age,score\n"))
    assert [row[:2] for row in new] == [row[:2] for row in old]


def test_a_total_that_is_kept_gets_noise_like_everybody() -> None:
    app = answered(opened("A16_title"), "keep")
    release = released(app, 2, "0", "100")
    assert release.row_count == 3
    assert release.columns[0].values.shape == (3,)
    last = rows_of(release.csv())[-1]
    assert last[:2] == ["Total", ""]
    # 135 lies outside the bounds, so what was drawn for the row knows 100 at most.
    assert release.columns[0].clamped == 1


def test_rows_stay_as_they_are_and_can_be_left_out_by_number() -> None:
    app = opened("A12")
    # The same rows after every change of a widget.
    first = app.at.dataframe[0].value
    for _ in range(2):
        app.choose(CHOICE, [2]).choose(CHOICE, [])
        assert app.at.dataframe[0].value.equals(first)
    app.text("Rows to leave out", "2-3")
    assert "2 rows left out (rows 2, 3)" in app.said()
    assert "1 row and 3 columns" in app.said()
    app.text("Rows to leave out", "5")
    (message,) = app.messages("error")
    assert "'5' names no rows of this table. Its rows are 1 to 3" in message
    app.text("Rows to leave out", "1-3")
    assert "nothing remains" in app.messages("error")[0]
    app.text("Rows to leave out", "")
    assert not app.messages("error")
    assert "left out" not in app.said()
    # A release tells that other rows are left out since.
    released(app, 2, "0", "100")
    assert "settings above have changed since" not in app.said()
    app.text("Rows to leave out", "1")
    assert "settings above have changed since" in app.said()
    assert "ε = 1 was already spent on this table" in app.said()
    # It answers the question about a total, too.
    app = opened("A16_title").text("Rows to leave out", "3")
    assert app.options(CHOICE)
    assert "1 row left out (row 3)" in app.said()


def test_what_was_said_of_one_table_is_not_taken_for_another() -> None:
    app = answered(opened("A16_title"), "out")
    app.press("Another table").upload("u.csv", TITLE + b"Total,,1\n")
    assert CHOICE not in app.labels("multiselect")
    assert "2 rows (3, 4) look like a total" in app.said()
