"""Answers of a list: counted as they arrived, and corrected for the noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from compdp_core.estimates.estimate import Estimate
from compdp_core.survey.question import Question
from compdp_core.survey.shares import shares_of_class
from compdp_core.validation import Array
from pages.charts.bars import answer_layout
from pages.charts.theme import BASE, RELEASED, bars, error_bars, level_bars, scatter, tint
from pages.sections.classroom.large_chart import LETTERS, LargeChart
from pages.text.wording import in_chart, percent, span

ARRIVED, FOUND = "counted as it arrived", "corrected, with 95 % interval"
NAME = 18
"""Letters of an answer beside its bars."""
THICK = 0.36
ROOM = 1.2
"""Of the axis for the numbers behind bars."""
TALL, LEAST_TALL, TOGETHER = 130, 44, 420
"""Pixels of an answer at most and at least, and of all of them together."""
FOR_BOTH = 60
"""Pixels of an answer for two numbers behind its bars."""
AROUND = 210
"""Pixels above and below the bars."""


@dataclass(frozen=True)
class WallShares:
    """The shares of one answer."""

    name: str
    seen: float
    """Of the answers that arrived."""
    estimate: Estimate
    """Of the true ones."""


def shares_of(question: Question, values: Array) -> tuple[WallShares, ...]:
    """Those of each answer, in the order of the question; ``values``: places of the answers."""
    estimates = shares_of_class(question, values)
    counts = np.bincount(values.astype(np.intp), minlength=len(question.categories))
    seen = (counts / len(values)).tolist()
    return tuple(
        WallShares(name, share, estimates[name])
        for name, share in zip(question.categories, seen, strict=True)
    )


def wall_shares_chart(rows: Sequence[WallShares]) -> LargeChart:
    """Two bars for each answer."""
    places = np.arange(float(len(rows)))
    upper: Array = places + 0.5 * THICK
    seen = [100 * row.seen for row in rows]
    found = [100 * row.estimate.value for row in rows]
    reach = error_bars(
        [100 * max(row.estimate.high - row.estimate.value, 0) for row in rows],
        RELEASED.colour,
        5,
        arrayminus=[100 * max(row.estimate.value - row.estimate.low, 0) for row in rows],
        width=12,
    )
    look: dict[str, Any] = {"width": THICK, "hoverinfo": "skip"}
    across = {"orientation": "h", "error_x": reach}
    filled = {"color": tint(RELEASED.colour, 0.4), "line": {"width": 2, "color": RELEASED.colour}}
    tall = max(LEAST_TALL, min(TALL, TOGETHER // len(rows)))
    text = [f" {percent(row.seen, 2)}" if tall >= FOR_BOTH else "" for row in rows]
    data = [
        level_bars(seen, places - 0.5 * THICK, ARRIVED, BASE.bar(), text, **look),
        bars(found, upper, FOUND, filled, **across, **look),
        _numbers(rows, upper),
    ]
    return LargeChart(
        "wall-shares",
        "Counted in two ways",
        "share of answers (%)",
        "",
        data,
        _layout(rows),
        "; ".join(map(said, rows)) + ".",
        lambda: _table(rows),
        height=AROUND + tall * len(rows),
    )


def _numbers(rows: Sequence[WallShares], places: Array) -> dict[str, Any]:
    """The estimates, behind their intervals."""
    ends = [100 * max(row.estimate.high, row.estimate.value, 0.0) for row in rows]
    text = [f" <b>{percent(row.estimate.value, 2)}</b>" for row in rows]
    look = {"mode": "text", "textposition": "middle right", "textfont": {"size": LETTERS}}
    return scatter(
        ends, places, "", text=text, showlegend=False, hoverinfo="skip", cliponaxis=False, **look
    )


def _layout(rows: Sequence[WallShares]) -> dict[str, Any]:
    most = max(max(row.seen, row.estimate.value, row.estimate.high) for row in rows)
    least = min(0.0, *(row.estimate.value for row in rows))
    layout = answer_layout([in_chart(row.name, NAME) for row in rows], 100 * ROOM * most)
    layout["xaxis"]["range"][0] = 105 * least
    return layout


def said(row: WallShares) -> str:
    """Both shares of an answer in words."""
    found = row.estimate
    return (
        f"{row.name}: counted as it arrived {percent(row.seen, 2)}, corrected for the noise "
        f"{percent(found.value, 2)} ({span(100 * found.low, 100 * found.high, '%', 2)})"
    )


def _table(rows: Sequence[WallShares]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "answer": [row.name for row in rows],
            "counted as it arrived (%)": [100 * row.seen for row in rows],
            "estimated (%)": [100 * row.estimate.value for row in rows],
            "interval from (%)": [100 * row.estimate.low for row in rows],
            "interval to (%)": [100 * row.estimate.high for row in rows],
        }
    )
