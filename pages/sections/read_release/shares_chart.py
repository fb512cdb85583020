"""Shares of categories, or of the values of a short scale, with their intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from pages.charts.bars import MOST as MOST
from pages.charts.bars import upright_name
from pages.charts.chart import Chart
from pages.charts.shares import estimated_shares, shares_layout
from pages.charts.theme import BASE, bars
from pages.sections.read_release.subject import OpenRelease
from pages.text.wording import percent, span

_APART = 0.2
SEEN, FOUND = "released cells, as they stand", "estimated from them, with its interval"


@dataclass(frozen=True)
class ReadShare:
    """The share of one category or value."""

    name: str
    seen: float
    """In the released cells."""
    found: float
    low: float
    high: float


def read_shares_chart(
    opened: OpenRelease, place: int, every: Sequence[ReadShare], noun: str
) -> Chart:
    """Bars for the released shares, and beside each a mark with its interval."""
    shown, level = every[:MOST], round(100 * opened.estimates.level)
    if len(every) > MOST:
        shown = sorted(every, key=lambda row: -row.found)[:MOST]
    look: dict[str, Any] = {"orientation": "h", "width": 2 * _APART, "hoverinfo": "skip"}
    at = range(len(shown))
    data = [
        bars([100 * r.seen for r in shown], [a + _APART for a in at], SEEN, BASE.bar(), **look),
        estimated_shares(shown, [a - _APART for a in at], FOUND),
    ]
    said = "; ".join(
        f"{row.name}: {span(100 * row.low, 100 * row.high, '%', 3)}, {percent(row.seen)} of the "
        "released cells"
        for row in shown
    )
    more = f" The {MOST} most frequent of {len(every):,}." if len(every) > MOST else ""
    height = 170 + 44 * len(shown)
    return Chart(
        f"shares-{place}",
        f"Shares, with {level} % intervals",
        "share of rows (%)",
        upright_name(opened.axis(place), height),
        data,
        shares_layout(shown, 0.0),
        f"{said}.{more}",
        lambda: _table(every, noun),
        height=height,
    )


def _table(rows: Sequence[ReadShare], noun: str) -> pd.DataFrame:
    return pd.DataFrame(
        {
            noun: [row.name for row in rows],
            "released cells (%)": [100 * row.seen for row in rows],
            "estimated (%)": [100 * row.found for row in rows],
            "interval from (%)": [100 * row.low for row in rows],
            "interval to (%)": [100 * row.high for row in rows],
        }
    )
