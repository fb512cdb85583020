"""What takes its time of a column, part by part, and what is there of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from compdp_core.errors import CompdpError
from compdp_core.estimates.likelihood.distribution import Distribution
from compdp_core.estimates.summary.requests import Request, figure_name
from compdp_core.estimates.summary.rows import SummaryRow, rows
from pages.sections.read_release.subject import OpenRelease
from pages.session.faults import attempted

DISTRIBUTION = "distribution"
Part = str | Request
"""The distribution, or a figure."""
Key = tuple[Any, ...]
Parts = dict[Key, Any]
"""What came of each: a row, or the distribution or why there is none."""


@dataclass(frozen=True)
class Wanted:
    """What is asked of a column."""

    opened: OpenRelease
    place: int
    requests: tuple[Request, ...]
    shares: tuple[Request, ...] = ()
    """Of these the ones for single values."""

    def keys(self) -> dict[Part, Key]:
        """What each part depends on, in the order in which they are worked out."""
        of = (self.opened.estimates.received, self.opened.estimates.level, self.place)
        parts: tuple[Part, ...] = (DISTRIBUTION, *self.requests)
        return {part: (*of, part) for part in parts}

    def work(self, part: Part) -> Any:
        """What comes of a part."""
        estimates = self.opened.estimates
        if isinstance(part, Request):
            return rows(estimates, part)[0]
        return attempted(partial(estimates.distribution, self.place))

    def said(self, part: Part) -> str:
        """A part in words."""
        received = self.opened.estimates.received
        name = figure_name(part, "", received) if isinstance(part, Request) else part
        return f"{name} of {self.opened.columns[self.place].label}"


@dataclass(frozen=True)
class Done:
    """What there is of a column by now."""

    distribution: Distribution | CompdpError | None
    rows: dict[Request, SummaryRow]
