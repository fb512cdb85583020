"""Error against ε: the closed form as a line, draws as points with their error."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compdp_core.mechanisms.baselines import ClassicGaussian
from pages.charts.chart import Chart
from pages.charts.theme import GREY, Role, error_bars, lines, points, scatter, tint, upright
from pages.charts.ticks import log_axis
from pages.inputs.mechanisms import mechanism_role
from pages.sections.compare_mechanisms import settings as to
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


TWO = 2.0
"""Standard errors that an error bar reaches: about 95 % of all repetitions fall within."""
CLASSIC = ClassicGaussian.name


def key_of(name: str, role: Role) -> dict[str, Any]:
    """Its place in the legend: line and symbol, as some differ by that and the hue only."""
    return scatter(
        [None], [None], name, mode="lines+markers", line=role.line(), marker=role.marker(9),
        legendgroup=name, hoverinfo="skip",
    )  # fmt: skip


def lines_of(name: str, line: pd.DataFrame, role: Role) -> list[dict[str, Any]]:
    """The closed form; where a formula has no proof, a fainter line of its own."""
    hover = f"{name}<br>ε = %{{x:g}}: %{{y:.4g}} {to.UNIT}"
    proved = line.epsilon < 1.0 if name == CLASSIC else line.epsilon > 0.0
    first = line[proved]
    traces = [
        lines(
            first.epsilon.tolist(), first.RMSE_theory.tolist(), name, role.line(),
            hovertemplate=hover, legendgroup=name, showlegend=False,
        ),
        key_of(name, role),
    ]  # fmt: skip
    if not proved.all():
        rest = line[~proved | (line.epsilon == first.epsilon.max())]
        traces.append(
            lines(
                rest.epsilon.tolist(),
                rest.RMSE_theory.tolist(),
                f"{name}: no proof from ε = 1",
                {"color": tint(role.colour, 0.55), "dash": "dot", "width": 2},
                hovertemplate=f"{hover}, without proof",
                legendgroup=name,
            )
        )
    return traces


def points_of(name: str, seen: pd.DataFrame, role: Role) -> dict[str, Any]:
    return points(
        seen.epsilon.tolist(),
        seen.RMSE.tolist(),
        f"{name}, simulated",
        role.marker(9),
        error_y=error_bars((TWO * seen.RMSE_se).tolist(), role.colour, 1.5, width=5),
        hovertemplate=f"{name}, simulated<br>ε = %{{x:g}}: %{{y:.4g}} ± %{{error_y.array:.2g}}",
        showlegend=False,
        legendgroup=name,
    )
