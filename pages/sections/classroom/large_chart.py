"""A chart in letters for the last row of a room, and drawn once for as long as nothing changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from pages.charts.chart import Chart
from pages.charts.theme import TRUE, lines
from pages.text.wording import span

LETTERS, HEADING = 21, 27
"""Pixels of what stands in the picture, and of its title."""
HEIGHT = 470
EDGE: dict[str, Any] = {"color": TRUE.colour, "width": 2.5, "dash": "dot"}
"""The line of a bound of true answers."""


@dataclass(frozen=True)
class LargeChart(Chart):
    """The same chart on a wall; its files have letters of the usual size."""

    height: int = HEIGHT
    drawn: dict[str, go.Figure] = field(default_factory=dict, repr=False, compare=False)
    """By theme. A wall asks every second, and building a figure takes most of the time."""

    def figure(self, *, paper: bool = False) -> go.Figure:
        if paper:
            return super().figure(paper=True)
        theme = st.context.theme.type or "light"
        if theme not in self.drawn:
            self.drawn[theme] = _enlarged(super().figure())
        return self.drawn[theme]


def _enlarged(figure: go.Figure) -> go.Figure:
    axis = {"tickfont": {"size": LETTERS}, "title": {"font": {"size": LETTERS}}}
    figure.update_layout(
        font={"size": LETTERS},
        title={"font": {"size": HEADING}},
        legend={"font": {"size": LETTERS}},
        hoverlabel={"font": {"size": LETTERS}},
    )
    figure.update_xaxes(axis)
    figure.update_yaxes(axis)
    figure.update_traces(textfont={"size": LETTERS}, selector={"type": "bar"})
    return figure


def bounds_in_legend(ends: tuple[float, float]) -> dict[str, Any]:
    """Shapes have no place in a legend: an empty line stands for those at the bounds."""
    return lines([None], [None], f"bounds {span(*ends)}", EDGE)
