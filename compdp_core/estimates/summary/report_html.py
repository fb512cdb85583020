"""The figures of a release as one page to read, keep or print: see ``report.html``."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from datetime import datetime
from fractions import Fraction
from functools import cache, partial
from typing import Protocol

from jinja2 import Template

from compdp_core.accounting import decimal_text
from compdp_core.errors import CompdpError
from compdp_core.estimates.likelihood.distribution import Distribution
from compdp_core.estimates.received.table import ReceivedColumn
from compdp_core.estimates.summary.picture import Picture, picture
from compdp_core.estimates.summary.requests import Estimator, Request, figure_name, of_column
from compdp_core.estimates.summary.rows import SummaryRow, rows
from compdp_core.estimates.summary.sentences import remarks, sentence, texts
from compdp_core.report.card_html import KINDS, ends_text, names
from compdp_core.report.html_page import template
from compdp_core.report.version import NAME, version
from compdp_core.text import count, number, percent, plain

NOT_THESE = (
    "They are no true values: each is an estimate, and its interval says how sure it is. Of many "
    "intervals some miss what they are about, and nobody can tell which.",
    "They say nothing about any single row. A released cell is far from the true one; only many of "
    "them together tell something.",
    "Figures of these rows and of a population that they are drawn from are not the same: the "
    "second kind holds only if the rows were drawn from it at random.",
    "True values beyond the bounds on the card count as the bound, and what was missing as the "
    "card says.",
    "A correlation or a slope is no cause.",
    "They hold for this file and this card. Cells that were changed, sorted or left out since the "
    "release make them wrong, and nothing here can see that.",
)


class Distributed(Estimator, Protocol):
    """What knows distributions, too."""

    def distribution(self, column: Hashable) -> Distribution:
        """Of a column."""


@dataclass(frozen=True)
class ColumnPart:
    """One column on the page."""

    label: str
    about: str
    rows: tuple[SummaryRow, ...]
    picture: Picture | None
    untold: str
    """Why there is no picture; empty where none is wanted."""
    remark: str
    axis: str


def report_html(estimates: Distributed, asked: Sequence[Request] = (), title: str = "") -> str:
    """The page of all figures, and of what was ``asked`` besides."""
    card = estimates.received.card
    return _template().render(
        heading=title or card.title or "A released table",
        card=card,
        received=estimates.received,
        when=datetime.fromisoformat(card.released_at),
        level=percent(estimates.level),
        read_with=f"{NAME} {version()}",
        columns=[_part(estimates, column) for column in estimates.received.columns],
        asked=[rows(estimates, request) for request in asked],
        not_these=NOT_THESE,
    )


@cache
def _template() -> Template:
    return template(
        "compdp_core.estimates.summary",
        "report.html",
        at=lambda place: f"{place:.2f}",
        count=count,
        decimal_text=lambda epsilon: decimal_text(Fraction(epsilon)),
        figure_name=figure_name,
        limits=remarks,
        plain=plain,
        sentence=sentence,
        texts=texts,
    )


def _part(estimates: Distributed, column: ReceivedColumn) -> ColumnPart:
    item, shape, untold, remark = column.item, None, "", ""
    if not column.is_category:
        try:
            drawn = estimates.distribution(column.position)
        except CompdpError as refusal:
            untold = f"{refusal}."
        else:
            whole = item.whole or item.kind == "scale" or column.format is not None
            shape = picture(drawn, partial(_text, column), whole=whole) if drawn.told else None
            untold, remark = ("", drawn.note) if drawn.told else (drawn.note, "")
    ends = f"one of {names(item)}" if column.is_category else f"bounds {ends_text(item, 'inputs')}"
    unit = f" ({item.unit})" if item.unit and column.format is None else ""
    named = column.label if unit.strip() in column.label else f"{column.label}{unit}"
    return ColumnPart(
        column.label,
        f"{KINDS[item.kind]}, {ends}; ε of a cell {decimal_text(Fraction(item.epsilon))}",
        tuple(row for each in of_column(column) for row in rows(estimates, each)),
        shape,
        untold,
        remark,
        named,
    )


def _text(column: ReceivedColumn, value: float) -> str:
    """A value as the column writes it."""
    form = column.format
    return number(value, 4) if form is None else form.text(float(round(value)))
