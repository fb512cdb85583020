"""Local or central: noise on every row and then the mean, or the mean and then noise."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from compdp_core.answer import Forecast, mechanism_for
from compdp_core.intervals import Interval
from compdp_core.meaning import Meaning
from compdp_core.statistics import Mean, Plan, PublicFacts
from pages.furniture import links
from pages.furniture.chart import Chart
from pages.furniture.state import edits
from pages.furniture.theme import GAUSSIAN, RELEASED, TRUE, scatter, upright
from pages.furniture.ticks import log_axis
from pages.furniture.wording import count, number, quantity, span
from pages.learning.lesson import Lesson, Option, Question
from pages.learning.noise import INPUTS, UNIT, composite

Array = NDArray[np.float64]

ROWS = ("10", "20", "50", "100", "200", "500", "1000", "2000", "5000", "10000")
EPSILONS = ("0.5", "1", "2", "4")
REPEATS = 40
"""Classes that are made up for the picture."""
SEED = 1
ASKED, FEW, MANY = 1.0, 100, 10_000
"""ε and numbers of pupils of the question."""
LOCAL, CENTRAL = "local: noise on each result", "central: noise on the mean"

CLASS = links.choice("learn.place_rows", "place_rows", ROWS, "20")
BUDGET = links.choice("learn.place_epsilon", "place_epsilon", EPSILONS, "1")


@dataclass(frozen=True)
class Errors:
    """Typical error of a mean of so many results, both ways (points)."""

    local: float
    central: float

    @property
    def times(self) -> float:
        return self.local / self.central


def plan(rows: int) -> Plan:
    """The mean of so many results: its range and its sensitivity."""
    return Mean().plan(
        PublicFacts(rows=rows, bounds=Interval(*INPUTS), column="results", unit=UNIT)
    )


def results(rows: int) -> Array:
    """Invented results, spread evenly between the bounds."""
    middles = (np.arange(rows) + 0.5) / rows
    return INPUTS[0] + (INPUTS[1] - INPUTS[0]) * middles


# Of public settings alone: no data reaches these.
@lru_cache(maxsize=64)
def errors(epsilon: float, rows: int) -> Errors:
    asked = plan(rows)
    return Errors(
        Meaning(composite(epsilon)).error_of_mean(rows),
        Forecast(asked, mechanism_for(asked, epsilon)).typical_error,
    )


@lru_cache(maxsize=64)
def draws(epsilon: float, rows: int) -> tuple[float, Array, Array]:
    """The true mean of the invented results, and noisy ones: by rows, and of the mean."""
    values = results(rows)
    true = float(values.mean())
    noisy = composite(epsilon).simulate(np.tile(values, REPEATS), seed=SEED)
    answers = mechanism_for(plan(rows), epsilon).simulate(np.full(REPEATS, true), seed=SEED)
    return true, noisy.reshape(REPEATS, rows).mean(axis=1), answers


def _attempt() -> None:
    left, right = st.columns([8, 4])
    with left:
        rows = st.select_slider(
            "Pupils in the class",
            ROWS,
            format_func=lambda text: f"{int(text):,}",
            **edits(CLASS.name, CLASS.default, allowed=ROWS),
        )
    with right:
        budget = st.segmented_control(
            "Privacy budget ε",
            EPSILONS,
            required=True,
            **edits(BUDGET.name, BUDGET.default, allowed=EPSILONS),
        )
    epsilon, size = float(budget), int(rows)
    now = errors(epsilon, size)
    st.markdown(
        f"With **{count(size, 'pupil')}** the mean is typically off by **"
        f"{quantity(now.local, UNIT)}** if each adds noise, and by **"
        f"{quantity(now.central, UNIT)}** if the teacher does: {number(now.times)} times less, at "
        f"the same ε = {number(epsilon)}."
    )
    drawn, grown = st.columns(2, gap="large")
    with drawn:
        _classes(epsilon, size).draw()
    with grown:
        _against_rows(epsilon, size).draw()


def _classes(epsilon: float, rows: int) -> Chart:
    """Every dot is the mean that one class would publish."""
    true, local, central = draws(epsilon, rows)
    half = 3.0 * errors(epsilon, int(ROWS[0])).local
    lanes = ((LOCAL, local, 1.0, GAUSSIAN), (CENTRAL, central, 0.0, RELEASED))
    # Dots of one lane stand above each other in the order of their draws, so that all are seen.
    lift = np.linspace(-0.3, 0.3, REPEATS)
    data: list[dict[str, Any]] = [
        scatter(
            means,
            lane + lift,
            name,
            mode="markers",
            marker=role.marker(7),
            hovertemplate="%{x:.4g}",
        )
        for name, means, lane, role in lanes
    ]
    data.append(
        scatter([None], [None], f"true mean {number(true)}", mode="lines", line=TRUE.line(2))
    )
    spread = [float(np.sqrt(np.mean((means - true) ** 2))) for means in (local, central)]
    return Chart(
        "place-classes",
        f"The means that {REPEATS} such classes publish",
        f"published mean ({UNIT})",
        "",
        {
            "data": data,
            "layout": {
                "hovermode": "closest",
                "xaxis": {"range": [true - half, true + half]},
                "yaxis": {
                    "range": [-0.6, 1.6],
                    "showticklabels": False,
                    "showgrid": False,
                    "zeroline": False,
                },
                "shapes": [upright(true, "x", TRUE.line(2))],
            },
        },
        f"Around the true mean {number(true)} the {REPEATS} simulated means lie off by "
        f"{quantity(spread[0], UNIT)} with noise on each result, and by "
        f"{quantity(spread[1], UNIT)} with noise on the mean.",
        lambda: pd.DataFrame({f"{LOCAL} ({UNIT})": local, f"{CENTRAL} ({UNIT})": central}),
        height=430,
    )


def _against_rows(epsilon: float, rows: int) -> Chart:
    sizes = [int(text) for text in ROWS]
    every = [errors(epsilon, size) for size in sizes]
    now = errors(epsilon, rows)
    local, central = ([getattr(each, way) for each in every] for way in ("local", "central"))
    data = [
        scatter(
            sizes,
            heights,
            name,
            mode="lines+markers",
            line=role.line(3),
            marker=role.marker(7),
            hovertemplate="%{y:.3g}",
        )
        for name, heights, role in ((LOCAL, local, GAUSSIAN), (CENTRAL, central, RELEASED))
    ]
    data.append(
        scatter(
            [rows, rows],
            [now.local, now.central],
            "this class",
            mode="markers",
            marker={
                "color": TRUE.colour,
                "symbol": "circle-open",
                "size": 16,
                "line": {"width": 3},
            },
            hoverinfo="skip",
        )
    )
    return Chart(
        "place-rows",
        "Typical error against the number of pupils",
        "pupils (number, logarithmic)",
        f"typical error ({UNIT}, logarithmic)",
        {
            "data": data,
            "layout": {
                "xaxis": log_axis(0.85 * sizes[0], 1.18 * sizes[-1]),
                "yaxis": log_axis(min(central) / 1.5, 1.5 * max(local)),
            },
        },
        f"From {sizes[0]} to {sizes[-1]:,} pupils the error falls from {number(local[0])} to "
        f"{number(local[-1])} {UNIT} with noise on each result, and from {number(central[0])} to "
        f"{number(central[-1])} with noise on the mean.",
        lambda: pd.DataFrame(
            {"pupils": sizes, f"{LOCAL} ({UNIT})": local, f"{CENTRAL} ({UNIT})": central}
        ),
        height=430,
    )


def _question() -> Question:
    few, many = errors(ASKED, FEW), errors(ASKED, MANY)
    local, central = few.local / many.local, few.central / many.central
    told = (
        f"Noise on each result: from {number(few.local)} to {quantity(many.local, UNIT)}. Noise "
        f"on the mean: from {number(few.central)} to {quantity(many.central, UNIT)}."
    )
    short, far = number(local, 2), number(central, 2)
    share = number(float(plan(FEW).sensitivity))
    return Question(
        f"{MANY:,} pupils instead of {FEW}, at ε = {number(ASKED)}. How many times smaller is the "
        "error of the mean?",
        (
            Option(
                f"About {short} times, either way.",
                f"That is so with noise on each result: with {count(MANY // FEW, 'time')} as many "
                f"pupils the noise in their mean falls by the root, {short} times. With noise on "
                f"the mean it is more. {told}",
            ),
            Option(
                f"About {far} times with noise on each result, {short} times with noise on the "
                "mean.",
                f"The other way round. {told}",
            ),
            Option(
                f"About {short} times with noise on each result, {far} times with noise on the "
                "mean.",
                f"{told} One pupil moves a mean of {FEW} by {share} {UNIT} at most, and one "
                f"of {MANY:,} by {quantity(float(plan(MANY).sensitivity), UNIT)}: there is "
                "less to hide.",
                right=True,
            ),
            Option(
                "It stays the same, for ε stays the same.",
                f"ε stays, and the error falls: more pupils hide each other. {told}",
            ),
        ),
    )


PLACE = Lesson(
    key="place",
    title="Local or central",
    text=f"""
Ada's class wants to publish the **mean** of its results. Where does the noise go?

- **Local**: each pupil adds noise to the result before handing it in. Nobody has to be
  trusted, not even the teacher. In the mean of all, noise cancels in part.
- **Central**: all hand the true results to the teacher, who adds noise to the mean alone. One pupil
  moves a mean only a little, so little noise hides it. But the teacher sees everything, and has to
  be trusted. So does the computer.

Both give each pupil the same promise about what is published. Results lie in
{span(*INPUTS, UNIT)}; those here are invented.
""",
    task="Let the class grow. Each dot is the mean that one such class would publish. Which dots "
    "close in on the true mean first? How large must a class be until local noise is typically "
    "off by less than 2 points?",
    attempt=_attempt,
    question=_question,
    settings=(CLASS, BUDGET),
    more=("statistic", "Release a mean or a count in Release a statistic"),
)
