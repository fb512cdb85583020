"""What an ε means: errors and intervals in the column's unit, an attacker's odds, the way back."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import streamlit as st

from compdp_core.accounting import decimal_text
from compdp_core.errors import CompdpError
from compdp_core.parameters import EPSILON
from compdp_core.release.accuracy import Meaning, best_guess, epsilon_for_error
from compdp_core.release.statistic import middle
from pages.inputs.custom_shapes import chosen_pair
from pages.inputs.entry import set_exact
from pages.sections.shared.budget import set_total, target_epsilon
from pages.sections.shared.figures import figure_row, figures
from pages.sections.shared.setup import (
    BY_HAND,
    EPSILON_NAME,
    ChosenColumn,
    PlannedColumn,
    chosen_shape,
)
from pages.session.state import recall
from pages.text.wording import beyond_half, literal, placed, quantity, span


def meaning(
    column: ChosenColumn, entry: PlannedColumn, rows: int, columns: int, whole_row: Fraction
) -> None:
    means = Meaning(entry.mechanism)
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
            f"A mean of all {rows:,} rows is off by about",
            quantity(means.error_of_mean(rows), unit),
            "The noise of the rows is independent and right on average, so it cancels out.",
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
    if columns > 1:
        st.caption(
            f"The last figure is about {literal(column.label)} alone, at "
            f"ε = {decimal_text(entry.plan.epsilon)}. From all {columns} columns of a row "
            f"together, ε = {decimal_text(whole_row)}, a guess is right at most "
            f"**{beyond_half(best_guess(whole_row))}** of the time."
        )
    _way_back(column, columns)


def _way_back(column: ChosenColumn, columns: int) -> None:
    def solve(wanted: Decimal) -> str:
        chosen, by_hand = chosen_shape(), recall(BY_HAND, False)
        epsilon = epsilon_for_error(
            float(wanted),
            column.inputs.as_tuple(),
            pair=chosen_pair(chosen.pair),
            objective=chosen.objective,
            tail_ratio=chosen.tail_ratio,
            spacing=1 if column.whole else None,
        )
        if not by_hand and not EPSILON.contains(float(epsilon * columns)):
            raise CompdpError(
                f"{columns} columns at epsilon {epsilon} each need more than {EPSILON.upper:g} "
                "together: ask for a larger error or choose fewer columns"
            )
        if by_hand:
            set_exact(column.setting("epsilon"), epsilon)
        else:
            set_total(epsilon * columns)
        return f"ε = {epsilon} for this column; the budget is set to it."

    target_epsilon(
        "privatize",
        "I need a typical error below (in the column's unit)",
        "10",
        "The error",
        (column, columns, chosen_shape()),
        solve,
        lambda: (recall(EPSILON_NAME), recall(BY_HAND, False), recall(column.setting("epsilon"))),
    )
