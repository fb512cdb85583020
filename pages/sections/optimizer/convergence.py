"""Step 3: every run on one chart, and what each one cost."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from pages.inputs.options import segments, several
from pages.sections.optimizer import settings
from pages.sections.optimizer.descent import COSTS, MEASURES, across, descent
from pages.sections.optimizer.explanations import gap, stopped, why
from pages.sections.optimizer.paths import paths
from pages.sections.optimizer.runs import UNIT, Run
from pages.sections.optimizer.stored_runs import forget, runs
from pages.session.faults import sentence
from pages.session.fragments import fragment
from pages.session.state import edits
from pages.shell.panels import step
from pages.text.wording import literal, number, percent


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
    titles = {mark: f"{run.title}, {run.setting}" for mark, run in by_number.items()}
    shown = several("Runs on the charts", titles, name, list(titles))
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
        measure = segments("Upwards", MEASURES, settings.MEASURE)
        cost = segments("Across", COSTS, settings.COST)
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


WIDTHS = (170, 130, 90, 80, 290, 130, 110, 130)
"""Pixels; what matters most is in sight without scrolling."""


def table(chosen: Sequence[Run]) -> None:
    rows = pd.DataFrame([_row(run) for run in chosen])
    st.dataframe(
        rows,
        hide_index=True,
        alt="Runs with their distance to the exact optimum, evaluations, time and stop reason",
        column_config={
            name: st.column_config.TextColumn(width=width, pinned=name == "run")
            for name, width in zip(rows.columns, WIDTHS, strict=True)
        },
    )


def _row(run: Run) -> dict[str, str]:
    trace = run.trace
    return {
        "run": run.title,
        "above the optimum": gap(float(run.excess[-1])),
        "evaluations": f"{trace.evaluations:,}",
        "time (ms)": number(1e3 * trace.seconds, 2),
        "why it stopped": sentence(stopped(run)),
        f"best variance ({UNIT})": number(run.best, 4),
        "feasible points": percent(float(run.feasible[-1])),
        "problem": run.setting,
    }
