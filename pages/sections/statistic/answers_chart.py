"""Released answers of all groups with their intervals. Nothing private is in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from compdp_core.release.statistic import Answer
from pages.charts.chart import Chart
from pages.charts.theme import RELEASED, bars, error_bars, points, tint
from pages.text.wording import count, in_chart

INTERVAL = RELEASED.colour


def answers_chart(answers: Mapping[str | None, Answer]) -> Chart:
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
    # A number of rows is a length from zero; a mean is a place.
    counts = plan.statistic == "count"
    look = {"orientation": "h", "width": 0.8, **how}
    data = [
        bars(values, places, name, {"color": tint(RELEASED.colour, 0.55)}, **look)
        if counts
        else points(values, places, name, RELEASED.marker(11), **how)
    ]
    layout = {
        "hovermode": "closest",
        "yaxis": {
            "tickmode": "array",
            "tickvals": list(range(len(named))),
            "ticktext": [in_chart(name, 20) for name in named],
            "range": [len(named) - 0.5, -0.5],
        },
    }
    table = {
        "group": list(named),
        "answer": values,
        "from": [each.interval[0] for each in named.values()],
        "to": [each.interval[1] for each in named.values()],
    }
    unit = f" ({plan.unit})" if plan.unit else ""
    return Chart(
        "groups",
        "Histogram of released counts" if counts else "Released answers by group",
        f"{plan.statistic}{unit}",
        "group",
        data,
        layout,
        f"{count(len(named), 'released answer')}, each with its 95 % interval.",
        lambda: pd.DataFrame(table),
        height=160 + 34 * len(named),
    )
