"""Colours and line styles with a fixed meaning, and the look of every chart.

The hues are those of Okabe and Ito, which stay apart for every common colour blindness. Each has
a contrast of at least 3 : 1 against both the light and the dark background, so a chart need not
know which theme is on. Every role also has a dash or a pattern: colour is never the only cue.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
import streamlit as st


@dataclass(frozen=True)
class Role:
    """How one kind of thing is drawn, on every page alike."""

    colour: str
    dash: str
    symbol: str
    pattern: str

    def line(self, width: float = 2.5) -> dict[str, Any]:
        return {"color": self.colour, "dash": self.dash, "width": width}

    def marker(self, size: int = 11) -> dict[str, Any]:
        return {"color": self.colour, "symbol": self.symbol, "size": size}

    def bar(self) -> dict[str, Any]:
        """Fill of a bar: the hue, and hatching in the hue for those who see no hue."""
        if not self.pattern:
            return {"color": self.colour, "line": {"width": 0}}
        return {
            "color": tint(self.colour, 0.18),
            "line": {"width": 1, "color": self.colour},
            "pattern": {"shape": self.pattern, "fgcolor": self.colour, "size": 6, "solidity": 0.3},
        }


TRUE = Role("#D55E00", "dash", "diamond", "/")
"""The true value and whatever else is private."""
RELEASED = Role("#0072B2", "solid", "circle", "")
"""What the composite mechanism gives out."""
BASE = Role("#7A869A", "dot", "square", "")
"""The base function: the same for every input."""
LAPLACE = Role("#009E73", "dashdot", "triangle-up", "\\")
GAUSSIAN = Role("#B8649A", "longdash", "square", "x")
GREY = "#7A869A"
INK = {"light": "#2B3340", "dark": "#D3DAE4"}
"""Words in charts; the framework's own grey is too faint to project."""


def tint(colour: str, opacity: float) -> str:
    """The hex colour as rgba with that opacity."""
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity:g})"


def dress(figure: go.Figure, *, title: str, x: str, y: str, height: int) -> go.Figure:
    """Give a figure the common look: title, named axes, a legend that fits a phone.

    Axes are fixed, so that a swipe over a chart scrolls the page.
    """
    grid = tint(GREY, 0.25)
    ink = {"color": INK.get(st.context.theme.type or "light"), "size": 13}
    axis = {
        "fixedrange": True,
        "gridcolor": grid,
        "zerolinecolor": grid,
        "automargin": True,
        "tickfont": ink,
        "title_font": ink,
    }
    second_axis = any(axis.side == "top" for axis in figure.select_xaxes())
    figure.update_layout(
        title={
            "text": title,
            "font": {"size": 16},
            "x": 0,
            "xref": "container",
            "xanchor": "left",
            "y": 1,
            "yref": "container",
            "yanchor": "top",
            "pad": {"t": 8, "l": 4},
        },
        height=height,
        margin={"l": 8, "r": 8, "t": 88 if second_axis else 56, "b": 8},
        hovermode="x unified",
        dragmode=False,
        legend={
            "orientation": "h",
            "x": 0,
            "xref": "container",
            "y": 0,
            "yref": "container",
            "yanchor": "bottom",
            "traceorder": "normal",
            "font": ink,
        },
        font=ink,
        separators=".,",
    )
    figure.update_xaxes(**axis, title_standoff=6)
    figure.update_yaxes(**axis, title_standoff=6)
    bottom = [axis for axis in figure.select_xaxes() if axis.side != "top"][-1]
    bottom.title.text = x
    figure.for_each_yaxis(lambda axis: axis.update(title_text=y))
    return figure
