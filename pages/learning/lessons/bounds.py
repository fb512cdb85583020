"""Bounds: what they cut off against the noise that they cost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from compdp_core.describe import Clamping
from compdp_core.intervals import Interval
from compdp_core.mechanism import CompositeMechanism
from compdp_core.statistics import Mean, PublicFacts
from pages.furniture.chart import Chart
from pages.furniture.theme import BASE, OUTSIDE, RELEASED, TRUE, scatter, upright
from pages.furniture.wording import count, number, quantity
from pages.learning.dial import dial
from pages.learning.lesson import Lesson, Option, Question

MONEY = (0, 5, 5, 10, 10, 10, 15, 15, 15, 20, 20, 20, 25, 25, 30, 30, 35, 40, 60, 130)
"""What each of twenty invented pupils gets in a month (€)."""
UNIT = "€"
EPSILON = 1.0
STEP, MOST = 10, 200
TEACHER = 130
"""The upper bound of the question: the largest value of the class."""

BOUND = dial("bounds_upper", "Upper bound, in €", STEP, MOST, MOST, step=STEP)


@dataclass(frozen=True)
class Cost:
    """What an upper bound does to the mean of the class."""

    clamped: int
    """How many pupils get more."""
    shift: float
    """By how much clamping moves the mean (€)."""
    noise: float
    """Typical size of the noise (€)."""

    @property
    def both(self) -> float:
        """Root of the mean squared error: noise is right on average, so squares add up."""
        return math.hypot(self.shift, self.noise)


@cache
def cost(upper: float) -> Cost:
    """Of the mean released with the bounds 0 and that."""
    interval = Interval(0.0, upper)
    facts = PublicFacts(rows=len(MONEY), bounds=interval)
    mechanism = CompositeMechanism(
        EPSILON, interval, sensitivity=Mean().plan(facts).float_sensitivity
    )
    clamping = Clamping.of(MONEY, interval)
    mean = float(np.mean(MONEY)) + clamping.shift
    return Cost(clamping.above, clamping.shift, math.sqrt(float(mechanism.variance(mean))))


def _attempt() -> None:
    upper = BOUND.draw()
    now = cost(upper)
    moved = (
        "Nobody gets more than that, so clamping costs nothing."
        if not now.clamped
        else f"**{count(now.clamped, 'pupil')}** clamped to {quantity(upper, UNIT)}: that lowers "
        f"the mean by **{quantity(-now.shift, UNIT)}**."
    )
    st.markdown(
        f"{moved} The noise is typically **{quantity(now.noise, UNIT)}**. Both together: "
        f"**{quantity(now.both, UNIT)}**."
    )
    _picture(upper).draw()


def _picture(upper: float) -> Chart:
    bounds = list(range(STEP, MOST + 1, STEP))
    costs = [cost(float(bound)) for bound in bounds]
    now = cost(upper)
    data: list[dict[str, Any]] = [
        *_class(upper),
        _line(bounds, [-each.shift for each in costs], "cut off by clamping", OUTSIDE.line(2.5)),
        _line(bounds, [each.noise for each in costs], "noise", BASE.line(3)),
        _line(bounds, [each.both for each in costs], "both together", RELEASED.line(3.5)),
        scatter([upper], [now.both], "now", mode="markers", marker=RELEASED.marker(14),
                showlegend=False, hoverinfo="skip"),
    ]  # fmt: skip
    reach = [-6, MOST + 6]
    return Chart(
        "bounds",
        "The class, and the error of its released mean",
        "€ in a month (dashed: the upper bound)",
        "typical error (€)",
        {
            "data": data,
            "layout": {
                "xaxis": {"range": reach, "showticklabels": False, "anchor": "y"},
                "xaxis2": {"range": reach, "anchor": "y2"},
                "yaxis": {
                    "domain": [0.74, 1],
                    "range": [0.3, 3.8],
                    "showticklabels": False,
                    "showgrid": False,
                    "zeroline": False,
                    "title": {"text": ""},
                },
                "yaxis2": {"domain": [0, 0.68], "rangemode": "tozero", "anchor": "x2"},
                "shapes": [upright(upper, axis, TRUE.line(2)) for axis in ("x", "x2")],
                "hovermode": "closest",
            },
        },
        f"With the upper bound {quantity(upper, UNIT)}: {count(now.clamped, 'pupil')} above it, "
        f"clamping moves the mean by {quantity(now.shift, UNIT)}, the noise is typically "
        f"{quantity(now.noise, UNIT)}, both together {quantity(now.both, UNIT)}.",
        lambda: pd.DataFrame(
            {
                "upper bound (€)": bounds,
                "pupils above it": [each.clamped for each in costs],
                "shift by clamping (€)": [each.shift for each in costs],
                "typical noise (€)": [each.noise for each in costs],
                "both together (€)": [each.both for each in costs],
            }
        ),
        height=470,
    )


def _class(upper: float) -> list[dict[str, Any]]:
    """One dot a pupil, stacked; those above the bound are crosses that leave a mark on it."""
    heights = [sum(other == value for other in MONEY[:i]) + 1 for i, value in enumerate(MONEY)]
    inside = [(v, h) for v, h in zip(MONEY, heights, strict=True) if v <= upper]
    above = [(v, h) for v, h in zip(MONEY, heights, strict=True) if v > upper]
    looks = (
        (inside, "pupil", TRUE.marker(9)),
        (above, "pupil above the bound",
         {"symbol": "x-thin", "size": 11, "line": {"width": 3, "color": OUTSIDE.colour}}),
    )  # fmt: skip
    return [
        scatter([v for v, _ in some], [h for _, h in some], name, mode="markers", marker=marker,
                hovertemplate=f"%{{x}} €<extra>{name}</extra>")
        for some, name, marker in looks
        if some
    ]  # fmt: skip


def _line(x: list[int], y: list[float], name: str, line: dict[str, Any]) -> dict[str, Any]:
    return scatter(x, y, name, mode="lines", line=line, xaxis="x2", yaxis="y2",
                   hovertemplate=f"bound %{{x}} €: %{{y:.2f}} €<extra>{name}</extra>")  # fmt: skip


def _question() -> Question:
    here = cost(TEACHER)
    return Question(
        f"A teacher takes the largest value of the class, {quantity(TEACHER, UNIT)}, as upper "
        "bound, so that nobody is clamped. What is wrong?",
        (
            Option(
                "The bound itself tells everyone what one pupil gets.",
                "Bounds are public, so they must come from what is public: a law, a scale, last "
                "year's release. Never from the values they protect. The curve above is computed "
                "from the true values, so to choose by it would leak, too.",
                right=True,
            ),
            Option(
                "Nothing: the bound fits this class, and the noise fits the bound.",
                f"Bounds are published with the release. Now everyone knows that somebody gets "
                f"{quantity(TEACHER, UNIT)}, exactly and without noise.",
            ),
            Option(
                "There will be too little noise to hide one pupil.",
                f"The noise follows from the bound: typically {quantity(here.noise, UNIT)} on the "
                "mean. That is as much as ε asks for, with these bounds as with any others.",
            ),
            Option(
                "The mean comes out too small on average.",
                f"Nobody is clamped, so clamping moves the mean by {quantity(here.shift, UNIT)}.",
            ),
        ),
    )


BOUNDS = Lesson(
    key="bounds",
    title="Bounds",
    text=f"""
Noise must hide the largest change that one person can make. So somebody has to say how small and
how large a value can be: the **bounds**. Values beyond a bound are moved to it, which is called
**clamping**.

Here the mean pocket money of {len(MONEY)} pupils is released at ε = {number(EPSILON)}. The lower
bound is 0. A high upper bound leaves every value alone and needs much noise. A low one needs little
noise and cuts off the largest values.
""",
    task="Move the upper bound. Watch the two parts of the error, and find the bound at which both "
    "together are smallest.",
    attempt=_attempt,
    question=_question,
    settings=(BOUND.setting,),
    more=("statistic", "Release the mean of a sample in Release a statistic"),
)
