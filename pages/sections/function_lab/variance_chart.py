"""The variance over all inputs, with the best that any design of this pair could do."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compdp_core.design.design import Design
from compdp_core.design.optimize import optimize
from compdp_core.errors import CompdpError
from compdp_core.shapes import pair_named
from pages.charts.chart import Chart
from pages.charts.theme import BASE, LAPLACE, RELEASED, TRUE, points, scatter
from pages.sections.function_lab.optimum import best, is_staircase
from pages.sections.function_lab.trial import Bench, Result
from pages.text.wording import number

POINTS = np.linspace(-1.0, 1.0, 41)
FLATTEST = "A1B1"
FLAT = "least at the center of any pair on a constant base (A1B1)"


def variance_chart(bench: Bench, result: Result) -> Chart:
    curves = {"as set": [result.variance(p) for p in POINTS]}
    roles = {"as set": RELEASED}
    for name, role, design in (
        ("optimum of this pair, center", BASE, _best()),
        (FLAT, LAPLACE, _flat(bench.epsilon, result)),
    ):
        if design is not None:
            curves[name] = [result.variance(p, design) for p in POINTS]
            roles[name] = role
    x = result.inputs.midpoint + 0.5 * POINTS * result.inputs.width
    here = result.variance(result.shown)
    data = [
        *(scatter(x, y, name, line=roles[name].line()) for name, y in curves.items()),
        points([result.value], [here], "this input", TRUE.marker(13)),
    ]
    layout = {"yaxis": {"rangemode": "tozero", "exponentformat": "SI"}}
    summary = (
        f"At this input the variance is {number(here)}. It is least in the middle, "
        f"{number(result.variance(0.0))}, and largest at the ends, {number(result.variance(1.0))}."
    )
    return Chart(
        "variance",
        "Variance over the inputs",
        "true value (data unit)",
        "variance (data unit²)",
        data,
        layout,
        summary,
        lambda: pd.DataFrame({"true value": x, **curves}),
    )


def _best() -> Design | None:
    try:
        return best()
    except CompdpError:
        return None


def _flat(epsilon: float, result: Result) -> Design | None:
    """The limit of constant bases at Δ = R; a staircase for less is not held to it."""
    if is_staircase() or result.design.pair.name == FLATTEST:
        return None
    return optimize(epsilon, pair_named(FLATTEST, epsilon))
