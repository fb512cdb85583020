"""In blocks of any length a file is released as it is in memory, byte for byte."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from compdp_core.errors import CompdpError
from compdp_core.release import ColumnPlan
from compdp_core.tables import read
from tests.unit.engines.fixed import in_blocks, whole
from tests.unit.tables.files import FILES, ODDITIES

PLAIN_TEXT = {name: data for name, data in (FILES | ODDITIES).items() if not data.startswith(b"PK")}
"""Of the field cases those that are no workbook or archive."""


def plan(missing: Any = "fill") -> ColumnPlan:
    return ColumnPlan(inputs=(0, 100), epsilon=1, missing=missing)


def same(
    path: Path, data: bytes, plans: dict[int, ColumnPlan], reading: Any = None, **asked: Any
) -> None:
    sizes = {key: asked.pop(key) for key in ("block_bytes", "head_bytes") if key in asked}
    try:
        expected = whole(data, plans, reading, **asked)
    except CompdpError as error:
        with pytest.raises(CompdpError) as refused:
            in_blocks(path, data, plans, reading, **asked, **sizes)
        assert type(refused.value) is type(error), (error, refused.value)
        if not sizes.get("head_bytes"):
            assert str(refused.value) == str(error)
        return
    assert in_blocks(path, data, plans, reading, **asked, **sizes) == expected


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
