"""Error against ε: the closed form as a line, draws as points with their error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from pages.charts.chart import Chart
from pages.charts.theme import GREY, upright
from pages.charts.ticks import log_axis
from pages.inputs.mechanisms import mechanism_role
from pages.sections.compare_mechanisms import settings as to
from pages.sections.compare_mechanisms.error_traces import lines_of, points_of
from pages.text.wording import brief, number


def error_chart(asked: to.ComparedSettings, theory: pd.DataFrame, points: pd.DataFrame) -> Chart:
    data: list[dict[str, Any]] = []
    for name, key in asked.names.items():
        role = mechanism_role(key)
        line = theory[(theory.mechanism == name) & (theory.refused == "")]
        seen = points[(points.mechanism == name) & (points.refused == "")]
        if len(line):
            data += lines_of(name, line, role)
            data.append(points_of(name, seen, role))
    heights = [float(h) for trace in data for h in trace["y"] if h is not None and h > 0]
    low, high = (min(heights), max(heights)) if heights else (0.1, 1.0)
    epsilons = theory.epsilon
    mark, words = _set(asked.epsilon, float(epsilons.min()), float(epsilons.max()))
    layout = {
        "xaxis": log_axis(0.95 * epsilons.min(), 1.05 * epsilons.max()),
        "yaxis": log_axis(low / 1.2, high * 1.2),
        "hovermode": "closest",
        "shapes": mark,
        "annotations": [words],
    }
    return Chart(
        "error",
        f"Error of one release of {asked.true_value}",
        "privacy budget ε",
        f"root mean squared error ({to.UNIT})",
        data,
        layout,
        _summary(asked, theory),
        lambda: _numbers(theory, points),
        height=470,
    )


def _set(epsilon: float, low: float, high: float) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Where the ε that is set lies: a line and its words, or an arrow beyond the picture."""
    words = {"y": 1, "yref": "y domain", "yanchor": "bottom", "showarrow": False}
    text = f"ε = {brief(epsilon)}"
    if low <= epsilon <= high:
        line = upright(epsilon, "x", {"color": GREY, "width": 1.5, "dash": "dot"})
        return [line], words | {"text": text, "x": float(np.log10(epsilon))}
    side = {"xref": "x domain"}
    if epsilon < low:
        return [], words | side | {"text": f"← {text}", "x": 0, "xanchor": "left"}
    return [], words | side | {"text": f"{text} →", "x": 1, "xanchor": "right"}


def _summary(asked: to.ComparedSettings, theory: pd.DataFrame) -> str:
    at = theory[np.isclose(theory.epsilon, 1.0) & (theory.refused == "")].sort_values("RMSE_theory")
    listed = ", ".join(
        f"{name} {number(error)}" for name, error in zip(at.mechanism, at.RMSE_theory, strict=True)
    )
    beyond = not theory.epsilon.min() <= asked.epsilon <= theory.epsilon.max()
    where = (
        f"The ε that is set, {brief(asked.epsilon)}, lies beyond the picture."
        if beyond
        else f"The dotted upright line is the ε that is set, {brief(asked.epsilon)}."
    )
    return (
        "Lines are closed forms, points are simulations with error bars of two standard errors. "
        f"Errors at ε = 1 in {to.UNIT}, smallest first: {listed}. {where}"
    )


def _numbers(theory: pd.DataFrame, points: pd.DataFrame) -> pd.DataFrame:
    seen = points[["mechanism", "epsilon", "RMSE", "RMSE_se"]]
    both = theory[["mechanism", "epsilon", "RMSE_theory", "bias_theory", "outside", "refused"]]
    both = both.merge(seen, on=["mechanism", "epsilon"], how="left")
    return both.rename(
        columns={
            "RMSE_theory": f"root mean squared error ({to.UNIT})",
            "bias_theory": f"bias ({to.UNIT})",
            "outside": "share outside the inputs",
            "RMSE": f"simulated error ({to.UNIT})",
            "RMSE_se": f"its standard error ({to.UNIT})",
            "refused": "not available because",
        }
    )
