"""How the true answers are distributed, as far as the noisy ones tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from compdp_core.estimates.likelihood.distribution import Distribution
from compdp_core.survey.means import numeric
from compdp_core.survey.question import Question
from pages.charts.theme import RELEASED, lines, scatter, tint, upright
from pages.sections.classroom.answers_chart import shared_axis
from pages.sections.classroom.large_chart import EDGE, LargeChart, bounds_in_legend
from pages.sections.classroom.result_words import TITLE
from pages.text.values import ValueWords
from pages.text.wording import count, percent


def distribution_chart(question: Question, found: Distribution) -> LargeChart:
    """Shares of answers in bins with their band, on the axis of those that arrived."""
    words, ends = ValueWords(question.unit), numeric(question).inputs
    x = np.repeat(found.edges, 2)[1:-1]
    shares, low, high = (np.repeat(100 * each, 2) for each in (found.shares, found.low, found.high))
    band: dict[str, Any] = {"hoverinfo": "skip", "mode": "lines"}
    band["line"] = {"color": RELEASED.colour, "width": 1, "dash": "dot"}
    filled = {"fill": "tonexty", "fillcolor": tint(RELEASED.colour, 0.28)}
    data = [
        scatter(x, low, "", showlegend=False, **band),
        scatter(x, high, f"{percent(found.level)} band", **filled, **band),
        lines(x, shares, "estimate", RELEASED.line(4), hovertemplate="%{y:.3g} %"),
        bounds_in_legend(ends),
    ]
    table = {
        words.named("from"): found.edges[:-1],
        words.named("to"): found.edges[1:],
        "share of answers (%)": 100 * found.shares,
        "band from (%)": 100 * found.low,
        "band to (%)": 100 * found.high,
    }
    return LargeChart(
        "wall-distribution",
        TITLE,
        words.named("true answer"),
        "share of answers (%)",
        data,
        {
            "xaxis": {"range": shared_axis(question), "showgrid": False},
            "yaxis": {"rangemode": "tozero"},
            "shapes": [upright(end, "x", EDGE) for end in ends],
        },
        _summary(found, words),
        lambda: pd.DataFrame(table),
    )


def _summary(found: Distribution, words: ValueWords) -> str:
    peak = int(np.argmax(found.shares))
    place = words.span(float(found.edges[peak]), float(found.edges[peak + 1]))
    return (
        f"Estimated from {count(found.n, 'answer')} together, never from one: densest in {place}, "
        f"with {percent(found.shares[peak])} of the answers, {percent(found.low[peak])} to "
        f"{percent(found.high[peak])}."
    )
