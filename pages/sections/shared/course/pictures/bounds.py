"""A class and its upper bound, over the error of the released mean."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

from compdp_core.intervals import Interval
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.statistics import Mean, PublicFacts
from compdp_core.statistics.describe import Clamping
from pages.charts.chart import Chart
from pages.charts.theme import BASE, OUTSIDE, RELEASED, TRUE, lines, points, upright
from pages.text.wording import count, quantity

MONEY = (0, 5, 5, 10, 10, 10, 15, 15, 15, 20, 20, 20, 25, 25, 30, 30, 35, 40, 60, 130)
"""What each of twenty invented pupils gets in a month (€)."""
UNIT = "€"
EPSILON = 1.0
BOUNDS = range(10, 201, 10)
"""Upper bounds that can be set (€)."""


@dataclass(frozen=True)
class BoundCost:
    clamped: int
    """How many pupils get more."""
    shift: float
    """By how much clamping moves the mean (€)."""
    noise: float
    """Typical size of the noise (€)."""

    @property
    def both(self) -> float:
        """Root of the mean squared error: noise is right on average, so squares add up."""
        return math.hypot(self.shift, self.noise)


@cache
def cost(upper: float) -> BoundCost:
    """Of the mean released with the bounds 0 and that."""
    interval = Interval(0.0, upper)
    facts = PublicFacts(rows=len(MONEY), bounds=interval)
    mechanism = CompositeMechanism(
        EPSILON, interval, sensitivity=Mean().plan(facts).float_sensitivity
    )
    clamping = Clamping.of(MONEY, interval)
    mean = float(np.mean(MONEY)) + clamping.shift
    return BoundCost(clamping.above, clamping.shift, math.sqrt(float(mechanism.variance(mean))))


def class_and_errors(upper: float) -> Chart:
    bounds = list(BOUNDS)
    costs = [cost(float(bound)) for bound in bounds]
    now = cost(upper)
    data: list[dict[str, Any]] = [
        *_class(upper),
        _line(bounds, [-each.shift for each in costs], "cut off by clamping", OUTSIDE.line(2.5)),
        _line(bounds, [each.noise for each in costs], "noise", BASE.line(3)),
        _line(bounds, [each.both for each in costs], "both together", RELEASED.line(3.5)),
        points([upper], [now.both], "now", RELEASED.marker(14), showlegend=False, hoverinfo="skip"),
    ]  # fmt: skip
    reach = [-6, bounds[-1] + 6]
    return Chart(
        "bounds",
        "The class, and the error of its released mean",
        "€ in a month (dashed: the upper bound)",
        "typical error (€)",
        data,
        {
            "xaxis": {"range": reach, "showticklabels": False, "anchor": "y"},
            "xaxis2": {"range": reach, "anchor": "y2"},
            "yaxis": {
                "domain": [0.74, 1],
                "range": [0.3, 3.8],
                "showticklabels": False,
                "showgrid": False,
                "zeroline": False,
                "title": {"text": ""},
            },
            "yaxis2": {"domain": [0, 0.68], "rangemode": "tozero", "anchor": "x2"},
            "shapes": [upright(upper, axis, TRUE.line(2)) for axis in ("x", "x2")],
            "hovermode": "closest",
        },
        f"With the upper bound {quantity(upper, UNIT)}: {count(now.clamped, 'pupil')} above it, "
        f"clamping moves the mean by {quantity(now.shift, UNIT)}, the noise is typically "
        f"{quantity(now.noise, UNIT)}, both together {quantity(now.both, UNIT)}.",
        lambda: pd.DataFrame(
            {
                "upper bound (€)": bounds,
                "pupils above it": [each.clamped for each in costs],
                "shift by clamping (€)": [each.shift for each in costs],
                "typical noise (€)": [each.noise for each in costs],
                "both together (€)": [each.both for each in costs],
            }
        ),
        height=470,
    )


def _class(upper: float) -> list[dict[str, Any]]:
    """One dot a pupil, stacked; those above the bound are crosses that leave a mark on it."""
    heights = [sum(other == value for other in MONEY[:i]) + 1 for i, value in enumerate(MONEY)]
    inside = [(v, h) for v, h in zip(MONEY, heights, strict=True) if v <= upper]
    above = [(v, h) for v, h in zip(MONEY, heights, strict=True) if v > upper]
    looks = (
        (inside, "pupil", TRUE.marker(9)),
        (above, "pupil above the bound",
         {"symbol": "x-thin", "size": 11, "line": {"width": 3, "color": OUTSIDE.colour}}),
    )  # fmt: skip
    return [
        points(
            [v for v, _ in some], [h for _, h in some], name, marker,
            hovertemplate=f"%{{x}} €<extra>{name}</extra>",
        )
        for some, name, marker in looks
        if some
    ]  # fmt: skip


def _line(x: list[int], y: list[float], name: str, line: dict[str, Any]) -> dict[str, Any]:
    return lines(
        x, y, name, line, xaxis="x2", yaxis="y2",
        hovertemplate=f"bound %{{x}} €: %{{y:.2f}} €<extra>{name}</extra>",
    )  # fmt: skip
