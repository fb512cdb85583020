"""Which rows are read, what becomes of missing values, and who is protected."""

from __future__ import annotations

from typing import Any

import streamlit as st

from compdp_core.errors import CompdpError
from compdp_core.inquiry import MissingValues
from compdp_core.neighbours import Neighbours
from compdp_core.statistics import COMPARISONS, Condition
from compdp_core.table import Table
from compdp_core.table.columns import Column
from pages.answering import settings as said
from pages.answering.settings import value
from pages.furniture import faults
from pages.furniture.entry import exact, within
from pages.furniture.state import edits, one_of
from pages.furniture.typed import parsed

SIGNS = {"==": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}


def condition(table: Table) -> tuple[Condition | None, bool]:
    """The condition, if one is wanted, and whether the question is complete in this."""
    if not st.toggle(
        "Only rows that meet a condition",
        help="How many rows meet it is then protected like any other number.",
        **edits(said.WHERE.name, said.WHERE.default),
    ):
        return None, True
    places = [column.position for column in table.columns if column.usable or column.texts]
    left, middle, right = st.columns([3, 1, 2])
    below = st.container()
    with left:
        position = st.selectbox(
            "Column of the condition",
            format_func=lambda place: table.columns[place].label,
            placeholder="Choose a column",
            **one_of(said.WHERE_COLUMN.name, None, places),
        )
    with middle:
        how = st.selectbox(
            "Comparison",
            format_func=SIGNS.__getitem__,
            **one_of(said.WHERE_HOW.name, said.WHERE_HOW.default, COMPARISONS),
        )
    with right:
        what = st.text_input(
            "Compared with", max_chars=200, placeholder="a number or a word",
            **edits(said.WHERE_WHAT.name, said.WHERE_WHAT.default),
        )  # fmt: skip
    with below:
        if position is None or not what.strip():
            st.info("Complete the condition to go on.", icon=":material/arrow_upward:")
            return None, False
        found = faults.attempt(lambda: _condition(table.columns[position], how, what.strip()))
    return found, found is not None


def _condition(column: Column, how: Any, what: str) -> Condition:
    number = parsed(what)
    if not column.numeric:
        return Condition(column.label, how, what)
    if number is None:
        raise CompdpError(
            f"{column.label} is a column of numbers and {what!r} is none: type a number, such as 18"
        )
    return Condition(column.label, how, float(number))


def missing() -> MissingValues:
    """What becomes of cells without a value; offered always, so that it tells nothing."""
    chosen: MissingValues = st.selectbox(
        "Missing values",
        format_func=said.MISSING.__getitem__,
        **one_of(said.MISSING_POLICY.name, said.MISSING_POLICY.default, said.MISSING),
    )
    st.caption(said.MISSING_MEANS[chosen])
    return chosen


def neighbours() -> tuple[Neighbours, int | None]:
    """Which two tables must look alike, and, where rows come and go, how many there may be."""
    notion = Neighbours(
        st.radio(
            "Two tables that must look alike differ in this:",
            format_func=said.NEIGHBOURS.__getitem__,
            captions=list(said.NEIGHBOURS_MEAN.values()),
            **one_of(said.NOTION.name, said.NOTION.default, said.NEIGHBOURS),
        )
    )
    if notion is Neighbours.REPLACE_ONE:
        return notion, None
    exact(
        said.MAX_ROWS.name,
        "Rows there could be at most (public)",
        check=within(said.ROWS),
        optional=True,
        placeholder="such as the number of pupils of all schools asked",
        help="Not the number of rows of this table: that is protected now. If there are more "
        "rows after all, they are counted as this many.",
    )
    return notion, said.number(said.MAX_ROWS)


def least_rows() -> int | None:
    """Rows that a mean surely reads, where their number is protected."""
    exact(
        said.AT_LEAST.name,
        "Rows that are surely read (public)",
        check=within(said.ROWS),
        optional=True,
        placeholder="a number that anyone may know",
        help="The mean divides by this number of rows or more. With fewer rows, middles of the "
        "bounds fill up, so privacy holds even if the statement is wrong.",
    )
    least: int | None = said.number(said.AT_LEAST)
    return least if value(said.AT_LEAST) is not None else None
