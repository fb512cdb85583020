"""Released answers of all groups with their intervals. Nothing private is in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from compdp_core.release.statistic import Answer
from pages.charts.chart import Chart
from pages.charts.theme import RELEASED, bars, error_bars, points, tint
from pages.charts.time_ticks import time_axis
from pages.text.values import ValueWords
from pages.text.wording import count, in_chart

INTERVAL = RELEASED.colour
LONGEST = 26
"""Letters of the name of a group: two dates fit."""


def answers_chart(answers: Mapping[str | None, Answer], words: ValueWords) -> Chart:
    named = {str(name): each for name, each in answers.items()}
    plan = next(iter(named.values())).plan
    values = [each.value for each in named.values()]
    places = list(range(len(named)))
    name = "released answer, with 95 % interval"
    how: dict[str, Any] = {
        "error_x": error_bars(
            [max(e.interval[1] - e.value, 0.0) for e in named.values()],
            INTERVAL,
            2.5,
            symmetric=False,
            arrayminus=[max(e.value - e.interval[0], 0.0) for e in named.values()],
            width=7,
        ),
        "hovertemplate": "%{x:,.6g}<extra></extra>",
    }
    if words.format is not None:
        how |= {
            "text": [in_chart(words.value(value)) for value in values],
            "hovertemplate": "%{text}<extra></extra>",
        }
    # A number of rows is a length from zero; a mean is a place.
    counts = plan.statistic == "count"
    look = {"orientation": "h", "width": 0.8, **how}
    data = [
        bars(values, places, name, {"color": tint(RELEASED.colour, 0.55)}, **look)
        if counts
        else points(values, places, name, RELEASED.marker(11), **how)
    ]
    ends = [end for each in named.values() for end in (*each.interval, each.value)]
    layout = {
        "hovermode": "closest",
        "xaxis": time_axis(words, min(ends), max(ends)),
        "yaxis": {
            "tickmode": "array",
            "tickvals": list(range(len(named))),
            "ticktext": [in_chart(name, LONGEST) for name in named],
            "range": [len(named) - 0.5, -0.5],
        },
    }
    told = (lambda value: value) if words.format is None else words.value
    table = {
        "group": list(named),
        "answer": [told(each.value) for each in named.values()],
        "from": [told(each.interval[0]) for each in named.values()],
        "to": [told(each.interval[1]) for each in named.values()],
    }
    return Chart(
        "groups",
        "Histogram of released counts" if counts else "Released answers by group",
        words.named(plan.statistic),
        "group",
        data,
        layout,
        f"{count(len(named), 'released answer')}, each with its 95 % interval.",
        lambda: pd.DataFrame(table),
        height=160 + 34 * len(named),
    )
