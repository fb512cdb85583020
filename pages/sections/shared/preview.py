"""The first rows, and for each column what it is or why it is no column of numbers."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from compdp_core.tables import Table
from compdp_core.tables.affix import Affix
from compdp_core.tables.column import Column
from compdp_core.tables.errors import short
from pages.inputs.options import several
from pages.sections.shared.missing import ALSO
from pages.sections.shared.proposed import Holds, better_left, held, likeliest, proposed
from pages.sections.shared.summary_rows import suspects, undecided
from pages.sections.shared.ways_out import NAMES, Way, buttons
from pages.session.state import recall
from pages.text.wording import literal

ROWS, COLUMNS, LONGEST = 6, 30, 200
OFFERS, REASONS = 200, 12
AS: dict[Holds, str] = {
    "limits": "numbers with limits or classes",
    "category": "a category",
    "yes_no": "yes or no",
    "scale": "a scale",
    "date": "dates",
    "time": "times of day",
    "datetime": "dates with times",
    "duration": "durations",
}
"""What a column that holds no plain numbers may be."""


def preview(table: Table) -> None:
    shown = table.columns[:COLUMNS]
    st.dataframe(
        pd.DataFrame(
            [[short(cell, LONGEST) for cell in row] for row in table.head(ROWS, COLUMNS)],
            columns=[column.label for column in shown],
        ),
        hide_index=True,
        alt="First rows of your table",
    )
    if len(table.columns) > COLUMNS:
        st.caption(f"The first {COLUMNS} of {len(table.columns):,} columns.")
    reasons = {c.position: _reason(table, c) for c in table.columns}
    told = {
        "column": [column.label for column in table.columns],
        "can be privatized": [_verdict(table, column) for column in table.columns],
        "missing": [_missing(column) for column in table.columns],
    }
    few = sum(map(bool, reasons.values())) <= REASONS
    st.dataframe(
        pd.DataFrame(told if few else told | {"why": list(reasons.values())}),
        hide_index=True,
        height="auto" if len(table.columns) <= 12 else 440,
        column_config={"why": st.column_config.TextColumn(width="large")},
        alt="What each column holds",
    )
    # Before it is said which rows are people, a reason would call a comment a missing value.
    if few and not undecided(table):
        _reasons(table)
    _strip(table)


def _reasons(table: Table) -> None:
    """In full sentences, since a cell of a table would cut them."""
    why = [
        f"- **{literal(c.label)}**: {literal(reason)}"
        for c in table.columns
        if (reason := _reason(table, c))
    ]
    if why:
        st.markdown("\n".join(why))
    for column in table.columns:
        buttons(_ways(column, table), f"column-{column.position}")


def _ways(column: Column, table: Table) -> list[Way]:
    """What the reason advises, where the page can do it."""
    cell = column.text_example or column.non_finite_example
    person = cell is not None and cell.row - 1 not in suspects(table)
    if cell is not None and person and "to the missing ones" in column.refusal:
        spelled = [*recall(ALSO, []), cell.text.strip()]
        said = {ALSO: list(dict.fromkeys(spelled))}
        return [Way(literal(f"{column.label}: count {short(cell.text)!r} as missing"), said)]
    other = "." if table.format.decimal == "," else ","
    if "other decimal mark" in column.refusal:
        return [Way(f"Read with a decimal {NAMES[other]}", {"reading.decimal": other})]
    return []


def _strip(table: Table) -> None:
    """Offer to read past a symbol or unit that all cells of a column share."""
    offers = {
        column.position: f"{column.label}: {column.affix}"
        for column in table.columns[:OFFERS]
        if column.refusal and isinstance(column.affix, Affix)
    }
    if offers:
        about = "The cells become numbers. The download then holds plain numbers there."
        several("Take symbols off these columns", offers, "reading.strip", [], help=about)


def _reason(table: Table, column: Column) -> str:
    """Why its numbers cannot be used, where it is not offered as something else."""
    if column.refusal:
        return "" if _other_kind(table, column) else column.refusal
    return f"looks like an ID ({column.identifier})" if column.identifier else ""


def _other_kind(table: Table, column: Column) -> str:
    """What a column whose cells are no numbers is offered as; empty where it is not."""
    if isinstance(column.affix, Affix) or better_left(table, column.position):
        return ""
    first = likeliest(proposed(table, column.position))
    return AS.get(held(first), "") if first is not None else ""


def _verdict(table: Table, column: Column) -> str:
    if column.refusal and (kind := _other_kind(table, column)):
        return f"yes, as {kind}"
    if column.refusal and column.mostly_numbers and not isinstance(column.affix, Affix):
        return "yes, other cells count as missing"
    if column.refusal:
        return "after its symbol is taken off" if isinstance(column.affix, Affix) else "no"
    if column.identifier:
        return "yes, but it looks like an ID"
    if column.constant:
        return "yes, all values are equal"
    return "yes, whole numbers" if column.whole else "yes"


def _missing(column: Column) -> str:
    if not column.missing:
        return "none"
    spelled = ", ".join(
        f"{spelling or 'empty'} × {amount}" for spelling, amount in column.missing_spellings
    )
    return f"{column.missing}: {spelled}"
