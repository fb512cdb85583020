"""Noise that is clamped into the bounds afterwards is no longer right on average."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.furniture.chart import Chart
from pages.furniture.theme import LAPLACE, OUTSIDE, RELEASED, TRUE, Role, scatter, tint, upright
from pages.furniture.wording import number, percent, quantity, span
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
    left, right = st.columns(2, gap="medium")
    with left:
        value = VALUE.draw()
    with right:
        epsilon = BUDGET.draw()
    bias = float(clamped_laplace(epsilon).bias(value))
    below, above = ends(epsilon, value)
    direction = "too low" if bias < 0 else "too high"
    st.markdown(
        f"Clamped: {percent(below)} of all releases become {number(INPUTS[0])}, and "
        f"{percent(above)} become {number(INPUTS[1])}. On average **{number(value + bias)}**"
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
    reach = [float(table["from"].iloc[0]) - BIN, float(table["to"].iloc[-1]) + BIN]
    below, above = ends(epsilon, value)
    low, high = INPUTS
    within = (table["from"] >= low) & (table["to"] <= high)
    tallest = 100 * float(table.composite.max())
    data: list[dict[str, Any]] = [
        _steps(table[within], "clamped", "Laplace within the bounds", LAPLACE, ""),
        {
            "type": "bar",
            "x": [low, high],
            "y": [100 * below, 100 * above],
            "width": BIN,
            "name": "moved to a bound",
            "marker": OUTSIDE.bar(),
            "hovertemplate": "%{x}: %{y:.1f} %<extra>moved to a bound</extra>",
        },
        _mean(value + bias, "", LAPLACE.colour, shown=True),
        _steps(table, "composite", "composite", RELEASED, "2"),
        _mean(value, "2", RELEASED.colour, shown=False),
    ]
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
                "yaxis": {"domain": [0.58, 0.94], "range": [0, 55]},
                "yaxis2": {"domain": [0, 0.4], "range": [0, 1.2 * tallest], "anchor": "x2"},
                "annotations": [_heading("Laplace, clamped", 1.0), _heading("Composite", 0.46)],
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
        height=450,
    )


def _steps(bins: pd.DataFrame, column: str, name: str, role: Role, end: str) -> dict[str, Any]:
    edges = np.append(bins["from"].to_numpy(), bins["to"].iloc[-1])
    return scatter(
        np.repeat(edges, 2),
        np.r_[0.0, np.repeat(100 * bins[column].to_numpy(), 2), 0.0],
        name,
        mode="lines",
        line={"color": role.colour, "dash": "solid", "width": 2.5},
        fill="tozeroy",
        fillcolor=tint(role.colour, 0.3),
        hoverinfo="skip",
        xaxis=f"x{end}",
        yaxis=f"y{end}",
    )


def _heading(text: str, height: float) -> dict[str, Any]:
    return {
        "text": f"<b>{text}</b>", "x": 0, "xref": "paper", "xanchor": "left", "y": height,
        "yref": "paper", "yanchor": "top", "showarrow": False,
    }  # fmt: skip


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
    less, share = map(percent, ends(ASKED, high))
    return Question(
        f"{PUPILS:,} pupils all have {number(high)} points. Each result gets Laplace noise at "
        f"ε = {number(ASKED)} and is clamped to {span(*INPUTS)}. The mean of the {PUPILS:,} "
        "numbers is about",
        (
            Option(
                number(high),
                f"The noise averages out, but clamping does not: {share} of the numbers would lie "
                f"above {number(high)} and are moved down; only {less} would lie below "
                f"{number(INPUTS[0])} and are moved up.",
            ),
            Option(
                number(high + bias),
                f"Every one of them is {quantity(-bias, UNIT)} too low on average, so the mean is, "
                "too. More pupils do not help: bias does not average out.",
                right=True,
            ),
            Option(
                number(middle),
                "Only infinite noise, at ε = 0, would bring it to the middle. At this ε "
                f"clamping pulls part of the way, to {number(high + bias)}.",
            ),
            Option(
                "anything, chance decides",
                f"For one pupil, anything from {span(*INPUTS)}. The mean of {PUPILS:,} is "
                f"steady, to about {quantity(_unsteady(), UNIT)}, and steadily wrong.",
            ),
        ),
    )


def _unsteady() -> float:
    """Standard error of the mean of all pupils of the question."""
    return float(np.sqrt(clamped_laplace(ASKED).variance(INPUTS[1]) / PUPILS))


def _outside() -> str:
    """How much of plain noise leaves the bounds, at the value that the step begins with."""
    return percent(float(laplace(ASKED).probability_outside(INPUTS, VALUE.setting.default)))


CLAMPING = Lesson(
    key="clamping",
    title="Why clamped noise is biased",
    text=f"""
The usual noise, called Laplace noise, has no end. At ε = {number(ASKED)}, {_outside()} of the
numbers that come out for {quantity(VALUE.setting.default, UNIT)} lie outside {span(*INPUTS)}. The
obvious repair is to clamp them. That costs no privacy: it looks at nothing but the number.

It costs accuracy. Near a bound more noise is cut off on one side than on the other, so
what comes out is wrong **on average**. Such an error is called **bias**.
""",
    task="Move the true value to 50, then to an end. Above is clamped noise; below is the noise of "
    "this app, called composite, which the next step takes apart. "
    "The dashed line is the true value, the triangle the average of what comes out.",
    attempt=_attempt,
    question=_question,
    settings=(VALUE.setting, BUDGET.setting),
    more=("compare_mechanisms", "Compare the bias of more mechanisms"),
)
