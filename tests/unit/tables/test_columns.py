"""Profiles: what is a number, an ID, missing, or carries a symbol, and why a column is refused."""

from __future__ import annotations

import numpy as np
import pytest

from compdp_core.errors import ParameterError
from compdp_core.report.wording import visible
from compdp_core.tables import (
    DEFAULT_MISSING,
    Affix,
    Column,
    Mixture,
    NotNumericError,
    Table,
    TableError,
    read,
    write,
)
from compdp_core.tables import classify as scanning
from compdp_core.tables.columns import labels


def table_of(cells: list[str], name: str = "x", **options: object) -> Table:
    lines = [f"row;{name}"] + [f"r{i};{cell}" for i, cell in enumerate(cells)]
    settings = {"separator": ";", "decimal": ".", "header": True} | options
    return read("\n".join(lines).encode(), **settings)  # type: ignore[arg-type]


def column_of(cells: list[str], name: str = "x", **options: object) -> Column:
    return table_of(cells, name, **options).columns[1]


@pytest.mark.parametrize(
    ("cells", "affix", "numbers"),
    [
        (["12%", "7.5 %", ""], Affix(suffix="%"), [12, 7.5, np.nan]),
        (["$1,234.50", "$7", "-$3.25", "$-1"], Affix("$", "", ","), [1234.5, 7, -3.25, -1]),
        (["1'234'567", "12"], Affix(thousands="'"), [1234567, 12]),
        (["1\u00a0234", "5"], Affix(thousands="\u00a0"), [1234, 5]),
        (["1 234 567.5", "-2 000"], Affix(thousands=" "), [1234567.5, -2000]),
        (["(1,234)", "5", "(0.5)"], Affix("", "", ",", True), [-1234, 5, -0.5]),
        (["172 cm", "181cm", "90"], Affix(suffix="cm"), [172, 181, 90]),
        (["5 kg/m²", "-6 kg/m²"], Affix(suffix="kg/m²"), [5, -6]),
        (["US$ 5", "US$1,000"], Affix("US$", "", ","), [5, 1000]),
        (["3 €", "1,500 €", "-"], Affix("", "€", ","), [3, 1500, np.nan]),
        (["21 °C", "-3 °C"], Affix(suffix="°C"), [21, -3]),
        (["12,34,567.50", "1,23,456", "1,000"], Affix(thousands=","), [1234567.5, 123456, 1000]),
        (["5-", "3.50-", "2"], Affix(minus_behind=True), [-5, -3.5, 2]),
        (["1’234.50", "7"], Affix(thousands="’"), [1234.5, 7]),
        (["−3.5 €", "٣ €"], Affix(suffix="€"), [-3.5, 3]),
    ],
)
def test_one_affix_is_offered_and_taken_off(
    cells: list[str], affix: Affix, numbers: list[float]
) -> None:
    table = table_of(cells)
    column = table.columns[1]
    assert column.affix == affix
    assert not column.usable
    assert "taken off" in column.refusal
    assert str(affix) in column.refusal
    with pytest.raises(NotNumericError, match="strip"):
        table.numbers(1)
    np.testing.assert_array_equal(table.numbers(1, strip=affix).values, numbers)
    stripped = table.stripped(1)
    assert stripped.columns[1].usable
    assert stripped.columns[1].missing == int(np.isnan(numbers).sum())
    np.testing.assert_array_equal(stripped.numbers(1).values, numbers)
    assert stripped.columns[0] == table.columns[0]


