"""What one true answer may turn into: bars for a list of categories, and for places of a scale."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.composite import CompositeMechanism
from pages.charts.chart import Chart
from pages.charts.theme import RELEASED, TRUE, bars, level_bars, lines, upright
from pages.text.values import ValueWords
from pages.text.wording import in_chart, percent

MOST = 16
"""Categories with a bar of their own; all others are alike and share the last one."""
NAME = 22
"""Letters of a name beside a bar."""
LETTER = 7
"""Pixels of a letter of an axis name."""
AROUND = 110
"""Pixels of a chart above and below its bars."""
KEPT, TURNED = "the true answer, kept", "another answer instead"


def answer_chart(
    key: str, mechanism: RandomizedResponse, names: Sequence[str], true: int, title: str, axis: str
) -> Chart:
    """How likely each answer is released where that one is true: a function of ε and the list."""
    kept, other = mechanism.probability_kept, mechanism.probability_other
    shown = list(range(len(names))) if len(names) <= MOST else _around(true)
    labels = [in_chart(names[each], NAME) for each in shown]
    rest = len(names) - len(shown)
    if rest:
        labels.append(f"each of {rest:,} more")
    chances = [kept if each == true else other for each in shown] + [other] * bool(rest)
    places = list(range(len(labels)))
    at = shown.index(true)
    look: dict[str, Any] = {"hoverinfo": "skip", "width": 0.7}
    data = [
        level_bars(
            [100 * chances[place] for place in those],
            those,
            name,
            role.bar(),
            [f" {percent(chances[place])}" for place in those],
            **look,
        )
        for name, role, those in (
            (KEPT, TRUE, [at]),
            (TURNED, RELEASED, [place for place in places if place != at]),
        )
    ]
    labels[at] = f"<b>{labels[at]}</b> (true)"
    others = f"each of {len(names) - 1:,} others" if len(names) > 2 else "the other one"
    summary = (
        f"Where the true answer is {names[true]}, it is released with a probability of "
        f"{percent(kept)}, and {others} with {percent(other)}. "
        "What the table holds has no say in it."
    )
    table = {
        "answer": list(names),
        "probability that it is released (%)": [
            100 * (kept if each == true else other) for each in range(len(names))
        ],
    }
    height = 150 + 30 * len(labels)
    return Chart(
        key,
        title,
        "probability that it is released (%)",
        upright_name(axis, height),
        data,
        answer_layout(labels, 1.3 * 100 * max(kept, other)),
        summary,
        lambda: pd.DataFrame(table),
        height=height,
    )


def upright_name(name: str, height: int) -> str:
    """The name of an axis that stands beside few bars: no longer than they are high."""
    letters = (height - AROUND) // LETTER
    return name if len(name) <= letters else f"{name[: letters - 1].rstrip()}…"


def answer_layout(labels: Sequence[str], right: float) -> dict[str, Any]:
    """Answers from top to bottom, shares from 0 to the right; not above 100 % but for the text."""
    return {
        "hovermode": False,
        "bargap": 0.3,
        "barmode": "overlay",
        "xaxis": {"range": [0, right]},
        "yaxis": {
            "tickvals": list(range(len(labels))),
            "ticktext": list(labels),
            "range": [len(labels) - 0.5, -0.5],
            "showgrid": False,
            "zeroline": False,
        },
    }


def _around(true: int) -> list[int]:
    """The first categories, with the true one among them."""
    first = list(range(MOST))
    return first if true < MOST else [*first[:-1], true]


def scale_chart(
    key: str,
    mechanism: CompositeMechanism,
    value: float,
    words: ValueWords,
    title: str,
    axis: str,
) -> Chart:
    """How likely each whole number is released for one place of a scale."""
    lattice = mechanism.lattice
    outputs = lattice.value(np.arange(lattice.points))
    below = [float(lattice.below(index, value)) for index in range(lattice.points + 1)]
    chances = np.diff(below)
    at = outputs == value
    look: dict[str, Any] = {"width": 0.8, "hovertemplate": "%{y:.3g} %"}
    data = [
        bars(outputs[those], 100 * chances[those], name, role.bar(), **look)
        for name, role, those in (("the true place", TRUE, at), ("another one", RELEASED, ~at))
    ]
    low, high = mechanism.inputs
    edge = {"color": TRUE.colour, "width": 1.5, "dash": "dot"}
    scale = f"your scale {words.span(low, high, bare=True)}"
    data.append(lines([None], [None], scale, edge))  # names the shapes below in the legend
    summary = (
        f"The true place is {words.value(value)}. Released places lie in "
        f"{words.span(*mechanism.outputs, bare=True)} and nowhere else; their mean is the true "
        f"place. The scale itself is {words.span(low, high, bare=True)}, between the dotted lines."
    )
    table = {"released place": outputs, "probability (%)": 100 * chances}
    ticks = {"dtick": 1} if lattice.points <= 16 else {}
    layout = {
        "barmode": "overlay",
        "xaxis": ticks,
        "yaxis": {"rangemode": "tozero"},
        "shapes": [upright(end, "x", edge) for end in (low - 0.5, high + 0.5)],
    }
    return Chart(
        key, title, axis, "probability (%)", data, layout, summary, lambda: pd.DataFrame(table)
    )
