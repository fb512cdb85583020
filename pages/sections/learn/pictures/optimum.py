"""The error against the width of the hill."""

from __future__ import annotations

from typing import Any

import pandas as pd

from pages.charts.chart import Chart
from pages.charts.theme import GREY, LAPLACE, RELEASED, TRUE, lines, points, scatter
from pages.charts.ticks import log_axis
from pages.sections.learn.examples.noise import UNIT
from pages.sections.learn.examples.widths import Width, WidthSearch, best, curve
from pages.text.wording import number, quantity


def descent(epsilon: float, now: Width, searched: WidthSearch | None) -> Chart:
    """The error at every width, the width of now, and what a search came by."""
    least, (widths, errors) = best(epsilon), curve(epsilon)
    data: list[dict[str, Any]] = [
        lines(
            widths, errors, "at each width, with ε used up", RELEASED.line(3),
            hovertemplate="%{y:.4g}",
        ),
        lines(
            [0, 100], [least.error] * 2, f"least possible: {quantity(least.error, UNIT)}",
            {"color": GREY, "width": 2, "dash": "dot"}, hoverinfo="skip",
        ),
        points(
            [least.percent], [least.error], f"best width: {number(least.percent)} %",
            {"color": RELEASED.colour, "symbol": "star", "size": 16}, hoverinfo="skip",
        ),
    ]  # fmt: skip
    if searched is not None:
        data.append(
            scatter(
                [each.percent for each in searched.widths],
                [each.error for each in searched.widths],
                "the search, best so far",
                mode="lines+markers",
                line={"color": LAPLACE.colour, "width": 1.5, "dash": "dash"},
                marker={"color": LAPLACE.colour, "symbol": "diamond-open", "size": 10},
                hovertemplate="%{y:.4g}",
            )
        )
    data.append(
        points([now.percent], [now.error], "your width", TRUE.marker(16), hovertemplate="%{y:.4g}")
    )  # fmt: skip
    tops = [*errors, *(each.error for each in (searched.widths if searched else ()))]
    return Chart(
        "optimum",
        "Typical error at every width",
        "width of the activation (% of all outputs)",
        f"typical error ({UNIT}, logarithmic)",
        data,
        {
            "hovermode": "closest",
            "xaxis": {"range": [0, 100]},
            "yaxis": log_axis(0.85 * least.error, 1.15 * max(tops)),
        },
        f"The error is least, {quantity(least.error, UNIT)}, at a width of "
        f"{number(least.percent)} %, and rises on both sides. Yours, {number(now.percent)} %, has "
        f"{quantity(now.error, UNIT)}.",
        lambda: pd.DataFrame({"width (%)": widths, f"typical error ({UNIT})": errors}),
        height=430,
    )
