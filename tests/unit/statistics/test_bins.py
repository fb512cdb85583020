"""Bins of a column of numbers as groups: which rows they have, and what all bars cost together."""

from __future__ import annotations

from datetime import date
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import compdp_core as cdp
from compdp_core.accounting import Group
from compdp_core.errors import CompdpError
from compdp_core.randomness import SeededSource
from compdp_core.statistics import Grouping, Neighbours
from compdp_core.statistics.query import Query
from compdp_core.tables import read
from compdp_core.tables.value_formats import DateFormat

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE_ONE
EDGES = (0.0, 18.0, 65.0, 120.0)
COUNT = Query("count", "age", grouping=Grouping("age", edges=EDGES))


def counts(query: Query, data: bytes) -> list[int]:
    return [int(each.exact) for each in query.ask_each(read(data)).values()]


@given(st.lists(st.floats(-10, 130) | st.sampled_from([0.0, 18.0, 65.0, 120.0]), max_size=30))
def test_bins_hold_what_numpys_histogram_counts(values: list[float]) -> None:
    found = Grouping("age", edges=EDGES).bins(np.array(values))
    wanted, _ = np.histogram(values, EDGES)
    assert [int(each.mask.sum()) for each in found.values()] == wanted.tolist()


def test_edges_lie_on_both_sides_of_nothing() -> None:
    asked = Query("count", "c", grouping=Grouping("c", edges=(-20, -0.5, 0, 35)))
    assert counts(asked, b"c\n-21\n-20\n-7.5\n-0.5\n0\n35\n") == [2, 1, 2]


@pytest.mark.parametrize(
    "edges", [(-366, 0, 31), ("1968-12-31", date(1970, 1, 1), "1970-02-01"), (-366, "1/1/1970", 31)]
)
def test_edges_of_dates_are_typed_as_bounds_are(edges: Any) -> None:
    found = Grouping("d", edges=edges, format=DateFormat())
    assert [*found.edges] == [-366, 0, 31]
    assert found.categories == ("[1968-12-31, 1970-01-01)", "[1970-01-01, 1970-02-01]")


def test_what_is_no_number_or_beyond_the_edges_is_in_no_bin() -> None:
    data = b"age\n17\n18\n64.5\n65\n120\n121\n-1\nNA\nx\ninf\n"
    assert counts(COUNT, data) == [1, 2, 2]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"edges": (1,)}, "two or more that rise"),
        ({"edges": (1, 1)}, "two or more that rise"),
        ({"edges": (2, 1)}, "two or more that rise"),
        ({"edges": (0, float("nan"))}, "edges must"),
        ({"edges": (0, float("inf"))}, "edges must"),
        ({"edges": 3}, "a list of numbers"),
        ({"edges": (0, "1")}, "edges must"),
        ({"edges": (0, 1), "categories": ("a",)}, "left out for bins"),
        ({"edges": (0, 1), "format": "date"}, "a ValueFormat"),
        ({}, "at least one category"),
        ({"edges": (True, 2)}, "edges must be a number"),
        ({"edges": ("2024-01-01", "x"), "format": DateFormat()}, "edges must be dates"),
        ({"edges": (0, float("nan")), "format": DateFormat()}, "edges must be dates"),
        ({"edges": (0.2, 0.4, 5), "format": DateFormat()}, "be written in different ways"),
        ({"edges": (0, 1e9), "format": DateFormat()}, "must be within the dates from 0001"),
    ],
)
def test_edges_that_make_no_sense_are_refused(said: dict[str, Any], words: str) -> None:
    with pytest.raises(CompdpError, match=words):
        Grouping("age", **said)


def test_one_changed_row_changes_as_many_bars_as_are_charged() -> None:
    """Over all tables of two rows of seven values, and all that replace a row or take it away."""
    values = ("-1", "0", "17", "18", "65", "120", "x")

    def of(rows: tuple[str, ...]) -> np.ndarray[Any, Any]:
        return np.array(counts(COUNT, ("age\n" + "\n".join(rows) + "\n").encode()))

    every = {rows: of(rows) for rows in product(values, repeat=2)}
    one = {row: of((row,)) for row in values}
    moved = max(
        int(np.abs(every[a] - every[b]).sum())
        for a in every
        for b in every
        if a[0] == b[0] or a[1] == b[1]
    )
    gone = max(int(np.abs(every[rows] - one[rows[0]]).sum()) for rows in every)
    grouping = COUNT.grouping
    assert grouping is not None
    assert (moved, gone) == (grouping.changed(REPLACE), grouping.changed(ADD)) == (2, 1)


def test_all_bars_share_one_budget_where_it_is_said() -> None:
    table = read(b"age\n17\n30\n41\n68\n")
    for notion, each in ((REPLACE, Fraction(1, 2)), (ADD, Fraction(1))):
        query = cdp.Query("count", "age", grouping=COUNT.grouping, neighbours=notion, max_rows=9)
        bars = cdp.answer_each(query, table, epsilon=1, per="all", ledger=cdp.Ledger())
        assert {bar.epsilon for bar in bars.values()} == {each}
        ledger = bars["[0, 18)"].ledger
        assert ledger is not None
        assert ledger.total_by_dataset(table.fingerprint) == 1
    with pytest.raises(CompdpError, match="per must be group or all"):
        cdp.answer_each(query, table, epsilon=1, per="bar")  # type: ignore[arg-type]


def test_bins_of_other_edges_or_another_format_are_another_partition() -> None:
    table = read(b"age\n17\n")
    rules = {
        Grouping("age", edges=edges, format=form).group(name, table).rule
        for edges, form, name in (
            ((0, 18, 65), None, "[0, 18)"),
            ((0, 18, 66), None, "[0, 18)"),
            ((0, 18, 65), DateFormat(), "[1970-01-01, 1970-01-19)"),
        )
    }
    listed = Grouping("age", ("[0, 18)",)).group("[0, 18)", table)
    assert len(rules | {listed.rule}) == 4
    assert isinstance(listed, Group)


def test_a_frame_of_floats_is_binned_as_it_is() -> None:
    frame = pd.DataFrame({"age": np.array([17.999999, 18.0], dtype=np.float32), "x": [1, 2]})
    bars = cdp.answer_each(COUNT, frame, epsilon=50, source=SeededSource(1))
    assert [round(bar.value) for bar in bars.values()] == [1, 1, 0]


def test_dates_are_binned_by_their_format() -> None:
    days = DateFormat()
    edges = tuple(days.value(text) for text in ("2024-01-01", "2024-07-01", "2025-01-01"))
    query = Query("count", "d", grouping=Grouping("d", edges=edges, format=days))
    data = b"d\n2024-01-01\n2024-06-30\n2024-07-01\n2025-01-02\n5 May\n"
    assert list(query.ask_each(read(data))) == [
        "[2024-01-01, 2024-07-01)",
        "[2024-07-01, 2025-01-01]",
    ]
    assert counts(query, data) == [2, 1]
