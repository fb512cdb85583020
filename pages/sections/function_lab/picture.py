"""The live density, or why there is none."""

from __future__ import annotations

import streamlit as st

from pages.charts.density import scene_chart
from pages.sections.function_lab.trial import Bench
from pages.text.symbols import lettered
from pages.text.wording import literal

HEIGHT = 470


def picture(bench: Bench) -> None:
    result = bench.result
    if result is None:
        with st.container(height=HEIGHT, border=True, vertical_alignment="center"):
            st.markdown("##### Nothing can be drawn")
            jump = ", or jump to the optimum" if bench.optimum_helps else ""
            st.markdown(
                f"These numbers make no density: {literal(lettered(bench.why))}. "
                f"Change what is named{jump}."
            )
        return
    title = "What one true value may turn into"
    if result.position != result.shown:
        title = "The nearest input that fits: yours lies beyond C"
    elif not bench.feasible:
        title = "As set, though not feasible"
    scene_chart(
        "lab",
        result.scene(),
        axis="released value (data units)",
        unit="data units",
        title=title,
        height=HEIGHT,
    ).draw()
