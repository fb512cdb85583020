"""Steps 3 and 4: how much privacy, and the mechanism at work for any true value."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

import streamlit as st

from compdp_core.adjacency import Person
from compdp_core.errors import CompdpError, InfeasibleOutputsError
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.release.released import ColumnMechanism
from pages.charts.bars import answer_chart, scale_chart
from pages.charts.density import Scene, scene_chart
from pages.inputs.options import select
from pages.sections.privatize.budget import ask_budget
from pages.sections.privatize.meaning import meaning
from pages.sections.privatize.shape import output_bounds, shape
from pages.sections.privatize.true_value import true_answer, true_value
from pages.sections.shared.ready import PlannedColumn, ReadyRelease, mechanism_of
from pages.sections.shared.setup import ChosenColumn, plan_for
from pages.sections.shared.words import words_of
from pages.session import faults
from pages.session.fragments import fragment
from pages.shell.panels import fold, step
from pages.text.values import too_narrow
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
        if not focus.is_category:  # else there is no more to choose than ε and the list
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
    plan, words = plan_for(column, epsilon), words_of(column)
    try:
        return PlannedColumn(plan, mechanism_of(column, plan))
    except InfeasibleOutputsError as refusal:
        if words.format is None:
            raise
        raise CompdpError(too_narrow(refusal, words)) from None


LABEL = "What one true value may turn into"
ANSWER = "What one true answer may turn into"
MOST_PLACES = 300
"""That a released place may have, for each to have a bar."""


def see_step(column: ChosenColumn, mechanism: ColumnMechanism, released: bool) -> None:
    label = ANSWER if column.is_category else LABEL
    with step(4, "See it", "Public settings only: no value of your table is used here."):
        fold("privatize.see", released, label, lambda: _live(column, mechanism))


@fragment
def _live(column: ChosenColumn, mechanism: ColumnMechanism) -> None:
    # Only this part runs again when another value is chosen.
    axis = f"released {column.label}"
    if isinstance(mechanism, RandomizedResponse):
        assert column.categories is not None
        names, true = column.categories.names, true_answer(column)
        answer_chart("see", mechanism, names, true, ANSWER, column.label).draw()
        return
    value, words = true_value(column), words_of(column)
    if words.names and mechanism.lattice.points <= MOST_PLACES:
        scale_chart("see", mechanism, value, words, LABEL, axis).draw()
    else:
        scene = Scene.of(mechanism, value)
        unit = column.unit if words.format is None else words.format.unit
        scene_chart("see", scene, axis=axis, unit=unit, title=LABEL, words=words).draw()
    if words.key:
        st.caption(literal(words.key))
