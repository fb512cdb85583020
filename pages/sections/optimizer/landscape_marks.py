"""Ways and ends of runs on the map, and the optimum."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from compdp_core.design.design import Design
from pages.charts.theme import points, scatter
from pages.sections.optimizer.runs import Run
from pages.sections.optimizer.styles import FLOOR
from pages.text.wording import number


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
