"""Files of the field by their layout: header rows, comments, sections, quotes, escapes, totals."""

from __future__ import annotations

from typing import Any

import pytest

from compdp_core.errors import ParameterError, TableError
from compdp_core.tables import read, write
from compdp_core.tables.drop_columns import without_columns
from compdp_core.tables.errors import ReplacementError
from compdp_core.tables.header import joined_names, more_header_rows
from compdp_core.tables.total_words import is_total

QUALTRICS = (
    b"StartDate,Duration (in seconds),Q1,Q2_1\n"
    b'Start Date,Duration (in seconds),How old are you?,"How often do you\nread? - Books"\n'
    b'"{""ImportId"":""startDate"",""timeZone"":""X/Y""}","{""ImportId"":""duration""}",'
    b'"{""ImportId"":""QID1_TEXT""}","{""ImportId"":""QID2_1""}"\n'
    b"2024-05-01 10:00:01,120,34,5\n2024-05-01 10:05:01,95,27,3\n"
    b"2024-05-01 10:09:44,240,51,4\n2024-05-01 11:00:00,180,45,2\n"
)
UNITS = b"time,temp,pressure\ns,degC,hPa\n0,21.5,1013\n1,21.7,1012\n2,22.0,1011\n"
SECTIONS = (
    b"Plate,P1,,\nReader,X,,\n,,,\nWell,Value,Unit,Flag\nA1,0.5,AU,\nA2,0.7,AU,\nA3,0.9,AU,\n"
)
COMMENTS = b"# exported 2024-05-01\n# station 7\nid,age\n1,34\n# sensor restarted\n2,27\n3,41\n"
COMMENT_LAST = b"id,age\n1,34\n2,27\n3,41\n# 3 rows, exported by tool\n"


def codes(data: bytes, **options: Any) -> dict[str, int]:
    return {notice.code: notice.count for notice in read(data, **options).notices}


# Several rows of names


@pytest.mark.parametrize(
    ("data", "rows", "labels"),
    [
        (QUALTRICS, 3, ["StartDate", "Duration (in seconds)", "Q1", "Q2_1"]),
        (UNITS, 2, ["time", "temp", "pressure"]),
        (b"x,2019,,2020,\nid,a,b,a,b\n1,2,3,4,5\n6,7,8,9,1\n", 2,
         ["x", "2019 a", "2019 b", "2020 a", "2020 b"]),
    ],
)  # fmt: skip
def test_several_rows_of_names(data: bytes, rows: int, labels: list[str]) -> None:
    assert codes(data)["more_names"] == rows or b"2019" in data
    table = read(data, header_rows=rows)
    assert [column.label for column in table.columns] == labels
    assert all(column.numeric for column in table.columns[1:])
    assert "more_names" not in {notice.code for notice in table.notices}
    assert table.format.options["header_rows"] == table.format.header_rows == rows
    again = read(data, **table.format.options)
    assert again.format.options == table.format.options
    assert again.row_count == table.row_count
    names = b"\n".join(data.split(b"\n")[: rows + data.count(b"you\nread")]) + b"\n"
    written = write(table, {1: ["7"] * table.row_count}).data
    assert written.startswith(names)
    assert write(table).data == data


def test_what_is_below_the_names_is_left_out_with_its_column() -> None:
    data = without_columns(UNITS, read(UNITS, header_rows=2).format, [1])
    assert data == b"time,pressure\ns,hPa\n0,1013\n1,1012\n2,1011\n"
    formulas = b"a,b\n=s,=t\n0,1\n2,3\n"
    table = read(formulas, header_rows=2)
    assert write(table).data == b"a,b\n'=s,'=t\n0,1\n2,3\n"


@pytest.mark.parametrize(
    "data",
    [
        b"id,score\n1,abc\n2,12\n3,13\n4,14\n",  # one slip
        b"id,a,b\n1,n/a,-\n2,12,5\n3,13,6\n",  # missing values
        b"id,a,b\nx,<5,>10\ny,12,5\nz,13,6\n",  # limits
        b"name,town\nAda,Ulm\nBen,Bonn\n",  # no numbers
        b"a,b\nx,y\n1,2\n",  # a single row below
    ],
)
def test_a_row_of_data_is_no_row_of_names(data: bytes) -> None:
    assert "more_names" not in codes(data)


