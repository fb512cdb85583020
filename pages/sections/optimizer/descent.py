"""The chart of every run's way down to the exact optimum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pages.charts.chart import Chart
from pages.charts.theme import lines, scatter
from pages.charts.ticks import log_axis
from pages.sections.optimizer.explanations import above
from pages.sections.optimizer.runs import FLOOR, UNIT, Run
from pages.text.wording import number

MEASURES = {"variance": f"variance ({UNIT})", "excess": "above the optimum (%)"}
COSTS = {"points": "points looked at", "evaluations": "evaluations of the variance"}
FEW, ENTRY = 4, 11
"""From that many entries on a legend takes height from the picture: as many pixels for each."""
LEAST = 1e-9
"""Percent above the optimum at which a logarithmic axis ends: there floating point ends too."""


def descent(chosen: Sequence[Run], measure: str, cost: str, *, log_y: bool, log_x: bool) -> Chart:
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
        data,
        layout,
        summary,
        lambda: _numbers(chosen),
        height=440 + ENTRY * max(0, len(data) - FEW),
    )


def _upwards(heights: Any, log_y: bool) -> dict[str, Any]:
    if not log_y or not len(heights):
        return {"rangemode": "tozero"}
    low, high = float(heights.min()), float(heights.max())
    room = max(high / low, 1.02) ** 0.06
    return log_axis(low / room, high * room)


def across(run: Run, cost: str) -> Any:
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
        lines(
            [1, end],
            [problem.floor, problem.floor],
            f"exact optimum of {setting}: {number(problem.floor, 4)} {UNIT}",
            FLOOR.line(2),
            hoverinfo="skip",
        )
        for problem, setting in floors.items()
    ]


def _numbers(chosen: Sequence[Run]) -> pd.DataFrame:
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
