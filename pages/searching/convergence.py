"""Step 3: every run on one chart, and what each one cost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.furniture.chart import Chart
from pages.furniture.panels import step
from pages.furniture.state import edits
from pages.furniture.theme import scatter
from pages.furniture.wording import literal, number
from pages.searching import settings
from pages.searching.looks import FLOOR
from pages.searching.paths import paths
from pages.searching.runs import UNIT, Run, forget, runs
from pages.searching.table import table
from pages.searching.ticks import log_axis
from pages.searching.words import above, why

MEASURES = {"variance": f"variance ({UNIT})", "excess": "above the optimum (%)"}
COSTS = {"points": "points looked at", "evaluations": "evaluations of the variance"}
LEAST = 1e-9
"""Percent above the optimum at which a logarithmic axis ends: there floating point ends too."""


def convergence_step() -> None:
    with step(3, "Convergence", "The best variance so far, against how much was looked at."):
        _live()


@st.fragment
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
        **edits(name, list(by_number), allowed=by_number),
    )
    chosen = [by_number[mark] for mark in sorted(shown)]
    measure, cost, log_y, log_x = _controls()
    if chosen:
        convergence(chosen, measure, cost, log_y=log_y, log_x=log_x).draw()
        table(chosen)
        st.markdown("\n".join(f"- **{run.title}.** {literal(why(run))}" for run in chosen))
        with st.expander("The path of k, m and y", icon=":material/timeline:"):
            spent = [across(run, cost) for run in chosen]
            paths(chosen, spent, COSTS[cost], log_x=log_x).draw()
    _tidy(list(by_number), shown)


def _controls() -> tuple[str, str, bool, bool]:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = st.segmented_control(
            "Upwards",
            list(MEASURES),
            format_func=MEASURES.__getitem__,
            required=True,
            **edits(settings.MEASURE.name, settings.MEASURE.default, allowed=MEASURES),
        )
        cost = st.segmented_control(
            "Across",
            list(COSTS),
            format_func=COSTS.__getitem__,
            required=True,
            **edits(settings.COST.name, settings.COST.default, allowed=COSTS),
        )
        log_y = st.toggle("Logarithmic upwards", **edits(settings.LOG_Y.name, True))
        log_x = st.toggle("Logarithmic across", **edits(settings.LOG_X.name, True))
    return measure, cost, log_y, log_x


def convergence(
    chosen: Sequence[Run], measure: str, cost: str, *, log_y: bool, log_x: bool
) -> Chart:
    """Best so far of every run, over the floor that none can pass."""
    data = [_line(run, measure, cost, log_y) for run in chosen]
    end = max(float(max(each["x"], default=1.0)) for each in data)
    data += _floors(chosen, measure, end)
    heights = np.concatenate([each["y"] for each in data])
    layout: dict[str, Any] = {
        "xaxis": log_axis(0.9, 1.1 * max(end, 2.0)) if log_x else {"rangemode": "tozero"},
        "yaxis": _upwards(heights, log_y),
        "hovermode": "closest",
    }
    summary = " ".join(
        f"Run {run.title} ({run.setting}) ends at {number(run.best, 4)} {UNIT}, {above(run)}, "
        f"after {run.points:,} points."
        for run in chosen
    )
    return Chart(
        "convergence",
        "The way down to the optimum",
        COSTS[cost],
        f"best {MEASURES[measure]}",
        {"data": data, "layout": layout},
        summary,
        lambda: _numbers(chosen),
        height=440,
    )


def _upwards(heights: Any, log_y: bool) -> dict[str, Any]:
    if not log_y or not len(heights):
        return {"rangemode": "tozero"}
    low, high = float(heights.min()), float(heights.max())
    room = max(high / low, 1.02) ** 0.06
    return log_axis(low / room, high * room)


def across(run: Run, cost: str) -> Any:
    """What had been spent at each row."""
    return run.looks * (run.cost if cost == "evaluations" else 1.0)


def _line(run: Run, measure: str, cost: str, log_y: bool) -> dict[str, Any]:
    known = np.isfinite(run.trace.best)
    heights = run.trace.best if measure == "variance" else 100.0 * run.excess
    if measure == "excess" and log_y:
        heights = np.maximum(heights, LEAST)
    unit = UNIT if measure == "variance" else "%"
    return scatter(
        across(run, cost)[known],
        heights[known],
        f"{run.title}, {run.setting}",
        mode="lines+markers",
        line=run.role.line(2.5) | {"shape": "hv"},
        marker=run.role.marker(8) | {"maxdisplayed": 9},
        hovertemplate=f"%{{x:,.0f}} {COSTS[cost]}<br>%{{y:.4g}} {unit}",
    )


def _floors(chosen: Sequence[Run], measure: str, end: float) -> list[dict[str, Any]]:
    """One line for the optimum of every problem; none where the axis is the distance to it."""
    if measure == "excess":
        return []
    floors = {run.problem: run.setting for run in chosen}
    return [
        scatter(
            [1, end],
            [problem.floor, problem.floor],
            f"exact optimum of {setting}: {number(problem.floor, 4)} {UNIT}",
            mode="lines",
            line=FLOOR.line(2),
            hoverinfo="skip",
        )
        for problem, setting in floors.items()
    ]


def _numbers(chosen: Sequence[Run]) -> pd.DataFrame:
    """The rows drawn, one below the other."""
    parts = [
        pd.DataFrame(
            {
                "run": run.title,
                "pair": run.problem.pair.name,
                "epsilon": run.problem.epsilon,
                "points looked at": run.looks,
                "evaluations": across(run, "evaluations").round().astype(int),
                f"best variance ({UNIT})": run.trace.best,
                "above the optimum (%)": 100.0 * run.excess,
                "k (1/domain unit)": run.path[0],
                "m (domain unit)": run.path[1],
                "y (1/domain unit)": run.path[2],
                "feasible so far (%)": 100.0 * run.feasible,
            }
        )
        for run in chosen
    ]
    return pd.concat(parts, ignore_index=True)


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