@pytest.mark.parametrize(
    ("cells", "one", "other"),
    [
        (["172 cm", "1.68 m"], "172 cm", "1.68 m"),
        (["5 mg/dL", "3 mmol/L", "4"], "5 mg/dL", "3 mmol/L"),
        (["$5", "5 EUR"], "$5", "5 EUR"),
        (["$5", "€5"], "$5", "€5"),
        (["5 €", "$5", "6"], "5 €", "$5"),
        (["5 kg", "6 lb", "7 kg"], "5 kg", "6 lb"),
        (["12k", "1.5M"], "12k", "1.5M"),
        (["12%", "3‰"], "12%", "3‰"),
        (["1,000", "1'000"], "1,000", "1'000"),
    ],
)
def test_mixed_units_are_refused_with_two_examples(cells: list[str], one: str, other: str) -> None:
    column = column_of(cells)
    assert column.affix == Mixture(one, other)
    assert f"different symbols or units, such as {one!r} and {other!r}" in column.refusal
    with pytest.raises(TableError, match="nothing to take off"):
        table_of(cells).stripped(1)


@pytest.mark.parametrize(
    "cells",
    [["Ada", "Ben"], ["2024-01-31", "2024-02-01"], ["10:30", "11:45"], ["5 kg", "heavy"],
     ["12 Main Street", "5 Elm Road"], ["1,23,4567"], ["12,34"], ["(5", "6)"], ["(-5)"], ["--5"],
     ["5%%%%%%%%%%"], ["1e5e5"], ["P001", "P002"], ["$"]],
)  # fmt: skip
def test_text_is_text(cells: list[str]) -> None:
    column = column_of(cells)
    assert column.affix is None
    assert not column.numeric
    assert column.text_example is not None
    assert column.text_example.text in column.refusal
    assert "row 1" in column.refusal or "row 2" in column.refusal


def test_affix_that_fails_far_down_is_not_offered() -> None:
    cells = ["5 kg"] * 500
    assert column_of(cells).affix == Affix(suffix="kg")
    assert isinstance(column_of([*cells, "5 lb"]).affix, Mixture)
    assert column_of([*cells, "heavy"]).affix is None
    assert column_of([*cells, "1,23 kg"]).affix is None


def test_thousands_out_of_place_are_refused_when_read() -> None:
    table = table_of(["1,234", "12,34", "1,2345", ",123", "1234,567", "1,234,56"])
    for row in range(1, 6):
        cells = ["1,234"] * 6
        cells[row] = table.cell(row, 1)
        with pytest.raises(NotNumericError, match=f"row {row + 1}"):
            table_of(cells).numbers(1, strip=Affix(thousands=","))


@pytest.mark.parametrize(
    ("cells", "name", "reason"),
    [
        (["007", "012", "100"], "x", "leading zeros"),
        (["1582218195625938945", "5"], "x", "15 digits"),
        (["20230301", "20231231", "20240115"], "x", "dates"),
        (["202303011811", "202312310000"], "x", "dates"),
        (["20230301181139", "20231231235959"], "x", "dates"),
        (["101", "102", "250"], "pupil_id", "name says so"),
        (["101", "102", "250"], "userId", "name says so"),
        (["101", "102", "250"], "No.", "name says so"),
        (["14", "15", "13"], "age", ""),
        (["101", "101", "250"], "pupil_id", ""),
        (["20230301", "20231331"], "x", ""),
        (["20000000", "21000000"], "price", ""),
        (["1", "2", "3", "4"], "grade", ""),
        (["0.5", "0.25"], "id", ""),
        (["101", "102"], "idea", ""),
        (["101", "102"], "paid", ""),
        (["0", "0", "0"], "x", ""),
    ],
)
def test_what_looks_like_an_id(cells: list[str], name: str, reason: str) -> None:
    found = column_of(cells, name).identifier
    assert reason in found
    assert bool(reason) == bool(found)


def test_row_numbers_are_seen_over_several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "_BLOCK_CELLS", 7)
    rows = "\n".join(f"{i},{i % 5}" for i in range(1, 40))
    first, second = read(f"n,x\n{rows}".encode()).columns
    assert "count the rows" in first.identifier
    assert not second.identifier
    swapped = rows.replace("20,0\n21,1", "21,0\n20,1")
    assert read(f"n,x\n{swapped}".encode()).columns[0].identifier == ""


