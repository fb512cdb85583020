"""Steps 3 and 4: how much privacy, and the mechanism at work for any true value."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import streamlit as st

from compdp_core.adjacency import Person
from compdp_core.mechanisms.composite import CompositeMechanism
from pages.charts.density import Scene, scene_chart
from pages.inputs.options import select
from pages.inputs.slider import made_up
from pages.sections.privatize.budget import ask_budget
from pages.sections.privatize.meaning import meaning
from pages.sections.privatize.shape import output_bounds, shape
from pages.sections.shared.setup import (
    ChosenColumn,
    PlannedColumn,
    ReadyRelease,
    mechanism_of,
    plan_for,
)
from pages.session import faults
from pages.session.fragments import fragment
from pages.shell.panels import fold, step
from pages.text.wording import literal

FOCUS = "privatize.focus"


def privacy_step(
    columns: Sequence[ChosenColumn], rows: int, person: Person | None
) -> ReadyRelease | None:
    whose = "row" if person is None else "person"
    with step(3, "Privacy", f"How much may the release say about any one {whose}?"):
        cells = ask_budget(columns, person, rows)
        focus = focused(columns)
        at = columns.index(focus)
        entries = None if cells is None else _all(columns, cells.epsilons)
        ready = None
        if cells is not None and entries is not None:
            ready = ReadyRelease(tuple(columns), tuple(entries), at, person, cells.answered)
            meaning(ready, rows)
        if cells is not None:
            shape(focus, cells.epsilons[at])
        output_bounds(focus)
        return ready


def focused(columns: Sequence[ChosenColumn]) -> ChosenColumn:
    """The column that numbers and pictures are about; a choice only where there are several."""
    if len(columns) == 1:
        return columns[0]
    labels = {column.position: column.label for column in columns}
    first = columns[0].position
    chosen = select("Column shown in steps 3 to 5", labels, FOCUS, first)
    return next(column for column in columns if column.position == chosen)


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


LABEL = "What one true value may turn into"


def see_step(column: ChosenColumn, mechanism: CompositeMechanism, released: bool) -> None:
    with step(4, "See it", "Public settings only: no value of your table is used here."):
        fold("privatize.see", released, LABEL, lambda: _live(column, mechanism))


@fragment
def _live(column: ChosenColumn, mechanism: CompositeMechanism) -> None:
    # Only this part runs again when the slider moves.
    label = "True value, between your bounds"
    value = made_up(label, column.inputs, column.setting("see"), whole=column.whole)
    scene_chart(
        "see",
        Scene.of(mechanism, value),
        axis=f"released {column.label}",
        unit=column.unit,
        title=LABEL,
    ).draw()
