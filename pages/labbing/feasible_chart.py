"""The map of what is possible: how much of the outputs the inputs may fill, at each ε."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compdp_core.optimize import largest_fraction
from compdp_core.optimize.staircase import widest_inputs
from compdp_core.shapes import ACTIVATIONS, Base, Constant, Pair, Quartic
from pages.furniture.chart import Chart
from pages.furniture.state import memo
from pages.furniture.theme import GREY, RELEASED, TRUE, Role, scatter, tint
from pages.furniture.wording import number
from pages.labbing import settings as lab
from pages.labbing.bench import Bench, Result, activation, is_staircase

EPSILONS = np.geomspace(0.05, 10.0, 61)
FEW = EPSILONS[::3]
"""For the staircase, where each point is a search."""
_LOOKS = {"A1": ("#A67C00", "longdash"), "A2": ("#009E73", "dash"), "A3": ("#B8649A", "dashdot")}


def feasible_chart(bench: Bench, result: Result) -> Chart:
    curves = _curves(result)
    reached = result.design.input_fraction
    spec = {
        "data": [
            *(
                scatter(
                    EPSILONS if len(heights) == EPSILONS.size else FEW,
                    heights,
                    name,
                    line=role.line(3 if number == 0 else 2),
                    **({"fill": "tozeroy", "fillcolor": tint(GREY, 0.14)} if number == 0 else {}),
                    hovertemplate="%{y:.4f}",
                )
                for number, (name, role, heights) in enumerate(curves)
            ),
            scatter(
                [bench.epsilon],
                [reached],
                "this setting",
                mode="markers",
                marker=TRUE.marker(14),
                hovertemplate="%{y:.4f}",
            ),
        ],
        "layout": {
            "xaxis": {"type": "log", "tickvals": [0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10]},
            "yaxis": {"rangemode": "tozero"},
        },
    }
    limit = (
        widest_inputs(bench.epsilon, result.neighbours)
        if is_staircase()
        else _widest(bench.epsilon, result.design.pair)
    )
    summary = (
        f"At ε = {number(bench.epsilon)} unbiased inputs of {curves[0][0]} can fill "
        f"{number(limit)} of the outputs; this setting fills {number(reached)}. Below a curve is "
        "feasible for its pair, above it is not."
    )
    return Chart(
        "feasible",
        "How much of the outputs the inputs can fill",
        "privacy budget ε",
        "width of the inputs over width of the outputs",
        spec,
        summary,
        lambda: _table(curves),
        height=440,
    )


def _curves(result: Result) -> list[tuple[str, Role, Any]]:
    """The pair as set first, then the paper's six at the tail ratio as set."""
    chosen = Pair(activation(), result.design.pair.base)
    bases: list[Base] = [Constant(), Quartic(float(lab.TAIL.value))]
    others = [Pair(a, b) for b in bases for a in ACTIVATIONS.values()]
    if is_staircase():
        first = _staircase(float(lab.RATIO.value))
    else:
        first = _chosen(chosen)
        others = [pair for pair in others if pair != chosen]
    return [first, *map(_curve, others)]


def _curve(pair: Pair) -> tuple[str, Role, Any]:
    return _named(pair), _role(pair), np.array([_widest(e, pair) for e in EPSILONS.tolist()])


def _chosen(pair: Pair) -> tuple[str, Role, Any]:
    name, _, heights = _curve(pair)
    return f"{name}, as set", RELEASED, heights


def _staircase(ratio: float) -> tuple[str, Role, Any]:
    heights = memo(
        f"{lab.PAGE}.feasible.staircase",
        ratio,
        lambda: np.array([widest_inputs(e, ratio) for e in FEW.tolist()]),
    )
    return f"A4B1 at Δ/R = {ratio:g}, as set", RELEASED, heights


def _widest(epsilon: float, pair: Pair) -> float:
    """Zero where the base alone uses up ε."""
    return largest_fraction(epsilon, pair) if pair.largest_height(epsilon) > 0.0 else 0.0


def _named(pair: Pair) -> str:
    return pair.name if pair.base.tau == 1.0 else f"{pair.name} at τ = {pair.base.tau:.3g}"


def _role(pair: Pair) -> Role:
    colour, dash = _LOOKS[pair.activation.name]
    return Role(colour, dash if pair.base.name == "B1" else "dot", "circle", "")


def _table(curves: list[tuple[str, Role, Any]]) -> pd.DataFrame:
    """On the points that all curves have."""
    thinned = {name: h if len(h) == FEW.size else h[::3] for name, _, h in curves}
    return pd.DataFrame({"ε": FEW, **thinned})