def test_profile_does_not_depend_on_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = ["1", "NA", "2.50", "", "inf", "-3", "x", "1e400", "007", "9007199254740993"] * 3
    whole = column_of(cells)
    monkeypatch.setattr(scanning, "_BLOCK_CELLS", 4)
    assert column_of(cells) == whole
    assert (whole.numbers, whole.missing, whole.non_finite, whole.texts) == (15, 6, 6, 3)
    assert whole.text_example is not None
    assert whole.text_example.row == 7
    assert whole.decimals == 2
    assert not whole.whole


def test_missing_spellings_can_be_chosen() -> None:
    cells = ["-99", "5", "NR", "Nicht erhoben", "nicht Erfasst", "-9", ""]
    column = column_of(cells, missing=["-99", "nr", "nicht erhoben", "nicht erfasst"])
    assert column.usable
    assert dict(column.missing_spellings) == {
        "": 1, "-99": 1, "nr": 1, "nicht erhoben": 1, "nicht erfasst": 1,
    }  # fmt: skip
    numbers = table_of(cells, missing=["-99", "nr", "nicht erhoben", "nicht erfasst"]).numbers(1)
    np.testing.assert_array_equal(numbers.missing, [True, False, True, True, True, False, True])
    assert column_of(["NA", "5"], missing=[]).texts == 1


def test_quoted_cells_and_spaces_are_numbers() -> None:
    numbers = read(b'a,b\n" 71.5 ",x\n\t-2 ,y\n"3",z\n').numbers(0)
    assert numbers.values.tolist() == [71.5, -2, 3]


def test_unicode_spellings_follow_the_encoding() -> None:
    for encoding in ("utf-8", "cp1252", "utf-16"):
        table = read("a;b\n–;1\n5;2\n".encode(encoding), encoding=encoding)
        assert table.columns[0].missing == 1


def test_positions_are_checked() -> None:
    table = table_of(["1", "2"])
    for call in (table.numbers, table.peek, table.texts, table.stripped):
        with pytest.raises(ParameterError, match="column"):
            call(2)
    with pytest.raises(ParameterError, match="row"):
        table.cell(2, 0)
    assert table.texts(1, 1, 9) == ["2"]


def test_replaced_column_of_symbols_gets_plain_numbers() -> None:
    table = table_of(["12%", "7.5 %"]).stripped(1)
    assert write(table, {1: ["11", "8"]}).data.endswith(b"r0;11\nr1;8")


def test_notices_about_rows() -> None:
    data = b"a,b,c\n1,2,3\n,,\n\n4,5,6\nTotal:,7,9\n"
    found = {notice.code: notice for notice in read(data).notices}
    assert found["empty_rows"].rows == (2,)
    assert found["blank_lines"].count == 1
    assert "file lines 4" in found["blank_lines"].text
    assert found["total_row"].rows == (4,)


def test_many_ragged_rows_are_counted_and_the_first_listed() -> None:
    data = b"a,b\n" + b"1\n1,2\n1,2,\n1,2,3\n" * 2000
    found = {notice.code: notice for notice in read(data).notices}
    assert found["short_rows"].count == 2000
    assert found["short_rows"].rows[:3] == (1, 5, 9)
    assert len(found["short_rows"].rows) == 1000
    assert found["extra_empty_cells"].rows[:2] == (3, 7)
    assert found["extra_cells"].rows[:2] == (4, 8)


STAY = (
    "\U0001f469\u200d\U0001f469\u200d\U0001f467",
    "\U0001f3f3\ufe0f\u200d\U0001f308",
    "\u0646\u0627\u0645\u0647\u200c\u0647\u0627",
    "\u0d9a\u0dca\u200d\u0dbb",
)
STRAY = (
    ("sco\u200dre", "score"),
    ("score\u200c", "score"),
    ("\u200d\U0001f469", "\U0001f469"),
    ("\U0001f469\u200d\u200d\U0001f467", "\U0001f469\U0001f467"),
    ("\U0001f469\u200c\U0001f467", "\U0001f469\U0001f467"),
)


