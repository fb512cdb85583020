"""The page's one fragment: controls, the ranking and one look redraw together, nothing else."""

from __future__ import annotations

import streamlit as st

from pages.inputs import links
from pages.sections.compare_mechanisms import settings as to
from pages.sections.compare_mechanisms import simulation
from pages.sections.compare_mechanisms.controls import controls, meaning
from pages.sections.compare_mechanisms.goals import goals
from pages.sections.compare_mechanisms.views import views
from pages.session import faults
from pages.session.fragments import fragment
from pages.shell.panels import explores, step
from pages.text.wording import literal


def live() -> None:
    links.restore(to.PAGE, to.SETTINGS)
    simulation.collect()
    _live()
    links.share(to.PAGE, to.SETTINGS)


@fragment
def _live() -> None:
    explores()
    with step(1, "What to compare", "Add mechanisms, then move ε and the true value."):
        controls()
        asked = faults.attempt(to.question)
        made, refused = to.build(asked) if asked else ({}, [])
        if refused:
            st.warning("  \n".join(literal(text) for text in refused), icon=":material/block:")
        if asked and made:
            meaning(asked, made)
        elif asked:
            st.info("Choose at least one mechanism that can be had.", icon=":material/balance:")
    if asked is None or not made:
        return
    with step(2, "What matters to you", "The same mechanisms, in the order that serves your goal."):
        goals(asked, made)
    with step(3, "Look closer"):
        views(asked, made)
