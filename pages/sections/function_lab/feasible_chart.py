"""The map of what is possible: how much of the outputs the inputs may fill, at each ε."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compdp_core.design.optimize import largest_fraction
from compdp_core.design.optimize.staircase import widest_inputs
from compdp_core.shapes import ACTIVATIONS, Base, Constant, Pair, Quartic
from pages.charts.chart import Chart
from pages.charts.theme import GREY, RELEASED, TRUE, Role, points, scatter, tint
from pages.sections.function_lab import settings as lab
from pages.sections.function_lab.optimum import activation, is_staircase, pair
from pages.sections.function_lab.trial import Bench
from pages.session.state import memo
from pages.text.wording import number

EPSILONS = np.geomspace(0.05, 10.0, 61)
TICKS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50]
"""Also where only the mark of this setting lies: ε goes farther than the curves."""
FEW = EPSILONS[::3]
"""For the staircase, where each point is a search."""
_LOOKS = {"A1": ("#A67C00", "longdash"), "A2": ("#009E73", "dash"), "A3": ("#B8649A", "dashdot")}


def feasible_chart(bench: Bench) -> Chart:
    """Also where the setting makes no density: then without its mark."""
    curves = _curves(bench)
    data = [
        scatter(
            EPSILONS if len(heights) == EPSILONS.size else FEW,
            heights,
            name,
            line=role.line(2),
            hovertemplate="%{y:.4f}",
        )
        for name, role, heights in curves
    ]
    data[0] |= {"fill": "tozeroy", "fillcolor": tint(GREY, 0.14), "line": RELEASED.line(3)}
    if bench.result is not None:
        data.append(_mark(bench.epsilon, bench.result.design.input_fraction))
    return Chart(
        "feasible",
        "How much of the outputs the inputs can fill",
        "privacy budget ε",
        "width of the inputs over width of the outputs",
        data,
        {"xaxis": {"type": "log", "tickvals": TICKS}, "yaxis": {"rangemode": "tozero"}},
        _said(bench, curves[0][0]),
        lambda: _table(curves),
        height=440,
    )


def _mark(epsilon: float, reached: float) -> dict[str, Any]:
    return points([epsilon], [reached], "this setting", TRUE.marker(14), hovertemplate="%{y:.4f}")


def _said(bench: Bench, chosen: str) -> str:
    here = bench.result
    limit = (
        widest_inputs(bench.epsilon, float(lab.RATIO.value))
        if is_staircase()
        else _widest(bench.epsilon, _pair(bench))
    )
    reached = "" if here is None else f" This one fills {number(here.design.input_fraction)}."
    return (
        f"At ε = {number(bench.epsilon)} the unbiased inputs of {chosen}, can fill "
        f"{number(limit)} of the outputs.{reached} Below a curve is feasible for its pair, above "
        "it is not."
    )


def _pair(bench: Bench) -> Pair:
    if bench.result is not None:
        return bench.result.design.pair
    return Pair(activation(), pair(bench.epsilon).base)


def _curves(bench: Bench) -> list[tuple[str, Role, Any]]:
    """The pair as set first, then the paper's six at the tail ratio as set."""
    bases: list[Base] = [Constant(), Quartic(float(lab.TAIL.value))]
    others = [Pair(a, b) for b in bases for a in ACTIVATIONS.values()]
    if is_staircase():
        return [_staircase(float(lab.RATIO.value)), *(_curve(p, _role(p)) for p in others)]
    chosen = _pair(bench)
    name, role, heights = _curve(chosen, RELEASED)
    return [
        (f"{name}, as set", role, heights),
        *(_curve(p, _role(p)) for p in others if p != chosen),
    ]


def _curve(pair: Pair, role: Role) -> tuple[str, Role, Any]:
    return _named(pair), role, np.array([_widest(e, pair) for e in EPSILONS.tolist()])


def _staircase(ratio: float) -> tuple[str, Role, Any]:
    heights = memo(
        f"{lab.PAGE}.feasible.staircase",
        ratio,
        lambda: np.array([widest_inputs(e, ratio) for e in FEW.tolist()]),
    )
    return f"A4B1 at Δ/R = {number(ratio)}, as set", RELEASED, heights


def _widest(epsilon: float, pair: Pair) -> float:
    """Zero where the base alone uses up ε."""
    return largest_fraction(epsilon, pair) if pair.largest_height(epsilon) > 0.0 else 0.0


def _named(pair: Pair) -> str:
    return pair.name if pair.base.tau == 1.0 else f"{pair.name} at τ = {number(pair.base.tau)}"


def _role(pair: Pair) -> Role:
    colour, dash = _LOOKS[pair.activation.name]
    return Role(colour, dash if pair.base.name == "B1" else "dot", "circle", "")


def _table(curves: list[tuple[str, Role, Any]]) -> pd.DataFrame:
    """On the points that all curves have."""
    thinned = {name: h if len(h) == FEW.size else h[::3] for name, _, h in curves}
    return pd.DataFrame({"ε": FEW, **thinned})
