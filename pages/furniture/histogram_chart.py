"""Columns on common bins. Binned here: the browser never sees single values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from compdp_core.describe import Bins
from compdp_core.intervals import Interval
from pages.furniture.chart import Chart
from pages.furniture.theme import RELEASED, TRUE, Role, tint
from pages.furniture.wording import percent, quantity, span

AROUND = 0.3
"""How far beyond the output bounds the picture reaches, in their width."""


@dataclass(frozen=True)
class Series:
    """One column to count, and how it is drawn."""

    name: str
    values: Any
    role: Role

    def outside(self, bounds: tuple[float, float]) -> float:
        """Share of the values beyond the bounds."""
        values = np.asarray(self.values)
        return float(np.mean((values < bounds[0]) | (values > bounds[1])))


def histogram_chart(
    key: str,
    before: Series,
    after: Sequence[Series],
    *,
    inputs: tuple[float, float],
    outputs: tuple[float, float],
    whole: bool,
    axis: str,
    unit: str,
    title: str,
) -> Chart:
    """Bars for the true column, and over them in a row of its own each column made from it."""
    margin = AROUND * (outputs[1] - outputs[0])
    shown = Interval(outputs[0] - margin, outputs[1] + margin)
    bins = Bins.covering(shown, whole=whole)
    true = bins.counts(before.values)
    counts = {before.name: true}
    figure = make_subplots(rows=len(after), shared_xaxes=True, vertical_spacing=0.2 / len(after))
    for row, each in enumerate(after, start=1):
        counts[each.name] = bins.counts(each.values)
        _bars(figure, row, bins, before, true)
        _steps(figure, row, bins, each, counts[each.name])
        _bounds(figure, row, inputs, outputs)
        figure.add_annotation(
            text=f"<b>{each.name}</b>: {percent(each.outside(outputs))} out of bounds",
            x=0, y=1.02, xref="x domain", yref="y domain", yanchor="bottom", showarrow=False,
            row=row, col=1,
        )  # fmt: skip
    figure.update_xaxes(range=[shown.lower, shown.upper])
    figure.update_layout(bargap=0, barmode="overlay")
    table = pd.DataFrame(
        {f"from ({unit})": bins.edges[:-1], f"to ({unit})": bins.edges[1:], **counts}
    )
    summary = "; ".join(_said(each, outputs, unit) for each in (before, *after))
    height = 220 + 190 * len(after)
    return Chart(key, title, axis, "rows", figure, f"{summary}.", table, height=height)


def _bars(figure: go.Figure, row: int, bins: Bins, series: Series, heights: Any) -> None:
    figure.add_bar(
        x=bins.middles,
        y=heights,
        width=bins.width,
        name=series.name,
        marker=series.role.bar(),
        hovertemplate="%{y:,}",
        showlegend=row == 1,
        row=row,
        col=1,
    )


def _steps(figure: go.Figure, row: int, bins: Bins, series: Series, heights: Any) -> None:
    figure.add_scatter(
        x=np.repeat(bins.edges, 2),
        y=np.r_[0, np.repeat(heights, 2), 0],
        name=series.name,
        line=series.role.line(2),
        fill="tozeroy",
        fillcolor=tint(series.role.colour, 0.25),
        hovertemplate="%{y:,}",
        row=row,
        col=1,
    )


def _bounds(
    figure: go.Figure, row: int, inputs: tuple[float, float], outputs: tuple[float, float]
) -> None:
    for edges, role, dash, name in (
        (inputs, TRUE, "dot", "your bounds"),
        (outputs, RELEASED, "dash", "output bounds"),
    ):
        line = {"color": role.colour, "width": 1.5, "dash": dash}
        for edge in edges:
            figure.add_vline(x=edge, line=line, row=row, col=1)
        if row == 1:
            # A line of a shape has no place in the legend: an empty one stands for it.
            label = f"{name} {span(*edges)}"
            figure.add_scatter(x=[None], y=[None], mode="lines", name=label, line=line)


def _said(series: Series, outputs: tuple[float, float], unit: str) -> str:
    values = np.asarray(series.values)
    return (
        f"{series.name}: mean {quantity(values.mean(), unit)}, spread "
        f"{quantity(values.std(), unit)}, {percent(series.outside(outputs))} outside the output "
        "bounds"
    )