def test_rows_of_names_that_make_no_sense_are_refused() -> None:
    with pytest.raises(ParameterError, match="header_rows"):
        read(UNITS, header_rows=0)
    with pytest.raises(ParameterError, match="left out where header is False"):
        read(UNITS, header_rows=2, header=False)
    with pytest.raises(TableError, match="no data rows"):
        read(UNITS, header_rows=9)
    assert joined_names([("a", "b")], 3) == ["a", "b", "b"]
    assert more_header_rows([("a",)], ".") == 1
    assert "more_names" not in codes(UNITS, header_rows=1)


# Which line holds the names


def test_sections_above_the_table_leave_the_names_to_a_lower_line() -> None:
    assert codes(SECTIONS)["names_line"] == 3
    assert codes(b"sep=,\n" + SECTIONS)["names_line"] == 3
    table = read(SECTIONS, skip_lines=3)
    assert [column.label for column in table.columns] == ["Well", "Value", "Unit", "Flag"]
    assert table.numbers(1).values.tolist() == [0.5, 0.7, 0.9]
    assert write(table, {1: ["1", "2", "3"]}).data.startswith(SECTIONS[: SECTIONS.index(b"A1")])
    assert "names_line" not in codes(SECTIONS, skip_lines=0)
    (said,) = [n.text for n in read(SECTIONS).notices if n.code == "names_line"]
    assert "Line 4 (Well, Value, Unit, Flag)" in said


@pytest.mark.parametrize(
    "data",
    [
        b",age,score\nAda,14,71\nBen,15,64\n",
        b",colour,town\nx,red,Ulm\ny,blue,Bonn\n",
        b"id,score,\n1,2,\n3,4,\n",
    ],
)
def test_a_name_that_is_empty_is_no_reason_to_look_further(data: bytes) -> None:
    assert "names_line" not in codes(data)


# Comments


@pytest.mark.parametrize(("data", "rows"), [(COMMENTS, (2,)), (COMMENT_LAST, (4,))])
def test_a_comment_is_no_row_and_stays_as_it_came(data: bytes, rows: tuple[int, ...]) -> None:
    (asked,) = read(data).uneven
    assert (asked.kind, asked.rows) == ("comment", rows)
    table = read(data, comment_rows="keep")
    assert table.row_count == 3
    assert [column.numeric for column in table.columns] == [True, True]
    written = write(table, {1: ["5", "6", "7"]}).data
    assert [line for line in written.splitlines() if line.startswith(b"#")] == [
        line for line in data.splitlines() if line.startswith(b"#")
    ]
    assert written.count(b",5\n") + written.count(b",6\n") + written.count(b",7\n") == 3


@pytest.mark.parametrize("mark", ["//", "%", "!", ";"])
def test_other_comment_marks_are_seen_where_the_file_shows_them(mark: str) -> None:
    data = f"id,age\n1,34\n{mark} restarted\n2,27\n3,41\n{mark} end\n".encode()
    (asked,) = read(data).uneven
    assert (asked.kind, asked.rows, asked.mark) == ("comment", (2, 5), mark)
    table = read(data, comment_rows="keep", comment_mark=mark)
    assert table.row_count == 3
    assert table.format.options["comment_mark"] == mark
    assert write(table, {1: ["5", "6", "7"]}).data == data.replace(b"34", b"5").replace(
        b"27", b"6"
    ).replace(b"41", b"7")
    # What is said holds for every file: nothing is looked for then.
    assert read(data, comment_rows="keep").uneven[0].kind == "short"
    titled = f"{mark} by tool\nid,age\n1,34\n{mark} at noon,\n2,27\n3,41\n".encode()
    assert [each.kind for each in read(titled).uneven] == ["comment"]
    assert read(titled).format.skip_lines == 1


def test_slashes_in_front_of_words_with_separators_are_a_comment() -> None:
    data = COMMENT_LAST.replace(b"#", b"//")
    assert [(each.kind, each.rows, each.mark) for each in read(data).uneven] == [
        ("comment", (4,), "//")
    ]
    assert not read(b"id,age\n1,34\n2,27\n//3,41\n").uneven


def test_a_mark_that_whole_rows_begin_with_is_none() -> None:
    assert not read(b"name,age\n%a,34\nBo,27\nCy,41\n").uneven
    assert read(b"a;b\n;3\n1;4\n").format.comment_mark == "#"
    with pytest.raises(ParameterError, match="comment_mark"):
        read(COMMENTS, comment_mark="##")


