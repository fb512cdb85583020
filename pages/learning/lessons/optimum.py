"""Optimisation: at a given ε one number is left to choose, and one choice is the best."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from compdp_core.design import Design
from compdp_core.mechanism import CompositeMechanism
from compdp_core.optimize import ALGORITHMS, Problem, Search, optimize
from compdp_core.shapes import pair_named
from pages.furniture import links
from pages.furniture.chart import Chart
from pages.furniture.density_chart import Scene, scene_chart
from pages.furniture.state import edits
from pages.furniture.theme import GREY, LAPLACE, RELEASED, TRUE, scatter
from pages.furniture.ticks import log_axis
from pages.furniture.wording import count, number, percent, quantity, span
from pages.learning.dial import dial
from pages.learning.lesson import Lesson, Option, Question
from pages.learning.noise import INPUTS, UNIT

PAIR = "A1B1"
MIDDLE = 50.0
EPSILONS = ("0.5", "1", "2", "4")
LEAST, MOST = 2, 95
"""Widths that can be set (percent of all outputs)."""
ASKED, WIDE = 1.0, 80
"""ε of the question, and a width that is too wide (percent)."""
NOBODY = "nobody"
SEARCHES = {
    NOBODY: "You alone",
    "enumeration": "The paper's grid",
    "evolution": "Evolution",
}
SEED = 4
FEW = 14
"""Places of a search that are shown."""

BUDGET = links.choice("learn.optimum_epsilon", "optimum_epsilon", EPSILONS, "1")
WIDTH = dial(
    "optimum_width", "Width of the activation, in % of all outputs", LEAST, MOST, 10, step=1
)
SEARCH = links.choice("learn.optimum_search", "optimum_search", tuple(SEARCHES), NOBODY)


@dataclass(frozen=True)
class Place:
    """One width, with everything else as ε allows."""

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


def at(epsilon: float, width: float) -> Place:
    """The design of that width (percent) which uses up ε."""
    return Place(problem(epsilon).design_of(problem(epsilon).tallest, width / 100.0))


@lru_cache(maxsize=len(EPSILONS))
def best(epsilon: float) -> Place:
    return Place(optimize(epsilon, pair_named(PAIR, epsilon)))


# Of public settings alone: no data reaches these.
@lru_cache(maxsize=512)
def _mechanism(epsilon: float, width: float) -> CompositeMechanism:
    return CompositeMechanism.from_design(at(epsilon, width).design, INPUTS)


@lru_cache(maxsize=len(EPSILONS))
def _curve(epsilon: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    widths = np.unique(np.r_[np.linspace(LEAST, MOST, 94), best(epsilon).percent])
    return tuple(widths.tolist()), tuple(at(epsilon, width).error for width in widths.tolist())


@dataclass(frozen=True)
class Found:
    """What a search came by, best so far at each place."""

    places: tuple[Place, ...]
    looked: int
    excess: float
    """How far the variance at its end is above the least one, as a share."""


@lru_cache(maxsize=32)
def found(epsilon: float, algorithm: str) -> Found:
    """A few of the places at which the search found something better, the first and last too."""
    trace = Search(algorithm, problem(epsilon), seed=SEED).run()
    rows = trace.improvements
    rows = rows[np.unique(np.linspace(0, len(rows) - 1, FEW).round().astype(int))]
    steps = [trace.step(int(row)) for row in rows]
    designs = [problem(epsilon).design(step.k, step.m, step.y) for step in steps]
    excess = float(trace.best[-1]) / problem(epsilon).floor - 1.0
    return Found(tuple(map(Place, designs)), len(trace), excess)


def _attempt() -> None:
    left, right = st.columns(2)
    with left:
        budget = st.segmented_control(
            "Privacy budget ε",
            EPSILONS,
            required=True,
            **edits(BUDGET.name, BUDGET.default, allowed=EPSILONS),
        )
    with right:
        search = st.segmented_control(
            "Who searches",
            list(SEARCHES),
            format_func=SEARCHES.__getitem__,
            required=True,
            **edits(SEARCH.name, SEARCH.default, allowed=SEARCHES),
        )
    epsilon = float(budget)
    width = WIDTH.draw()
    now, least = at(epsilon, width), best(epsilon)
    others = None if search == NOBODY else found(epsilon, search)
    st.markdown(_verdict(now, least))
    seen, drawn = st.columns([6, 6], gap="large")
    with seen:
        _descent(epsilon, now, least, others).draw()
    with drawn:
        scene_chart(
            "optimum-density",
            Scene.of(_mechanism(epsilon, width), MIDDLE),
            axis=f"released value ({UNIT})",
            unit=UNIT,
            title=f"Your noise on {quantity(MIDDLE, UNIT)}",
            height=430,
        ).draw()
    if others is not None:
        st.markdown(
            f"**{ALGORITHMS[search].title}** tried {count(others.looked, 'choice')} of heights "
            f"and width and ended with a variance {_gap(others.excess)} above the least. Each "
            "diamond was its best so far. Those above the curve had not used up ε yet."
        )


def _gap(excess: float) -> str:
    return "less than 0.001 %" if excess < 1e-5 else percent(excess, 2)


def _verdict(now: Place, least: Place) -> str:
    more = now.error / least.error - 1.0
    away = (
        "as little as can be, to within a thousandth"
        if more < 1e-3
        else f"{percent(more, 2)} more than the least possible, {quantity(least.error, UNIT)}"
    )
    return (
        f"A width of **{number(now.percent)} %** has a typical error of "
        f"**{quantity(now.error, UNIT)}**, {away}. {percent(now.design.S1)} of releases come from "
        f"the hill, and the results take up {percent(now.design.input_fraction)} of the outputs."
    )


def _descent(epsilon: float, now: Place, least: Place, others: Found | None) -> Chart:
    widths, errors = _curve(epsilon)
    data: list[dict[str, Any]] = [
        scatter(
            widths, errors, "at each width, with ε used up", mode="lines", line=RELEASED.line(3),
            hovertemplate="%{y:.4g}",
        ),
        scatter(
            [0, 100], [least.error] * 2, f"least possible: {quantity(least.error, UNIT)}",
            mode="lines", line={"color": GREY, "width": 2, "dash": "dot"}, hoverinfo="skip",
        ),
        scatter(
            [least.percent], [least.error], f"best width: {number(least.percent)} %",
            mode="markers", marker={"color": RELEASED.colour, "symbol": "star", "size": 16},
            hoverinfo="skip",
        ),
    ]  # fmt: skip
    if others is not None:
        data.append(
            scatter(
                [place.percent for place in others.places],
                [place.error for place in others.places],
                "the search, best so far",
                mode="lines+markers",
                line={"color": LAPLACE.colour, "width": 1.5, "dash": "dash"},
                marker={"color": LAPLACE.colour, "symbol": "diamond-open", "size": 10},
                hovertemplate="%{y:.4g}",
            )
        )
    data.append(
        scatter(
            [now.percent], [now.error], "your width", mode="markers", marker=TRUE.marker(16),
            hovertemplate="%{y:.4g}",
        )
    )  # fmt: skip
    tops = [*errors, *(place.error for place in (others.places if others else ()))]
    return Chart(
        "optimum",
        "Typical error at every width",
        "width of the activation (% of all outputs)",
        f"typical error ({UNIT}, logarithmic)",
        {
            "data": data,
            "layout": {
                "hovermode": "closest",
                "xaxis": {"range": [0, 100]},
                "yaxis": log_axis(0.85 * least.error, min(1.15 * max(tops), 12.0 * least.error)),
            },
        },
        f"The error is least, {quantity(least.error, UNIT)}, at a width of "
        f"{number(least.percent)} %, and rises on both sides. Yours, {number(now.percent)} %, has "
        f"{quantity(now.error, UNIT)}.",
        lambda: pd.DataFrame({"width (%)": widths, f"typical error ({UNIT})": errors}),
        height=430,
    )


def _question() -> Question:
    least, wide = best(ASKED), at(ASKED, WIDE)
    outputs = [_mechanism(ASKED, each).outputs for each in (least.percent, WIDE)]
    return Question(
        f"At ε = {number(ASKED)} the best width is {number(least.percent)} % of the outputs. What "
        f"is wrong with {WIDE} %?",
        (
            Option(
                "The promise is broken: so wide a hill tells more about the true value than ε "
                "allows.",
                "The hill is as high over the floor as before, and only that counts for ε. Width "
                "is free.",
            ),
            Option(
                "The hill has too little room to move, so the outputs must be far wider than the "
                "results.",
                f"From 0 to 100 {UNIT} it has to move, and stay inside. At {WIDE} % that takes "
                f"outputs of {span(*outputs[1], UNIT)}; at the best width, "
                f"{span(*outputs[0], UNIT)}. So the error is {quantity(wide.error, UNIT)} instead "
                f"of {quantity(least.error, UNIT)}.",
                right=True,
            ),
            Option(
                "Too few releases come from the hill, and those from the floor say nothing.",
                f"More do: {percent(wide.design.S1)}, and at the best width "
                f"{percent(least.design.S1)}. That is the mistake of a hill too narrow.",
            ),
            Option(
                "Releases are no longer right on average, as the hill cannot stand far enough out.",
                "They are, at every width: the hill is moved so far that the mean is the true "
                "value.",
            ),
        ),
    )


OPTIMUM = Lesson(
    key="optimum",
    title="The best noise",
    text="""
Take the rectangle on the flat floor. The parts have heights and a width. For the least noise the
whole budget should be used: then ε says how high the hill stands over the floor, and only its
**width** is left to choose.

A narrow hill holds few releases, so most come from the floor and say nothing. A wide hill has
little room to move, so the outputs must be made wider. Between them lies one best width. It can be
computed exactly, and no choice of heights and width does better.
""",
    task="Move the width along the curve. What gets worse to the left of the star, and what to its "
    "right? Then take another ε, and let an algorithm search.",
    attempt=_attempt,
    question=_question,
    settings=(BUDGET, WIDTH.setting, SEARCH),
    more=("optimizer", "Watch five algorithms search in the Optimizer"),
)
