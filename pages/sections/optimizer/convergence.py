"""Step 3: every run on one chart, and what each one cost."""

from __future__ import annotations

import streamlit as st

from pages.inputs.options import segments
from pages.sections.optimizer import settings
from pages.sections.optimizer.descent import COSTS, MEASURES, across, descent
from pages.sections.optimizer.explanations import why
from pages.sections.optimizer.paths import paths
from pages.sections.optimizer.stored_runs import forget, runs
from pages.sections.optimizer.table import table
from pages.session.fragments import fragment
from pages.session.state import edits, picks
from pages.shell.panels import step
from pages.text.wording import literal


def convergence_step() -> None:
    with step(3, "Convergence", "The best variance so far, against how much was looked at."):
        _live()


@fragment
def _live() -> None:
    everything = runs()
    if not everything:
        st.info("No runs yet: choose algorithms in step 2 and search.", icon=":material/search:")
        return
    by_number = {run.number: run for run in everything}
    name = f"{settings.PAGE}.shown.{everything[-1].number}"
    shown = st.multiselect(
        "Runs on the charts",
        list(by_number),
        format_func=lambda mark: f"{by_number[mark].title}, {by_number[mark].setting}",
        **picks(name, list(by_number), allowed=by_number),
    )
    chosen = [by_number[mark] for mark in sorted(shown)]
    measure, cost, log_y, log_x = _controls()
    if chosen:
        descent(chosen, measure, cost, log_y=log_y, log_x=log_x).draw()
        table(chosen)
        st.markdown("\n".join(f"- **{run.title}.** {literal(why(run))}" for run in chosen))
        with st.expander("The path of k, m and y", icon=":material/timeline:"):
            spent = [across(run, cost) for run in chosen]
            paths(chosen, spent, COSTS[cost], log_x=log_x).draw()
    _tidy(list(by_number), shown)


def _controls() -> tuple[str, str, bool, bool]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = segments("Upwards", MEASURES, settings.MEASURE.name, settings.MEASURE.default)
        cost = segments("Across", COSTS, settings.COST.name, settings.COST.default)
        log_y = st.toggle("Logarithmic upwards", **edits(settings.LOG_Y.name, True))
        log_x = st.toggle("Logarithmic across", **edits(settings.LOG_X.name, True))
    return measure, cost, log_y, log_x


def _tidy(everything: list[int], shown: list[int]) -> None:
    hidden = [mark for mark in everything if mark not in shown]
    with st.container(horizontal=True):
        if hidden and st.button(
            "Remove the runs not shown", icon=":material/delete_sweep:", type="tertiary"
        ):
            forget(hidden)
            st.rerun()
        if st.button("Remove all runs", icon=":material/delete:", type="tertiary"):
            forget(everything)
            st.rerun()
