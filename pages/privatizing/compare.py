"""Step 5: the column before and after, with Laplace and Gaussian noise beside it."""

from __future__ import annotations

import streamlit as st

from compdp_core.mechanism import CompositeMechanism
from compdp_core.table import Table
from pages.furniture.histogram_chart import Series, histogram_chart
from pages.furniture.panels import private, step
from pages.furniture.state import keep, memo, recall
from pages.furniture.theme import GAUSSIAN, LAPLACE, RELEASED, TRUE
from pages.furniture.wording import in_chart, number
from pages.privatizing.describing import described
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
    series = (
        Series("your values", drawn.before, TRUE),
        Series("composite", drawn.composite, RELEASED),
        Series("Laplace", drawn.laplace, LAPLACE),
        Series("Gaussian", drawn.gaussian, GAUSSIAN),
    )
    histogram_chart(
        "compare",
        series,
        inputs=mechanism.inputs,
        outputs=mechanism.outputs,
        whole=column.whole,
        axis=in_chart(column.label),
        unit=in_chart(column.unit, 16),
        title="Before and after, on common bins",
        private=True,
    ).draw()
    st.dataframe(
        described(series, mechanism.outputs, column.unit),
        hide_index=True,
        alt="Mean, spread and quantiles before and after",
    )
    st.caption(
        f"All at ε = {number(mechanism.epsilon)}; Gaussian noise needs a δ besides, here "
        f"{number(GAUSSIAN_DELTA)}. Noise goes on every value, so a mean taken from the result is "
        "far less exact than a mean released by itself."
    )
    if drawn.partial:
        st.caption(f"Drawn for {MOST_ROWS:,} evenly spaced rows at most.")
    st.button("Draw again", icon=":material/casino:", on_click=keep, args=(SEED, seed + 1))
