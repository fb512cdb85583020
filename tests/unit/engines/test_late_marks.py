"""Cells below the head with a decimal mark that nothing there spoke for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from compdp_core.engines import files
from compdp_core.engines.late_marks import LateMarkError
from compdp_core.engines.preparing import prepare
from compdp_core.release import ColumnPlan
from tests.unit.engines.fixed import in_blocks

PLANS = {"x": ColumnPlan(inputs=(0, 90), epsilon=50, missing="drop")}
WHOLE = b"id;x;t\n" + b"".join(b"%d;%d;a.b,c\n" % (i, i % 90) for i in range(100))
POINTS = b"id;x;t\n" + b"".join(b"%d;%d.5;\n" % (i, i % 90) for i in range(100))
COMMAS = b"".join(b"%d;%d,5;a,b\n" % (i, i % 90) for i in range(50))


def looked_at(path: Path, data: bytes, plans: Any = PLANS, size: int = 200, **asked: Any) -> int:
    path.write_bytes(data)
    return prepare(path, plans, head_bytes=900, block_bytes=size, **asked).row_count


@pytest.mark.parametrize("size", [1, 100, 5_000])
@pytest.mark.parametrize("processes", [1, 2])
@pytest.mark.parametrize("between", [b"", b'5;"6";a\n', b"\n\n", b"5;6.0;,\n"])
def test_they_are_refused_with_the_first_row(
    size: int, processes: int, between: bytes, tmp_path: Path
) -> None:
    said, data = {"blank_lines": "skip"}, WHOLE + between + COMMAS
    with pytest.raises(LateMarkError, match=r"Column x.*decimal=',' where the file is") as found:
        looked_at(tmp_path / "in", data, size=size, processes=processes, reading=said)
    rows = 0 if between == b"\n\n" else bool(between)
    assert (found.value.row, found.value.count) == (101 + rows, 50)


def test_what_was_said_is_kept_to(tmp_path: Path) -> None:
    for mark in (",", "."):
        assert looked_at(tmp_path / "in", WHOLE + COMMAS, reading={"decimal": mark}) == 150
        plans = {"x": ColumnPlan(inputs=(0, 90), epsilon=50, decimal=mark)}
        assert looked_at(tmp_path / "in", WHOLE + COMMAS, plans) == 150


def test_a_head_with_a_mark_decides_and_other_columns_and_whole_numbers_say_nothing(
    tmp_path: Path,
) -> None:
    assert looked_at(tmp_path / "in", POINTS + COMMAS) == 150
    assert looked_at(tmp_path / "in", WHOLE + WHOLE[7:]) == 200
    late = WHOLE + b"1,5;6;7,5\n" * 9
    assert looked_at(tmp_path / "in", late) == 109
    assert looked_at(tmp_path / "in", WHOLE + b"7;n.a.;,\n") == 101
    scale = {"x": ColumnPlan(epsilon=1, kind="category", categories=["1", "other"])}
    assert looked_at(tmp_path / "in", WHOLE + COMMAS, scale) == 150


def test_a_point_below_numbers_that_are_read_with_a_comma(tmp_path: Path) -> None:
    data = b"y;x\n" + b"".join(b"%d,5;%d\n" % (i, i % 90) for i in range(200)) + b"5,5;6.25\n"
    with pytest.raises(LateMarkError, match=r"'\.' alone") as found:
        looked_at(tmp_path / "in", data)
    assert found.value.row == 201


def test_settings_name_a_mark_that_nobody_chose(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_bytes(WHOLE)
    made = files.privatize_file(tmp_path / "in.csv", tmp_path / "out.csv", PLANS)
    for reading in ({}, {"decimal": ","}):
        with pytest.raises(LateMarkError):
            looked_at(tmp_path / "in.csv", WHOLE + COMMAS, made.settings(), reading=reading)
    said = {"decimal": "."}
    assert looked_at(tmp_path / "in.csv", WHOLE + COMMAS, made.settings(), reading=said) == 150


def test_where_the_comma_parts_the_cells_it_counts_in_quotes_and_not_in_lists(
    tmp_path: Path,
) -> None:
    head = b"id,x\n" + b"".join(b"%d,%d\n" % (i, i % 90) for i in range(200))
    with pytest.raises(LateMarkError, match="first in row 201"):
        looked_at(tmp_path / "in", head + b'5,"6,5"\n')
    codes = head.replace(b"\n9,9\n", b'\n9,"1,3"\n')
    assert looked_at(tmp_path / "in", codes + b'5,"2,4"\n') == 201
    with pytest.raises(LateMarkError, match="first in row 201"):
        looked_at(tmp_path / "in", codes + b'5,"6,5"\n')


def test_the_usual_way_on_releases_the_numbers(tmp_path: Path) -> None:
    plans = {1: PLANS["x"]}
    data = WHOLE + COMMAS
    out = in_blocks(tmp_path / "in", data, plans, {"decimal": ","}, head_bytes=900, block_bytes=99)
    assert out.count(b"\n") == 151
