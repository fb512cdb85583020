"""Mean and quartiles with their intervals, over what the released cells have, on one axis."""

from __future__ import annotations

from typing import Any

import pandas as pd

from compdp_core.estimates.summary.sentences import texts
from pages.charts.chart import Chart
from pages.charts.theme import BASE, RELEASED, TRUE, error_bars, lines, points, upright
from pages.charts.time_ticks import time_axis
from pages.sections.read_release.column_figures import ReadFigure
from pages.sections.read_release.subject import OpenRelease
from pages.text.values import ValueWords

APART = 0.17
SEEN, FOUND = "released cells, as they stand", "estimated, with its interval"


def figures_chart(opened: OpenRelease, place: int, figures: list[ReadFigure]) -> Chart:
    """What is a value of the column, from top to bottom."""
    words = opened.words[place]
    shown = [each for each in figures if each.is_value]
    seen = {at: each.row.naive for at, each in enumerate(shown) if each.row is not None}
    sure = [(at, each.estimate) for at, each in enumerate(shown) if each.estimate is not None]
    bounds = opened.bounds(place)
    reach = error_bars(
        [max(each.high - each.value, 0.0) for _, each in sure],
        RELEASED.colour,
        3,
        arrayminus=[max(each.value - each.low, 0.0) for _, each in sure],
        width=6,
    )
    edge: dict[str, Any] = {"color": TRUE.colour, "width": 1.5, "dash": "dot"}
    data = [
        points(
            [each.value for _, each in sure], [at - APART for at, _ in sure], FOUND,
            RELEASED.marker(9), error_x=reach, hoverinfo="skip",
        ),
        points(
            list(seen.values()), [at + APART for at in seen], SEEN,
            BASE.marker(10), hoverinfo="skip",
        ),
        lines([None], [None], f"bounds of true values {words.span(*bounds.as_tuple())}", edge),
    ]  # fmt: skip
    every = [*bounds.as_tuple(), *seen.values()]
    every += [end for _, each in sure for end in (each.low, each.high)]
    margin = 0.04 * (max(every) - min(every))
    ends = min(every) - margin, max(every) + margin
    layout = {
        "hovermode": False,
        "xaxis": {"range": list(ends), **time_axis(words, *ends)},
        "yaxis": {
            "tickvals": list(range(len(shown))),
            "ticktext": [each.name for each in shown],
            "range": [len(shown) - 0.4, -0.6],
            "showgrid": False,
            "zeroline": False,
        },
        "shapes": [upright(end, "x", edge) for end in bounds.as_tuple()],
    }
    said = [
        f"{each.name}: {texts(each.row).interval}, {texts(each.row).naive} in the released cells"
        for each in shown
        if each.row is not None and each.estimate is not None
    ]
    return Chart(
        f"figures-{place}",
        "What the release tells",
        opened.axis(place),
        "",
        data,
        layout,
        f"{'; '.join(said)}.",
        lambda: _table(shown, words),
        height=170 + 52 * len(shown),
    )


def _table(shown: list[ReadFigure], words: ValueWords) -> pd.DataFrame:
    found, named, listed = [each.estimate for each in shown], words.named, words.listed
    return pd.DataFrame(
        {
            "figure": [each.name for each in shown],
            named("estimate"): listed(None if e is None else e.value for e in found),
            named("interval from"): listed(None if e is None else e.low for e in found),
            named("interval to"): listed(None if e is None else e.high for e in found),
            named("released cells"): listed(
                None if each.row is None else each.row.naive for each in shown
            ),
        }
    )
