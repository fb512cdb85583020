"""Colours and line styles with a fixed meaning, and the look of every chart.

The hues are those of Okabe and Ito, which stay apart for every common colour blindness. Each has
a contrast of at least 3 : 1 against both the light and the dark background, so a chart need not
know which theme is on. Every role also has a dash or a pattern: colour is never the only cue.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import plotly.graph_objects as go
import streamlit as st

from pages.charts.ticks import in_full, spelled
from pages.text.wording import in_chart


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
OUTSIDE = Role("#D6336C", "solid", "x-thin", "x")
"""What lies beyond the bounds."""
GREY = "#7A869A"
INK = {"light": "#2B3340", "dark": "#D3DAE4"}
"""Words in charts; the framework's own grey is too faint to project."""

_evening = st.components.v2.component(
    "evening",
    js="""
    const FRAMEWORK_MS = 200; // The framework changes its own theme first.
    export default function ({ setTriggerValue }) {
      const dark = matchMedia("(prefers-color-scheme: dark)");
      const tell = () => setTimeout(() => setTriggerValue("dark", dark.matches), FRAMEWORK_MS);
      dark.addEventListener("change", tell);
      return () => dark.removeEventListener("change", tell);
    }
    """,
)


def follow_the_system() -> None:
    """Draw the page anew when the system turns light or dark; shows nothing itself.

    The framework follows by itself, but for charts: their words would stay dark on dark.
    """
    with st.container(key="unseen-evening"):
        _evening(key="evening", on_dark_change=lambda: None)


def tint(colour: str, opacity: float) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, {opacity:g})"


def scatter(x: Any, y: Any, name: str, **more: Any) -> dict[str, Any]:
    return {"type": "scatter", "x": x, "y": y, "name": name, **more}


def lines(x: Any, y: Any, name: str, look: dict[str, Any], **more: Any) -> dict[str, Any]:
    return scatter(x, y, name, mode="lines", line=look, **more)


def points(x: Any, y: Any, name: str, look: dict[str, Any], **more: Any) -> dict[str, Any]:
    return scatter(x, y, name, mode="markers", marker=look, **more)


def truth(value: float, top: float, name: str) -> dict[str, Any]:
    """The true value as an upright line with a mark at either end."""
    look: dict[str, Any] = {"line": TRUE.line(2), "marker": TRUE.marker(10)}
    return scatter([value] * 2, [0, top], name, mode="lines+markers", hoverinfo="skip", **look)


def interval(ends: tuple[float, float], height: Any, name: str, colour: str) -> dict[str, Any]:
    """A thick line between two ends."""
    look: dict[str, Any] = {"line": {"color": colour, "width": 5}}
    look["marker"] = {"symbol": "line-ns-open", "size": 12, "color": colour}
    return scatter(ends, [height] * 2, name, mode="lines+markers", hoverinfo="skip", **look)


def bars(x: Any, y: Any, name: str, marker: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "bar", "x": x, "y": y, "name": name, "marker": marker, **more}


def level_bars(
    x: Any, y: Any, name: str, marker: dict[str, Any], text: list[str], **more: Any
) -> dict[str, Any]:
    """Bars from left to right, with their numbers behind them."""
    look = {"orientation": "h", "text": text, "textposition": "outside", "cliponaxis": False}
    return bars(x, y, name, marker, **look, **more)


def error_bars(reach: Any, colour: str, thickness: float, **more: Any) -> dict[str, Any]:
    """Bars about points, as far as `reach` says, in the unit of the axis."""
    return {"type": "data", "array": reach, "color": colour, "thickness": thickness, **more}


def upright(x: float, axis: str, line: dict[str, Any]) -> dict[str, Any]:
    """A line over the whole height of a picture's row, at one place of its horizontal axis."""
    number = axis.removeprefix("x")
    return {
        "type": "line", "x0": x, "x1": x, "xref": axis, "y0": 0, "y1": 1,
        "yref": f"y{number} domain", "line": line,
    }  # fmt: skip


def note(text: str, x: float, xref: str, y: float, yref: str, **more: Any) -> dict[str, Any]:
    """Words in a picture, without an arrow; they end upwards of their place unless it is said."""
    at = {"x": x, "xref": xref, "y": y, "yref": yref, "yanchor": "bottom"}
    return {"text": text, "showarrow": False, **at, **more}


def dress(
    data: Sequence[dict[str, Any]], special: dict[str, Any], title: str, x: str, y: str, *,
    height: int, paper: bool = False,
) -> go.Figure:  # fmt: skip
    """The figure of traces and what is special about its layout, with the common look: title,
    named axes, a legend that fits a phone. Title and axis names are shown as they are typed.

    On paper, that is in files, words are dark, whatever theme is on.

    Both are plain data, checked once, here: building figures piece by piece takes several times as
    long, which a slider would feel. Axes are fixed, so that a swipe over a chart scrolls the page.
    """
    theme = "light" if paper else st.context.theme.type or "light"
    ink = {"color": INK[theme], "size": 13}
    layout = _layout(in_chart(title), height, ink) | special
    layout.setdefault("xaxis", {})
    layout.setdefault("yaxis", {})
    names = [key for key in layout if key.startswith(("xaxis", "yaxis"))]
    bottom = max(n for n in names if n[0] == "x" and layout[n].get("side") != "top")
    for name in names:
        words: dict[str, Any] = {"font": ink, "standoff": 12}
        if name == bottom or name[0] == "y":
            words["text"] = in_chart(x if name == bottom else y)
        own = layout[name]
        layout[name] = (
            _axis(ink) | in_full(data, name) | own | {"title": words | own.get("title", {})}
        )
    top = any(layout[name].get("side") == "top" for name in names)
    # At the right there is room for half of the last label, which else is left out.
    margin = {"l": 8, "r": 28, "t": 88 if top else 56, "b": 8}
    layout["margin"] = margin | special.get("margin", {})
    return go.Figure({"data": [spelled(trace) for trace in data], "layout": layout})


def _axis(ink: dict[str, Any]) -> dict[str, Any]:
    grid = tint(GREY, 0.25)
    return {
        "fixedrange": True,
        "gridcolor": grid,
        "zerolinecolor": grid,
        "automargin": True,
        "tickfont": ink,
        "separatethousands": True,
        "exponentformat": "power",
    }


def _layout(title: str, height: int, ink: dict[str, Any]) -> dict[str, Any]:
    return {
        "title": {
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
        "height": height,
        "hovermode": "x unified",
        "dragmode": False,
        "legend": {
            "orientation": "h",
            "x": 0,
            "xref": "container",
            "y": 0,
            "yref": "container",
            "yanchor": "bottom",
            "traceorder": "normal",
            "font": ink,
        },
        "font": ink,
        "separators": ".,",
    }
