"""A release with names that mean something to HTML, spreadsheets and Python, and estimates of it
that are set by hand.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

import compdp_core as cdp
from compdp_core.estimates.estimate import Estimate, EstimateError
from compdp_core.estimates.likelihood.distribution import Distribution
from compdp_core.estimates.received.table import ReceivedTable, received
from compdp_core.estimates.summary.requests import correlation, difference, means, regression
from compdp_core.randomness import SeededSource

NUMBER, CATEGORY, DATE = "=1+1 <b>height</b> (cm)", "smokes\"'; DROP", "born"
TOWN, AGE = 'town & "co"', "age"
YES, NO = 'yes "$x"', "<script>no</script>"
ASKED = (
    correlation(NUMBER, AGE),
    regression(NUMBER, (AGE, (CATEGORY, YES))),
    means(NUMBER, TOWN),
    difference(NUMBER, TOWN, ("Ulm", "Bonn")),
)
ROWS = 300


@cache
def released() -> tuple[bytes, dict[str, Any]]:
    """The file, and its card."""
    rows = np.arange(ROWS)
    frame = pd.DataFrame(
        {
            NUMBER: 150.0 + rows % 40,
            CATEGORY: np.where(rows % 3 == 0, YES, NO),
            DATE: [f"2024-03-{1 + each % 28:02d}" for each in rows],
            TOWN: np.where(rows % 2 == 0, "Ulm", "Bonn"),
            AGE: 20 + rows % 50,
        }
    )
    plans = {
        NUMBER: cdp.ColumnPlan(inputs=(100, 220), epsilon=4, kind="whole"),
        CATEGORY: cdp.ColumnPlan(epsilon=3, kind="category", categories=[YES, NO]),
        DATE: cdp.ColumnPlan(inputs=("2024-03-01", "2024-03-31"), epsilon=4, kind="date"),
    }
    table = cdp.read_csv(frame.to_csv(index=False).encode())
    drawn = cdp.privatize(table, plans, source=SeededSource(5))
    return drawn.csv(), drawn.card


@cache
def as_received() -> ReceivedTable:
    return received(*released())


def estimate(value: float, error: float, **more: Any) -> Estimate:
    given: dict[str, Any] = {"n": ROWS, "method": "by hand", "note": "Of nobody.", "level": 0.95}
    return Estimate(value, error, value - 2 * error, value + 2 * error, **given | more)


@dataclass
class StandIn:
    """Estimates that are set by hand; dates cannot be told."""

    received: ReceivedTable = field(default_factory=as_received)
    level: float = 0.95
    told: bool = True

    def mean(self, column: Hashable, *, about: Any = "rows") -> Estimate:
        if column == DATE:
            raise EstimateError("300 rows at ε = 4 tell no mean: 9,000 would")
        return estimate(168.2371, 1.43, about=about)

    def std(self, column: Hashable) -> Estimate:
        return estimate(11.5, 2.0)

    def quantile(self, column: Hashable, probability: float) -> Estimate:
        if column == DATE:
            written = ("2024-03-15", "2024-03-11", "2024-03-21")
            return estimate(19797.0, 2.0, written=written)
        return estimate(150 + 40 * probability, 3.0)

    def share(self, column: Hashable, category: str) -> Estimate:
        return estimate(0.3333, 0.02)

    def correlation(self, first: Any, second: Any) -> Estimate:
        return estimate(0.66, 0.01)

    def regression(self, outcome: Any, on: Any) -> dict[str, Estimate]:
        names = ["intercept", AGE, f"{CATEGORY}: {YES}"]
        return {name: estimate(0.5, 0.1) for name in names}

    def means(self, column: Hashable, *, by: Hashable) -> dict[str, Estimate]:
        return {"Ulm": estimate(160.0, 1.0), "Bonn": estimate(170.0, 1.0)}

    def difference(self, column: Hashable, *, by: Any, groups: Any) -> Estimate:
        return estimate(-10.0, 1.5)

    def distribution(self, column: Hashable) -> Distribution:
        shares = np.array([0.1, 0.6, 0.3])
        edges = np.linspace(100, 220, 4) if column == 0 else np.linspace(19783, 19813, 4)
        return Distribution(
            edges, shares, shares / 2, shares * 1.5, 0.95, ROWS, self.told, "by hand",
            "Too few rows for a <picture>.",
        )  # fmt: skip
