"""The log-ratio of the two neighbours that are told apart best, over all outputs."""

from __future__ import annotations

import numpy as np
import pandas as pd

from compdp_core.design.privacy_loss import PrivacyLoss, log_ratio
from pages.charts.chart import Chart
from pages.charts.theme import BASE, RELEASED, TRUE, lines, points, scatter
from pages.sections.function_lab.trial import Bench, Result
from pages.text.wording import number, placed

POINTS = 161


def loss_chart(bench: Bench, result: Result, loss: PrivacyLoss) -> Chart:
    design, density = result.design, result.density
    half, nudge = design.L, design.L * 1e-9
    jumps = np.array([*density.breakpoints(loss.likelier), *density.breakpoints(loss.other)])
    grid = np.concatenate([np.linspace(-half, half, POINTS), jumps - nudge, jumps + nudge])
    x = np.unique(np.clip(grid, -half, half))
    ratio = log_ratio(design, loss.likelier, loss.other, x)
    outputs = result.mapping.to_data(x)
    place = result.to_data(loss.output)
    ends = (float(outputs[0]), float(outputs[-1]))
    first, second = result.apart(loss.likelier, loss.other)
    data = [
        scatter(outputs, ratio, f"true value {first} against {second}", line=RELEASED.line()),
        lines(ends, [bench.epsilon] * 2, "declared ε", BASE.line(2)),
        lines(ends, [-bench.epsilon] * 2, "", BASE.line(2), showlegend=False),
        points([place], [loss.epsilon], f"binds here: {number(loss.epsilon, 4)}", TRUE.marker(13)),
    ]
    summary = (
        f"The exact loss is {number(loss.epsilon, 4)} at the output {placed(place, ends, 4)}, "
        f"for true values {first} and {second}; ε is declared as {number(bench.epsilon, 4)}, "
        f"and the bound ln(sup P / inf P) is {number(loss.declared, 4)}."
    )
    return Chart(
        "loss",
        "The two neighbours that are told apart best",
        "released value (data unit)",
        "privacy loss, ln P / P′",
        data,
        {},
        summary,
        lambda: pd.DataFrame({"released value": outputs, "privacy loss": ratio}),
    )
