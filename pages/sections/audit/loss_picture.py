"""The log-ratio of two neighbours over all outputs, between the lines of the claim."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from compdp_core.auditing.privacy_loss import LogRatio
from compdp_core.design.privacy_loss import loss_curve
from compdp_core.mechanisms.composite import CompositeMechanism
from pages.charts.chart import Chart
from pages.charts.theme import BASE, GREY, OUTSIDE, RELEASED, lines, points, scatter
from pages.text.wording import apart, number, quantity, span

ANY_POINTS = 201


def loss_chart(
    key: str,
    title: str,
    curve: LogRatio,
    unit: str,
    mechanism: CompositeMechanism | None = None,
    height: int = 400,
) -> Chart:
    """With a composite mechanism also the worst of any two neighbours at each output."""
    rows = curve.shown()
    x, ratio = curve.table.outputs[rows], curve.ratio[rows]
    single = bool(curve.table.is_mass.all()) and rows.size <= 60 and mechanism is None
    ends = [float(x[0]), float(x[-1])]
    over = not curve.kept
    first, second = apart(*curve.neighbours)
    worst = OUTSIDE if over else RELEASED
    data: list[dict[str, Any]] = [
        scatter(
            x, ratio, f"ln p/p′ of {first} against {second}",
            mode="markers" if single else "lines", line=RELEASED.line(), marker=RELEASED.marker(8),
            hovertemplate="%{y:.4g}",
        ),
        *_any_two(mechanism),
        *_claim(curve.claimed, ends),
        points(
            [curve.worst_output], [curve.at_worst],
            f"worst: {number(curve.largest, 4)} at {number(place(curve), 4)}",
            {"symbol": "x" if over else "diamond", "size": 14, "color": worst.colour},
            hoverinfo="skip",
        ),
    ]  # fmt: skip
    reach = 1.15 * max(curve.claimed, min(curve.largest, 10.0 * curve.claimed))
    return Chart(
        key,
        title,
        f"released value ({unit})",
        "privacy loss, ln p/p′ (no unit)",
        data,
        {"yaxis": {"range": [-reach, reach]}},
        _summary(curve, unit),
        lambda: pd.DataFrame({"released value": x, "privacy loss": ratio}),
        height=height,
    )


def place(curve: LogRatio) -> float:
    """The worst output, without digits that no picture shows."""
    outputs = curve.table.outputs
    step = 10.0 ** math.floor(math.log10(1e-5 * float(np.ptp(outputs)) or 1.0))
    return round(curve.worst_output / step) * step + 0.0


def _any_two(mechanism: CompositeMechanism | None) -> list[dict[str, Any]]:
    if mechanism is None:
        return []
    low, high = mechanism.inputs
    outputs = np.linspace(*mechanism.outputs, ANY_POINTS)
    domain = np.clip(mechanism.mapping.to_domain(outputs), -mechanism.design.L, mechanism.design.L)
    worst = loss_curve(mechanism.design, domain, mechanism.sensitivity / (high - low))
    return [
        scatter(
            outputs, worst, "worst of any two neighbours",
            line={"color": GREY, "dash": "dot", "width": 2}, hovertemplate="%{y:.4g}",
        )
    ]  # fmt: skip


def _claim(claimed: float, ends: list[float]) -> list[dict[str, Any]]:
    line = {**BASE.line(2), "dash": "dash"}
    name = f"claimed: ±ε = ±{number(claimed)}"
    return [
        lines(ends, [claimed] * 2, name, line, hoverinfo="skip"),
        lines(ends, [-claimed] * 2, "", line, hoverinfo="skip", showlegend=False),
    ]


def _summary(curve: LogRatio, unit: str) -> str:
    outputs = curve.table.outputs
    return (
        f"Outputs {span(float(outputs[0]), float(outputs[-1]), unit)}. The two neighbours are told "
        f"apart best at {quantity(place(curve), unit, 4)}, where the log-ratio is "
        f"{number(curve.at_worst, 4)}; the claim is ε = {number(curve.claimed)}."
    )
