"""The answers to a question as they arrived, in bins that never move."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from compdp_core.statistics.describe import Bins
from compdp_core.survey.means import numeric
from compdp_core.survey.question import Question
from compdp_core.validation import Array
from pages.charts.theme import RELEASED, bars, upright
from pages.sections.classroom.large_chart import EDGE, LargeChart, bounds_in_legend
from pages.text.values import ValueWords
from pages.text.wording import count

WITHIN = (20, 16, 12, 10, 8, 6, 5, 4, 3, 2, 1)
"""Bins from bound to bound, the first number that gives no more than that in all."""
MOST = 34
TOPS = (5, 10, 15, 20, 30, 50, 75, 100, 150, 200, 300, 500)
"""Of the axis of answers in a bin."""


def answers_chart(question: Question, values: Array) -> LargeChart:
    """How many of the answers that arrived lie in each bin."""
    words, mechanism = ValueWords(question.unit), numeric(question)
    bins, ends = bins_of(question), mechanism.inputs
    counts = bins.counts(values)
    look = {"width": 0.94 * bins.widths, "hovertemplate": "%{y}"}
    data = [
        bars(bins.middles, counts, "answers as they arrived", RELEASED.bar(), **look),
        bounds_in_legend(ends),
    ]
    table = {
        words.named("from"): bins.edges[:-1],
        words.named("to"): bins.edges[1:],
        "answers": counts,
    }
    return LargeChart(
        "wall-answers",
        "The answers as they arrived",
        words.named("answer, with its noise"),
        "answers",
        data,
        _layout(bins, int(counts.max()), ends),
        _summary(question, values),
        lambda: pd.DataFrame(table),
    )


def bins_of(question: Question) -> Bins:
    """Bins of one width over all that can be drawn, which the answers have no say in. Each bound of
    true answers is an edge, unless bins are wider than from bound to bound or hold several whole
    numbers.
    """
    mechanism = numeric(question)
    (a, b), (low, high) = mechanism.inputs, mechanism.outputs
    if question.plan.kind == "whole":
        return _over(low - 0.5, high + 0.5, a - 0.5, math.ceil((high - low + 1) / MOST))
    widths = ((b - a) / within for within in WITHIN)
    width = next((each for each in widths if (high - low) / each <= MOST - 2), (high - low) / MOST)
    return _over(low, high, a, width)


def _over(low: float, high: float, edge: float, width: float) -> Bins:
    """From one end to the other, with an edge there."""
    before = math.ceil((edge - low) / width - 1e-9)
    after = math.ceil((high - edge) / width - 1e-9)
    return Bins(edge + width * np.arange(-before, after + 1.0))


def shared_axis(question: Question) -> list[float]:
    """From where to where the pictures of answers reach."""
    edges = bins_of(question).edges
    return [float(edges[0]), float(edges[-1])]


def _layout(bins: Bins, most: int, ends: tuple[float, float]) -> dict[str, Any]:
    top = next((each for each in TOPS if each >= most), most)
    return {
        "bargap": 0,
        "xaxis": {"range": [float(bins.edges[0]), float(bins.edges[-1])], "showgrid": False},
        "yaxis": {"range": [0, 1.06 * top], "tickformat": "d", "nticks": 6},
        "shapes": [upright(end, "x", EDGE) for end in ends],
    }


def _summary(question: Question, values: Array) -> str:
    mechanism, words = numeric(question), ValueWords(question.unit)
    low, high = mechanism.inputs
    beyond = int(((values < low) | (values > high)).sum())
    return (
        f"{beyond} of {count(len(values), 'answer')} that arrived lie outside the bounds of true "
        f"answers {words.span(low, high)}, where no true answer does; all lie in "
        f"{words.span(*mechanism.outputs)}."
    )
