"""Lines and points of the chart of errors, and their marks."""

from __future__ import annotations

from typing import Any

import pandas as pd

from compdp_core.mechanisms.baselines import ClassicGaussian
from pages.charts.theme import Role, error_bars, lines, points, scatter, tint
from pages.sections.compare_mechanisms import settings as to

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
