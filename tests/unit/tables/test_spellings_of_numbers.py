"""Numbers as files really spell them: marks, units, scripts, quotes; and what a release writes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import compdp_core as cdp
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.report.settings import TableSettings
from compdp_core.report.settings_reading import from_json
from compdp_core.tables import Affix, Column, Table, read, write
from compdp_core.tables.affix import suggest
from compdp_core.tables.value_formats import Limits

E03 = "Name;Preis\nA;1,250 €\nB;0,875 €\nC;2,500 €\n".encode()
E03_KG = b"Name;Gewicht\nAda;12,500 kg\nBen;8,250 kg\nCleo;10,125 kg\n"
E04 = "name;betrag\na;1.234,50 €\nb;-987,00 €\nc;12,75 €\n".encode()
E05 = b'id,langs\n1,"1,2"\n2,"3"\n3,"2,3"\n4,"1,4"\n'
E10 = b"id,crp\n1,<5\n2,12\n3,>100\n4,8.5\n"
E13 = "name,age\nأ,٣٤\nب,٢٧\nج,٤١\n".encode()
A07 = "day,temp\nMon,−3.5\nTue,2.0\nWed,−0.5\nThu,-1.0\n".encode()
A18 = b'"id", "age", "score "\n1, 14, 71\n2, 15, 64\n3, 13, "88"\n'


def column_of(cells: list[str], separator: str = ";") -> tuple[Table, Column]:
    typed = [f'"{cell}"' if separator in cell else cell for cell in cells]
    rows = "".join(f"r{i}{separator}{cell}\n" for i, cell in enumerate(typed))
    table = read(f"row{separator}x\n{rows}".encode(), separator=separator, header=True)
    return table, table.columns[1]


# The decimal mark of a column


@pytest.mark.parametrize(
    ("data", "affix", "values"),
    [
        (E03, Affix(suffix="€"), [1.25, 0.875, 2.5]),
        (E03_KG, Affix(suffix="kg"), [12.5, 8.25, 10.125]),
        (E04, Affix(suffix="€", thousands="."), [1234.5, -987, 12.75]),
    ],
)
def test_cells_with_a_unit_vote_on_the_decimal_mark(
    data: bytes, affix: Affix, values: list[float]
) -> None:
    table = read(data)
    column = table.columns[1]
    assert (column.decimal, column.affix) == (",", affix)
    assert str(affix) in column.refusal
    assert "other decimal mark" not in column.refusal
    assert table.stripped(1).numbers(1).values.tolist() == values
    # Where it is not said that all have it, an answer is needed first.
    assert (column.doubt is not None) == (data == E03_KG)
    plan = cdp.ColumnPlan(inputs=(-2000, 2000), epsilon=1)
    drawn = cdp.privatize(table.stripped(1), {column.label: plan}).columns[0].plan
    assert (drawn.decimal, drawn.strip) == (",", affix)


def test_where_all_readings_fit_both_are_said() -> None:
    table = read(E03_KG)
    text = "'12,500 kg' is 12500 with a decimal point or 12.500 with a decimal comma"
    assert text in table.columns[1].refusal
    (notice,) = (each for each in table.notices if each.code == "decimal")
    assert "Gewicht" in notice.text
    told = table.marked(1, ".")
    assert told.columns[1].doubt is None
    assert told.stripped(1).numbers(1).values.tolist() == [12500, 8250, 10125]
    assert table.marked(1, ",").stripped(1).numbers(1).values.tolist() == [12.5, 8.25, 10.125]


@pytest.mark.parametrize(
    ("cells", "separator", "mark", "doubt"),
    [
        (["1,250", "2,500"], ";", ",", True),
        (["1,250", "2,500"], ",", ".", True),
        (["1.250", "2.500"], ";", ".", True),
        (["1.250", "2.500"], ",", ".", False),
        (["1,250", "0,500"], ";", ",", False),
        (["1,250", "0,500"], ",", ",", False),
        (["1,250", "2,5"], ";", ",", False),
        (["1.250", "2.500,00"], ";", ",", False),
        (["1,234,567", "1,250"], ";", ".", False),
        (["12,34,567", "1,250"], ";", ".", False),
        (["1.234.567", "1.250"], ";", ",", False),
        (["$1,250", "$2,500.00"], ",", ".", False),
        (["1 250,5", "3"], ",", ",", False),
        (["1'250.500"], ";", ".", False),
        (["31.12.2024", "1,5"], ";", ",", False),
        (["1,5e3", "2"], ";", ",", False),
        (["12", "7"], ";", ".", False),
    ],
)
def test_each_column_votes_for_itself(
    cells: list[str], separator: str, mark: str, doubt: bool
) -> None:
    table, column = column_of(cells, separator)
    assert (column.decimal, column.doubt is not None) == (mark, doubt)
    assert (column.doubt is None) == ("decimal" not in {each.code for each in table.notices})


def test_a_cell_far_down_ends_the_doubt_or_decides() -> None:
    many = ["1,250"] * 3000
    assert column_of([*many, "2,5", *many])[1].doubt is None
    assert column_of([*many, "0,125", *many])[1].doubt is None
    _, column = column_of([*many, "1,250,000", *many])
    assert (column.decimal, column.doubt) == (".", None)
    _, column = column_of([*(f"{each} kg" for each in many), "0,125 kg", "3 kg"])
    assert (column.decimal, column.doubt, column.affix) == (",", None, Affix(suffix="kg"))


def test_the_file_decides_for_no_column_and_lists_outvote_none() -> None:
    rows = zip(["1,2", "3", "2,3", "1,4", "1,2,3"], ["0.5", "1.5", "2", "7.25", "3"], strict=True)
    table = read("".join(["langs,x\n", *(f'"{a}",{b}\n' for a, b in rows)]).encode())
    langs, x = table.columns
    assert not langs.usable
    assert "If they are lists of codes, release it as categories" in langs.refusal
    assert (x.decimal, x.usable) == (".", True)
    assert table.numbers(1).values.tolist() == [0.5, 1.5, 2, 7.25, 3]
    both = read(b"a;b\n1,5;1.5\n2,25;2.25\n3;3\n")
    assert [column.decimal for column in both.columns] == [",", "."]
    assert both.numbers(0).values.tolist() == [1.5, 2.25, 3]
    assert both.numbers(1).values.tolist() == [1.5, 2.25, 3]
    # The table that comes back has its marks, too.
    drawn = cdp.privatize(both, {"a": cdp.ColumnPlan(inputs=(0, 9), epsilon=1)})
    assert [column.decimal for column in drawn.frame.columns] == [",", "."]
    assert drawn.frame.numbers(1).values.tolist() == [1.5, 2.25, 3]


def test_lists_of_codes_are_text_until_the_owner_says_otherwise() -> None:
    table = read(E05)
    assert not table.columns[1].usable
    assert table.marked(1, ",").numbers(1).values.tolist() == [1.2, 3, 2.3, 1.4]
    told = read(E05, decimal=",")
    assert told.columns[1].usable
    assert told.columns[1].doubt is None


def test_a_mark_that_is_said_holds_for_every_column_whatever_the_cells() -> None:
    for data in (b"a;b\n1,5;1.5\n", b"a;b\n1.5;1,5\n", b"a;b\n1,250;1\n"):
        marks = {(c.decimal, c.doubt) for c in read(data, decimal=".").columns}
        assert marks == {(".", None)}
    with pytest.raises(ParameterError, match="decimal must be"):
        read(E03).marked(1, ";")


def test_a_zero_begins_no_group_of_thousands() -> None:
    assert suggest(["0,875"], ".") is None
    table = read(b"a;b\nx;0,875\ny;1,250\n", decimal=".")
    assert np.isnan(table.readings(1, Affix(thousands=",")).values).tolist() == [True, False]


# Spellings


@pytest.mark.parametrize(
    ("cells", "values"),
    [
        (["٣٤", "२७", "41", "７.５"], [34, 27, 41, 7.5]),
        (["−3.5", "2.0", "－1"], [-3.5, 2, -1]),
        (["\ufeff12", "\u200b-5\u200f", "\u00ad7", "8\u00a0", "\u202a9\u202c"], [12, -5, 7, 8, 9]),
        (['="12"', "'12", "3"], [12, 12, 3]),
        (["٣٫٥", "−", "1"], [3.5, np.nan, 1]),
    ],
)
@pytest.mark.parametrize("spread", [1, 3000])
def test_other_spellings_are_numbers(cells: list[str], values: list[float], spread: int) -> None:
    rows = "".join(f"r|{cell}\n" for cell in cells * spread)
    table = read(f"a|b\n{rows}".encode(), separator="|", quote="", decimal=".", header=True)
    assert table.columns[1].usable, table.columns[1].refusal
    np.testing.assert_array_equal(table.numbers(1).values, values * spread)
    np.testing.assert_array_equal(table.readings(1).values, values * spread)


@pytest.mark.parametrize(
    "cell", ["مدينة", "Москва", "हिन्दी", "東京", "٣a", "=SUM(A1)", '="a"', "'hello", "³", "½"]
)
def test_words_of_other_scripts_are_words(cell: str) -> None:
    table = read(f"a;b\nx;{cell}\ny;5\n".encode(), quote="")
    assert table.columns[1].texts == 1


@pytest.mark.parametrize(("data", "values"), [(A07, [-3.5, 2, -0.5, -1]), (E13, [34, 27, 41])])
def test_the_minus_of_typesetters_and_digits_of_other_scripts(
    data: bytes, values: list[float]
) -> None:
    table = read(data)
    assert table.columns[1].usable
    assert table.numbers(1).values.tolist() == values


@pytest.mark.parametrize(
    ("kind", "outside"), [("number", "٠١٢٣٤٥٦٧٨٩.-"), ("whole", "٠١٢٣٤٥٦٧٨٩-")]
)
def test_released_numbers_have_the_digits_of_the_column_and_the_plan_says_so(
    kind: str, outside: str
) -> None:
    table, digits = read(E13), set(outside)
    plan = cdp.ColumnPlan(inputs=(0, 100), epsilon=1, kind=kind)  # type: ignore[arg-type]
    drawn = cdp.privatize(table, {"age": plan})
    assert (drawn.columns[0].plan.digits, drawn.columns[0].plan.decimal) == ("٠", ".")
    cells = [row.split(",")[1] for row in drawn.csv().decode().split("\n")[1:-1]]
    assert all(cell and set(cell) <= digits for cell in cells), cells
    assert drawn.frame.numbers(1).values == pytest.approx(drawn.columns[0].values)
    for said, wanted in (("0", "0123456789.-"), ("०", "०१२३४५६७८९.-")):
        own = cdp.ColumnPlan(inputs=(0, 100), epsilon=1, kind=kind, digits=said)  # type: ignore[arg-type]
        rows = cdp.privatize(table, {"age": own}).csv().decode().split("\n")[1:-1]
        assert all(set(row.split(",")[1]) <= set(wanted) for row in rows)


def test_digits_are_public_no_cell_changes_them_once_they_are_said() -> None:
    other = read(E13.replace("٣٤".encode(), b"34").replace("٢٧".encode(), b"27"))
    assert other.columns[1].digits == "0"
    plan = cdp.ColumnPlan(inputs=(0, 100), epsilon=1, digits="٠")
    for table in (read(E13), other):
        cells = [row.split(",")[1] for row in cdp.privatize(table, {"age": plan}).csv().decode()
                 .split("\n")[1:-1]]  # fmt: skip
        assert not any(set(cell) & set("0123456789") for cell in cells)

    # A twin that does not say them takes them from the cells.
    twins = [cdp.privatize(t, {"age": replace(plan, digits=None)}) for t in (read(E13), other)]
    assert [twin.columns[0].plan.digits for twin in twins] == ["٠", "0"]
    opened = from_json(twins[0].settings())
    assert isinstance(opened.settings, TableSettings)
    assert not opened.notices
    assert opened.settings.plan.columns == (twins[0].columns[0].plan,)


def test_a_mark_of_a_plan_is_that_of_its_cells_whatever_they_are() -> None:
    plan = cdp.ColumnPlan(inputs=(0, 9), epsilon=1, decimal=",")
    tables = [read(f"a;b\n1;{cell}\n2;{cell}\n".encode()) for cell in ("1,5", "1.5", "1,250")]
    assert [table.columns[1].decimal for table in tables] == [",", ".", ","]
    marks = [cdp.privatize(table, {"b": plan}).columns[0].plan.decimal for table in tables]
    assert marks == [",", ",", ","]
    written = [cdp.privatize(table, {"b": plan}).csv() for table in tables]
    assert all(b"," in data and b"." not in data for data in written)
    twins = [cdp.privatize(table, {"b": replace(plan, decimal=None)}) for table in tables[:2]]
    assert [twin.columns[0].plan.decimal for twin in twins] == [",", "."]


@pytest.mark.parametrize("digits", ["", "1", "a", "٠٠", "٣"])
def test_digits_that_are_no_zero_are_refused(digits: str) -> None:
    with pytest.raises(ParameterError, match="digits"):
        cdp.ColumnPlan(inputs=(0, 1), epsilon=1, digits=digits)


def test_digits_that_the_encoding_lacks_are_refused() -> None:
    table = read("preis €\n1\n".encode("cp1252"), encoding="cp1252", header=True)
    with pytest.raises(CompdpError, match="digits"):
        cdp.privatize(table, {0: cdp.ColumnPlan(inputs=(0, 1), epsilon=1, digits="٠")})


def test_a_space_before_a_quote_belongs_to_no_text_and_stays_in_the_file() -> None:
    table = read(A18)
    assert [column.label for column in table.columns] == ["id", "age", "score"]
    assert [column.usable for column in table.columns] == [True] * 3
    assert table.numbers(2).values.tolist() == [71, 64, 88]
    assert table.cell(2, 2) == "88"
    drawn = cdp.privatize(table, {"age": cdp.ColumnPlan(inputs=(0, 20), epsilon=1, whole=True)})
    before, after = (data.split(b"\n") for data in (A18, drawn.csv()))
    assert before[0] == after[0]
    for old, new in zip(before[1:-1], after[1:-1], strict=True):
        assert old.split(b",")[::2] == new.split(b",")[::2]


@pytest.mark.parametrize("end", [b' "88"', b" ", b' "8" ', b"  x", b""])
def test_spaces_at_the_very_end_are_read_and_written(end: bytes) -> None:
    data = b'"a","b"\n 1, 2\n1,' + end
    table = read(data, header=True, separator=",")
    assert write(table, {0: ["5", "6"]}, guard_formulas=True).data == (b'"a","b"\n5, 2\n6,' + end)


# Refusals


@pytest.mark.parametrize(
    ("cells", "said", "unsaid"),
    [
        (["5", "sick", "6", "7"], "add this spelling to the missing ones", ""),
        (["5", "~~", "6", "7"], "add this spelling to the missing ones", ""),
        (["5", "7a", "6", "7"], "leave the column as it is", "missing ones"),
        (["5", "How old are you?", "6", "7"], "leave the column as it is", "missing ones"),
        (["5", "(kg)", "6", "7"], "leave the column as it is", "missing ones"),
        (["5", "2024-01-31", "6", "7"], "leave the column as it is", "missing ones"),
        (["5", "1e999", "6"], "leave the column as it is", "missing ones"),
        (["Ada", "Ben"], "release it as categories", "missing ones"),
        (["5 kg", "6,5,5 kg", "7 kg"], "Correct these cells", "no unit that all cells share"),
        (["<5", "12", ">100"], "<5 counts as 5", "holds text"),
        (["10-19", "65+"], "10-19 counts as 14.5", "holds text"),
    ],
)
def test_every_refusal_names_the_next_step(cells: list[str], said: str, unsaid: str) -> None:
    reason = column_of(cells)[1].refusal
    assert said in reason
    assert not unsaid or unsaid not in reason


def test_limits_are_offered_by_a_rule() -> None:
    assert read(E10).columns[1].rule == Limits()
