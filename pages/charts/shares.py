"""Shares of answers: true ones, those of the released column as it stands, and estimated ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pages.charts.bars import NAME, answer_layout, upright_name
from pages.charts.chart import Chart
from pages.charts.theme import BASE, RELEASED, TRUE, bars, error_bars, points
from pages.text.wording import in_chart, percent, span

LABELS = ("your rows", "released, as it stands", "estimated from it")
_APART = 0.27


@dataclass(frozen=True)
class ShareRow:
    """The shares of one answer."""

    name: str
    true: float
    seen: float
    """In the released column."""
    found: float
    """Estimated from it."""
    low: float
    """Lower end of the interval of the estimate."""
    high: float

    @property
    def bias(self) -> float:
        """What a reading of the released column would be off by."""
        return self.seen - self.true


def shares_chart(
    key: str, shown: Sequence[ShareRow], every: Sequence[ShareRow], title: str, axis: str,
    released: str,
) -> Chart:  # fmt: skip
    """Bars for the true shares and for the released ones, and over them a mark with its interval;
    some answers are ``shown``, the table has ``every`` one.
    """
    places = list(range(len(shown)))
    true, seen, found = LABELS
    look: dict[str, Any] = {"orientation": "h", "width": _APART, "hoverinfo": "skip"}
    lower = [place - _APART for place in places]
    upper = [place + _APART for place in places]
    reach = error_bars(
        [100 * max(row.high - row.found, 0) for row in shown],
        RELEASED.colour,
        2,
        arrayminus=[100 * max(row.found - row.low, 0) for row in shown],
    )
    data = [
        bars([100 * row.true for row in shown], lower, true, TRUE.bar(), **look),
        bars([100 * row.seen for row in shown], places, seen, BASE.bar(), **look),
        points(
            [100 * row.found for row in shown], upper, f"{found}, with 95 % interval",
            RELEASED.marker(9), error_x=reach, hoverinfo="skip",
        ),
    ]  # fmt: skip
    ends = [100 * each for row in shown for each in (row.true, row.seen, row.found, row.high)]
    layout = answer_layout([in_chart(row.name, NAME) for row in shown], 1.08 * max(ends))
    layout["xaxis"]["range"][0] = 108 * min(0.0, *(row.found - 0.01 for row in shown))
    summary = "; ".join(
        f"{row.name}: {percent(row.true)} of your rows, {percent(row.seen)} of the {released} "
        f"column, estimated {percent(row.found)} ({span(100 * row.low, 100 * row.high, '%', 3)})"
        for row in shown
    )
    height = 170 + 54 * len(shown)
    return Chart(
        key,
        title,
        "share of rows (%)",
        upright_name(axis, height),
        data,
        layout,
        f"{summary}.",
        lambda: _table(every),
        height=height,
    )


def _table(rows: Sequence[ShareRow]) -> pd.DataFrame:
    true, seen, found = LABELS
    return pd.DataFrame(
        {
            "answer": [row.name for row in rows],
            f"{true} (%)": [100 * row.true for row in rows],
            f"{seen} (%)": [100 * row.seen for row in rows],
            f"{found} (%)": [100 * row.found for row in rows],
            "interval from (%)": [100 * row.low for row in rows],
            "interval to (%)": [100 * row.high for row in rows],
        }
    )
