"""The page's one fragment: controls, the ranking and one look redraw together, nothing else."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from compdp_core.mechanisms.baselines import Mechanism
from pages.charts.error_table import figures_table
from pages.inputs import links
from pages.inputs.mechanisms import unproved
from pages.inputs.options import segments
from pages.sections.compare_mechanisms import recovery_runs, simulation
from pages.sections.compare_mechanisms import settings as to
from pages.sections.compare_mechanisms.bias_chart import bias_chart
from pages.sections.compare_mechanisms.controls import controls, meaning
from pages.sections.compare_mechanisms.draws import draws
from pages.sections.compare_mechanisms.error_chart import error_chart
from pages.sections.compare_mechanisms.goals import goals
from pages.sections.compare_mechanisms.range_chart import range_chart
from pages.sections.compare_mechanisms.recovery import recovery
from pages.sections.compare_mechanisms.rows import many_rows
from pages.session import faults, jobs
from pages.session.fragments import fragment
from pages.shell.panels import explores, step
from pages.text.wording import literal


def live() -> None:
    links.restore(to.PAGE, to.SETTINGS)
    simulation.collect()
    recovery_runs.collect()
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


FEW = 4000
"""Draws of each mechanism for the table, at once."""


def views(asked: to.ComparedSettings, made: dict[str, Mechanism]) -> None:
    view = segments("Look at", to.VIEWS, to.VIEW)
    if view == "error":
        points, shown = simulation.results("error", asked, simulation.FEW)
        error_chart(asked, simulation.error_theory(asked), points).draw()
        simulation.more_draws("error", asked, shown)
    elif view == "bias":
        bias_chart(asked, made).draw()
        st.caption(
            "Clamping moves what falls outside to the nearest end. That costs no privacy, but it "
            "pulls the average inward, the more the nearer the true value is to an end; counts "
            "near 0 come out too large."
        )
    elif view == "range":
        range_chart(asked, made).draw()
        st.caption(
            "Every dot is one of twenty equally likely outcomes: two dots out of twenty outside "
            "are a chance of one in ten. The bar below is all that can come out at all."
        )
    elif view == "draws":
        draws(asked, made)
    elif view == "figures":
        # What cannot be had at this ε is named above; it hides none of the others.
        had = replace(asked, keys=tuple(k for name, k in asked.names.items() if name in made))
        table, shown = simulation.results("figures", had, FEW)
        figures_table("figures", table, to.UNIT)
        st.caption(f"For the true value {asked.true_value} {to.UNIT}.")
        simulation.more_draws("figures", had, shown)
    elif view == "rows":
        many_rows(asked)
    else:
        recovery(asked, made)
    jobs.progress(simulation.JOB)
    _warnings(made)


def _warnings(made: dict[str, Mechanism]) -> None:
    for text in filter(None, map(unproved, made.values())):
        st.warning(literal(text), icon=":material/rule:")
