"""What differential privacy promises: what comes out says little about which value went in."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from compdp_core.meaning import odds_factor
from compdp_core.mechanism import CompositeMechanism
from pages.furniture.chart import Chart
from pages.furniture.theme import GAUSSIAN, GREY, RELEASED, scatter, tint, upright
from pages.furniture.wording import number, quantity, span
from pages.learning.dial import dial
from pages.learning.lesson import Lesson, Option, Question
from pages.learning.noise import INPUTS, UNIT, composite

EPSILON = 1.0
ONE, OTHER = 30.0, 70.0
SEEN = 0
"""What came out in the question (points)."""

OUTCOME = dial("promise_outcome", "The number that comes out, in points", -150, 250, 50, step=5)


def _attempt() -> None:
    mechanism = composite(EPSILON)
    outcome = OUTCOME.draw()
    heights = [float(mechanism.pdf(outcome, value=each)) for each in (ONE, OTHER)]
    _verdict(outcome, heights)
    _picture(mechanism, outcome, heights).draw()


def _verdict(outcome: float, heights: list[float]) -> None:
    limit = number(odds_factor(EPSILON))
    likelier, factor = _likelier(heights)
    if factor == 1.0:
        said = (
            f"**{number(outcome)}** comes out equally often for both, and does not tell these two "
            "apart."
        )
    else:
        said = (
            f"**{number(outcome)}** comes out **{number(factor)} times** as often if Ada has "
            f"{quantity(likelier, UNIT)}."
        )
    st.markdown(f"{said} The limit is {limit} times, whatever comes out.")


def _likelier(heights: list[float]) -> tuple[float, float]:
    """The value under which it comes out more often, and how many times as often."""
    return (
        (ONE, heights[0] / heights[1])
        if heights[0] >= heights[1]
        else (OTHER, heights[1] / heights[0])
    )


def _picture(mechanism: CompositeMechanism, outcome: float, heights: list[float]) -> Chart:
    low, high = mechanism.outputs
    x = np.linspace(low, high, 801)
    densities = [np.asarray(mechanism.pdf(x, value=each)) for each in (ONE, OTHER)]
    looks = ((RELEASED, "solid"), (GAUSSIAN, "dash"))
    data: list[dict[str, Any]] = [
        scatter(
            x,
            density,
            f"if Ada has {quantity(value, UNIT)}",
            mode="lines",
            line={"color": role.colour, "dash": dash, "width": 3},
            fill="tozeroy",
            fillcolor=tint(role.colour, 0.15),
            hoverinfo="skip",
        )
        for value, density, (role, dash) in zip((ONE, OTHER), densities, looks, strict=True)
    ]
    data += [
        scatter(
            [outcome],
            [height],
            "its height",
            mode="markers",
            marker={"color": role.colour, "symbol": symbol, "size": 14},
            showlegend=False,
            hoverinfo="skip",
        )
        for height, (role, _), symbol in zip(heights, looks, ("circle", "square"), strict=True)
    ]
    top = max(float(density.max()) for density in densities)
    return Chart(
        "promise",
        "How often each number comes out",
        f"number that comes out ({UNIT})",
        f"probability density (1/{UNIT})",
        {
            "data": data,
            "layout": {
                "xaxis": {"range": [low - 8, high + 8]},
                "yaxis": {"range": [0, 1.15 * top]},
                "shapes": [upright(outcome, "x", {"color": GREY, "width": 2})],
            },
        },
        f"Two densities over {span(low, high, UNIT)}, for {number(ONE)} and {number(OTHER)} "
        f"{UNIT}. At {number(outcome)} their heights are {number(heights[0])} and "
        f"{number(heights[1])}.",
        lambda: pd.DataFrame(
            {f"comes out ({UNIT})": x}
            | {
                f"density if {number(value)} (1/{UNIT})": density
                for value, density in zip((ONE, OTHER), densities, strict=True)
            }
        ),
    )


def _question() -> Question:
    mechanism = composite(EPSILON)
    low, high = (float(mechanism.pdf(SEEN, value=each)) for each in (ONE, OTHER))
    limit = number(odds_factor(EPSILON))
    apart = f"{number(low / high)} times"
    return Question(
        f"The number {number(SEEN)} came out for Ada. What do you know about her result?",
        (
            Option(
                f"It is about {quantity(SEEN, UNIT)}, for noise is right on average.",
                f"Only the average of many such numbers is right. This one can come out for every "
                f"result from "
                f"{span(*mechanism.inputs, UNIT)}.",
            ),
            Option(
                f"It is not {quantity(OTHER, UNIT)}, for {number(SEEN)} lies too far from that.",
                f"{number(SEEN)} comes out for {number(OTHER)}, too, only less often: {apart} less "
                f"than for {number(ONE)}. It could have been that chance.",
            ),
            Option(
                "Nothing at all: noise hides every result completely, whatever it is.",
                f"A little: {number(SEEN)} comes out {apart} as often for {number(ONE)} as for "
                f"{number(OTHER)}. Noise that says nothing would be of no use.",
            ),
            Option(
                f"The odds between any two results moved by at most {limit} times.",
                f"That is the promise, and here it is used up: {number(SEEN)} comes out {apart} as "
                f"often for {number(ONE)} as for {number(OTHER)}. What you believed before still "
                "counts.",
                right=True,
            ),
        ),
    )


PROMISE = Lesson(
    key="promise",
    title="What is promised",
    text=f"""
Ada took a test, with {number(INPUTS[0])} to {number(INPUTS[1])} points. Her result is private. What
is published instead is a number drawn by chance: her result with **noise**.

**Differential privacy** promises that whatever comes out would have come out almost as often for
any other result. “Almost” is a fixed number: no more than {number(odds_factor(EPSILON))} times as
often, in this step. So the **odds** of two results, which say how likely one is against the other,
move by no more than that when the number is seen, and nobody can be sure of Ada's result by it.
""",
    task=f"The two shapes say how often each number comes out if Ada has {number(ONE)} points, and "
    f"if she has {number(OTHER)}. Move the number that came out. Where do the heights differ, and "
    "by how much at most?",
    attempt=_attempt,
    question=_question,
    settings=(OUTCOME.setting,),
    more=("audit", "Put any mechanism's promise to the test in Audit"),
)
