"""Faults of the field about private cells, with data of their own that carries the same fault.

Each test releases tables that differ in private cells with the same noisy numbers: the bytes are
the same, and the file is as it must be. The last one goes over every file of cases there is.
"""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest

from compdp_core.errors import CompdpError
from compdp_core.release import ColumnPlan, Plan, TableRelease
from compdp_core.tables import Affix, Table, UnevenRowsError, read
from tests.noninterference.leaving import leaving, released
from tests.noninterference.swapping import FOLDER, Swap, numeric, opened, refusals
from tests.unit.tables.files import FILES, ODDITIES

OWN = FILES | ODDITIES
MOST, MANY = 4, 10_000
"""Columns of one file that are tried; rows from which on one policy has to do."""
MARK, YEARS, LAST = (ColumnPlan(at, (0, most), 1) for at, most in ((1, 20), (1, 100), (2, 100)))
WAGE = ColumnPlan(1, (0, 5000), 1, strip=Affix(thousands=","))


def drawn(data: bytes, plan: ColumnPlan, **said: Any) -> TableRelease:
    return released(read(data, **said), Plan((plan,)))


def lines(release: TableRelease) -> list[str]:
    return release.csv().decode().splitlines()


def cells(release: TableRelease) -> list[list[str]]:
    return list(csv.reader(io.StringIO(release.csv().decode())))


def same(one: TableRelease, two: TableRelease) -> bool:
    first, second = leaving(one), leaving(two)
    return first == second and len(first) > 8


# E21: quotes that tell who earned a thousand or more.

WAGES = b'who,wage,town\nEl,"1,640",Ulm\nFay,720,Bonn\nGus,"3,050",Ulm\nHal,95,Jena\n'


@pytest.mark.parametrize("decimal", [".", ","])
def test_e21_either_all_released_cells_are_quoted_or_none(decimal: str) -> None:
    plan = ColumnPlan(1, (0, 50), 16, strip=Affix(thousands=","), decimal=decimal)
    assert plan.composite().lattice.exponent < 0
    quoted = ['"' in line for line in lines(drawn(WAGES, plan, decimal="."))[1:]]
    assert quoted == [decimal == ","] * 4  # The decimal mark is the separator: all need quotes.


@pytest.mark.parametrize(
    "other", [b'"1,721"', b"1721", b'"720"', b" 720 ", b"+720.50", b"x", b'""']
)
def test_e21_one_other_wage_changes_no_byte(other: bytes) -> None:
    changed = WAGES.replace(b"720", other)
    one, two = (drawn(data, WAGE, decimal=".") for data in (WAGES, changed))
    assert changed != WAGES
    assert same(one, two)


# E22: the quotes of an empty cell stay around what fills it.

FILLED = b'who,mark,town\nEl,11,Ulm\nFay,"",Bonn\nGus,NA,Ulm\nHal,,Jena\n'


def test_e22_a_filled_cell_looks_like_any_other() -> None:
    one = drawn(FILLED, MARK)
    assert '"' not in one.csv().decode()
    assert all(cell for _, cell, _ in cells(one))
    two = drawn(FILLED.replace(b'""', b"14").replace(b"NA", b'"9.5"'), MARK)
    assert same(one, two)


def test_e22_a_missing_cell_that_is_kept_is_written_like_any_other() -> None:
    plan = ColumnPlan(1, (0, 20), 1, missing="keep", missing_as="n/a")
    one = drawn(FILLED, plan)
    assert [cell for _, cell, _ in cells(one)][2:] == ["n/a", "n/a", "n/a"]
    two = drawn(FILLED.replace(b'""', b"?").replace(b"NA", b'" - "').replace(b"11", b"8"), plan)
    assert same(one, two)


# E23: a short row stays short around its filled cell.

SHORT = b"who,mark,town\nEl,11,Ulm\nFay\nGus,15,Bonn\nHal,,\n"


def test_e23_a_short_row_is_completed_around_its_cell() -> None:
    one = drawn(SHORT, MARK, short_rows="complete")
    assert [len(record) for record in cells(one)] == [3] * 5
    assert all(cell for _, cell, _ in cells(one))
    two = drawn(SHORT.replace(b"Fay\n", b"Fay,7,\n"), MARK, short_rows="complete")
    assert same(one, two)


def test_e23_a_short_row_is_left_out_whole() -> None:
    one = drawn(SHORT, MARK, short_rows="leave out")
    assert [record[0] for record in cells(one)] == ["who", "El", "Gus", "Hal"]


