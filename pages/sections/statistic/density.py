"""Step 4: what one true answer may turn into, and its neighbour. Explores; releases nothing."""

from __future__ import annotations

import math

import streamlit as st

from pages.sections.statistic.distribution import picture
from pages.sections.statistic.query import ReadyQuery
from pages.session.fragments import fragment
from pages.session.state import edits, picks
from pages.shell.panels import fold, step


def see_step(ready: ReadyQuery, released: bool) -> None:
    with step(4, "See it", "Made-up answers only: no value of your table is used here."):
        label = "What one true answer may turn into"
        fold("statistic.see", released, label, lambda: _live(ready))


@fragment
def _live(ready: ReadyQuery) -> None:
    # Only this part runs again when the slider moves.
    low, high = ready.asked.plan.range.as_tuple()
    size = 10.0 ** math.floor(math.log10((high - low) / 50))
    if ready.asked.plan.whole:
        size = max(1.0, size)
    decimals = max(0, -math.floor(math.log10(size)))
    middle = low + round(0.5 * (high - low) / size) * size
    value = st.slider(
        "A true answer, made up",
        low,
        high,
        step=size,
        format=f"%.{decimals}f",
        **edits(f"statistic.see.{low}.{high}.{size}", min(middle, high)),
    )
    near = st.segmented_control(
        "Show",
        ["close by", "all possible outputs"],
        required=True,
        **picks("statistic.see.zoom", "close by"),
    )
    picture(ready, value, near=near == "close by").draw()