def test_comments_with_separators_stand_above_the_names() -> None:
    table = read(b"# by tool, on 2024-05-01\n# x, y\nid,age\n1,34\n2,27\n")
    assert (table.format.skip_lines, table.header) == (2, ("id", "age"))
    table = read(b"#id,age\n1,34\n2,27\n")
    assert (table.format.skip_lines, table.header) == (0, ("#id", "age"))


# Separators, quotes and escapes


@pytest.mark.parametrize(
    ("data", "separator"),
    [
        (b"name~age\nAda~34\nBo~27\n", "~"),
        (b"name^age\nAda^34\nBo^27\n", "^"),
        (b"name\x1fage\nAda\x1f34\nBo\x1f27\n", "\x1f"),
        (b"name:age\nAda:34\nBo:27\n", ":"),
        (b"name age\nAda 34\nBo 27\n", " "),
        (b"name  age rank\nAda    34    1\nBo      7   12\n", " "),
        (b"full name\nAda Lee\nBo Smith\n", ","),
        (b"time\n10:00\n11:30\n", ","),
        (b"weight kg\n12.5 kg\n13 kg\n", ","),
        (b"answer\nyes 1\nno\n", ","),
    ],
)
def test_rare_separators_are_found_where_they_leave_no_doubt(data: bytes, separator: str) -> None:
    table = read(data)
    assert table.format.separator == separator
    if separator != ",":
        assert table.columns[0].label == "name"
        assert table.columns[1].numeric
        assert read(data, **table.format.options).format.options == table.format.options


def test_runs_of_spaces_are_written_as_one() -> None:
    """The width of a gap would tell how long a true value beside it was."""
    data = b'name    age  note\n  Ada     5  "a  b"\nBo     15  ""  \n\n  \n'
    table = read(data)
    assert table.format.runs
    assert table.texts(0) == ["Ada", "Bo"]
    assert table.texts(2) == ["a  b", ""]
    assert write(table, {1: ["7", "77"]}).data == (b'name age note\nAda 7 "a  b"\nBo 77 ""\n\n\n')
    assert write(table, {2: ["", "x y"]}).data.endswith(b'Ada 5 ""\nBo 15 "x y"\n\n\n')
    short = read(b"a b\n1  2\n3\n", separator=" ", runs=True, short_rows="complete")
    assert write(short, {0: ["8", "9"]}).data == b'a b\n8 2\n9 ""\n'
    # Said without runs, every space parts two cells, as ever.
    assert read(b"a b\n1  2\n", separator=" ").texts(1) == [""]
    with pytest.raises(ParameterError, match="needs a space"):
        read(data, separator=",", runs=True)


SINGLE = b"'name','score','note'\n'Ada, L.','12','it''s'\n'Bo','7',''\n"


def test_single_quotes() -> None:
    assert codes(SINGLE)["single_quotes"] == 3
    table = read(SINGLE, quote="'")
    assert table.texts(0) == ["Ada, L.", "Bo"]
    assert table.texts(2) == ["it's", ""]
    assert table.columns[1].numeric
    assert write(table).data == SINGLE
    assert write(table, {0: ["a,b", "it's"]}).data == (
        b"'name','score','note'\n'a,b','12','it''s'\n'it''s','7',''\n"
    )
    assert "single_quotes" not in codes(b"name,score\nO'Neil,1\nBo,2\n")
    joined = read(b"n,s\nA'a, B,1\nC,2\n", quote="'", long_rows=0)
    assert joined.texts(0) == ["A'a, B", "C"]


def test_a_formula_between_single_quotes_is_made_safe_and_stays_one_cell() -> None:
    data = b"a,b\n'=1,2',3\n=it's,4\n+x,5\n"
    table = read(data, quote="'")
    written = write(table).data
    assert written == b"a,b\n'''=1,2',3\n'''=it''s',4\n'''+x',5\n"
    assert read(written, quote="'").texts(0) == ["'=1,2", "'=it's", "'+x"]


ESCAPED = rb"""name,score,note
"Ada \"A\" L.",12,"a, \\ b"
Bo\, jr,7,\N
"""


