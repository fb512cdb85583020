"""What an ε means: errors and intervals in the column's unit, an attacker's odds, the way back."""

from __future__ import annotations

from decimal import Decimal

import streamlit as st

from compdp_core.release.accuracy import Meaning, best_guess, epsilon_for_error
from compdp_core.release.statistic import middle
from pages.inputs.custom_shapes import chosen_pair
from pages.sections.privatize.budget import Unit, put_epsilon, set_now
from pages.sections.shared.budget import target_epsilon
from pages.sections.shared.figures import figure_row, figures
from pages.sections.shared.setup import ReadyRelease, chosen_shape
from pages.text.wording import beyond_half, budget, count, literal, placed, quantity, span


def meaning(ready: ReadyRelease, rows: int) -> None:
    column, entry, plan = ready.focus, ready.entries[ready.at], ready.plan
    means, valued = Meaning(entry.mechanism), max(1, int(rows * plan.share))
    example = middle(column.inputs, whole=column.whole)
    unit = literal(column.unit)
    st.markdown(f"**What this means for** {literal(column.label)}")
    figures(
        figure_row(4),
        (
            "One value is typically off by",
            quantity(means.typical_error, unit),
            "Root of the mean squared error, averaged over all true values between the bounds.",
        ),
        (
            f"A mean of {_which(rows, valued)} is off by about",
            quantity(means.error_of_mean(valued), unit),
            "The noise of the rows is independent and right on average, so it cancels out."
            + ("" if ready.person is None else " Where rows of a person are left out, it is more."),
        ),
        (
            f"95 % of the releases of {placed(example, column.inputs.as_tuple())} lie in",
            span(*means.interval(example), unit, digits=3),
            "For one true value as an example: the middle of the bounds.",
        ),
        (
            "An attacker's best guess is right at most",
            beyond_half(best_guess(entry.plan.epsilon)),
            "Two values are equally likely at first, 50 %. After seeing the release of this "
            "column, the attacker can be right at most this often. Other columns of the same row "
            "add to it: all together count with the ε of the row.",
        ),
    )
    _of_all(ready)
    _way_back(ready)


def _which(rows: int, valued: int) -> str:
    return f"all {rows:,} rows" if valued == rows else f"about {valued:,} of {rows:,} rows"


def _of_all(ready: ReadyRelease) -> None:
    """What all columns of a row, and all rows of a person, tell together."""
    plan, cell = ready.plan, ready.entries[ready.at].plan.epsilon
    wholes = []
    if plan.row_epsilon > cell:
        wholes.append((f"{_columns(ready)} of a row", plan.row_epsilon))
    if plan.rows > 1:
        wholes.append((f"all {count(plan.rows, 'row')} of a person", plan.epsilon))
    if not wholes:
        return
    told = [
        f"From {what} together, {budget(whole)}, a guess is right at most "
        f"**{beyond_half(best_guess(whole))}** of the time."
        for what, whole in wholes
    ]
    label = literal(ready.focus.label)
    st.caption(
        f"The last figure is about one value of {label}, at {budget(cell)}. {' '.join(told)}"
    )


def _columns(ready: ReadyRelease) -> str:
    amount = count(len(ready.columns), "column")
    return f"all {amount}" if ready.answered is None else f"{ready.answered} of {amount}"


def _way_back(ready: ReadyRelease) -> None:
    column, unit = ready.focus, Unit(ready.person)

    def solve(wanted: Decimal) -> str:
        chosen = chosen_shape()
        epsilon = epsilon_for_error(
            float(wanted),
            column.inputs.as_tuple(),
            pair=chosen_pair(chosen.pair),
            objective=chosen.objective,
            tail_ratio=chosen.tail_ratio,
            spacing=1 if column.whole else None,
        )
        put_epsilon(ready.columns, column, wanted, epsilon, unit)
        return f"ε = {epsilon} for this column; the budget is set to it."

    target_epsilon(
        "privatize",
        "I need a typical error below (in the column's unit)",
        "10",
        "The error",
        (column, len(ready.columns), ready.person, ready.answered, chosen_shape()),
        solve,
        lambda: set_now(column),
    )
