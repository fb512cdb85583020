"""The composite idea: a base that hides, an activation that steers the average."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from pages.furniture import links
from pages.furniture.chart import Chart
from pages.furniture.state import edits
from pages.furniture.theme import BASE, GREY, RELEASED, TRUE, scatter, tint, upright
from pages.furniture.wording import number, percent, quantity, span
from pages.learning.dial import dial
from pages.learning.lesson import Lesson, Option, Question
from pages.learning.noise import UNIT, composite

EPSILON = 1.0
ASKED = 90.0
"""The true value of the question (points)."""
CLOSE = 0.5
"""From here on the average counts as right (points)."""

VALUE = dial("composite_value", "True value, in points", 10, 90, 80)
ACTIVE = links.switch("learn.composite_activation", "composite_activation", False)
CENTRE = dial("composite_centre", "Centre of the activation, in points", -70, 170, 50)


def average(centre: float) -> float:
    """Mean of what comes out when the activation stands there."""
    mechanism = composite(EPSILON)
    middle = sum(mechanism.outputs) / 2
    return middle + mechanism.design.S1 * (centre - middle)


def centre_for(value: float) -> float:
    """Where the mechanism puts its activation for that true value."""
    mechanism = composite(EPSILON)
    density = mechanism.density()
    start = density.start(mechanism.mapped(value))
    return float(mechanism.mapping.to_data(start + mechanism.design.m / 2))


def _attempt() -> None:
    value = VALUE.draw()
    active = st.toggle("Add the activation", **edits(ACTIVE.name, ACTIVE.default))
    centre = CENTRE.draw() if active else None
    _verdict(value, centre)
    _picture(value, centre).draw()


def _verdict(value: float, centre: float | None) -> None:
    middle = sum(composite(EPSILON).outputs) / 2
    if centre is None:
        st.markdown(
            f"The average is **{number(middle)}**, whatever Ada has. Nothing is given away, and "
            "nothing is learned."
        )
        return
    mean = average(centre)
    share = composite(EPSILON).design.S1
    said = (
        f"The average is **{number(mean)}**: {percent(1 - share)} of it from the base at "
        f"{number(middle)}, {percent(share)} from the activation at {number(centre)}."
    )
    if abs(mean - value) <= CLOSE:
        st.success(f"{said} It is right.", icon=":material/my_location:")
    else:
        way = "right" if mean < value else "left"
        st.markdown(f"{said} Move the activation further to the {way}.")


def _picture(value: float, centre: float | None) -> Chart:
    mechanism = composite(EPSILON)
    low, high = mechanism.outputs
    design, scale = mechanism.design, mechanism.mapping.scale
    x = np.linspace(low, high, 401)
    base = np.full_like(x, 1.0 / (high - low))
    data: list[dict[str, Any]] = []
    if centre is None:
        data.append(
            _area(x, base, "base: the same for every result", BASE.line(2), GREY, "tozeroy")
        )
        mean = (low + high) / 2
    else:
        half = design.m / 2 / scale
        edges = np.array([centre - half, centre + half]).clip(low, high)
        x = np.unique(np.concatenate([x, edges - 1e-6, edges + 1e-6]).clip(low, high))
        base = np.full_like(x, design.y * scale)
        inside = np.abs(x - centre) <= half
        both = base + np.where(inside, design.k * scale, 0.0)
        data += [
            _area(x, base, "base: the same for every result", BASE.line(2), GREY, "tozeroy"),
            _area(x, both, "activation: you move it", RELEASED.line(3), RELEASED.colour, "tonexty"),
        ]
        mean = average(centre)
    data.append(
        scatter(
            [mean], [0], f"average {number(mean)}", mode="markers", hoverinfo="skip",
            marker={"symbol": "triangle-up", "size": 20, "color": RELEASED.colour,
                    "line": {"width": 1.5, "color": "#ffffff"}},
            cliponaxis=False,
        )
    )  # fmt: skip
    data.append(scatter([None], [None], f"true value {number(value)}", mode="lines",
                        line=TRUE.line(2)))  # fmt: skip
    return Chart(
        "composite",
        "Base and activation",
        f"number that comes out ({UNIT})",
        f"probability density (1/{UNIT})",
        {
            "data": data,
            "layout": {
                "xaxis": {"range": [low - 8, high + 8]},
                "yaxis": {"range": [0, 1.15 * design.peak * scale]},
                "shapes": [upright(value, "x", TRUE.line(2))],
            },
        },
        f"A base over {span(low, high, UNIT)}"
        + ("" if centre is None else f" and an activation around {quantity(centre, UNIT)}")
        + f". The average is {quantity(mean, UNIT)}, the true value {quantity(value, UNIT)}.",
        lambda: pd.DataFrame(
            {f"comes out ({UNIT})": x}
            | {f"{trace['name']} (1/{UNIT})": trace["y"] for trace in data if len(trace["x"]) > 1}
        ),
    )


def _area(
    x: Any, y: Any, name: str, line: dict[str, Any], colour: str, fill: str
) -> dict[str, Any]:
    return scatter(
        x, y, name, mode="lines", line=line, fill=fill, fillcolor=tint(colour, 0.3),
        hoverinfo="skip",
    )  # fmt: skip


def _question() -> Question:
    mechanism = composite(EPSILON)
    middle, share = sum(mechanism.outputs) / 2, mechanism.design.S1
    where = centre_for(ASKED)
    end = mechanism.inputs[1]
    beyond = mechanism.outputs[1]
    return Question(
        f"Ada has {quantity(ASKED, UNIT)}. The activation holds {percent(share)} of the chance, "
        f"the base the rest. Where must the centre of the activation stand?",
        (
            Option(
                f"at {number(ASKED)}",
                f"Then the average is {number(average(ASKED))}: the base pulls it towards "
                f"{number(middle)}.",
            ),
            Option(
                f"at {number(end)}",
                f"Then the average is {number(average(end))}. The centre has to leave the bounds, "
                "and that is why numbers beyond them can come out.",
            ),
            Option(
                f"at {number(where)}",
                f"From {number(middle)} that is {number(where - middle)} to the right, of which "
                f"{percent(share)} count: {number(ASKED - middle)}. The average is "
                f"{number(average(where))}.",
                right=True,
            ),
            Option(
                f"at {number(beyond)}",
                f"That is the very end. Half of the activation would be cut off, and an average of "
                f"{number(average(beyond))} would be asked for.",
            ),
        ),
    )


COMPOSITE = Lesson(
    key="composite",
    title="The composite idea",
    text="""
Noise that ends somewhere and is right on average: the composite noise reaches both with two parts.

The **base** covers everything that can come out, and is the same for every result: it hides. The
**activation** is put on top of it, and moves with the true value: it brings the average where it
belongs. How much higher the activation may be than the base is what ε allows.
""",
    task="First the base alone: move the true value and watch the average. Add the activation, "
    "and move it until the average is the true value. How far out must it stand?",
    attempt=_attempt,
    question=_question,
    settings=(VALUE.setting, ACTIVE, CENTRE.setting),
    more=("function_lab", "Set height and width of both parts in the Function lab"),
)
