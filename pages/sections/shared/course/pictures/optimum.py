"""The error against the width of the hill."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd

from compdp_core.design.design import Design
from compdp_core.design.optimize import Problem, Search, optimize
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.shapes import pair_named
from pages.charts.chart import Chart
from pages.charts.theme import GREY, LAPLACE, RELEASED, TRUE, lines, points, scatter
from pages.charts.ticks import log_axis
from pages.sections.shared.course.examples.noise import EPSILONS, INPUTS, UNIT
from pages.text.wording import number, quantity

PAIR = "A1B1"
LEAST, MOST = 2, 95
"""Widths that can be set (percent of all outputs)."""
SEED = 4
FEW = 14
"""Designs of a search that are shown."""


@dataclass(frozen=True)
class Width:
    design: Design

    @property
    def percent(self) -> float:
        """The width (percent of all outputs)."""
        return 100.0 * self.design.mu

    @property
    def error(self) -> float:
        """Root mean square error in the middle of the results (points)."""
        return math.sqrt(self.design.relative_variance()) * (INPUTS[1] - INPUTS[0])


@lru_cache(maxsize=len(EPSILONS))
def problem(epsilon: float) -> Problem:
    return Problem(epsilon, pair_named(PAIR, epsilon))


def at(epsilon: float, width: float) -> Width:
    """The design of that width (percent) which uses up ε."""
    return Width(problem(epsilon).design_of(problem(epsilon).tallest, width / 100.0))


@lru_cache(maxsize=len(EPSILONS))
def best(epsilon: float) -> Width:
    return Width(optimize(epsilon, pair_named(PAIR, epsilon)))


# Of public settings alone: no data reaches these.
@lru_cache(maxsize=512)
def mechanism(epsilon: float, width: float) -> CompositeMechanism:
    """The mechanism with the hill that wide (percent)."""
    return CompositeMechanism.from_design(at(epsilon, width).design, INPUTS)


@lru_cache(maxsize=len(EPSILONS))
def curve(epsilon: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Widths (percent), the best among them, and the error at each."""
    every = np.unique(np.r_[np.linspace(LEAST, MOST, 94), best(epsilon).percent])
    return tuple(every.tolist()), tuple(at(epsilon, width).error for width in every.tolist())


@dataclass(frozen=True)
class WidthSearch:
    widths: tuple[Width, ...]
    looked: int
    excess: float
    """How far the variance at its end is above the least one, as a share."""


@lru_cache(maxsize=32)
def found(epsilon: float, algorithm: str) -> WidthSearch:
    """A few of the designs that were better than all before, the first and last among them."""
    trace = Search(algorithm, problem(epsilon), seed=SEED).run()
    rows = trace.improvements
    rows = rows[np.unique(np.linspace(0, len(rows) - 1, FEW).round().astype(int))]
    steps = [trace.step(int(row)) for row in rows]
    designs = [problem(epsilon).design(step.k, step.m, step.y) for step in steps]
    excess = float(trace.best[-1]) / problem(epsilon).floor - 1.0
    return WidthSearch(tuple(map(Width, designs)), len(trace), excess)


def descent(epsilon: float, now: Width, searched: WidthSearch | None) -> Chart:
    least, (widths, errors) = best(epsilon), curve(epsilon)
    data: list[dict[str, Any]] = [
        lines(
            widths, errors, "at each width, with ε used up", RELEASED.line(3),
            hovertemplate="%{y:.4g}",
        ),
        lines(
            [0, 100], [least.error] * 2, f"least possible: {quantity(least.error, UNIT)}",
            {"color": GREY, "width": 2, "dash": "dot"}, hoverinfo="skip",
        ),
        points(
            [least.percent], [least.error], f"best width: {number(least.percent)} %",
            {"color": RELEASED.colour, "symbol": "star", "size": 16}, hoverinfo="skip",
        ),
    ]  # fmt: skip
    if searched is not None:
        data.append(
            scatter(
                [each.percent for each in searched.widths],
                [each.error for each in searched.widths],
                "the search, best so far",
                mode="lines+markers",
                line={"color": LAPLACE.colour, "width": 1.5, "dash": "dash"},
                marker={"color": LAPLACE.colour, "symbol": "diamond-open", "size": 10},
                hovertemplate="%{y:.4g}",
            )
        )
    data.append(
        points([now.percent], [now.error], "your width", TRUE.marker(16), hovertemplate="%{y:.4g}")
    )  # fmt: skip
    tops = [*errors, *(each.error for each in (searched.widths if searched else ()))]
    return Chart(
        "optimum",
        "Typical error at every width",
        "width of the activation (% of all outputs)",
        f"typical error ({UNIT}, logarithmic)",
        data,
        {
            "hovermode": "closest",
            "xaxis": {"range": [0, 100]},
            "yaxis": log_axis(0.85 * least.error, 1.15 * max(tops)),
        },
        f"The error is least, {quantity(least.error, UNIT)}, at a width of "
        f"{number(least.percent)} %, and rises on both sides. Yours, {number(now.percent)} %, has "
        f"{quantity(now.error, UNIT)}.",
        lambda: pd.DataFrame({"width (%)": widths, f"typical error ({UNIT})": errors}),
        height=430,
    )
