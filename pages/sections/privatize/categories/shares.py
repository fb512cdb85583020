"""Shares of answers before and after a release: what was true, what the column shows as it stands,
and what can be estimated from it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from compdp_core.estimates.shares import share
from compdp_core.mechanisms.categories import RandomizedResponse
from pages.charts.shares import LABELS, ShareRow, shares_chart
from pages.sections.shared.figures import records
from pages.session.state import memo
from pages.text.values import points
from pages.text.wording import count, percent, span

MOST_ROWS = 12
"""Answers in the picture; the table has all."""


@dataclass(frozen=True)
class AnswerShares:
    """A column of answers before and after, or a rehearsal of it."""

    key: str
    title: str
    label: str
    names: tuple[str, ...]
    mechanism: RandomizedResponse
    released: str
    """What the column that was drawn is called."""


def show_shares(
    subject: AnswerShares, fingerprint: object, both: Callable[[], tuple[Any, Any]]
) -> None:
    """Picture and table of true and drawn codes, which are asked for where the fingerprint is new.

    NaN among the true codes is no answer, and among the drawn ones no value.
    """
    rows = memo(
        f"shares.{subject.key}",
        (subject, fingerprint),
        lambda: share_rows(subject.mechanism, subject.names, *both()),
    )
    shown = rows if len(rows) <= MOST_ROWS else sorted(rows, key=lambda row: -row.true)[:MOST_ROWS]
    shares_chart(subject.key, shown, rows, subject.title, subject.label, subject.released).draw()
    if len(shown) < len(rows):
        st.caption(f"The {MOST_ROWS} most frequent of {count(len(rows), 'answer')}.")
    records([_told(row) for row in rows], f"Shares of each answer, {subject.key}")
    worst = max(rows, key=lambda row: abs(row.seen - row.true))
    st.caption(
        f"Read as it stands, the {subject.released} column is off by {points(abs(worst.bias))} at "
        "worst: each answer is drawn towards an even share. The estimate takes that back, by the "
        "weights that the card names; its interval holds the true share 95 % of the time."
    )


def share_rows(
    mechanism: RandomizedResponse, names: Sequence[str], true: Any, drawn: Any
) -> list[ShareRow]:
    """One row for each answer of the list. Rows without an answer count for each alike."""
    known = true[~np.isnan(true)].astype(np.int64)
    gaps = (true.size - known.size) / len(names)
    before = np.bincount(known, minlength=len(names)) + gaps
    after = np.bincount(drawn[~np.isnan(drawn)].astype(np.int64), minlength=len(names))
    # Of these rows alone, whose true shares stand beside it; rows that were filled vary as if they
    # were drawn from a population.
    found = share(after, mechanism, about="population" if gaps else "rows")
    were = before / before.sum()
    figures = np.column_stack((were, found.released, found.estimates, found.intervals()))
    return [ShareRow(name, *row) for name, row in zip(names, figures.tolist(), strict=True)]


def _told(row: ShareRow) -> dict[str, str]:
    true, seen, found = LABELS
    return {
        "answer": row.name,
        true: percent(row.true),
        seen: percent(row.seen),
        found: percent(row.found),
        "95 % interval": span(100 * row.low, 100 * row.high, "%", 3),
    }
