"""Two densities and the number that came out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pages.charts.chart import Chart
from pages.charts.theme import GAUSSIAN, GREY, RELEASED, points, upright
from pages.sections.shared.course.examples.noise import UNIT, composite
from pages.sections.shared.course.pictures.marks import area
from pages.text.wording import number, quantity, span

EPSILON = 1.0
ONE, OTHER = 30.0, 70.0


def heights(outcome: float) -> tuple[float, float]:
    """The density at that number for the one result and for the other."""
    one, other = (float(composite(EPSILON).pdf(outcome, value=each)) for each in (ONE, OTHER))
    return one, other


def likelier(heights: tuple[float, float]) -> tuple[float, float]:
    """The result for which the number comes out more often, and how many times as often."""
    one, other = heights
    return (ONE, one / other) if one >= other else (OTHER, other / one)


def both_densities(outcome: float) -> Chart:
    mechanism, at = composite(EPSILON), heights(outcome)
    low, high = mechanism.outputs
    x = np.linspace(low, high, 801)
    densities = [np.asarray(mechanism.pdf(x, value=each)) for each in (ONE, OTHER)]
    looks = ((RELEASED, "solid"), (GAUSSIAN, "dash"))
    data: list[dict[str, Any]] = [
        area(
            x,
            density,
            f"if Ada has {quantity(value, UNIT)}",
            role.colour,
            0.15,
            {"color": role.colour, "dash": dash, "width": 3},
        )
        for value, density, (role, dash) in zip((ONE, OTHER), densities, looks, strict=True)
    ]
    data += [
        points(
            [outcome],
            [height],
            "its height",
            {"color": role.colour, "symbol": symbol, "size": 14},
            showlegend=False,
            hoverinfo="skip",
        )
        for height, (role, _), symbol in zip(at, looks, ("circle", "square"), strict=True)
    ]
    top = max(float(density.max()) for density in densities)
    return Chart(
        "promise",
        "How often each number comes out",
        f"number that comes out ({UNIT})",
        f"probability density (1/{UNIT})",
        data,
        {
            "xaxis": {"range": [low - 8, high + 8]},
            "yaxis": {"range": [0, 1.15 * top]},
            "shapes": [upright(outcome, "x", {"color": GREY, "width": 2})],
        },
        f"Two densities over {span(low, high, UNIT)}, for {number(ONE)} and {number(OTHER)} "
        f"{UNIT}. At {number(outcome)} their heights are {number(at[0])} and "
        f"{number(at[1])}.",
        lambda: pd.DataFrame(
            {f"comes out ({UNIT})": x}
            | {
                f"density if {number(value)} (1/{UNIT})": density
                for value, density in zip((ONE, OTHER), densities, strict=True)
            }
        ),
    )
