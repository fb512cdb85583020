"""Bounds read from the data: the published output interval gives both away."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from compdp_core.auditing.attacks import guess_inputs
from compdp_core.mechanisms.composite import CompositeMechanism
from pages.charts.chart import Chart
from pages.charts.theme import OUTSIDE, RELEASED, TRUE, points, scatter
from pages.inputs.mechanisms import rectangle
from pages.sections.audit import settings as to
from pages.sections.audit.controls import beside
from pages.sections.audit.settings import Array
from pages.session.state import edits, keep, recall
from pages.text.wording import number, span

UNIT = "thousand a year"
OTHERS = (21, 24, 27, 31, 34, 38, 45)
"""Seven invented salaries; the eighth is the one under attack."""
TOP, LOWEST, HIGHEST = 68, 46, 99
PUBLIC = (0, 100)
EPSILON = 1.0
CHOSEN = f"{to.PAGE}.top"


def bounds() -> None:
    st.markdown(
        "Eight invented salaries. The owner sets the bounds to the smallest and the largest of "
        "them, and publishes noisy values with the interval that they lie in. ε = 1."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        top = st.slider(f"The top salary ({UNIT})", LOWEST, HIGHEST, **edits(CHOSEN, TOP))
        st.button("One less", icon=":material/remove:", on_click=_move, args=(-1,))
        st.button("One more", icon=":material/add:", on_click=_move, args=(1,))
    read, fixed = rectangle(EPSILON, (OTHERS[0], top)), rectangle(EPSILON, PUBLIC)
    guess = guess_inputs(read.outputs, read.design.input_fraction)
    _chart(top, read, fixed, guess).draw()
    beside(
        f"**The attack.** The outputs {span(*read.outputs, digits=5)} are public. Shrunk about "
        f"their middle to {number(read.design.input_fraction)} of their width, a factor that "
        f"follows from ε, they give {number(guess[0])} and **{number(guess[1])}**: the top salary, "
        "before a single noisy value is looked at. ε never covered the bounds.",
        f"**The fix.** Bounds that anyone may know, {span(*PUBLIC)}: the outputs are "
        f"{span(*fixed.outputs, digits=5)} whatever the top salary is. On Privatize bounds are "
        "never filled in from the data, and peeking is marked as a leak.",
    )


def _move(by: int) -> None:
    keep(CHOSEN, min(max(int(recall(CHOSEN, TOP)) + by, LOWEST), HIGHEST))


def _chart(
    top: int, read: CompositeMechanism, fixed: CompositeMechanism, guess: tuple[float, float]
) -> Chart:
    rows = ("bounds that are public", "bounds from the data")

    def bar(ends: tuple[float, float], row: str, name: str, **more: Any) -> dict[str, Any]:
        return scatter(
            list(ends), [row, row], name, mode="lines+markers",
            line={"color": RELEASED.colour, "width": 5},
            marker={"symbol": "line-ns-open", "size": 16, "color": RELEASED.colour},
            hovertemplate="%{x:.4g}", **more,
        )  # fmt: skip

    people: Array | list[int] = [*OTHERS, top]
    data = [
        bar(fixed.outputs, rows[0], "published output interval"),
        bar(read.outputs, rows[1], "", showlegend=False),
        *(
            points(
                people, [row] * len(people), "salaries (private)", TRUE.marker(9),
                showlegend=row == rows[1], hovertemplate="%{x}",
            )
            for row in rows
        ),
        points(
            list(guess), [rows[1]] * 2, "the attacker's guess",
            {"symbol": "circle-open", "size": 20, "color": OUTSIDE.colour, "line": {"width": 3}},
            hovertemplate="%{x:.4g}",
        ),
    ]  # fmt: skip
    ends = fixed.outputs
    return Chart(
        "audit-bounds",
        "What the published interval gives away",
        f"salary ({UNIT})",
        "where the bounds come from",
        data,
        {
            "hovermode": "closest",
            "xaxis": {"range": [ends[0] - 8, ends[1] + 8]},
            "yaxis": {"type": "category", "range": [-0.6, 1.6], "title": {"text": ""}},
        },
        f"With bounds from the data the attacker guesses {number(guess[1])} for the top salary, "
        f"which is {top}. With public bounds the interval does not depend on it.",
        lambda: pd.DataFrame(
            {
                "bounds": list(rows[::-1]),
                "outputs from": [read.outputs[0], fixed.outputs[0]],
                "outputs to": [read.outputs[1], fixed.outputs[1]],
                "guessed largest": [guess[1], float(PUBLIC[1])],
            }
        ),
        height=330,
    )
