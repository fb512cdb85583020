"""How often a guess about somebody is right, and what it costs, over the number of rows."""

from __future__ import annotations

from typing import Any

import pandas as pd

from pages.charts.chart import Chart
from pages.charts.theme import GAUSSIAN, OUTSIDE, RELEASED, TRUE, bars, points, scatter
from pages.sections.shared.course.examples.noise import UNIT
from pages.sections.shared.course.examples.persons import MOST, WAYS, shown
from pages.text.wording import count, number, percent, quantity


def guesses_and_errors(way: str, epsilon: str, rows: int) -> Chart:
    numbers = list(range(1, MOST + 1))
    every = [shown(way, epsilon, each) for each in numbers]
    now = every[rows - 1]
    guesses, promises = ([100 * getattr(each, of) for each in every] for of in ("guess", "promise"))
    highest = max(shown(each, epsilon, MOST).error for each in WAYS)
    data: list[dict[str, Any]] = [
        scatter(
            numbers, promises, "no guess is right more often", mode="lines",
            line=GAUSSIAN.line(3), hovertemplate="%{y:.3g} %",
        ),
        scatter(
            numbers, guesses, "best guess from all rows", mode="lines+markers",
            line={"color": OUTSIDE.colour, "width": 3}, marker={"color": OUTSIDE.colour, "size": 6},
            hovertemplate="%{y:.3g} %",
        ),
        points(
            [rows], [guesses[rows - 1]], "Ada",
            {"color": TRUE.colour, "symbol": "circle-open", "size": 16, "line": {"width": 3}},
            hoverinfo="skip",
        ),
        bars(
            numbers, [each.error for each in every], "error of one result", RELEASED.bar(),
            yaxis="y2", hovertemplate="%{y:.3g}",
        ),
    ]  # fmt: skip
    return Chart(
        "person",
        "What all of Ada's rows give away",
        "rows of Ada",
        "right guesses (%)",
        data,
        {
            "bargap": 0.35,
            "xaxis": {"range": [0.4, MOST + 0.6], "anchor": "y2", "dtick": 1},
            "yaxis": {"domain": [0.45, 1], "range": [48, 102]},
            "yaxis2": {
                "domain": [0, 0.34],
                "range": [0, 1.15 * highest],
                "title": {"text": f"error ({UNIT})"},
            },
        },
        f"With {count(rows, 'row')} a guess is right {percent(now.guess)} of the time, and never "
        f"more than {percent(now.promise)}; one result is typically off by "
        f"{quantity(now.error, UNIT)}. With {MOST} rows it is {percent(every[-1].guess)} of the "
        f"time, and one result is off by {number(every[-1].error)}.",
        lambda: pd.DataFrame(
            {
                "rows": numbers,
                "right guesses (%)": guesses,
                "at most (%)": promises,
                f"typical error of one result ({UNIT})": [each.error for each in every],
                "ε of Ada": [float(each.of_a_person) for each in every],
            }
        ),
        height=520,
    )
