"""Releases as files of other kinds: types by the plan, all else as it came, and nothing besides."""

from __future__ import annotations

import io
import time
import zipfile
from dataclasses import replace
from datetime import date
from typing import Any, get_args

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

import compdp_core as cdp
from compdp_core.errors import ParameterError, TableError
from compdp_core.intervals import Interval
from compdp_core.randomness import SeededSource
from compdp_core.release import PlanError
from compdp_core.tables import read
from compdp_core.tables.containers.typed import FileColumn
from compdp_core.tables.containers.writing import FileKind, file_of
from compdp_core.tables.value_formats import FORMATS
from tests.unit.tables.containers.made import (
    CLOCKS,
    KINDS,
    WITH_CLOCKS,
    file,
    workbook,
    zipped,
)  # fmt: skip
from tests.unit.tables.containers.test_opening import OLD_EXCEL

CSV = b'id;name;born;pay\n007;=1+1;2001-02-03;1,5\n12;"x; y";;n/a\n1e400;;;3\n'
PLAN = cdp.ColumnPlan(inputs=(0, 10), epsilon=1, missing="keep", missing_as="NA")


def released(data: bytes, column: str, plan: cdp.ColumnPlan = PLAN, **said: Any) -> Any:
    return cdp.privatize(read(data, **said), {column: plan})


def cells(data: bytes, **said: Any) -> list[list[str]]:
    table = read(data, **said)
    return [[table.cell(row, c.position) for c in table.columns] for row in range(table.row_count)]


@pytest.mark.parametrize("kind", KINDS)
def test_there_and_back_is_the_csv(kind: str) -> None:
    """What stays is the same, what was released is the same number, in every kind."""
    release = released(file(kind), "score")
    again = read(release.file("same"))
    assert again.container == release.table.container
    wanted = read(release.csv(guard_formulas=False), **release.table.format.options)
    for column in range(5):
        if column == 3:
            one, two = (table.readings(3).values for table in (again, wanted))
            assert np.array_equal(one, two, equal_nan=True)
        else:
            assert again.texts(column) == wanted.texts(column)
    assert release.file(kind) == release.file()


