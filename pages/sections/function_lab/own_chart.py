"""The picture of an own shape as it will be drawn from; as it was typed where it is refused."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from compdp_core.errors import CompdpError
from compdp_core.shapes.custom.folding import Kind
from compdp_core.shapes.formula import Formula
from pages.charts.chart import Chart
from pages.charts.theme import GREY, RELEASED, TRUE, points, scatter, tint
from pages.inputs.custom_shapes import OwnShape
from pages.sections.function_lab.settings import PAGE
from pages.text.wording import number

POINTS = 241
HEIGHT = 330


def shape_chart(
    kind: Kind, shape: OwnShape | None, source: str | Sequence[tuple[Any, Any]]
) -> Chart | None:
    """None where there is nothing to draw at all."""
    lower = 0.0 if kind == "activation" else -1.0
    if shape is None:
        v, heights, marks = _typed(source, lower)
        if v is None:
            return None
        look: dict[str, Any] = {"line": {"color": GREY, "dash": "dash", "width": 2}}
        name, title = "as typed", "As typed: this is no shape"
    else:
        v = np.union1d(np.linspace(lower, 1.0, POINTS), _around(shape.breakpoints))
        heights = shape.height(v)
        marks = _marks(source, shape)
        look = {"line": RELEASED.line(), "fill": "tozeroy", "fillcolor": tint(RELEASED.colour, 0.3)}
        name, title = "the shape", f"{shape.name}: scaled to a height of 1"
    data = [scatter(v, heights, name, **look)]
    if marks is not None:
        data.append(points(marks[0], marks[1], "your points", TRUE.marker(9)))
    variable = "place v in the activation" if kind == "activation" else "place v = x / L"
    return Chart(
        f"{PAGE}-own",
        title,
        variable,
        "height",
        data,
        {"yaxis": {"rangemode": "tozero"}},
        f"Heights go from {number(float(np.min(heights)))} to {number(float(np.max(heights)))}.",
        lambda: pd.DataFrame({"v": v, "height": heights}),
        height=HEIGHT,
    )


def _around(breaks: Sequence[float]) -> Any:
    """Both sides of every jump or bend."""
    inner = np.array(breaks[1:-1])
    return np.concatenate([inner - 1e-9, inner, inner + 1e-9])


def _typed(source: str | Sequence[tuple[Any, Any]], lower: float) -> tuple[Any, Any, Any]:
    if not isinstance(source, str):
        if not source:
            return None, None, None
        v, heights = np.array(source, dtype=np.float64).T
        return v, heights, (v, heights)
    v = np.linspace(lower, 1.0, POINTS)
    try:
        heights = Formula(source)(v)
    except CompdpError:
        return None, None, None
    seen = np.isfinite(heights)
    return (v[seen], heights[seen], None) if seen.any() else (None, None, None)


def _marks(source: str | Sequence[tuple[Any, Any]], shape: OwnShape) -> Any:
    """The points at the scale of the shape. Where both sides are averaged they lie off it."""
    if isinstance(source, str) or shape.symmetrise:
        return None
    v, heights = np.array(source, dtype=np.float64).T
    return v, heights / np.max(heights)
