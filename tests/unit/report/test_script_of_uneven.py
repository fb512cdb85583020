"""Scripts of tables with rows that do not line up: the same settings, and the same file for the
same random numbers.
"""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from compdp_core.intervals import Interval
from compdp_core.randomness import SeededSource
from compdp_core.release import ColumnPlan, Plan, TableRelease, release
from compdp_core.release import columns as release_module
from compdp_core.report import script_of_table
from compdp_core.tables import Affix, Table, read
from tests.unit.report.test_script import refused

COMMENTED = (
    b"# exported on Monday\r\nid;score;note\r\n1;3,5;x\r\n# 2;4,5;y\r\n3;n/a;z\r\n4;1.5;w\r\n"
)
RAGGED = b'id,score,price,note\n1,5,$ 3,x\n2\n3,7.5,$ 4,"y"\n4,6,$ 5,z,z\n5,,$ 6\nTotal,18.5,,\n'
LINES = b"score\n5\n\n7\nNA\n"
SYMBOLS = b"price,n\n$ 5,a\n$ 7,b\n$ 6,c\n"
HOSTILE = b'"a\'\'\'; import os; os._exit(7) #","b\\"","c\xe2\x80\xaed"\n1,2,3\n4,5,6\n'


def opened(data: bytes, **options: Any) -> Table:
    return read(data, header=True, **options)


PLANS = (
    ColumnPlan(1, Interval(0, 9), "1/3", missing="keep", missing_as="not known"),
    ColumnPlan(2, Interval(0, 9), 2, whole=True, missing="drop"),
)
COMMENTS: tuple[tuple[Any, Any, Any], ...] = (
    ("keep", ",", "keep"), ("leave out", ".", "fill"), ("row", None, "drop"),
)  # fmt: skip
TABLES: dict[str, tuple[Table, Plan]] = {
    f"comments, {choice}": (
        opened(COMMENTED, skip_lines=1, comment_rows=choice, decimal="."),
        Plan((dataclasses.replace(PLANS[0], decimal=mark, missing=policy),)),
    )
    for choice, mark, policy in COMMENTS
}
TABLES |= {
    f"ragged, {short}, {long}": (
        opened(RAGGED, short_rows=short, long_rows=long).stripped(2).without([5]),
        Plan(PLANS if short == "complete" else PLANS[:1]),
    )
    for short, long in (("complete", 3), ("leave out", "leave out"), ("complete", "leave out"))
}
TABLES |= {
    f"blank lines, {choice}": (
        opened(LINES, separator=",", blank_lines=choice),
        Plan((dataclasses.replace(PLANS[0], position=0, missing_as=""),)),
    )
    for choice in ("skip", "missing")
}
ONE = ColumnPlan(0, Interval(0, 9), 1)
TABLES |= {
    "symbols": (opened(SYMBOLS), Plan((dataclasses.replace(ONE, strip=Affix("$")),))),
    "hostile names": (
        opened(HOSTILE), Plan(tuple(dataclasses.replace(ONE, position=p) for p in range(3)))
    ),
}  # fmt: skip
FILES = {
    "comments": COMMENTED, "ragged": RAGGED, "blank lines": LINES, "symbols": SYMBOLS,
    "hostile names": HOSTILE,
}  # fmt: skip


def drawn_of(name: str) -> tuple[bytes, TableRelease]:
    table, plan = TABLES[name]
    return FILES[name.split(",")[0]], release(table, plan, source=SeededSource(4))


def module(script: str) -> dict[str, Any]:
    """What a script defines, without running its main part."""
    found: dict[str, Any] = {"__name__": "again"}
    exec(compile(script, "again.py", "exec"), found)  # noqa: S102
    return found


def written_by(script: str, data: bytes, folder: Path) -> bytes:
    """The file that a script writes when it is given the random numbers of the release."""
    source, target = folder / "in.csv", folder / "out.csv"
    source.write_bytes(data)
    with patch.object(release_module, "SystemSource", lambda: SeededSource(4)):
        module(script)["main"](str(source), str(target))
    return target.read_bytes()


@pytest.mark.parametrize("name", TABLES)
def test_settings_and_file_are_the_same(name: str, tmp_path: Path) -> None:
    data, drawn = drawn_of(name)
    script = script_of_table(drawn)
    found = module(script)
    assert found["PLAN"] == drawn.plan
    assert found["READING"] == drawn.table.format.options
    assert found["LEFT_OUT"] == list(drawn.table.left_out)
    assert written_by(script, data, tmp_path) == drawn.csv()


def test_columns_left_out_are_left_out_again(tmp_path: Path) -> None:
    data, drawn = drawn_of("ragged, complete, 3")
    script = script_of_table(drawn, omit=[0], excel=True)
    assert written_by(script, data, tmp_path) == drawn.csv(omit=[0], excel=True)


TWINS = [
    ("comments, keep", r"    'comment_rows': 'keep',\n", "    'comment_rows': 'row',\n"),
    ("comments, keep", r"            decimal=',',\n", ""),
    ("comments, keep", "missing_as='not known'", "missing_as='unknown'"),
    ("ragged, complete, 3", r"    'long_rows': 3,\n", "    'long_rows': 'leave out',\n"),
    ("ragged, complete, 3", r"    'short_rows': 'complete',\n", "    'short_rows': 'leave out',\n"),
    ("blank lines, missing", r"'missing',\n}", "'skip',\n}"),
]


@pytest.mark.parametrize(("name", "part", "other"), TWINS, ids=str)
def test_a_script_that_forgot_a_setting_would_be_seen(
    name: str, part: str, other: str, tmp_path: Path
) -> None:
    data, drawn = drawn_of(name)
    twin, count = re.subn(part, other, script_of_table(drawn))
    assert count == 1
    assert written_by(twin, data, tmp_path) != drawn.csv()


def test_rows_of_another_kind_stop_it_in_one_line(tmp_path: Path) -> None:
    source = tmp_path / "in.csv"
    source.write_bytes(COMMENTED + b"5;2,5\r\n")
    said = refused(script_of_table(drawn_of("comments, keep")[1]), tmp_path, source)
    assert "Rows with too few cells (5)" in said
    assert said.endswith("Nothing was drawn.")


def test_the_symbol_is_that_of_the_release_whatever_the_cells_carry(tmp_path: Path) -> None:
    """Cells of the file that a script is run on have no say in what is read past."""
    table = opened(RAGGED, short_rows="complete", long_rows=3).stripped(2)
    plan = Plan((dataclasses.replace(PLANS[1], missing="keep", whole=False),))
    drawn = release(table, plan, source=SeededSource(4))
    assert table.columns[2].stripped == Affix(prefix="$")
    euros = RAGGED.replace(b"$", "€".encode())
    written = written_by(script_of_table(drawn), euros, tmp_path)
    prices = opened(written, short_rows="complete", long_rows=3).texts(2)
    assert prices == [""] * 6
