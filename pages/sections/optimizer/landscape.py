"""The map of the problem: the variance over the two numbers that matter, and each run's way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from compdp_core.design.design import Design
from compdp_core.design.optimize import Problem
from pages.charts.chart import Chart
from pages.charts.theme import GREY, note, points, scatter, tint
from pages.charts.ticks import log_axis
from pages.sections.optimizer.runs import FLOOR, UNIT, Run
from pages.text.wording import number

ACROSS, UP = 49, 31
"""Few enough that the map follows the slider."""
HIGHEST = 0.03
"""Of the way between the lowest base and one that leaves nothing: so near it the map ends."""
CEILING = 2.0
"""Decades above the optimum at which the shading ends."""
SHADES = {
    "light": [[0, "#66738A"], [0.25, "#A3ADBD"], [1, "#EDF0F5"]],
    "dark": [[0, "#8D9AB0"], [0.25, "#4A566A"], [1, "#1A212D"]],
}
"""From small to large. Opaque: see-through bands would add up."""
TIMES = (1, 2, 5, 10, 30, 100)


def landscape(problem: Problem, best: Design, runs: Sequence[Run]) -> Chart:
    # Above 1/α the activation alone has mass 1.
    m = np.linspace(0.0, 1.25 / problem.pair.activation.area, ACROSS)[1:]
    # A hair above the lower edge, so that rounding does not blank it.
    room = 1.0 - best.y
    y = np.geomspace(best.y + 1e-9 * min(best.y, room), 1.0 - HIGHEST * room, UP)
    times = problem.variance(1.0 - y[:, None], m[None, :], y[:, None]) / problem.floor
    data = [_shading(m, y, times), *(way_of(run) for run in runs), optimum_of(best)]
    layout = {
        "xaxis": {"range": [0, float(m[-1])]},
        "yaxis": log_axis(max(0.7 * best.y, best.y - 0.3 * room), 1.0) | {"domain": [0, 0.8]},
        "hovermode": "closest",
        "annotations": [note("blank: breaks a constraint", 0.5, "x domain", 0.02, "y domain")],
    }
    summary = (
        f"The least variance, {number(problem.floor)} {UNIT}, lies at width m = {number(best.m)} "
        f"and base height y = {number(best.y)}, at the lower edge, where the budget is used up. "
        f"Blank points break a constraint. {ends_of(runs)}"
    )
    return Chart(
        "landscape",
        "Where the variance is small",
        "width of the activation m (domain unit)",
        "height of the base y (1/domain unit)",
        data,
        layout,
        summary.strip(),
        lambda: _table(m, y, times),
        height=500,
    )


def _shading(m: Any, y: Any, times: Any) -> dict[str, Any]:
    with np.errstate(divide="ignore"):
        # Beyond the last band, so that its edge is a line and no staircase along the points.
        depth = np.minimum(np.log10(times), CEILING + 0.4)
    depth[~np.isfinite(times)] = np.nan
    ticks = [float(np.log10(each)) for each in TIMES]
    return {
        "type": "contour",
        "x": m.astype(np.float32),
        "y": y.astype(np.float32),
        "z": depth.astype(np.float32),
        "zmin": 0,
        "zmax": CEILING,
        "colorscale": SHADES.get(st.context.theme.type or "light"),
        "contours": {"start": 0, "end": CEILING, "size": 0.2, "coloring": "fill"},
        "line": {"width": 0.6, "color": tint(GREY, 0.7)},
        "colorbar": {
            "title": {"text": "variance, times the optimum", "side": "top", "font": {"size": 13}},
            "orientation": "h",
            "x": 0,
            "xanchor": "left",
            "y": 0.84,
            "yanchor": "bottom",
            "tickvals": ticks,
            "ticktext": [number(each) for each in TIMES],
            "thickness": 12,
            "outlinewidth": 0,
            "len": 1,
        },
        "hovertemplate": "m %{x:.3g}, y %{y:.3g}<extra></extra>",
        "showlegend": False,
    }


def _table(m: Any, y: Any, times: Any) -> pd.DataFrame:
    across, up = np.meshgrid(m, y)
    return pd.DataFrame(
        {
            "m (domain unit)": across.ravel(),
            "y (1/domain unit)": up.ravel(),
            "k (1/domain unit)": 1.0 - up.ravel(),
            "variance over the optimum": times.ravel(),
        }
    )


def way_of(run: Run) -> dict[str, Any]:
    m, y = run.way
    return scatter(
        m,
        y,
        run.title,
        mode="lines+markers",
        line=run.role.line(2),
        marker=run.role.marker(6) | {"maxdisplayed": 20},
        hovertemplate="best so far: m %{x:.3g}, y %{y:.3g}<extra></extra>",
    )


def optimum_of(best: Design) -> dict[str, Any]:
    marker = FLOOR.marker(15) | {"line": {"width": 1.5, "color": "#11151C"}, "color": "#F0E442"}
    return points(
        [best.m], [best.y], "exact optimum", marker,
        hovertemplate="exact optimum: m %{x:.4g}, y %{y:.4g}<extra></extra>",
    )  # fmt: skip


def ends_of(runs: Sequence[Run]) -> str:
    return " ".join(
        f"Run {run.title} ends at m = {number(run.way[0][-1])}, y = {number(run.way[1][-1])}."
        for run in runs
        if len(run.way[0])
    )