# E01: a cell too many carries a true value past its column.

LONG = b"who,years,mark\nEl Lee,31,62\nDoe, Fay,29,57\nGus,44,91\n"
DECIMALS = b"who,years,mark\nEl,31,62.5\nFay,29,57,5\nGus,44,91.0\n"


def test_e01_a_name_with_a_comma_is_joined_and_no_true_value_stays() -> None:
    one = drawn(LONG, LAST, long_rows=0)
    assert lines(one)[2].startswith('"Doe, Fay",29,')
    assert "57" not in one.csv(omit=[0, 1]).decode()
    assert [len(record) for record in cells(one)] == [3] * 4
    assert same(one, drawn(LONG.replace(b"57", b"+88.25"), LAST, long_rows=0))


def test_e01_decimals_with_a_comma_are_joined_and_no_true_digit_stays() -> None:
    plan = ColumnPlan(2, (0, 100), 1, decimal=",")
    one = drawn(DECIMALS, plan, long_rows=2)
    assert [len(record) for record in cells(one)] == [3] * 4
    assert all(line.count('"') == 2 for line in lines(one)[1:])
    for other in (b"57", b'"57,5"', b"8,125", b"x,y", b""):
        assert same(one, drawn(DECIMALS.replace(b"57,5", other), plan, long_rows=2))


@pytest.mark.parametrize("data", [LONG, DECIMALS])
def test_e01_a_long_row_is_left_out_whole(data: bytes) -> None:
    one = drawn(data, LAST, long_rows="leave out")
    assert [record[0][:2] for record in cells(one)] == ["wh", "El", "Gu"]
    assert "29" not in one.csv().decode()


@pytest.mark.parametrize("wide", [1, 2, 3, 4])
def test_e01_how_many_rows_are_long_is_not_how_many_columns_there_are(wide: int) -> None:
    """The settings of the first table read the second, however many cells hold a separator."""
    rows = [b"El,5,1", b"Fay,6,1", b"Gus,7,1", b"Hal,8,1"]
    told = read(b"who,mark\n" + b"\n".join([b"El,5,1", *[r[:-2] for r in rows]]), long_rows=1)
    long = [row if i < wide else row[:-2] for i, row in enumerate(rows)]
    data = b"who,mark\n" + b"\n".join(long)
    one = released(read(data, **told.format.options), Plan((YEARS,)))
    two = released(
        read(b"who,mark\nEl,1\nFay,2\nGus,\nHal,x", **told.format.options), Plan((YEARS,))
    )
    assert same(one, two)
    assert [len(record) for record in cells(one)] == [2] * 5


# E07: a comment is a person and gets a number.

MIDDLE = b"who,years\nEl,31\n# valve changed, 3 o'clock\nFay,29\nGus,44\n"
END = b"who,years\nEl,31\nFay,29\nGus,44\n# 3 rows, made by hand\n"


@pytest.mark.parametrize("data", [MIDDLE, END])
def test_e07_a_comment_gets_no_number_and_is_kept_or_left_out(data: bytes) -> None:
    (comment,) = (line for line in data.decode().splitlines() if line.startswith("#"))
    kept, gone = (drawn(data, YEARS, comment_rows=how) for how in ("keep", "leave out"))
    assert kept.row_count == gone.row_count == len(kept.columns[0].values) == 3
    assert lines(kept).index(comment) == data.decode().splitlines().index(comment)
    assert lines(gone) == [line for line in lines(kept) if line != comment]
    assert same(kept, drawn(data.replace(b"29", b'"?"'), YEARS, comment_rows="keep"))


def test_e07_a_row_that_begins_with_a_missing_spelling_is_no_comment() -> None:
    """Kept as a comment it would show the true value behind it."""
    data = b"heat,years\n5,31\n#N/A,29\n#REF!,30\n7,44\n"
    plan = Plan((ColumnPlan(0, (0, 10), 1), YEARS))
    one = released(read(data, comment_rows="leave out"), plan)
    assert one.row_count == 4
    assert "29" not in [years for _, years in cells(one)]
    two = released(read(data.replace(b"#N/A", b"6.5"), comment_rows="leave out"), plan)
    assert same(one, two)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (SHORT, r"too few cells \(2\).*short_rows"),
        *((data, r"too many cells \(2\).*long_rows") for data in (LONG, DECIMALS)),
        *((data, "comment_rows") for data in (MIDDLE, END)),
    ],
)
def test_no_release_of_such_rows_before_something_is_said(data: bytes, words: str) -> None:
    with pytest.raises(UnevenRowsError, match=words):
        drawn(data, YEARS)
    drawn(SHORT.replace(b"Fay\n", b"Fay,,\n"), YEARS)


