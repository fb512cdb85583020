"""Bias against the input: right on average everywhere, or pulled inward near the bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compdp_core.experiments import bias_curve
from compdp_core.experiments.ranking import rounding
from compdp_core.mechanisms.baselines import Mechanism
from pages.charts.chart import Chart
from pages.charts.theme import TRUE, Role, error_bars, lines, points, upright
from pages.inputs.mechanisms import mechanism_role
from pages.sections.compare_mechanisms import settings as to
from pages.sections.compare_mechanisms.error_chart import TWO, key_of
from pages.session.state import memo
from pages.text.wording import number

DRAWS = 400
SHIFT = 0.006
"""Of the input width: simulated points stand side by side, so that their error bars do not hide."""
PLACES = 7
"""Inputs at which draws are shown; the line has more."""


def bias_chart(asked: to.ComparedSettings, made: dict[str, Mechanism]) -> Chart:
    line, points = memo(
        f"{to.PAGE}.bias",
        (asked.keys, asked.epsilon, asked.inputs, asked.sensitivity, asked.delta, asked.seed),
        lambda: (
            bias_curve(made),
            bias_curve(made, positions=PLACES, repetitions=DRAWS, seed=asked.seed),
        ),
    )
    data: list[dict[str, Any]] = []
    shift = SHIFT * (asked.inputs[1] - asked.inputs[0])
    for place, (name, key) in enumerate(asked.names.items()):
        if name in made:
            role = mechanism_role(key)
            drawn = line[line.mechanism == name]
            none = _rounding(drawn)
            data.append(
                lines(
                    drawn.value.tolist(),
                    [bias if abs(bias) > none else 0.0 for bias in drawn.bias_theory],
                    name,
                    role.line(),
                    legendgroup=name,
                    showlegend=False,
                    hovertemplate=f"{name}<br>input %{{x:.4g}}: bias %{{y:.4g}} {to.UNIT}",
                )
            )
            data.append(key_of(name, role))
            data.append(
                _points(
                    name, points[points.mechanism == name], role, shift * (place - len(made) // 2)
                )
            )
    edge = {"color": TRUE.colour, "width": 1.5, "dash": "dash"}
    return Chart(
        "bias",
        "Bias: how far off the average release is",
        f"true value ({to.UNIT})",
        f"bias ({to.UNIT})",
        data,
        {"hovermode": "closest", "shapes": [upright(asked.value, "x", edge)]},
        _summary(line),
        lambda: _numbers(line, points),
        height=470,
    )


def _points(name: str, seen: pd.DataFrame, role: Role, shift: float) -> dict[str, Any]:
    return points(
        (seen.value + shift).tolist(),
        seen.bias.tolist(),
        f"{name}, simulated",
        role.marker(8),
        error_y=error_bars((TWO * seen.bias_se).tolist(), role.colour, 1.2, width=4),
        hovertemplate=f"{name}, simulated<br>input %{{customdata:.4g}}: %{{y:.4g}} "
        "± %{error_y.array:.2g}",
        customdata=seen.value.tolist(),
        showlegend=False,
        legendgroup=name,
    )


def _rounding(line: pd.DataFrame) -> float:
    """Up to this size a bias is rounding of floats, not to be shown as a wiggle."""
    error = float(np.hypot(line.bias_theory, line.deviation_theory).max())
    return rounding((float(line.value.min()), float(line.value.max())), error)


def _summary(line: pd.DataFrame) -> str:
    words = []
    for name, part in line.groupby("mechanism", sort=False):
        worst = float(part.bias_theory.abs().max())
        words.append(
            f"{name}: none"
            if worst <= _rounding(part)
            else f"{name}: up to {number(worst)} {to.UNIT}"
        )
    return (
        f"Largest bias over the inputs. {'; '.join(words)}. Lines are closed forms, points are "
        f"means of {DRAWS:,} simulated draws with error bars of two standard errors. The dashed "
        "upright line is the true value that is set."
    )


def _numbers(line: pd.DataFrame, points: pd.DataFrame) -> pd.DataFrame:
    kept = ["mechanism", "value", "bias_theory", "deviation_theory", "bias", "bias_se"]
    both = pd.concat([line[kept], points[kept]], ignore_index=True)
    return both.rename(
        columns={
            "value": f"true value ({to.UNIT})",
            "bias_theory": f"bias ({to.UNIT})",
            "deviation_theory": f"standard deviation ({to.UNIT})",
            "bias": f"simulated bias ({to.UNIT})",
            "bias_se": f"its standard error ({to.UNIT})",
        }
    )
