"""What an ε means: errors and intervals in the column's unit, an attacker's odds, the way back."""

from __future__ import annotations

from fractions import Fraction

import streamlit as st

from compdp_core.accounting import decimal_text
from compdp_core.errors import CompdpError
from compdp_core.parameters import EPSILON
from compdp_core.release.accuracy import Meaning, best_guess, epsilon_for_error
from compdp_core.release.statistic import middle
from pages.inputs.custom_shapes import chosen_pair
from pages.inputs.entry import exact, set_exact
from pages.sections.shared.budget import set_total
from pages.sections.shared.setup import (
    BY_HAND,
    EPSILON_NAME,
    ChosenColumn,
    PlannedColumn,
    chosen_shape,
)
from pages.session import faults
from pages.session.state import keep, recall
from pages.text.wording import beyond_half, literal, placed, quantity, span

WISH = "privatize.wish"


def meaning(
    column: ChosenColumn, entry: PlannedColumn, rows: int, columns: int, whole_row: Fraction
) -> None:
    """Four numbers that say what to expect, in words a person uses."""
    means = Meaning(entry.mechanism)
    example = middle(column.inputs, whole=column.whole)
    unit = literal(column.unit)
    st.markdown(f"**What this means for** {literal(column.label)}")
    with st.container(key="tiles"):
        tiles = st.columns(4)
    tiles[0].metric(
        "One value is typically off by",
        quantity(means.typical_error, unit),
        help="Root of the mean squared error, averaged over all true values between the bounds.",
        border=True,
        height="stretch",
    )
    tiles[1].metric(
        f"A mean of all {rows:,} rows is off by about",
        quantity(means.error_of_mean(rows), unit),
        help="The noise of the rows is independent and right on average, so it cancels out.",
        border=True,
        height="stretch",
    )
    tiles[2].metric(
        f"95 % of the releases of {placed(example, column.inputs.as_tuple())} lie in",
        span(*means.interval(example), unit, digits=3),
        help="For one true value as an example: the middle of the bounds.",
        border=True,
        height="stretch",
    )
    tiles[3].metric(
        "An attacker's best guess is right at most",
        beyond_half(best_guess(entry.plan.epsilon)),
        help="Two values are equally likely at first, 50 %. After seeing the release of this "
        "column, the attacker can be right at most this often. Other columns of the same row add "
        "to it: all together count with the ε of the row.",
        border=True,
        height="stretch",
    )
    if columns > 1:
        st.caption(
            f"The last figure is about {literal(column.label)} alone, at "
            f"ε = {decimal_text(entry.plan.epsilon)}. From all {columns} columns of a row "
            f"together, ε = {decimal_text(whole_row)}, a guess is right at most "
            f"**{beyond_half(best_guess(whole_row))}** of the time."
        )
    _way_back(column, columns)


def _way_back(column: ChosenColumn, columns: int) -> None:
    entry, button = st.columns([3, 1], vertical_alignment="bottom")
    below = st.container()
    with entry:
        wish = exact(
            WISH,
            "I need a typical error below (in the column's unit)",
            check=lambda v: None if v > 0 else "The error must be above 0, such as 10.",
            optional=True,
            placeholder="a number, such as 10",
            faults_in=below,
        )
    with button:
        st.button(
            "Find the ε",
            icon=":material/search:",
            disabled=wish is None,
            on_click=_solve,
            args=(column, columns),
            width="stretch",
        )
    with below:
        if recall(f"{WISH}.answer"):
            about, kind, text = recall(f"{WISH}.answer")
            if about == _about(column, columns):
                faults.tell(text) if kind == "fault" else st.success(literal(text))


def _solve(column: ChosenColumn, columns: int) -> None:
    """Callback: set the budget to the smallest that meets the wish."""
    wish = recall(WISH)
    if wish is None:
        return
    chosen = chosen_shape()
    try:
        epsilon = epsilon_for_error(
            float(wish),
            column.inputs.as_tuple(),
            pair=chosen_pair(chosen.pair),
            objective=chosen.objective,
            tail_ratio=chosen.tail_ratio,
            spacing=1 if column.whole else None,
        )
        if not recall(BY_HAND, False) and not EPSILON.contains(float(epsilon * columns)):
            raise CompdpError(
                f"{columns} columns at epsilon {epsilon} each need more than {EPSILON.upper:g} "
                "together: ask for a larger error or choose fewer columns"
            )
    except CompdpError as refusal:
        keep(f"{WISH}.answer", (_about(column, columns), "fault", faults.sentence(str(refusal))))
        return
    if recall(BY_HAND, False):
        set_exact(column.setting("epsilon"), epsilon)
    else:
        set_total(epsilon * columns)
    text = f"ε = {epsilon} for this column; the budget is set to it."
    keep(f"{WISH}.answer", (_about(column, columns), "found", text))


def _about(column: ChosenColumn, columns: int) -> tuple[object, ...]:
    """What the words hold for: they leave the screen once any of it is set otherwise."""
    budget = (recall(EPSILON_NAME), recall(BY_HAND, False), recall(column.setting("epsilon")))
    return (column, columns, chosen_shape(), recall(WISH), *budget)