# A07, A11, A16: signs, spellings and ragged rows.


def test_a07_no_style_of_a_sign_is_kept() -> None:
    plan = ColumnPlan(1, (-10, 10), 1)
    styles = ["-3.5", "+3.5", "−3.5", " -3.5", '"-3.5"', "-03.50", "(3.5)"]
    one, *others = (drawn(f"day,heat\nMon,{s}\nTue,2\n".encode(), plan) for s in styles)
    assert all(same(one, other) for other in others)


def test_a16_ragged_rows_are_each_settled_by_what_is_said_of_their_kind() -> None:
    data = b"no,years,mark\n1,31,62\n2,29\n3,44,91,late\n4,50,77\n"
    said = {"short_rows": "complete", "long_rows": "leave out"}
    one = drawn(data, LAST, **said)
    assert [record[0] for record in cells(one)] == ["no", "1", "2", "4"]
    assert [len(record) for record in cells(one)] == [3] * 4
    assert same(one, drawn(data.replace(b"2,29\n", b"2,29,40\n"), LAST, **said))


# What cells are written as.


def test_a_symbol_that_the_encoding_lacks_is_in_no_cell() -> None:
    plan = ColumnPlan(1, (0, 20), 1, strip=Affix(suffix="€", thousands="\u2009"))
    data = "who;mark\nJürg;5\nZoë;7\n".encode("latin-1")
    made = drawn(data, plan, encoding="latin-1", separator=";")
    assert made.columns[0].missing == 0


# Every file there is.


def told_apart(data: bytes, seed: int = 1) -> tuple[int, list[str]]:
    """How many pairs were compared, and what tells the tables of one apart."""
    table = opened(data)
    found, pairs = [], 0
    columns = list(numeric(table))
    for column, affix in columns[: MOST // 2] + columns[MOST // 2 :][-MOST // 2 :]:
        for missing in ("fill", "keep", "drop")[: 3 if table.row_count < MANY else 1]:
            swap = Swap(data, table, column.position, affix, missing)  # type: ignore[arg-type]
            found += [f"{column.label}, {missing}: {each}" for each in swap.told_apart(seed)]
            pairs += 1
    return pairs, found


REFUSED = {"A13_empty", "A13_header_only", "A13_blank_lines", "A15_open"}
"""Own files that are no table, or only after a choice: ``test_cases.py`` says why of each."""


@pytest.mark.parametrize("name", sorted(OWN.keys() - REFUSED))
def test_other_cells_in_a_file_of_the_field_change_nothing_that_leaves(name: str) -> None:
    pairs, found = told_apart(OWN[name])
    assert found == []
    assert pairs or all(refusals(opened(OWN[name])).values())


def test_other_cells_in_the_files_that_lie_beside_change_nothing_that_leaves() -> None:
    """Every file of the folder of cases, where there is one; what is refused says why."""
    files = sorted(each for each in FOLDER.glob("*") if each.suffix in (".csv", ".json", ".jsonl"))
    if not files:
        pytest.skip("no folder of cases beside the project, nor named by FIELD_CASES")
    pairs = 0
    for file in files:
        try:
            compared, found = told_apart(file.read_bytes())
        except CompdpError as refusal:
            print(f"{file.name}: {refusal}")
            continue
        assert found == [], file.name
        pairs += compared
        if not compared:
            why = refusals(opened(file.read_bytes()))
            print(f"{file.name}: {why}")
            assert all(why.values()), file.name
    assert pairs > len(files)


def test_the_swap_is_seen_where_something_leaks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy that writes one cell back as it was."""
    written = TableRelease.written

    def leaks(release: TableRelease, **options: Any) -> Any:
        made = written(release, **options)
        cell = release.table.cell(0, release.columns[0].plan.position)
        return type(made)(made.data + cell.encode(), made.rows, made.guarded)

    monkeypatch.setattr(TableRelease, "written", leaks)
    assert told_apart(FILES["A04"])[1]
    assert isinstance(opened(FILES["A04"]), Table)
