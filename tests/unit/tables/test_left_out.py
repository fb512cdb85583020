"""Rows that are no people: how they are told, and that nothing of them is read or written."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compdp_core.errors import ParameterError
from compdp_core.tables import Affix, NotNumericError, TableError, format_cells, read, write
from tests.unit.release.made import plan_of, released
from tests.unit.tables.files import FILES

RESULTS = b"Class 7a;;\r\nid;name;score\r\n1;Ada;71,5\r\n2;Ben;64,5\r\n\r\n;Total;136\r\n"


def suspects(data: bytes, **options: object) -> dict[str, tuple[int, ...]]:
    found = read(data, **options).notices  # type: ignore[arg-type]
    return {n.code: n.rows for n in found if n.code in ("total_row", "note_row")}


@pytest.mark.parametrize(
    ("last", "code"),
    [
        ("Total,,135", "total_row"),
        ("TOTAL:,,135", "total_row"),
        (",Grand total,135", "total_row"),
        ("3,Total,135", "total_row"),
        ("Mean,,67.5", "total_row"),
        ("Class mean (n = 2),,67.5", "total_row"),
        ("Total: 135", "total_row"),
        ("n = 2,,", "total_row"),
        ("Summe,,135", "total_row"),
        (",,135", ""),
        ("Mike,,135", ""),
        ("Meaney,15,64", ""),
        ("Summer,15,64", ""),
        ("N,15,64", ""),
        ("Source: school office", "note_row"),
        ("17", ""),
    ],
)
def test_last_rows_that_are_no_people(last: str, code: str) -> None:
    data = f"name,age,score\nAda,14,71\nBen,15,64\n{last}\n".encode()
    assert suspects(data) == ({code: (3,)} if code else {})


def test_subtotals_in_the_middle_are_all_named() -> None:
    rows = b"Ada,14\nsubtotal,14\nBen,15\nCy,13\nSub-Total,28\nTotal:,42\n" * 3000
    found = suspects(b"name,age\n" + rows)
    assert len(found["total_row"]) == 9000
    assert found["total_row"][:4] == (2, 5, 6, 8)


def test_sums_without_a_name_are_told_by_their_numbers() -> None:
    table = b"name,a,b\nAda,1.5,10\nBen,2.5,20\nCy,4,33\n"
    assert suspects(table + b",8,63\n") == {"total_row": (4,)}
    assert suspects(table + b",8,\n") == {"total_row": (4,)}
    assert suspects(table + b",9,64\n") == {}
    assert suspects(table + b"Dee,8,63\n") == {}


def test_braces_in_a_note_are_braces() -> None:
    found = read(b"name,score\nAda,71\nBen,64\nTotal {x} {0}\nSource {rows} {\n").notices
    assert "Total {x} {0}" in next(n.text for n in found if n.code == "note_row")


def test_several_notes_and_a_total_above_them() -> None:
    data = b"name,score\nAda,71\nBen,64\nTotal,135\nSource: office\nWithout late pupils\n"
    assert suspects(data) == {"total_row": (3,), "note_row": (4, 5)}
    assert suspects(b"name,score\nAda\nBen\n") == {}


def test_a_total_that_is_left_out_is_gone_from_the_file_and_the_numbers() -> None:
    table = read(RESULTS)
    without = table.without([2])
    assert without.row_count == 2
    assert without.numbers(2).values.tolist() == [71.5, 64.5]
    assert without.left_out == (2,)
    assert without.fingerprint == table.fingerprint
    assert without.identity != table.identity
    kept = RESULTS.replace(b";Total;136\r\n", b"")
    assert write(without).data == kept
    new = write(without, {2: format_cells([70, 60], 1, ",")})
    assert new.data == kept.replace(b"71,5", b"70,0").replace(b"64,5", b"60,0")
    assert new.rows == 2


def test_a_column_that_only_the_total_spoiled_is_numeric_without_it() -> None:
    table = read(FILES["A16_title"])
    assert not table.columns[0].usable
    assert table.without([2]).columns[0].usable


def test_messages_go_on_counting_the_rows_of_the_file() -> None:
    table = read(b"a,b\nTotal,5\n1,x\n2,inf\n").without([0])
    assert "'x' in row 2" in table.columns[1].refusal
    with pytest.raises(NotNumericError, match="row 2"):
        table.numbers(1)
    assert [table.row_number(row) for row in range(2)] == [2, 3]
    again = table.without([1])
    assert again.left_out == (0, 1)
    assert again.row_number(0) == 3


def test_a_symbol_stays_taken_off() -> None:
    table = read(b"a,b\nAda,$5\nBen,$7\nTotal,$12\n").stripped(1)
    without = table.without([2])
    assert without.columns[1].stripped == Affix(prefix="$")
    assert without.numbers(1).values.tolist() == [5, 7]


def test_what_cannot_be_left_out() -> None:
    table = read(b"a,b\n1,2\n3,4\n")
    assert table.without([]) is table
    with pytest.raises(TableError, match="nothing remains"):
        table.without([0, 1])
    for row in (-1, 2):
        with pytest.raises(ParameterError, match="from 0 to 1"):
            table.without([row])


def test_formulas_in_rows_that_are_left_out_are_no_matter() -> None:
    data = b"=a,b\n=1,2\n=3,x\n=SUM(A1),5\n"
    table = read(data)
    assert write(table.without([0])).data == b"'=a,b\n'=3,x\n'=SUM(A1),5\n"
    assert write(table.without([2])).data == b"'=a,b\n'=1,2\n'=3,x\n"
    assert write(table.without([1])).guarded == 3


ROW = st.lists(st.sampled_from(["1", "22", "=x", '"a,b"', '"p\nq"', "", "é", "-"]),
               min_size=1, max_size=4).map(",".join)  # fmt: skip


@st.composite
def jobs(draw: st.DrawFn) -> tuple[bytes, list[int], list[int]]:
    """A ragged table with blank lines, rows to leave out, and of the others some to drop."""
    rows = draw(st.lists(ROW.filter(lambda row: row.strip()), min_size=2, max_size=9))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    text = end.join(["h1,h2,h3"] + [row + end * draw(st.integers(0, 1)) for row in rows])
    every = list(range(len(rows)))
    out = draw(st.lists(st.sampled_from(every), max_size=len(rows) - 1, unique=True))
    drop = draw(st.lists(st.sampled_from(every), max_size=2, unique=True))
    encoding = draw(st.sampled_from(["utf-8", "utf-16"]))
    return text.encode(encoding), out, drop


@settings(max_examples=4 * settings.default.max_examples if settings.default else 200)
@given(jobs(), st.booleans(), st.booleans())
def test_as_if_these_rows_were_dropped_when_writing(
    job: tuple[bytes, list[int], list[int]], guard: bool, twice: bool
) -> None:
    data, out, drop = job
    table = read(data, separator=",", header=True, skip_lines=0)
    kept = np.ones(table.row_count, dtype=np.bool_)
    kept[out] = False
    if twice and out:
        without = table.without(out[:1]).without(out)
    else:
        without = table.without(out)
    assert without.left_out == tuple(sorted(out))
    new = [f"n{row}" for row in range(table.row_count)]
    rows = kept.copy()
    rows[drop] = False
    expected = write(table, {1: new}, rows=rows, guard_formulas=guard)
    mine = [text for text, stays in zip(new, kept, strict=True) if stays]
    written = write(without, {1: mine}, rows=rows[kept], guard_formulas=guard)
    assert written == expected
    assert without.texts(0) == [t for t, stays in zip(table.texts(0), kept, strict=True) if stays]
    numbers = [row + 1 for row in range(table.row_count) if kept[row]]
    assert [without.row_number(row) for row in range(without.row_count)] == numbers


@pytest.mark.parametrize("missing", ["fill", "keep", "drop"])
@pytest.mark.parametrize("out", [True, False])
def test_the_true_total_of_a_released_column_is_never_in_its_cells(missing: str, out: bool) -> None:
    """137.0625 cannot be drawn: outputs lie on a grid of fewer digits. So its bytes tell."""
    data = b"id,name,score\n1,Ada,71.5\n2,Ben,65.5625\n3,Cy,\n,Total,137.0625\n"
    table = read(data)
    if out:
        table = table.without([3])
    drawn = released(plan_of(2, 100, missing=missing), data=table)
    assert drawn.columns[0].composite.decimals < 4
    text = drawn.csv()
    assert b"137.0625" in data
    assert b"137.0625" not in text
    assert (b"Total" in text) is not out
    assert b"2,Ben," in text
