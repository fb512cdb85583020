"""Step 3: how much privacy, and what that means in the data's own unit."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import streamlit as st

from pages.sections.privatize.meaning import meaning
from pages.sections.privatize.shape import output_bounds, shape
from pages.sections.shared.budget import budget, shares
from pages.sections.shared.setup import (
    ChosenColumn,
    PlannedColumn,
    ReadyRelease,
    mechanism_of,
    plan_for,
)
from pages.session import faults
from pages.session.state import one_of
from pages.shell.panels import step
from pages.text.wording import literal

FOCUS = "privatize.focus"


def privacy_step(columns: Sequence[ChosenColumn], rows: int) -> ReadyRelease | None:
    with step(3, "Privacy", "How much may the release say about any one row?"):
        budget(columns)
        parts = shares(columns)
        focus = focused(columns)
        at = columns.index(focus)
        entries = _all(columns, parts)
        if entries is not None:
            meaning(focus, entries[at], rows, len(columns), sum(parts, Fraction(0)))
        shape(focus, parts[at])
        output_bounds(focus)
        return None if entries is None else ReadyRelease(tuple(columns), tuple(entries), at)


def focused(columns: Sequence[ChosenColumn]) -> ChosenColumn:
    """The column that numbers and pictures are about; a choice only where there are several."""
    if len(columns) == 1:
        return columns[0]
    by_position = {column.position: column for column in columns}
    positions = list(by_position)
    chosen = st.selectbox(
        "Column shown in steps 3 to 5",
        format_func=lambda position: by_position[position].label,
        **one_of(FOCUS, positions[0], positions),
    )
    return by_position[chosen]


def _all(columns: Sequence[ChosenColumn], parts: Sequence[Fraction]) -> list[PlannedColumn] | None:
    built: list[PlannedColumn] = []
    for column, part in zip(columns, parts, strict=True):
        entry = faults.attempt(partial(_entry, column, part))
        if entry is None:
            st.caption(f"This is about {literal(column.label)}.")
        else:
            built.append(entry)
    return built if len(built) == len(columns) else None


def _entry(column: ChosenColumn, epsilon: Fraction) -> PlannedColumn:
    plan = plan_for(column, epsilon)
    return PlannedColumn(plan, mechanism_of(column, plan))
