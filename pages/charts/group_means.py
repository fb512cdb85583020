"""Means of groups as dots with their intervals, from top to bottom."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pages.charts.bars import NAME, answer_layout, upright_name
from pages.charts.chart import Chart
from pages.charts.theme import BASE, RELEASED, lines, points
from pages.charts.time_ticks import time_axis
from pages.text.values import ValueWords
from pages.text.wording import in_chart, percent

AS_IT_STANDS = "naive reading"
_ROOM = 0.06


@dataclass(frozen=True)
class GroupMean:
    """The mean of one group, and the same of the cells as they stand."""

    name: str
    value: float
    low: float
    high: float
    rows: int
    naive: float
    said: str
    """Value and interval in words."""


def group_chart(
    key: str, groups: Sequence[GroupMean], level: float, words: ValueWords, title: str,
    axes: tuple[str, str],
) -> Chart:  # fmt: skip
    """Values in these words; ``axes``: what is averaged, and by what."""
    places = list(range(len(groups)))
    across: list[Any] = [end for each in groups for end in (each.low, each.high, None)]
    down: list[Any] = [end for place in places for end in (place, place, None)]
    surely = f"{percent(level)} interval"
    look = {"color": RELEASED.colour, "width": 4}
    data = [
        lines(across, down, surely, look, hoverinfo="skip"),
        points(
            [each.value for each in groups], places, "estimated mean", RELEASED.marker(12),
            hoverinfo="skip",
        ),
    ]  # fmt: skip
    apart = [not math.isclose(each.naive, each.value, rel_tol=1e-9) for each in groups]
    naive = [each.naive if other else None for each, other in zip(groups, apart, strict=True)]
    if any(apart):
        data.append(points(naive, places, AS_IT_STANDS, BASE.marker(10), hoverinfo="skip"))
    ends = [
        *(each for each in across if each is not None),
        *(each for each in naive if each is not None),
    ]
    low, high = min(ends), max(ends)
    room = _ROOM * (high - low) or 1.0
    layout = answer_layout([in_chart(each.name, NAME) for each in groups], 1.0)
    layout["xaxis"] = {"range": [low - room, high + room], **time_axis(words, low, high)}
    summary = "; ".join(f"{each.name}: {each.said}" for each in groups)
    height = 190 + 36 * len(groups)
    return Chart(
        key,
        title,
        axes[0],
        upright_name(axes[1], height),
        data,
        layout,
        f"{summary}.",
        lambda: _table(groups, words),
        height=height,
    )


def _table(groups: Sequence[GroupMean], words: ValueWords) -> pd.DataFrame:
    told = words.listed
    return pd.DataFrame(
        {
            "group": [each.name for each in groups],
            words.named("estimated mean"): told([each.value for each in groups]),
            words.named("from"): told([each.low for each in groups]),
            words.named("to"): told([each.high for each in groups]),
            words.named(AS_IT_STANDS): told([each.naive for each in groups]),
            "rows": [each.rows for each in groups],
        }
    )
