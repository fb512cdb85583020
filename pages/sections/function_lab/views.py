"""One more look at the same setting: only the chosen one is worked out and drawn."""

from __future__ import annotations

import numpy as np
import pandas as pd
import streamlit as st

from compdp_core.design.privacy_loss import PrivacyLoss, log_ratio
from compdp_core.shapes import Staircase
from pages.charts.chart import Chart
from pages.charts.theme import BASE, RELEASED, TRUE, lines, points, scatter
from pages.inputs.options import segments
from pages.sections.function_lab import settings as lab
from pages.sections.function_lab.feasible_chart import feasible_chart
from pages.sections.function_lab.trial import Bench, Result
from pages.sections.function_lab.variance_chart import variance_chart
from pages.text.wording import number, placed, span

NONE_TO_SEE = "As long as the numbers make no density, there is none to look at."


def views(bench: Bench, loss: PrivacyLoss | None) -> None:
    """Without a density, what is feasible is what one needs to see."""
    chosen = segments("Look at", lab.VIEWS, lab.VIEW)
    if bench.result is None and chosen != "feasible":
        st.caption(f"{NONE_TO_SEE} Here is what is feasible instead.")
    if bench.result is None or loss is None or chosen == "feasible":
        feasible_chart(bench).draw()
    elif chosen == "variance":
        variance_chart(bench, bench.result).draw()
    elif chosen == "loss":
        loss_chart(bench, bench.result, loss).draw()
    else:
        numbers(bench.result)


def numbers(result: Result) -> None:
    d, outputs, inputs = result.design, result.mapping.outputs, result.inputs
    rows = [
        ("k", "height of the activation", d.k, "1/domain unit"),
        ("m", "width of the activation", d.m, "domain unit"),
        ("y", "height of the base", d.y, "1/domain unit"),
        ("t", "least height of the base", d.t, "1/domain unit"),
        ("L", "half-width of the domain", d.L, "domain unit"),
        ("C", "limit of the mapped input", d.C, "domain unit"),
        ("C_p", "mapped input", result.c_p, "domain unit"),
        ("s", "where the activation begins", result.density.start(result.c_p), "domain unit"),
        ("S₁", "mass of the activation", d.S1, ""),
        ("S₂", "mass of the base", d.S2, ""),
        ("α", "area of the activation's shape", d.pair.activation.area, ""),
        ("μ = m / 2L", "relative width of the activation", d.mu, ""),
        ("κ = k / y", "relative height of the activation", d.kappa, ""),
        ("τ = t / y", "tail ratio", d.tau, ""),
        ("r = C / L", "width of the inputs over that of the outputs", d.input_fraction, ""),
    ]
    shape = d.pair.activation
    if isinstance(shape, Staircase):
        rows.append(("K", "levels of the staircase", float(shape.steps), ""))
        rows.append(("γ", "half the top level", shape.gamma, "sensitivities"))
    table = pd.DataFrame(
        [(symbol, words, number(value, 6), unit) for symbol, words, value, unit in rows],
        columns=["symbol", "what it is", "value", "unit"],
    )
    ends = pd.DataFrame(
        [
            ("[a, b]", "input interval", span(*inputs.as_tuple(), digits=6), "data unit"),
            ("[l, u]", "output interval", span(*outputs.as_tuple(), digits=6), "data unit"),
        ],
        columns=table.columns,
    )
    st.table(
        pd.concat([table, ends]).replace({"symbol": {"C_p": r"C\_p"}}),
        border="horizontal",
        hide_index=True,
        alt="Every number of the design",
    )


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
