"""Noise that is clamped into the bounds afterwards is no longer right on average."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.furniture.chart import Chart
from pages.furniture.theme import LAPLACE, OUTSIDE, RELEASED, TRUE, scatter, tint, upright
from pages.furniture.wording import number, percent, quantity
from pages.learning.dial import dial
from pages.learning.lesson import Lesson, Option, Question
from pages.learning.noise import INPUTS, UNIT, clamped_laplace, composite, laplace

ASKED = 1.0
"""The ε of the question."""
PUPILS = 10_000
BIN = 5
"""Width of a bar (points)."""

VALUE = dial("clamping_value", "True value, in points", 0, 100, 90)
BUDGET = dial("clamping_epsilon", "ε", 0.5, 5.0, 1.0, step=0.5)


def _attempt() -> None:
    left, right = st.columns(2, gap="large")
    with left:
        value = VALUE.draw()
    with right:
        epsilon = BUDGET.draw()
    bias = float(clamped_laplace(epsilon).bias(value))
    below, above = ends(epsilon, value)
    direction = "too low" if bias < 0 else "too high"
    st.markdown(
        f"Clamped: {percent(below)} of all releases become 0 and {percent(above)} become 100. On "
        f"average **{number(value + bias)}**"
        + (f", which is {quantity(abs(bias), UNIT)} {direction}." if abs(bias) > 1e-9 else ".")
        + f" Composite: on average **{number(value)}**."
    )
    _picture(epsilon, value, bias).draw()


def ends(epsilon: float, value: float) -> tuple[float, float]:
    """Chances that plain Laplace noise passes the lower and the upper bound."""
    low, high = INPUTS
    plain = laplace(epsilon)
    below = float(plain.survival(np.array(value - low)))
    return below, float(plain.survival(np.array(high - value)))


def bars(epsilon: float, value: float) -> pd.DataFrame:
    """The chance of each bar, for both mechanisms; what is clamped counts at the ends."""
    low, high = INPUTS
    mechanism = composite(epsilon)
    first = BIN * np.floor(mechanism.outputs[0] / BIN)
    edges = np.arange(first, mechanism.outputs[1] + BIN, BIN)
    inside = (edges[:-1] >= low) & (edges[1:] <= high)
    passed = laplace(epsilon).survival(edges - value)
    clamped = np.where(inside, passed[:-1] - passed[1:], 0.0)
    reach = np.clip(mechanism.mapping.to_domain(edges), -mechanism.design.L, mechanism.design.L)
    reached = mechanism.density().cdf(reach, mechanism.mapped(value))
    return pd.DataFrame(
        {
            "from": edges[:-1],
            "to": edges[1:],
            "clamped": clamped,
            "composite": np.diff(reached),
        }
    )


def _picture(epsilon: float, value: float, bias: float) -> Chart:
    table = bars(epsilon, value)
    middles = (table["from"] + table["to"]) / 2
    reach = [float(table["from"].iloc[0]) - BIN, float(table["to"].iloc[-1]) + BIN]
    below, above = ends(epsilon, value)
    low, high = INPUTS
    data: list[dict[str, Any]] = [
        _bars(middles, table.clamped, "Laplace, clamped", LAPLACE.colour, ""),
        {
            **_bars(
                [low, high], [below, above], "moved to a bound", OUTSIDE.colour, "", width=BIN
            ),
            "marker": OUTSIDE.bar(),
        },
        _mean(value + bias, "", LAPLACE.colour, shown=True),
        _bars(middles, table.composite, "composite", RELEASED.colour, "2"),
        _mean(value, "2", RELEASED.colour, shown=False),
    ]  # fmt: skip
    return Chart(
        "clamping",
        "What comes out, clamped and composite",
        f"number that comes out ({UNIT})",
        "chance (%)",
        {
            "data": data,
            "layout": {
                "bargap": 0,
                "barmode": "overlay",
                "xaxis": {"range": reach, "showticklabels": False, "anchor": "y"},
                "xaxis2": {"range": reach, "anchor": "y2"},
                "yaxis": {"domain": [0.56, 1], "rangemode": "tozero"},
                "yaxis2": {"domain": [0, 0.44], "rangemode": "tozero", "anchor": "x2"},
                "shapes": [upright(value, axis, TRUE.line(2)) for axis in ("x", "x2")],
                "hovermode": "closest",
            },
        },
        f"For the true value {quantity(value, UNIT)} at ε = {number(epsilon)}: clamped Laplace "
        f"releases average {quantity(value + bias, UNIT)}, with {percent(below)} at the lower "
        f"bound and {percent(above)} at the upper; composite releases average "
        f"{quantity(value, UNIT)} and reach beyond the bounds.",
        lambda: table.rename(
            columns={
                "from": f"from ({UNIT})",
                "to": f"to ({UNIT})",
                "clamped": "Laplace, clamped: chance before the bounds",
                "composite": "composite: chance",
            }
        ),
        height=480,
    )


def _bars(
    x: Any, shares: Any, name: str, colour: str, end: str, *, width: float = BIN
) -> dict[str, Any]:
    return {
        "type": "bar",
        "x": x,
        "y": 100 * np.asarray(shares),
        "width": width,
        "name": name,
        "marker": {"color": tint(colour, 0.45), "line": {"width": 0}},
        "hovertemplate": f"%{{x}}: %{{y:.2f}} %<extra>{name}</extra>",
        "xaxis": f"x{end}",
        "yaxis": f"y{end}",
    }


def _mean(at: float, end: str, colour: str, *, shown: bool) -> dict[str, Any]:
    return scatter(
        [at], [0], "average", mode="markers", xaxis=f"x{end}", yaxis=f"y{end}",
        marker={"symbol": "triangle-up", "size": 18, "color": colour,
                "line": {"width": 1.5, "color": "#ffffff"}},
        showlegend=shown, hoverinfo="skip", cliponaxis=False,
    )  # fmt: skip


def _question() -> Question:
    high, middle = INPUTS[1], sum(INPUTS) / 2
    bias = float(clamped_laplace(ASKED).bias(high))
    share = percent(ends(ASKED, high)[1])
    return Question(
        f"{PUPILS:,} pupils all have {number(high)} points. Each result gets Laplace noise at "
        f"ε = {number(ASKED)} and is clamped to 0 … {number(high)}. The mean of the {PUPILS:,} "
        "numbers is about",
        (
            Option(
                number(high),
                f"The noise averages out, but clamping does not: {share} of the numbers would lie "
                f"above {number(high)} and are moved down, and none is moved up to balance it.",
            ),
            Option(
                number(high + bias),
                f"Every one of them is {quantity(-bias, UNIT)} too low on average, so the mean is, "
                "too. More pupils do not help: bias does not average out.",
                right=True,
            ),
            Option(
                number(middle),
                "Only noise without end would bring it to the middle. At this ε clamping pulls "
                f"part of the way, to {number(high + bias)}.",
            ),
            Option(
                "anything, chance decides",
                f"For one pupil, yes. The mean of {PUPILS:,} is steady, to about "
                f"{quantity(_unsteady(), UNIT)}, and steadily wrong.",
            ),
        ),
    )


def _unsteady() -> float:
    """Standard error of the mean of all pupils of the question."""
    return float(np.sqrt(clamped_laplace(ASKED).variance(INPUTS[1]) / PUPILS))


CLAMPING = Lesson(
    key="clamping",
    title="Why clamped noise is biased",
    text="""
The usual noise, called Laplace noise, has no end: a test with 0 to 100 points may come out as 240
or −80. The obvious repair is to clamp the noisy number to 0 … 100. That costs no privacy.

It costs accuracy. Near a bound the noise is cut off on one side only, so what comes out is wrong
**on average**. Such an error is called **bias**.
""",
    task="Move the true value from 50 to an end. Above is clamped noise, below the composite noise "
    "of this app. The dashed line is the true value, the triangle the average of what comes out.",
    attempt=_attempt,
    question=_question,
    settings=(VALUE.setting, BUDGET.setting),
    more=("compare_mechanisms", "See the bias of more mechanisms in Compare mechanisms"),
)
