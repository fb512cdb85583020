"""Step 5: the column before and after, with Laplace and Gaussian noise beside it."""

from __future__ import annotations

import streamlit as st

from compdp_core.mechanism import CompositeMechanism
from compdp_core.table import Table
from pages.furniture.histogram_chart import Series
from pages.furniture.panels import private, step
from pages.furniture.state import keep, memo, recall
from pages.furniture.theme import GAUSSIAN, LAPLACE, RELEASED, TRUE
from pages.furniture.wording import number
from pages.privatizing.before_after import Pair, Subject, before_after
from pages.privatizing.rehearsal import GAUSSIAN_DELTA, MOST_ROWS, Rehearsal, rehearse
from pages.privatizing.setup import Column, Ready

SEED = "privatize.seed"


def compare_step(table: Table, ready: Ready) -> None:
    with (
        step(5, "Compare", "A rehearsal with simulated noise. It exists only here, for you."),
        private("compare", "true values against simulated ones"),
    ):
        _rehearsal(table, ready.focus, ready.mechanism)


@st.fragment
def _rehearsal(table: Table, column: Column, mechanism: CompositeMechanism) -> None:
    seed = recall(SEED, 1)
    drawn: Rehearsal = memo(
        "privatize.rehearsal",
        (table, column, mechanism, seed),
        lambda: rehearse(table, column, mechanism, seed),
    )
    subject = Subject(
        "compare",
        "Before and after, on common bins",
        column.label,
        column.unit,
        column.whole,
        mechanism,
    )
    before_after(subject, drawn, lambda: _series(drawn))
    st.caption(
        f"All at ε = {number(mechanism.epsilon)}; Gaussian noise needs a δ besides, here "
        f"{number(GAUSSIAN_DELTA)}. Noise goes on every value, so a mean taken from the result is "
        "far less exact than a mean released by itself."
    )
    if drawn.partial:
        st.caption(f"Drawn for {MOST_ROWS:,} evenly spaced rows at most.")
    st.button("Draw again", icon=":material/casino:", on_click=keep, args=(SEED, seed + 1))


def _series(drawn: Rehearsal) -> Pair:
    return Series("your values", drawn.before, TRUE), (
        Series("composite", drawn.composite, RELEASED),
        Series("Laplace", drawn.laplace, LAPLACE),
        Series("Gaussian", drawn.gaussian, GAUSSIAN),
    )
