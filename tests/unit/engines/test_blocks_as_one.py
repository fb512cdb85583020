"""In blocks of any length a file is released as it is in memory, byte for byte."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from compdp_core.errors import CompdpError
from compdp_core.release import ColumnPlan
from compdp_core.tables import Affix, read
from tests.unit.engines.fixed import in_blocks, whole
from tests.unit.tables.files import FILES, ODDITIES

PLAIN_TEXT = {name: data for name, data in (FILES | ODDITIES).items() if not data.startswith(b"PK")}
"""Of the field cases those that are no workbook or archive."""


def plan(missing: Any = "fill") -> ColumnPlan:
    return ColumnPlan(inputs=(0, 100), epsilon=1, missing=missing)


def said_by(made: Callable[[], bytes]) -> bytes | str:
    try:
        return made()
    except CompdpError as error:
        return f"{type(error).__name__}: {error}"


def same(
    path: Path,
    data: bytes,
    plans: dict[int, ColumnPlan],
    reading: dict[str, Any] | None = None,
    *,
    block_bytes: int = 1,
    head_bytes: int = 1 << 22,
    **asked: Any,
) -> bytes | str:
    """The released file, or the refusal in words; the same in memory and in blocks."""
    found = [
        said_by(lambda: whole(data, plans, reading, **asked)),
        said_by(
            lambda: in_blocks(
                path, data, plans, reading, block_bytes=block_bytes, head_bytes=head_bytes, **asked
            )
        ),
    ]
    assert found[0] == found[1]
    return found[0]


@pytest.mark.parametrize("name", PLAIN_TEXT)
def test_cases_of_the_field(name: str, tmp_path: Path) -> None:
    data = PLAIN_TEXT[name]
    try:
        columns = len(read(data).columns)
    except CompdpError:
        columns = 1
    for number, missing in enumerate(("fill", "keep", "drop")):
        place = (len(name) + number) % min(columns, 4)
        same(tmp_path / "in.csv", data, {place: plan(missing)}, block_bytes=1 + 20 * number)


LAYOUTS: dict[str, tuple[bytes, dict[str, Any]]] = {
    "titles, sep line and byte order mark": (
        b"\xef\xbb\xbfsep=;\r\nClass 7a;=1+1\r\n\r\nname;score\r\nAda;71,5\r\n\r\nBen;64\r\n",
        {"skip_lines": 2},
    ),
    "several rows of names": (b"time,temp\ns,=degC\n0,21.5\n1,21.7\n2,22\n", {"header_rows": 2}),
    "comments kept": (
        b"# by\nid,age\n1,34\n# again, 5\n2,27\n#x,y\n3,41\n",
        {"comment_rows": "keep"},
    ),
    "comments left out": (
        b"id,age\n# first\n1,34\n# again\n2,27\n3,41\n",
        {"comment_rows": "leave out"},
    ),
    "another mark": (b"id,age\n1,34\n%stop\n2,27\n", {"comment_rows": "keep", "comment_mark": "%"}),
    "marked rows": (b"id,age\n#1,34\n#2,27\n#3,5\n", {}),
    "short rows completed": (b"a,b,c\n1,2,3\n4\n5,6\n7,8,9", {"short_rows": "complete"}),
    "short rows left out": (b"a,b\n1\n1,2\n3\n4,5\n6\n", {"short_rows": "leave out"}),
    "long rows joined": (b"name,score\nAda, B.,5\nBen,7\nCy,D,E,8\n", {"long_rows": 0}),
    "long rows left out": (b"a,b\n1,2,3\n4,5\n6,7,8\n", {"long_rows": "leave out"}),
    "trailing kept": (b"a,b\n1,2,\n4,5\n6,7,,\n", {"trailing_cells": "keep"}),
    "blank lines are missing": (b"a\n1\n\n2\n\n\n3\n\n", {"blank_lines": "missing"}),
    "blank lines are none": (b"\na\n\n1\n\n2\n\n", {"blank_lines": "skip"}),
    "nothing said of blank lines": (b"a\n1\n\n2\n\n3\n", {}),
    "nothing said of rows": (b"a,b\n1,2\n3\n4,5,6\n7,8,\n#9\n", {}),
    "escapes": (b'a,b\n"x\\",\n1",2\n\\"y,3\nz\\\n,4\n', {"escape": "\\"}),
    "single quotes": (b"a,b\n'=1,\n2',3\n'it''s',4\n=5,6\n", {"quote": "'"}),
    "no quotes": (b'a,b\n"1,2\n3",4\n', {"quote": ""}),
    "spaces": (b"id  age\n1    34\n2  5 \n 3 71\n", {"separator": " ", "runs": True}),
    "no header": (b"1,2\n3,4\n5,6\n", {"header": False}),
    "shift-jis": ("名,点\nあ,5\n表,7\n".encode("shift_jis"), {"encoding": "shift_jis"}),
    "gb 18030": ("名,点\n\U0001f600,5\n表,7\n".encode("gb18030"), {"encoding": "gb18030"}),
    "utf-16": ("\ufeffä;ö\r\n1;2\r\n\U0001f600;4\r\n".encode("utf-16"), {}),
    "a comma to be quoted": (b'a,b\n"1,5",2\n"2,5",3\n', {"decimal": ","}),
}


@pytest.mark.parametrize("case", LAYOUTS)
def test_layouts_by_what_is_said_of_them(case: str, tmp_path: Path) -> None:
    data, reading = LAYOUTS[case]
    last = 0 if data.count(b",") + data.count(b";") + data.count(b" ") < 2 else 1
    for number, missing in enumerate(("fill", "keep", "drop")):
        same(tmp_path / "in.csv", data, {last: plan(missing)}, reading, block_bytes=1 + 9 * number)
        if last and number:
            same(tmp_path / "in.csv", data, {last: plan(missing)}, reading, omit=(0,))


@pytest.mark.parametrize("size", [1, 30, 5_000])
def test_columns_left_out_kinds_and_rows_that_answer_some_columns(
    size: int, tmp_path: Path
) -> None:
    rows = [
        f"=A{i},{i % 7 + 1}.5 kg,2024-0{i % 9 + 1}-11,{'yes' if i % 3 else 'n/a'},{i % 24:02}:15,"
        f'"{i},\n{i}"\r\n'
        for i in range(60)
    ]
    data = b"name,weight,day,smokes,at,=note\r\n" + "".join(rows).encode()
    unit = read(data).columns[1].affix
    assert isinstance(unit, Affix)
    plans = {
        1: ColumnPlan(inputs=(0, 9), epsilon=1, strip=unit, decimal="."),
        2: ColumnPlan(inputs=("2024-01-01", "2024-12-31"), epsilon=2, kind="date"),
        3: ColumnPlan(epsilon=1, kind="category", categories=["yes", "no"], missing="keep"),
        4: ColumnPlan(inputs=("00:00", "23:59"), epsilon=1, kind="time", missing="drop"),
    }
    path = tmp_path / "in.csv"
    for omit in ((), (0,), (0, 5)):
        made = same(path, data, plans, omit=omit, block_bytes=size)
        assert isinstance(made, bytes)
    assert isinstance(same(path, data, plans, answered=2, block_bytes=size), bytes)
    free = same(path, data, plans, guard_formulas=False, block_bytes=size)
    assert isinstance(free, bytes)
    assert b"'=A" not in free
    assert b"=A" in free


def test_threads_keep_the_order_of_the_rows(tmp_path: Path) -> None:
    data = b"id,x\n" + b"".join(b"%d,%d\n" % (i, i % 97) for i in range(3_000))
    made = in_blocks(tmp_path / "in.csv", data, {1: plan()}, block_bytes=500, processes=4)
    assert made == whole(data, {1: plan()})


def test_the_head_alone_decides_and_is_cut_at_a_record(tmp_path: Path) -> None:
    for encoding in ("utf-8", "utf-16-le", "utf-16", "utf-32-be", "shift_jis"):
        text = "id,note,x\r\n" + "".join(f'{i},"a\n""b, {i}",{i}.5\r\n' for i in range(40))
        data = text.encode(encoding)
        for head in (60, 97, 151, 500):
            same(
                tmp_path / "in.csv",
                data,
                {2: plan()},
                {"encoding": encoding},
                head_bytes=head,
                block_bytes=50,
            )
