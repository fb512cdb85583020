"""Columns side by side on common bins. Binned here: the browser never sees single values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from compdp_core.describe import Bins
from compdp_core.intervals import Interval
from pages.furniture.chart import Chart
from pages.furniture.theme import RELEASED, TRUE, Role, tint
from pages.furniture.wording import percent, quantity, span


@dataclass(frozen=True)
class Series:
    """One column to count, and how it is drawn."""

    name: str
    values: Any
    role: Role


def histogram_chart(
    key: str,
    series: Sequence[Series],
    *,
    inputs: tuple[float, float],
    outputs: tuple[float, float],
    whole: bool,
    axis: str,
    unit: str,
    title: str,
    private: bool,
) -> Chart:
    """Bars for the first column, stepped lines for the others, bounds marked, and a summary."""
    width = outputs[1] - outputs[0]
    shown = Interval(outputs[0] - 0.15 * width, outputs[1] + 0.15 * width)
    bins = Bins.covering(shown, whole=whole)
    counts = {each.name: bins.counts(each.values) for each in series}
    figure = go.Figure()
    first, *others = series
    figure.add_bar(
        x=bins.middles,
        y=counts[first.name],
        width=bins.width,
        name=first.name,
        marker=first.role.bar(),
        hovertemplate="%{y:,}",
    )
    for each in others:
        heights = counts[each.name]
        figure.add_scatter(
            x=np.repeat(bins.edges, 2),
            y=np.r_[0, np.repeat(heights, 2), 0],
            name=each.name,
            line=each.role.line(2.5),
            fill="tozeroy" if each.role is RELEASED else None,
            fillcolor=tint(each.role.colour, 0.2),
            hovertemplate="%{y:,}",
        )
    _bounds(figure, inputs, outputs)
    figure.update_xaxes(range=[shown.lower, shown.upper])
    figure.update_layout(bargap=0)
    table = pd.DataFrame(
        {f"from ({unit})": bins.edges[:-1], f"to ({unit})": bins.edges[1:], **counts}
    )
    summary = _summary(series, outputs, unit)
    if private:
        summary += " Private: it shows true values."
    return Chart(key, title, axis, "rows", figure, summary, table, height=440)


def _bounds(figure: go.Figure, inputs: tuple[float, float], outputs: tuple[float, float]) -> None:
    for edges, role, dash, name in (
        (inputs, TRUE, "dot", "your bounds"),
        (outputs, RELEASED, "dash", "output bounds"),
    ):
        for edge in edges:
            figure.add_vline(x=edge, line={"color": role.colour, "width": 1.5, "dash": dash})
        # A line of a shape has no place in the legend: an empty one stands for it.
        figure.add_scatter(
            x=[None],
            y=[None],
            mode="lines",
            name=f"{name} {span(*edges)}",
            line={"color": role.colour, "width": 1.5, "dash": dash},
        )


def _summary(series: Sequence[Series], outputs: tuple[float, float], unit: str) -> str:
    parts = []
    for each in series:
        values = np.asarray(each.values)
        outside = np.mean((values < outputs[0]) | (values > outputs[1]))
        parts.append(
            f"{each.name}: mean {quantity(values.mean(), unit)}, spread "
            f"{quantity(values.std(), unit)}, {percent(float(outside))} outside the output bounds"
        )
    return "; ".join(parts) + "."