@pytest.mark.parametrize(("typed", "label"), [*((each, each) for each in STAY), *STRAY])
def test_joiners_of_emoji_and_scripts_stay_in_names_and_stray_ones_go(
    typed: str, label: str
) -> None:
    assert labels([typed], 1, named=True) == [label]
    assert visible(label) == label
    assert (visible(typed) == typed) == (typed == label)


# Reasons


@pytest.mark.parametrize(
    "cells",
    [
        ["7a", "7b", "8a"],
        ["7", "8", "7a"],
        ["7A", "7B", "8C", "9"],
        ["1st", "2nd", "3rd", "4th"],
        ["34m", "27f", "41m"],
        ["12", "15 or so", "9k", "8 kk"],
        ["1500", "12k"],
    ],
)
def test_letters_that_are_no_unit_are_called_that(cells: list[str]) -> None:
    column = column_of(cells)
    wrong = next(cell for cell in cells if not cell.isdigit())
    assert column.affix is None
    assert f"such as {wrong!r} in row {cells.index(wrong) + 1}" in column.refusal
    assert "different symbols or units" not in column.refusal
    assert "taken off" not in column.refusal


def test_classes_are_named_and_left_as_they_are() -> None:
    reason = column_of(["71", "64", "7a", "58"]).refusal
    assert reason == (
        "1 cell is no number, such as '7a' in row 3: the letters 'a' behind it are no unit that "
        "all cells share. If these are names, as of classes, leave the column as it is; else "
        "correct them."
    )


def test_any_letters_are_a_unit_where_every_cell_carries_them() -> None:
    column = column_of(["12 widgets", "7 widgets", "NA"])
    assert column.affix == Affix(suffix="widgets")
    assert "plain" in column.refusal


def test_plain_numbers_beside_a_unit_are_counted_before_they_are_taken_for_it() -> None:
    assert "2 cells are plain numbers already and would count as the same" in column_of(
        ["172 cm", "168", "181"]
    ).refusal  # fmt: skip
    assert "already" not in column_of(["172 cm", "168 cm"]).refusal
    assert "already" not in column_of(["(35.00)", "20.00"]).refusal


def test_a_cell_of_a_megabyte_is_cut_in_messages() -> None:
    column = column_of(["5", "x" * 2**20, "6"], name="n" * 2**20)
    assert len(column.refusal) < 200
    assert len(column.label) == 200
    assert column.header == "n" * 2**20


def test_long_names_that_end_apart_are_told_apart() -> None:
    data = f"{'q' * 300}1,{'q' * 300}2\n1,2\n".encode()
    labels = [column.label for column in read(data).columns]
    assert len(set(labels)) == 2
    assert all("(column" in label for label in labels)


@pytest.mark.parametrize("spelling", [s for s in DEFAULT_MISSING if s])
def test_every_default_spelling_is_counted_and_listed(spelling: str) -> None:
    for typed in (spelling, spelling.upper(), f" {spelling} "):
        column = column_of(["5", typed, "6"])
        assert column.usable, column.refusal
        expected = {spelling} if typed.strip() == spelling else {spelling, typed.strip().lower()}
        ((found, times),) = column.missing_spellings
        assert times == 1
        assert found.lower() in {e.lower() for e in expected}


def test_no_default_spelling_is_a_number_or_doubled() -> None:
    folded = [spelling.lower() for spelling in DEFAULT_MISSING]
    assert len(set(folded)) == len(folded)
    for spelling in folded[1:]:
        assert column_of([spelling, "x"]).numbers == 0


def test_in_a_column_of_words_they_stay_words() -> None:
    column = column_of(["absent", "present", "not measured", "unknown"])
    assert column.missing == 0
    assert column.missing_spellings == ()
    assert column.texts == 4


def test_not_measured_is_missing_until_the_owner_says_otherwise() -> None:
    data = b"id,score\n1,71\n2,not measured\n3,Not Measured\n4,64\n"
    score = read(data).columns[1]
    assert score.usable
    assert score.missing_spellings == (("not measured", 2),)
    without = read(data, missing=["NA"]).columns[1]
    assert "'not measured' in row 2" in without.refusal