def test_backslashes_make_the_next_mark_ordinary() -> None:
    assert "escapes" in codes(ESCAPED)
    table = read(ESCAPED, escape="\\")
    assert table.texts(0) == ['Ada "A" L.', "Bo, jr"]
    assert table.texts(2) == ["a, \\ b", r"\N"]
    assert write(table).data == ESCAPED
    assert [text for _, cells in table.cells(0) for text in cells.tolist()] == [
        b'Ada "A" L.', b"Bo, jr",
    ]  # fmt: skip
    written = write(table, {0: ['x"y', "a\\b"]}).data
    assert written.splitlines()[1:] == [rb'"x\"y",12,"a, \\ b"', rb'"a\\b",7,\N']
    assert read(written, escape="\\").texts(0) == ['x"y', "a\\b"]
    lines = read(b'a,b\n"x\\\\",1\ny\\\nz,2\ny\\\r\nz,3\n', escape="\\")
    assert lines.texts(0) == ["x\\", "y\nz", "y\r\nz"]
    with pytest.raises(ParameterError, match="escape"):
        read(ESCAPED, escape="/")
    # A folder at the end of a quoted cell is none.
    assert "escapes" not in codes(b'path,n\n"C:\\x\\",1\n"D:\\y\\",2\n')


# Totals


@pytest.mark.parametrize(
    "word",
    ["Итого", "ИТОГО:", "Summa", "Toplam", "YHTEENSÄ", "Összesen", "Total general", "合計",
     "Gesamt", "Суммарно", "Totaal", "Razem", "Celkem", "Σύνολο", "ΣΎΝΟΛΟ", "المجموع", 'סה"כ',
     "Jumlah", "รวม", "小计", "合计", "总计", "합계", "Ogółem", "SOUS-TOTAL :"],
)  # fmt: skip
@pytest.mark.parametrize("row", [2, 4])
def test_totals_in_many_languages(word: str, row: int) -> None:
    rows = ["Ada,10", "Ben,21", "Cy,7"]
    rows.insert(row - 1, f'"{word.replace(chr(34), 2 * chr(34))}",38')
    table = read("\n".join(["name,n", *rows, ""]).encode())
    assert {n.code: n.rows for n in table.notices} == {"total_row": (row,)}


def test_totals_of_groups_stand_behind_their_names() -> None:
    data = b"class,name,n\n7a,Ada,1\n7a,Ben,2\n7a,Total,3\n7b,Cy,4\n7b, total ,4\n"
    assert {n.code: n.rows for n in read(data).notices} == {"total_row": (3, 5)}
    # Another text behind it, or nothing: a word like any other.
    assert not codes(b"class,name,n,town\n7a,Ada,1,Ulm\n7a,Total,3,Bonn\n7b,Cy,4,Ulm\n")
    assert not codes("a,b\nx,Итоговая\ny,z\nz,total\n".encode())
    assert not codes(b"sex,group,n\n" + b"f,total,3\nf,other,2\n" * 20)


def test_a_word_for_a_total_is_compared_by_casefold() -> None:
    assert is_total("ΣΎΝΟΛΟΣ") is False
    assert is_total("GESAMT ")
    assert is_total("ИтОгО")
    assert read("n,x\nИтОгО,1\nA,2\nB,3\nC,4\nD,5\nE,6\nF,7\n".encode()).notices


# Nothing of a cell in what a notebook or a log shows


def test_a_notice_shows_no_cell() -> None:
    for data in (SECTIONS, QUALTRICS, SINGLE, COMMENTS, b"n,x\nA,2\nTotal Secret,1\n"):
        assert all(
            cell not in repr(read(data).notices)
            for cell in ("Well", "Start", "Ada", "station", "Secret")
        )


def test_the_line_that_is_said_to_hold_the_names_is_quoted_itself() -> None:
    table = read(b"Report,x,,\n1,2,3,4\nname,age,score,z\nAda,5,6,7\nBen,6,7,8\nCy,7,8,9\n")
    (notice,) = [each for each in table.notices if each.code == "names_line"]
    assert "Line 3 (name, age, score, z)" in notice.text


def test_a_total_in_a_table_with_two_decimal_marks_is_seen() -> None:
    rows = "".join(f"g{i};x;{i}.5;{i},25\n" for i in range(1, 9))
    table = read(f"group;kind;a;b\n{rows}g1;Total;36.5;38,0\n".encode())
    assert "total_row" in {each.code for each in table.notices}


def test_what_is_said_of_runs_of_spaces_holds_where_the_separator_is_found() -> None:
    assert read(b"a b\n1 2\n3 4\n5 6\n", runs=False).format.runs is False


def test_a_cell_for_a_short_row_of_a_file_without_quotes_is_refused_like_any_other() -> None:
    table = read(b"a;b;c\n1;2\n3;4;5\n", quote="", short_rows="complete")
    with pytest.raises(ReplacementError, match="read without quotes"):
        write(table, {2: ["x;y", "x"]})
