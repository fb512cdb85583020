"""Step 4: the mechanism at work, for any true value. Explores; releases nothing."""

from __future__ import annotations

import math

import streamlit as st

from compdp_core.mechanisms.composite import CompositeMechanism
from pages.charts.density import Scene, scene_chart
from pages.sections.shared.setup import ChosenColumn
from pages.session.fragments import fragment
from pages.session.state import edits
from pages.shell.panels import fold, step

LABEL = "What one true value may turn into"


def see_step(column: ChosenColumn, mechanism: CompositeMechanism, released: bool) -> None:
    with step(4, "See it", "Public settings only: no value of your table is used here."):
        fold("privatize.see", released, LABEL, lambda: _live(column, mechanism))


@fragment
def _live(column: ChosenColumn, mechanism: CompositeMechanism) -> None:
    # Only this part runs again when the slider moves.
    low, high = column.inputs.as_tuple()
    width = high - low
    step_size = 10.0 ** math.floor(math.log10(width / 50))
    if column.whole:
        step_size = max(1.0, step_size)
    decimals = max(0, -math.floor(math.log10(step_size)))
    middle = low + round(0.5 * width / step_size) * step_size
    name = column.setting(f"see.{low}.{high}")
    value = st.slider(
        "True value, between your bounds",
        low,
        high,
        step=step_size,
        format=f"%.{decimals}f",
        **edits(name, min(middle, high)),
    )
    scene_chart(
        "see",
        Scene.of(mechanism, value),
        axis=f"released {column.label}",
        unit=column.unit,
        title=LABEL,
    ).draw()
