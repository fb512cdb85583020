"""Means of classes with noise on each result and with noise on the mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from pages.charts.chart import Chart
from pages.charts.theme import GAUSSIAN, RELEASED, TRUE, points, scatter, upright
from pages.charts.ticks import log_axis
from pages.sections.shared.course.examples.means import REPEATS, draws, errors
from pages.sections.shared.course.examples.noise import UNIT
from pages.sections.shared.course.pictures import marks
from pages.text.wording import number, quantity

LOCAL, CENTRAL = "local: noise on each result", "central: noise on the mean"


def published_means(epsilon: float, rows: int, fewest: int) -> Chart:
    true, local, central = draws(epsilon, rows)
    half = 3.0 * errors(epsilon, fewest).local
    lanes = ((LOCAL, local, 1.0, GAUSSIAN), (CENTRAL, central, 0.0, RELEASED))
    # Dots of one lane stand above each other in the order of their draws, so that all are seen.
    lift = np.linspace(-0.3, 0.3, REPEATS)
    data: list[dict[str, Any]] = [
        points(means, lane + lift, name, role.marker(7), hovertemplate="%{x:.4g}")
        for name, means, lane, role in lanes
    ]
    data.append(marks.true(true, "mean"))
    spread = [float(np.sqrt(np.mean((means - true) ** 2))) for means in (local, central)]
    return Chart(
        "place-classes",
        f"The means that {REPEATS} such classes publish",
        f"published mean ({UNIT})",
        "",
        data,
        {
            "hovermode": "closest",
            "xaxis": {"range": [true - half, true + half]},
            "yaxis": {
                "range": [-0.6, 1.6],
                "showticklabels": False,
                "showgrid": False,
                "zeroline": False,
            },
            "shapes": [upright(true, "x", TRUE.line(2))],
        },
        f"Around the true mean {number(true)} the {REPEATS} simulated means lie off by "
        f"{quantity(spread[0], UNIT)} with noise on each result, and by "
        f"{quantity(spread[1], UNIT)} with noise on the mean.",
        lambda: pd.DataFrame({f"{LOCAL} ({UNIT})": local, f"{CENTRAL} ({UNIT})": central}),
        height=430,
    )


def error_by_size(epsilon: float, rows: int, sizes: Sequence[int]) -> Chart:
    every = [errors(epsilon, size) for size in sizes]
    now = errors(epsilon, rows)
    local, central = ([getattr(each, way) for each in every] for way in ("local", "central"))
    data = [
        scatter(
            sizes,
            heights,
            name,
            mode="lines+markers",
            line=role.line(3),
            marker=role.marker(7),
            hovertemplate="%{y:.3g}",
        )
        for name, heights, role in ((LOCAL, local, GAUSSIAN), (CENTRAL, central, RELEASED))
    ]
    data.append(
        points(
            [rows, rows],
            [now.local, now.central],
            "this class",
            {"color": TRUE.colour, "symbol": "circle-open", "size": 16, "line": {"width": 3}},
            hoverinfo="skip",
        )
    )
    return Chart(
        "place-rows",
        "Typical error against the number of pupils",
        "pupils (number, logarithmic)",
        f"typical error ({UNIT}, logarithmic)",
        data,
        {
            "xaxis": log_axis(0.85 * sizes[0], 1.18 * sizes[-1]),
            "yaxis": log_axis(min(central) / 1.5, 1.5 * max(local)),
        },
        f"From {sizes[0]} to {sizes[-1]:,} pupils the error falls from {number(local[0])} to "
        f"{number(local[-1])} {UNIT} with noise on each result, and from {number(central[0])} to "
        f"{number(central[-1])} with noise on the mean.",
        lambda: pd.DataFrame(
            {"pupils": sizes, f"{LOCAL} ({UNIT})": local, f"{CENTRAL} ({UNIT})": central}
        ),
        height=430,
    )
