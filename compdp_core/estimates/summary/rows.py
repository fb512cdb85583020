"""All figures of a release as rows, each beside what the column says as it stands."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from compdp_core.accounting.files import not_a_formula
from compdp_core.errors import CompdpError
from compdp_core.estimates.estimate import Estimate, EstimateError
from compdp_core.estimates.likelihood.support import places
from compdp_core.estimates.received.table import ReceivedColumn, ReceivedTable
from compdp_core.estimates.summary import requests
from compdp_core.estimates.summary.naive import naive
from compdp_core.estimates.summary.requests import Estimator, Request, figure_name, subject_name
from compdp_core.tables.value_formats import ValueFormat
from compdp_core.text import number

if TYPE_CHECKING:
    import pandas as pd

VALUES = ("mean", "quantile", "means")
"""What is a value of its column, as a distance of values is not."""


@dataclass(frozen=True)
class SummaryRow:
    """One figure: an estimate or why there is none, and the same read off as it stands."""

    request: Request
    key: str
    """Its name among the estimates of its request: a group, a predictor; else empty."""
    column: str
    kind: str
    """What the column holds; ``untouched`` where it came without noise."""
    unit: str
    """Of the figure; empty for shares and correlations."""
    figure: str
    """What it is, in words."""
    estimate: Estimate | None
    refusal: str
    """Why there is none, and what would help; empty where there is one."""
    naive: float
    """NaN where the cells say nothing."""
    format: ValueFormat | None
    """How it is written; None for plain numbers, shares and distances."""
    places: Mapping[float, str] = field(default_factory=dict)
    """What values of it are called, where these are names and no numbers."""

    def written(self, value: float) -> str:
        """A value of this figure as its column writes it; empty where it has no such form."""
        if value in self.places:
            return f"{number(value)} ({self.places[value]})"
        if self.format is None or not math.isfinite(value):
            return ""
        try:
            return self.format.text(float(round(value)))
        except (CompdpError, OverflowError, ValueError):
            return ""

    def as_dict(self) -> dict[str, Any]:
        """Plain values, with all digits; None where there is none."""
        found = self.estimate
        written = (None,) * 3 if found is None or found.written is None else found.written
        return {
            "column": self.column,
            "kind": self.kind,
            "figure": self.figure,
            "unit": self.unit,
            "value": None if found is None else found.value,
            "standard error": None if found is None else found.standard_error,
            "low": None if found is None else found.low,
            "high": None if found is None else found.high,
            "level": None if found is None else found.level,
            "n": None if found is None else found.n,
            "about": None if found is None else found.about,
            "as it stands": None if math.isnan(self.naive) else self.naive,
            "value written": written[0],
            "low written": written[1],
            "high written": written[2],
            "as it stands written": self.written(self.naive) or None,
            "method": None if found is None else found.method,
            "note": None if found is None else found.note,
            "not said because": self.refusal or None,
        }


@dataclass(frozen=True)
class Summary:
    """Figures in their order."""

    rows: tuple[SummaryRow, ...]

    def __iter__(self) -> Iterator[SummaryRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def frame(self) -> pd.DataFrame:
        """As a pandas frame."""
        import pandas

        return pandas.DataFrame([row.as_dict() for row in self])

    def csv(self) -> str:
        """As CSV with a line for each figure, of whose texts a spreadsheet runs none."""
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        lines = [row.as_dict() for row in self]
        table.writerow(lines[0] if lines else [])
        table.writerows([_harmless(cell) for cell in line.values()] for line in lines)
        return text.getvalue()


def summary(estimates: Estimator, asked: Iterable[Request] = ()) -> Summary:
    """All figures of the released columns, and those that were ``asked`` for besides."""
    every = (*requests.columns(estimates.received), *asked)
    return Summary(tuple(row for request in every for row in rows(estimates, request)))


def rows(estimates: Estimator, request: Request) -> tuple[SummaryRow, ...]:
    """The figures of a request, or one row that says why there are none."""
    received, subject = estimates.received, request.arguments[0]
    found: Mapping[str, Estimate | None]
    can_read = True  # what cannot be said can still be read off, but not what names no column
    try:
        found, refusal = request.ask(estimates), ""
    except CompdpError as refused:
        found, refusal = {"": None}, str(refused)
        can_read = isinstance(refused, EstimateError)
    read = _named_alike(request, naive(request, received) if can_read else {}, list(found))
    return tuple(
        SummaryRow(
            request,
            key,
            subject_name(received, subject),
            _kind(received, subject),
            _unit(received, request, key),
            figure_name(request, key, received),
            estimate,
            refusal,
            read.get(key, math.nan),
            _format(received, request),
            _places(received, request),
        )
        for key, estimate in found.items()
    )


def _named_alike(
    request: Request, read: Mapping[str, float], names: list[str]
) -> Mapping[str, float]:
    """Slopes by the names that the estimates have: the intercept first, then in their order."""
    if request.method != "regression":
        return read
    slopes = [name for name in names if name != "intercept"]
    return dict(zip(["intercept", *slopes], read.values(), strict=False)) if slopes else {}


def _kind(received: ReceivedTable, subject: Any) -> str:
    found = received.find(requests.parts("column", subject)[0])
    return found.item.kind if isinstance(found, ReceivedColumn) else "untouched"


def _unit(received: ReceivedTable, request: Request, key: str) -> str:
    """Of a figure; that of an untouched column is not known."""
    method, given = request.method, request.arguments
    if method in ("share", "correlation"):
        return ""
    own = _unit_of(received, given[0])
    if method != "regression" or key in ("", "intercept"):
        return own
    slopes = {subject_name(received, each): each for each in given[1]}
    per = _unit_of(received, slopes[key]) if key in slopes else ""
    return f"{own or '1'} per {per}" if per else own


def _format(received: ReceivedTable, request: Request) -> ValueFormat | None:
    subject = request.arguments[0]
    is_value = request.method in VALUES and not isinstance(subject, tuple)
    found = received.find(subject) if is_value else 0
    return None if isinstance(found, int) else found.format


def _places(received: ReceivedTable, request: Request) -> dict[float, str]:
    """Of a quantile of a scale: a value of it is one of its places."""
    found = received.find(request.arguments[0]) if request.method == "quantile" else 0
    if isinstance(found, int) or found.item.listed is None:
        return {}
    return {at: name for name, at in places(found).items() if name != f"{at:.15g}"}


def _unit_of(received: ReceivedTable, subject: Any) -> str:
    found = received.find(requests.parts("column", subject)[0])
    if isinstance(found, int) or isinstance(subject, tuple):
        return ""
    return found.item.unit


def _harmless(cell: object) -> object:
    """Numbers are never touched."""
    return not_a_formula(cell) if isinstance(cell, str) else cell
