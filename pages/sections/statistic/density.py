"""Step 4: what one true answer may turn into, and its neighbour. Explores; releases nothing."""

from __future__ import annotations

import streamlit as st

from pages.sections.shared.made_up import made_up
from pages.sections.statistic.distribution import picture
from pages.sections.statistic.query import ReadyQuery
from pages.session.fragments import fragment
from pages.session.state import picks
from pages.shell.panels import fold, step


def see_step(ready: ReadyQuery, released: bool) -> None:
    with step(4, "See it", "Made-up answers only: no value of your table is used here."):
        label = "What one true answer may turn into"
        fold("statistic.see", released, label, lambda: _live(ready))


@fragment
def _live(ready: ReadyQuery) -> None:
    # Only this part runs again when the slider moves.
    plan = ready.asked.plan
    value = made_up("A true answer, made up", plan.range, "statistic.see", whole=plan.whole)
    near = st.segmented_control(
        "Show",
        ["close by", "all possible outputs"],
        required=True,
        **picks("statistic.see.zoom", "close by"),
    )
    picture(ready, value, near=near == "close by").draw()
