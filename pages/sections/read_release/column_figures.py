"""What is asked of one column by itself, and what came of it so far."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from compdp_core.estimates.estimate import About, Estimate
from compdp_core.estimates.likelihood.support import places
from compdp_core.estimates.received.table import ReceivedColumn
from compdp_core.estimates.summary.requests import (
    MOST_PLACES,
    QUARTILES,
    Request,
    above,
    figure_name,
    of_column,
    shares,
)
from compdp_core.estimates.summary.rows import VALUES, SummaryRow
from pages.sections.read_release.answered import answered
from pages.sections.read_release.subject import OpenRelease
from pages.sections.read_release.wanted import Done, Wanted


@dataclass(frozen=True)
class ReadFigure:
    """One figure of a column."""

    request: Request
    name: str
    row: SummaryRow | None
    """None while it is worked out."""

    @property
    def estimate(self) -> Estimate | None:
        """None where there is none, or none yet."""
        return None if self.row is None else self.row.estimate

    @property
    def is_value(self) -> bool:
        """Whether it lies on the axis of the column."""
        return self.request.method in VALUES


def quick_figures(opened: OpenRelease, place: int, about: About) -> list[ReadFigure]:
    """Of a column of numbers mean and standard deviation, of categories the share of each. None of
    a column without any value.
    """
    column = opened.columns[place]
    if np.isnan(column.values).all():
        return []
    said = (column.label,), (("about", about),)
    asked = [Request("mean", *said), Request("std", *said)]
    if column.is_category:
        asked = list(shares(column, about))
    rows = answered(opened, asked, f"column.{place}")
    return [ReadFigure(request, row.figure, row) for request, row in zip(asked, rows, strict=True)]


def slow_figures(wanted: Wanted, done: Done) -> list[ReadFigure]:
    """Quartiles and the share beyond the limit, also while they are worked out."""
    opened = wanted.opened
    return [
        ReadFigure(each, figure_name(each, "", opened.estimates.received), done.rows.get(each))
        for each in wanted.requests
        if each not in wanted.shares
    ]


def share_figures(wanted: Wanted, done: Done) -> list[SummaryRow]:
    """The share of each of few values; none before all are there."""
    rows = [done.rows[each] for each in wanted.shares if each in done.rows]
    return rows if len(rows) == len(wanted.shares) else []


def wanted_of(opened: OpenRelease, place: int, about: About, limit: float | None) -> Wanted:
    """What takes its time of a column of numbers."""
    column = opened.columns[place]
    of_limit = () if limit is None else (above(column, limit, about),)
    quartiles = (Request("quantile", (column.label, share)) for share in QUARTILES)
    each = tuple(shares(column, about)) if len(places(column)) <= MOST_PLACES else ()
    return Wanted(opened, place, (*of_limit, *quartiles, *each), each)


def wanted_for_files(opened: OpenRelease) -> Iterator[Wanted]:
    """What takes its time of all that stands in the files."""
    for place, column in opened.columns.items():
        if not column.is_category:
            slow = (each for each in of_column(column) if is_slow(each, column))
            yield Wanted(opened, place, tuple(slow))


def is_slow(request: Request, column: ReceivedColumn) -> bool:
    """Whether it is worked out by likelihood."""
    return request.method == "quantile" or (request.method == "share" and not column.is_category)
