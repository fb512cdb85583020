"""The mean after each answer, with its interval narrowing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compdp_core.survey.means import FEWEST, LEVEL, RunningMean, numeric
from compdp_core.survey.question import Question
from pages.charts.theme import RELEASED, lines, points, scatter, tint
from pages.sections.classroom.large_chart import EDGE, LargeChart, bounds_in_legend
from pages.text.values import ValueWords
from pages.text.wording import count, percent

ENDS = (10, 20, 30, 40, 50, 75, 100, 150, 200, 250, 300, 500, 1000)
"""Of the axis of answers: it stands still while a few more arrive."""
MARGIN = 0.04
MEAN, INTERVAL = "mean so far", f"{percent(LEVEL)} interval"


def mean_chart(question: Question, found: RunningMean) -> LargeChart:
    """What is known of the mean after each answer, in the order in which they came."""
    words, ends = ValueWords(question.unit), numeric(question).inputs
    n = np.arange(1, len(found.value) + 1)
    some = n >= FEWEST
    band: dict[str, Any] = {"hoverinfo": "skip", "mode": "lines"}
    band["line"] = {"color": RELEASED.colour, "width": 1}
    filled = {"fill": "tonexty", "fillcolor": tint(RELEASED.colour, 0.28)}
    data = [
        scatter(n[some], found.low[some], "", showlegend=False, **band),
        scatter(n[some], found.high[some], INTERVAL, **filled, **band),
        lines(n, found.value, MEAN, RELEASED.line(4), hovertemplate="%{y:.4g}"),
        points(n[-1:], found.value[-1:], "", RELEASED.marker(16), hoverinfo="skip"),
        bounds_in_legend(ends),
    ]
    data[3]["showlegend"] = False
    table = {
        "answers": n,
        words.named("mean"): found.value,
        words.named("from"): found.low,
        words.named("to"): found.high,
    }
    return LargeChart(
        "wall-mean",
        "Mean after each answer",
        "number of answers",
        words.named("mean"),
        data,
        _layout(len(n), found, ends),
        _summary(question, found),
        lambda: pd.DataFrame(table),
    )


def axis_end(n: int) -> int:
    """The round number of answers up to which an axis reaches.

    >>> [axis_end(n) for n in (1, 10, 11, 200, 2000)]
    [10, 10, 20, 200, 2000]
    """
    return next((end for end in ENDS if end >= n), n)


def _layout(n: int, found: RunningMean, ends: tuple[float, float]) -> dict[str, Any]:
    low, high = min(ends[0], *found.value), max(ends[1], *found.value)
    margin = MARGIN * (high - low)
    return {
        "xaxis": {"range": [0.5, axis_end(n) + 0.5], "tickformat": "d", "zeroline": False},
        "yaxis": {"range": [low - margin, high + margin], "zeroline": False},
        "shapes": [_level(end) for end in ends],
    }


def _level(y: float) -> dict[str, Any]:
    across = {"x0": 0, "x1": 1, "xref": "x domain"}
    return {"type": "line", "y0": y, "y1": y, "yref": "y", "line": EDGE, **across}


def _summary(question: Question, found: RunningMean) -> str:
    words, n = ValueWords(question.unit), len(found.value)
    mean, low, high = found.now
    said = f"After {count(n, 'answer')} the mean is {words.amount(mean)}"
    if n < FEWEST:
        return f"{said}; it takes {FEWEST} for an interval."
    first = found.high[FEWEST - 1] - found.low[FEWEST - 1]
    return (
        f"{said}, with an interval of {words.span(low, high)}: {words.amount(high - low)} wide, "
        f"after {FEWEST} answers it was {words.amount(float(first))}."
    )
