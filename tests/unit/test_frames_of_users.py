"""One reading of a frame's columns, whatever is asked of them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import compdp_core as cdp
from compdp_core.accounting import BudgetExceededError
from compdp_core.statistics import Condition, Grouping, Neighbours
from compdp_core.tables.sources import as_table, position


@pytest.mark.parametrize("kind", [bool, "boolean", object, "category", np.float32, "Int8"])
def test_a_column_of_a_frame_is_read_one_way_whatever_is_asked(kind: Any) -> None:
    frame = pd.DataFrame({"flag": [1, 1, 0], "x": [3, 4, 9]}).astype({"flag": "bool"})
    frame["flag"] = frame["flag"].astype(kind)
    text = frame.to_csv(index=False).split("\n")[1].split(",")[0]
    for condition in (Condition("flag", "==", 1), Condition("flag", "==", text)):
        for column, total in (("flag", 2), ("x", 7)):
            query = cdp.Query("sum", column, bounds=(0, 9), where=condition)
            assert exactly(query, frame) == total
    assert exactly(cdp.Query("count", "flag", missing="leave out"), frame) == 3
    table = as_table(frame, [0])
    for found in (table.numbers(0), table.readings(0)):
        assert found.values.tolist() == [1, 1, 0]


def test_text_among_numbers_changes_no_other_cell() -> None:
    frame = pd.DataFrame({"flag": [True, 1, "1", "yes", None], "x": [1, 2, 4, 8, 16]})
    query = cdp.Query("sum", "x", bounds=(0, 20), where=Condition("flag", "==", 1))
    assert exactly(query, frame) == 7


def exactly(query: cdp.Query, frame: pd.DataFrame) -> float:
    """The answer before noise, read as :func:`cdp.answer` reads it."""
    place = position(frame, query.column)
    table = as_table(frame, [place] if query.numeric else [], [place, *query.compared])
    return replace(query, column=place).ask(table).value


def test_rows_of_a_group_are_charged_again_whatever_is_asked_of_them() -> None:
    """Were the group called by its numbers in a sum, and by its texts in a count, the ledger would
    take the same rows for others.
    """
    frame = pd.DataFrame({"member": [True] * 20 + [False] * 20})
    ledger: cdp.Ledger | None = cdp.Ledger(limit=1)
    for statistic, category, spent in (("count", "True", 1), ("sum", "1.0", 1), ("sum", "True", 2)):
        query = cdp.Query(
            statistic,
            "member",
            bounds=(0, 1),
            neighbours=Neighbours.ADD_OR_REMOVE_ONE,
            max_rows=60,
            grouping=Grouping("member", (category,)),
        )
        with nullcontext() if spent == 1 else pytest.raises(BudgetExceededError):
            ledger = cdp.answer_each(query, frame, epsilon=1, ledger=ledger)[category].ledger


def test_a_release_keeps_its_frame_whatever_becomes_of_the_array_below() -> None:
    cells = np.array([[1.0, 2.0], [3.0, 4.0]])
    frame = pd.DataFrame(cells, columns=["a", "v"], copy=False)
    release = cdp.privatize(frame, {"v": cdp.ColumnPlan(inputs=(0, 10), epsilon=1)})
    cells[0, 0] = 77
    assert release.frame["a"].tolist() == [1.0, 3.0]


CELLS: dict[str, Any] = {
    "n": ["a", "b"],
    "t": [*map(dt.datetime.fromisoformat, ("2024-01-01T03:00", "2024-01-02T04:00"))],
    "f": [1.0, 2.0],
    "i": [1, None],
}
DAYS: Any = ("2024-01-01", "2024-01-03")
MOMENTS = cdp.ColumnPlan(kind="datetime", inputs=DAYS, epsilon=1)
LISTED = cdp.ColumnPlan(kind="category", categories=["1", "2"], epsilon=1)
COUNT = cdp.Query("count", "n", missing="leave out")
ASKED: list[Callable[[Any, cdp.Ledger], Any]] = [
    lambda data, ledger: cdp.privatize(data, {"t": MOMENTS}, ledger=ledger),
    lambda data, ledger: cdp.privatize(data, {"f": LISTED}, ledger=ledger),
    lambda data, ledger: cdp.privatize(data, {"i": LISTED}, ledger=ledger),
    lambda data, ledger: cdp.privatize(
        data, {"t": replace(MOMENTS, format=cdp.DateTimeFormat("%Y-%m-%d %H:%M"))}, ledger=ledger
    ),
    lambda data, ledger: cdp.privatize(
        data, {"f": cdp.ColumnPlan(inputs=(0, 10), epsilon=1)}, ledger=ledger
    ),
    lambda data, ledger: cdp.answer(
        cdp.Query("mean", "t", bounds=DAYS, format=cdp.DateTimeFormat("%Y-%m-%d %H:%M")),
        data, epsilon=1, ledger=ledger,
    ),
    lambda data, ledger: cdp.answer(
        replace(COUNT, where=Condition("t", "==", "2024-01-01 03:00")),
        data, epsilon=1, ledger=ledger,
    ),
    lambda data, ledger: next(iter(cdp.answer_each(
        replace(COUNT, grouping=Grouping("t", ("2024-01-01 03:00", "2024-01-02 04:00"))),
        data, epsilon=1, per="all", ledger=ledger,
    ).values())),
]  # fmt: skip


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pa.table])
@pytest.mark.parametrize("first", range(len(ASKED)))
def test_a_frame_is_one_data_set_to_a_ledger_whatever_is_asked_of_it(kind: Any, first: int) -> None:
    """A plan reads some cells as texts of its own; were the frame known by these, each plan would
    have a budget of its own.
    """
    data = kind(CELLS)
    ledger = ASKED[first](data, cdp.Ledger(limit=1)).ledger
    for ask in ASKED:
        with pytest.raises(BudgetExceededError):
            ask(data, ledger)
    other = kind({**CELLS, "n": ["a", "c"]})
    assert ASKED[first](other, ledger).ledger.entries
