"""What comes out of clamped noise, over what comes out of composite noise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compdp_core.text import plain
from pages.charts import theme
from pages.charts.chart import Chart
from pages.charts.theme import LAPLACE, OUTSIDE, RELEASED, TRUE, Role, note, upright
from pages.sections.shared.course.examples.noise import (
    INPUTS,
    UNIT,
    clamped_laplace,
    composite,
    laplace,
)
from pages.sections.shared.course.pictures import marks
from pages.text.wording import count, percent, quantity

BIN = 5
"""Width of a bar (points)."""


def average(epsilon: float, value: float) -> float:
    """Mean of what comes out when Laplace noise is clamped (points)."""
    return value + float(clamped_laplace(epsilon).bias(value))


def ends(epsilon: float, value: float) -> tuple[float, float]:
    """Chances that plain Laplace noise passes the lower and the upper bound."""
    low, high = INPUTS
    plain = laplace(epsilon)
    below = float(plain.survival(np.array(value - low)))
    return below, float(plain.survival(np.array(high - value)))


def bars(epsilon: float, value: float) -> pd.DataFrame:
    """The chance of each bar, for both mechanisms; what is moved to a bound is told apart."""
    low, high = INPUTS
    mechanism = composite(epsilon)
    first = BIN * np.floor(mechanism.outputs[0] / BIN)
    edges = np.arange(first, mechanism.outputs[1] + BIN, BIN)
    inside = (edges[:-1] >= low) & (edges[1:] <= high)
    passed = laplace(epsilon).survival(edges - value)
    clamped = np.where(inside, passed[:-1] - passed[1:], 0.0)
    below, above = ends(epsilon, value)
    moved = np.where(edges[:-1] == low, below, 0.0) + np.where(edges[1:] == high, above, 0.0)
    reach = np.clip(mechanism.mapping.to_domain(edges), -mechanism.design.L, mechanism.design.L)
    reached = mechanism.density().cdf(reach, mechanism.mapped(value))
    return pd.DataFrame(
        {
            "from": edges[:-1],
            "to": edges[1:],
            "clamped": clamped,
            "moved": moved,
            "composite": np.diff(reached),
        }
    )


PER_BAR = f"chance per {BIN} {UNIT} (%)"


def both_noises(epsilon: float, value: int) -> Chart:
    table = bars(epsilon, value)
    reach = [float(table["from"].iloc[0]) - BIN, float(table["to"].iloc[-1]) + BIN]
    mean = average(epsilon, value)
    below, above = ends(epsilon, value)
    low, high = INPUTS
    within = (table["from"] >= low) & (table["to"] <= high)
    tallest = 100 * float(table.composite.max())
    data: list[dict[str, Any]] = [
        _steps(table[within], "clamped", "Laplace within the bounds", LAPLACE, ""),
        theme.bars(
            [low, high], [100 * below, 100 * above], "moved to a bound", OUTSIDE.bar(), width=BIN,
            hovertemplate="%{x}: %{y:.1f} %<extra>moved to a bound</extra>",
        ),
        marks.average(mean, "average", LAPLACE.colour),
        _steps(table, "composite", "composite", RELEASED, "2"),
        marks.average(value, "average", RELEASED.colour, showlegend=False, xaxis="x2", yaxis="y2"),
    ]  # fmt: skip
    return Chart(
        "clamping",
        "What comes out, clamped and composite",
        f"number that comes out ({UNIT})",
        PER_BAR,
        data,
        {
            "bargap": 0,
            "barmode": "overlay",
            "xaxis": {"range": reach, "showticklabels": False, "anchor": "y"},
            "xaxis2": {"range": reach, "anchor": "y2"},
            "yaxis": {"domain": [0.58, 0.94], "range": [0, 55]},
            "yaxis2": {"domain": [0, 0.4], "range": [0, 1.2 * tallest], "anchor": "x2"},
            "annotations": [_heading("Laplace, clamped", 1.0), _heading("Composite", 0.46)],
            "shapes": [upright(value, axis, TRUE.line(2)) for axis in ("x", "x2")],
            "hovermode": "closest",
        },
        f"For the true value {count(value, 'point')} at ε = {plain(epsilon)}: clamped Laplace "
        f"releases average {quantity(mean, UNIT)}, with {percent(below)} at the lower "
        f"bound and {percent(above)} at the upper; composite releases average "
        f"{quantity(value, UNIT)} and reach beyond the bounds. Curves show the chance of each "
        f"{quantity(BIN, UNIT)}, bars that of exactly a bound.",
        lambda: _numbers(table),
        height=450,
    )


def _numbers(table: pd.DataFrame) -> pd.DataFrame:
    return pd.DataFrame(
        {
            f"from ({UNIT})": table["from"],
            f"to ({UNIT})": table["to"],
            "Laplace within the bounds: chance (%)": 100 * table.clamped,
            "Laplace moved to the bound: chance (%)": 100 * table.moved,
            "composite: chance (%)": 100 * table.composite,
        }
    )


def _steps(bins: pd.DataFrame, column: str, name: str, role: Role, end: str) -> dict[str, Any]:
    edges = np.append(bins["from"].to_numpy(), bins["to"].iloc[-1])
    return marks.area(
        np.repeat(edges, 2),
        np.r_[0.0, np.repeat(100 * bins[column].to_numpy(), 2), 0.0],
        name,
        role.colour,
        0.3,
        {"color": role.colour, "dash": "solid", "width": 2.5},
        xaxis=f"x{end}",
        yaxis=f"y{end}",
    )


def _heading(text: str, height: float) -> dict[str, Any]:
    return note(f"<b>{text}</b>", 0, "paper", height, "paper", xanchor="left", yanchor="top")
