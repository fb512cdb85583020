"""Shares of answers: true ones, those of the released column as it stands, and estimated ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import pandas as pd

from pages.charts.bars import NAME, answer_layout, upright_name
from pages.charts.chart import Chart
from pages.charts.theme import BASE, RELEASED, TRUE, bars, error_bars, points
from pages.text.wording import in_chart, percent, span

LABELS = ("your rows", "released, as it stands", "estimated from it")
_APART = 0.27


class SharesOfAnswer(Protocol):
    """The shares of one answer in a released column, as it stands and estimated from it."""

    @property
    def name(self) -> str: ...
    @property
    def seen(self) -> float: ...
    @property
    def found(self) -> float: ...
    @property
    def low(self) -> float: ...
    @property
    def high(self) -> float: ...


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


def estimated_shares(
    rows: Sequence[SharesOfAnswer], places: Sequence[float], label: str
) -> dict[str, Any]:
    """Marks for the estimated shares, each with its interval."""
    reach = error_bars(
        [100 * max(row.high - row.found, 0) for row in rows],
        RELEASED.colour,
        2,
        arrayminus=[100 * max(row.found - row.low, 0) for row in rows],
    )
    found = [100 * row.found for row in rows]
    return points(found, places, label, RELEASED.marker(9), error_x=reach, hoverinfo="skip")


def shares_layout(rows: Sequence[SharesOfAnswer], longest: float) -> dict[str, Any]:
    """A line an answer, on an axis up to the ``longest`` share; an estimate may lie below 0."""
    most = 100 * max(longest, *(max(row.seen, row.found, row.high) for row in rows))
    layout = answer_layout([in_chart(row.name, NAME) for row in rows], 1.08 * most)
    layout["xaxis"]["range"][0] = 108 * min(0.0, *(row.found - 0.01 for row in rows))
    return layout


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
    data = [
        bars([100 * row.true for row in shown], lower, true, TRUE.bar(), **look),
        bars([100 * row.seen for row in shown], places, seen, BASE.bar(), **look),
        estimated_shares(shown, upper, f"{found}, with 95 % interval"),
    ]
    layout = shares_layout(shown, max(row.true for row in shown))
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
