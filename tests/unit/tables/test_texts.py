"""The texts of a column at once are those of its cells one by one."""

from __future__ import annotations

import pytest

import compdp_core.tables.table as module
from compdp_core.tables import read
from tests.unit.tables.test_cases import READABLE


@pytest.mark.parametrize("name", sorted(READABLE))
def test_of_files_from_the_field(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = read(READABLE[name])
    monkeypatch.setattr(module, "_STEP", 2)
    for column in range(min(5, len(table.columns))):
        one_by_one = [table.cell(row, column) for row in range(table.row_count)]
        assert table.texts(column) == one_by_one
        assert table.texts(column, -2) == one_by_one[-2:]
        assert table.texts(column, 1, 3) == one_by_one[1:3]
        assert table.texts(column, 3, 1) == []
