"""Step 7: where this session holds the true table, true figures beside the estimates, for its owner
alone and only when asked for. Nothing of it is in any file, link or other part of the page.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from compdp_core.estimates.received.table import ReceivedColumn
from compdp_core.estimates.summary.naive import read_off
from compdp_core.estimates.summary.requests import Request, columns
from compdp_core.estimates.summary.rows import SummaryRow
from compdp_core.estimates.summary.sentences import texts, told
from compdp_core.release import ReleasedColumn, TableRelease
from compdp_core.validation import Array
from pages.sections.read_release.answered import NAIVE, REFUSED, answered
from pages.sections.read_release.column_figures import is_slow
from pages.sections.read_release.subject import OpenRelease
from pages.sections.shared.figures import records
from pages.sections.shared.kept_release import KeptRelease
from pages.session.state import edits, memo
from pages.shell.panels import private, step
from pages.text.wording import WHO_SEES, count, literal, percent

HINT = "This session made the release and still holds its table. A receiver has no such step."
SWITCH = "received.truth"


def truth_step(opened: OpenRelease) -> None:
    """For the owner, where there is one here."""
    own = opened.own
    if own is None:
        return
    with step(7, "Against the truth", HINT), private("truth", "estimates against true values"):
        on = st.toggle(
            "Lay the true values beside the estimates",
            help="What shows then is private. It is in no file and no link of this page.",
            **edits(SWITCH, False),
        )
        st.caption(WHO_SEES)
        if on:
            _compare(opened, own)


def _compare(opened: OpenRelease, own: KeptRelease) -> None:
    level = f"{percent(opened.estimates.level)} interval"
    asked = [of_rows(each) for each in columns(opened.estimates.received) if _quick(opened, each)]
    found = answered(opened, asked, "truth")
    by_label = {each.label: each for each in own.release.columns}
    true = memo(
        "received.true",
        own,
        lambda: {label: _true(own.release, each) for label, each in by_label.items()},
    )
    records(
        [_line(row, _figure(row, by_label[row.column], true[row.column]), level) for row in found],
        "Estimates and true values",
    )
    filled = [each for each in own.release.columns if each.plan.missing == "fill" and each.missing]
    for column in filled:
        st.caption(
            f"{literal(column.label)}: {count(column.missing, 'cell')} had no value and got one "
            "with the noise, which pulls the estimates away from the true values."
        )
    st.caption(
        "All of it is about the rows that were released, with true values beyond the bounds moved "
        "to them."
    )


def of_rows(request: Request) -> Request:
    """The same of the rows at hand: these are what is known here."""
    return replace(request, options=(("about", "rows"),))


def _quick(opened: OpenRelease, request: Request) -> bool:
    """Means of the rows, standard deviations and shares of categories: what takes no time."""
    column = opened.estimates.received.find(request.arguments[0])
    if isinstance(column, ReceivedColumn) and is_slow(request, column):
        return False
    return request.method in ("std", "share") or request.option("about") == "rows"


def _true(release: TableRelease, column: ReleasedColumn) -> Array:
    """Of the rows that were released, within the bounds; of answers their places in the list."""
    values = column.plan.read(release.table).values
    values = np.where(np.isnan(column.values), np.nan, values)
    if release.kept is not None:
        values = values[release.kept]
    ends = None if column.plan.is_category else column.plan.inputs
    found: Array = values if ends is None else ends.clamp(values)
    return found


def _figure(row: SummaryRow, column: ReleasedColumn, values: Array) -> float:
    if row.request.method == "share" and column.plan.categories is not None:
        at = column.plan.categories.names.index(row.request.arguments[1])
        values = np.where(np.isnan(values), np.nan, values == at)
    return read_off(row.request, values)


def _line(row: SummaryRow, true: float, level: str) -> dict[str, str]:
    said, found = texts(row), row.estimate
    inside = "–" if found is None else "yes" if found.low <= true <= found.high else "no"
    return {
        "column": row.column,
        "figure": row.figure,
        "estimate": said.value if found is not None else REFUSED,
        level: said.interval,
        "true value": told(row, true),
        "in the interval": inside,
        NAIVE: said.naive,
    }
