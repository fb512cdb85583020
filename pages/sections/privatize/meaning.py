"""What an ε means: errors and intervals in the column's unit, an attacker's odds, the way back."""

from __future__ import annotations

import streamlit as st

from compdp_core.intervals import Interval
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.release.accuracy import Meaning, best_guess
from compdp_core.release.statistic import middle
from pages.sections.privatize.categories.meaning import answer_figures
from pages.sections.privatize.receiver import receiver
from pages.sections.privatize.way_back import way_back
from pages.sections.shared.figures import figure_row, figures
from pages.sections.shared.ready import ReadyRelease
from pages.sections.shared.words import words_of
from pages.text.wording import beyond_half, budget, count, literal, placed


def meaning(ready: ReadyRelease, rows: int) -> None:
    mechanism, valued = ready.mechanism, max(1, int(rows * ready.plan.share))
    st.markdown(f"**What this means for** {literal(ready.focus.label)}")
    if isinstance(mechanism, RandomizedResponse):
        answer_figures(ready, mechanism, _which(rows, valued), valued)
    else:
        _number_figures(ready, mechanism, _which(rows, valued), valued)
    _of_all(ready)
    receiver(ready, rows)
    way_back(ready, rows)


def _number_figures(
    ready: ReadyRelease, mechanism: CompositeMechanism, which: str, valued: int
) -> None:
    column, means = ready.focus, Meaning(mechanism)
    words, ends = words_of(column).in_markdown(), Interval(*mechanism.inputs)
    example = middle(ends, whole=column.whole)
    plain = words.format is None and not words.names
    named = placed(example, ends.as_tuple()) if plain else literal(words.value(example))
    figures(
        figure_row(4),
        (
            "One value is typically off by",
            words.amount(means.typical_error),
            "Root of the mean squared error, averaged over all true values between the bounds.",
        ),
        (
            f"A mean of {which} is off by about",
            words.amount(means.error_of_mean(valued)),
            "The noise of the rows is independent and right on average, so it cancels out."
            + ("" if ready.person is None else " Where rows of a person are left out, it is more."),
        ),
        (
            f"95 % of the releases of {named} lie in",
            words.span(*means.interval(example), digits=3),
            "For one true value as an example: the middle of the bounds.",
        ),
        (
            "An attacker's best guess is right at most",
            beyond_half(best_guess(ready.entries[ready.at].plan.epsilon)),
            "Two values are equally likely at first, 50 %. After seeing the release of this "
            "column, the attacker can be right at most this often. Other columns of the same row "
            "add to it: all together count with the ε of the row.",
        ),
    )


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