@pytest.mark.parametrize("kind", WITH_CLOCKS)
def test_times_come_back(kind: str) -> None:
    table = read(file(kind, [*CLOCKS, FileColumn("n", "int", [1, 2, 3])]))
    release = cdp.privatize(table, {"n": PLAN})
    again = read(release.file())
    assert [again.texts(c) for c in range(4)] == [table.texts(c) for c in range(4)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_says_nothing_of_when_and_by_whom(kind: str) -> None:
    release = released(CSV, "pay")
    first = release.file(kind)
    time.sleep(1.1)
    assert release.file(kind) == first


def test_numbers_of_a_text_are_numbers_and_nothing_else_is() -> None:
    book = released(CSV, "pay").file("xlsx")
    table = read(book)
    rows = table.index.content.decode().splitlines()
    assert rows[0] == "id,name,born,pay"
    assert rows[1].startswith('"007",=1+1,"2001-02-03",')
    assert rows[2].startswith("12,x; y,,")
    assert rows[3].startswith('"1e400",,,')
    with zipfile.ZipFile(io.BytesIO(book)) as archive:
        assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")
    assert cells(released(CSV, "pay").file("ods"))[0][:2] == ["007", "=1+1"]


def test_types_of_released_columns_are_those_of_the_plan() -> None:
    data = b"n,w,c,d,x\n1.5,2,a,2024-01-05,1\n,,,,2\n"
    plans = {
        "n": cdp.ColumnPlan(inputs=(0, 10), epsilon=1, missing="keep"),
        "w": cdp.ColumnPlan(inputs=(0, 10), epsilon=1, kind="whole", missing="keep"),
        "c": cdp.ColumnPlan(categories=["a", "b"], epsilon=1, kind="category", missing="keep"),
        "d": cdp.ColumnPlan(
            inputs=("2024-01-01", "2024-12-31"), epsilon=1, kind="date", missing="keep"
        ),
    }
    release = cdp.privatize(read(data), plans)
    found = parquet.read_table(io.BytesIO(release.file("parquet")))
    types = [pa.float64(), pa.int64(), pa.string(), pa.date32(), pa.int64()]
    assert found.schema.types == types
    first = found.to_pylist()[0]
    assert isinstance(first["d"], date)
    again = read(release.csv())
    assert (str(first["w"]), first["c"], str(first["d"])) == tuple(
        again.texts(c)[0] for c in (1, 2, 3)
    )
    assert found.to_pylist()[1] == {"n": None, "w": None, "c": None, "d": None, "x": 2}
    for kind in ("xlsx", "ods", "dta", "sav", "jsonl"):
        there = cells(release.file(kind))[0]
        assert (float(there[0]), *there[1:4]) == (first["n"], *cells(release.csv())[0][1:4]), kind


def test_a_plan_with_a_decimal_mark_of_its_own_releases_numbers() -> None:
    plan = cdp.ColumnPlan(inputs=(0, 10), epsilon=1, decimal=",")
    release = released(CSV, "pay", plan)
    value = read(release.file("xlsx")).numbers(3).values[0]
    assert value == release.columns[0].values[0]


def test_columns_left_out_and_names_that_no_program_takes() -> None:
    data = b"1 name,1 name,pay,secret\nAda,x,1,2\nBen,y,3,4\n"
    release = released(data, "pay")
    for kind in KINDS:
        table = read(release.file(kind, omit=[3]))
        assert [len(table.columns), table.row_count] == [3, 2], kind
        assert b"secret" not in table.index.content
    names = [c.label for c in read(release.file("dta", omit=[3])).columns]
    assert names == ["v1_1_name", "v2_1_name", "pay"]
    assert cells(release.file("xlsx"), header=False)[0] == ["1 name", "1 name", "pay", "secret"]
    with pytest.raises(PlanError, match="cannot be left out"):
        release.file("xlsx", omit=[2])


def test_titles_stay_above_and_rows_left_out_stay_out() -> None:
    data = workbook(
        {"S": [["Class 7b", "x, y"], ["name", "pay"], ["Ada", 1], ["Ben", 2], ["Sum", 3]]}
    )
    table = read(data, skip_lines=1).without([2])
    release = cdp.privatize(table, {"pay": PLAN})
    again = read(release.file(), skip_lines=1)
    assert again.index.content.startswith(b'Class 7b,"x, y"\nname,pay\nAda,')
    assert again.texts(0) == ["Ada", "Ben"]


def test_a_sheet_without_names_gets_none() -> None:
    table = read(workbook({"S": [["Ada", 1], ["Ben", 2]]}), header=False)
    release = cdp.privatize(table, {1: PLAN})
    assert [row[0] for row in cells(release.file(), header=False)] == ["Ada", "Ben"]


@pytest.mark.parametrize("kind", sorted(set(get_args(FileKind)) - {"same", "csv", "zip"}))
@pytest.mark.parametrize("name", ["day number", "unix time", "duration"])
def test_numbers_that_are_no_day_of_the_calendar_are_texts_whatever_was_drawn(
    name: str, kind: Any
) -> None:
    form: Any = FORMATS[name]()
    plan = cdp.ColumnPlan(0, (-7e13, 7e13), epsilon=1, kind=form.kind, format=form)
    if name == "day number":
        plan = replace(plan, inputs=Interval(-700_000, 2_900_000))
    release = released(b"x,y\n1,2\n,3\n", "x", plan)
    written = release.file(kind)
    if kind not in ("dta", "sav"):
        assert [row[0] for row in cells(written)] == [*map(form.text, release.columns[0].values)]


def test_what_same_means() -> None:
    release = released(CSV, "pay")
    assert release.file() == release.csv()
    packed = released(zipped({"t.csv": CSV}), "pay")
    assert read(packed.file()).index.content == packed.csv()
    old = released(OLD_EXCEL, "score", table="Scores")
    assert read(old.file()).container.kind == "xlsx"
    with pytest.raises(ParameterError, match="kind"):
        release.file("pdf")


def test_what_a_sheet_cannot_hold() -> None:
    old = FileColumn("born", "date", [date(1850, 1, 1), date(2000, 1, 1)])
    # By what could have been drawn, not by what was.
    plan = FileColumn("died", "date", [date(2000, 1, 1)] * 2, date(1890, 1, 1))
    large = FileColumn("id", "int", [10**17, 1])
    book = file_of("xlsx", [old, plan, large])
    first, second = '"1850-01-01","2000-01-01","100000000000000000"', '"2000-01-01","2000-01-01",1'
    wanted = f"born,died,id\n{first}\n{second}\n".encode()
    assert read(book).index.content == wanted
    with pytest.raises(TableError, match="32,767 letters"):
        file_of("xlsx", [FileColumn("t", "text", ["x" * 40_000])])
    with pytest.raises(TableError, match="1,048,576 rows"):
        file_of("ods", [FileColumn("t", "int", range(1_048_576))])


def test_letters_and_blanks_survive_open_document() -> None:
    texts = ["  two  blanks ", "<b>&\"'", "line\nline", "tab\tdone", "\x01control", "é😀"]
    table = read(file("ods", [FileColumn("t", "text", texts), FileColumn("n", "int", range(6))]))
    assert table.texts(0) == [*texts[:4], "\ufffdcontrol", texts[5]]


def test_times_beyond_the_day_are_the_same_in_every_file() -> None:
    """A clock of one day would turn 25:59 into an early time."""
    table = cdp.read_csv(b"at,x\n" + b"08:15,1\n23:50,2\n00:05,3\n" * 20)
    plan = cdp.ColumnPlan(inputs=("00:00", "23:59"), epsilon=4, kind="time")
    release = cdp.privatize(table, {"at": plan}, source=SeededSource(5))
    written = [line.split(",")[0] for line in release.csv().decode().splitlines()[1:]]
    assert any(not "00:00" <= each < "24:00" for each in written)
    again = cdp.read_csv(release.file("jsonl"))
    assert again.texts(0) == written


@pytest.mark.parametrize("name", ["BY", "to", "ALL", "点" * 40, "ab " + "点" * 84])
def test_names_that_spss_takes_for_its_own_or_too_long_are_changed(name: str) -> None:
    table = cdp.read_csv(f"{name},x\n1,2\n3,4\n".encode())
    release = cdp.privatize(table, {"x": cdp.ColumnPlan(inputs=(0, 9), epsilon=1)})
    assert cdp.read_csv(release.file("sav")).row_count == 2
