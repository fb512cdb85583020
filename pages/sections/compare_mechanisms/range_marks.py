"""What one mechanism is in the picture of ranges: its reach, its dots, its heading."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from compdp_core.mechanisms.baselines import Mechanism
from pages.charts.theme import GREY, note, points, scatter
from pages.sections.compare_mechanisms import settings as to
from pages.text.wording import percent, span

DOTS = 20
PRECISION = 1e-3
"""Of the input width: less than a pixel."""
ROW = 78
"""Height of one row (pixels)."""
COLUMNS = 64
"""Places across the picture; dots that fall into one place are stacked."""
TALLEST = 0.5
"""Of a row, what the tallest stack may take."""


def mark(at: float, row: int, line: dict[str, Any]) -> dict[str, Any]:
    """An upright line through the dots of one row, clear of its heading."""
    return {"type": "line", "x0": at, "x1": at, "y0": row - 0.1, "y1": row + 0.66, "line": line}


def reach_of(
    asked: to.ComparedSettings, made: dict[str, Mechanism], dots: pd.DataFrame
) -> tuple[float, float]:
    """As far as the dots reach, but no more than four widths beyond the inputs."""
    (a, b), width = asked.inputs, asked.inputs[1] - asked.inputs[0]
    ends = [end for each in made.values() for end in each.outputs if math.isfinite(end)]
    low = max(min([a, *dots["quantile"], *ends]), a - 4 * width)
    high = min(max([b, *dots["quantile"], *ends]), b + 4 * width)
    margin = 0.04 * (high - low)
    return low - margin, high + margin


def range_of(
    name: str, mechanism: Mechanism, row: int, shown: tuple[float, float], colour: str
) -> list[dict[str, Any]]:
    """All that can come out: ends, or arrows where there is none."""
    low, high = mechanism.outputs
    margin = 0.015 * (shown[1] - shown[0])
    ends = [max(low, shown[0] + margin), min(high, shown[1] - margin)]
    symbols = [
        "line-ns-open" if low >= shown[0] else _arrow("left", low),
        "line-ns-open" if high <= shown[1] else _arrow("right", high),
    ]
    return [
        scatter(
            ends,
            [row, row],
            name,
            mode="lines+markers",
            line={"color": colour, "width": 3},
            marker={
                "symbol": symbols,
                "size": 12,
                "color": colour,
                "line": {"width": 2, "color": colour},
            },
            hovertemplate=f"{name}: outputs {outputs_of(mechanism)}<extra></extra>",
            showlegend=False,
        )
    ]


def _arrow(side: str, end: float) -> str:
    """Open where there is an end, though beyond the picture; full where there is none."""
    return f"triangle-{side}-open" if math.isfinite(end) else f"triangle-{side}"


def arrows_of(made: dict[str, Mechanism], shown: tuple[float, float]) -> list[dict[str, Any]]:
    ends = [end for each in made.values() for end in each.outputs]
    beyond = [end for end in ends if not shown[0] <= end <= shown[1]]
    kinds = (
        ("outputs without bounds", "triangle-right", any(map(math.isinf, beyond))),
        ("bounds beyond the picture", "triangle-right-open", any(map(math.isfinite, beyond))),
    )
    return [
        points(
            [None], [None], name,
            {"symbol": symbol, "size": 11, "color": GREY, "line": {"width": 2}},
        )
        for name, symbol, drawn in kinds
        if drawn
    ]  # fmt: skip


def heading_of(
    name: str, asked: to.ComparedSettings, mechanism: Mechanism, row: int
) -> dict[str, Any]:
    share = float(mechanism.probability_outside(asked.inputs, asked.value))
    text = f"<b>{name}</b>: {percent(share)} outside"
    look = {"xanchor": "left", "yanchor": "middle", "align": "left"}
    return note(text, 0.004, "x domain", row + 0.78, "y", **look)


def outputs_of(mechanism: Mechanism) -> str:
    low, high = mechanism.outputs
    return span(low, high) if math.isfinite(high - low) else "without bounds"


def dots_of(
    name: str, dots: pd.DataFrame, row: int, shown: tuple[float, float], role: Any
) -> list[dict[str, Any]]:
    """Stacked where they would overlap. Those beyond the picture lie at its edge."""
    step = (shown[1] - shown[0]) / COLUMNS
    at = np.clip(dots["quantile"].to_numpy(), shown[0] + step, shown[1] - step)
    places = np.floor((at - shown[0]) / step).astype(int)
    nth = np.array([int(np.sum(places[:i] == place)) for i, place in enumerate(places)])
    rise = min(0.12, TALLEST / max(1, nth.max() + 1))
    heights = row + 0.11 + rise * nth
    beyond = dots.outside.to_numpy()
    beyond_look = {"symbol": "x-thin", "size": 8, "line": {"width": 2, "color": role.colour}}
    traces = []
    for which, look in ((~beyond, role.marker(8)), (beyond, beyond_look)):
        if which.any():
            traces.append(
                points(
                    at[which].tolist(),
                    heights[which].tolist(),
                    name,
                    look,
                    customdata=dots["quantile"].to_numpy()[which].tolist(),
                    hovertemplate=f"{name}<br>%{{customdata:.4g}} {to.UNIT}<extra></extra>",
                    showlegend=False,
                )
            )
    return traces
