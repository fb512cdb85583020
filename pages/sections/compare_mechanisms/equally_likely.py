"""Twenty equally likely outcomes of a mechanism, as dots that stand on each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pages.charts.theme import points
from pages.sections.compare_mechanisms import settings as to
from pages.sections.compare_mechanisms.range_marks import COLUMNS, TALLEST


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
