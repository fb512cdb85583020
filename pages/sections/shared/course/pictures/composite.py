"""The two parts of the composite noise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pages.charts.chart import Chart
from pages.charts.theme import BASE, GREY, RELEASED, TRUE, upright
from pages.sections.shared.course.examples.noise import UNIT, composite
from pages.sections.shared.course.pictures import marks
from pages.text.wording import number, quantity, span

EPSILON = 1.0


def average(centre: float) -> float:
    """Mean of what comes out when the activation stands there."""
    mechanism = composite(EPSILON)
    middle = sum(mechanism.outputs) / 2
    return middle + mechanism.design.S1 * (centre - middle)


def centre_for(value: float) -> float:
    """Where the mechanism puts its activation for that true value."""
    mechanism = composite(EPSILON)
    density = mechanism.density()
    start = density.start(mechanism.mapped(value))
    return float(mechanism.mapping.to_data(start + mechanism.design.m / 2))


BASE_NAME = "base: the same for every result"


def base_and_activation(value: float, centre: float | None) -> Chart:
    mechanism = composite(EPSILON)
    low, high = mechanism.outputs
    design, scale = mechanism.design, mechanism.mapping.scale
    x = np.linspace(low, high, 401)
    base = np.full_like(x, 1.0 / (high - low))
    data: list[dict[str, Any]] = []
    if centre is None:
        data.append(marks.area(x, base, BASE_NAME, GREY, 0.3, BASE.line(2)))
        mean = (low + high) / 2
    else:
        half = design.m / 2 / scale
        edges = np.array([centre - half, centre + half]).clip(low, high)
        x = np.unique(np.concatenate([x, edges - 1e-6, edges + 1e-6]).clip(low, high))
        base = np.full_like(x, design.y * scale)
        inside = np.abs(x - centre) <= half
        both = base + np.where(inside, design.k * scale, 0.0)
        data += [
            marks.area(x, base, BASE_NAME, GREY, 0.3, BASE.line(2)),
            marks.area(
                x,
                both,
                "activation: you move it",
                RELEASED.colour,
                0.3,
                RELEASED.line(3),
                fill="tonexty",
            ),
        ]
        mean = average(centre)
    data.append(marks.average(mean, f"average {number(mean)}", RELEASED.colour))
    data.append(marks.true(value, "value"))
    return Chart(
        "composite",
        "Base and activation",
        f"number that comes out ({UNIT})",
        f"probability density (1/{UNIT})",
        data,
        {
            "xaxis": {"range": [low - 8, high + 8]},
            "yaxis": {"range": [0, 1.15 * design.peak * scale]},
            "shapes": [upright(value, "x", TRUE.line(2))],
        },
        f"A base over {span(low, high, UNIT)}"
        + ("" if centre is None else f" and an activation around {quantity(centre, UNIT)}")
        + f". The average is {quantity(mean, UNIT)}, the true value {quantity(value, UNIT)}.",
        lambda: pd.DataFrame(
            {f"comes out ({UNIT})": x}
            | {f"{trace['name']} (1/{UNIT})": trace["y"] for trace in data if len(trace["x"]) > 1}
        ),
    )
