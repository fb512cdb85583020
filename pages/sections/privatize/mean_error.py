"""The error of the mean of all rows, by theory."""

from __future__ import annotations

import streamlit as st

from pages.sections.privatize.rehearsal import (
    errors_of_mean,
)
from pages.sections.shared.setup import ChosenColumn, PlannedColumn
from pages.session.state import memo
from pages.text.wording import count, literal, quantity


def mean_of(entry: PlannedColumn, rows: int, column: ChosenColumn) -> None:
    """Noise on every value against noise on the answer, both numbers side by side."""
    local, alone = memo(
        "privatize.mean",
        (entry.plan, rows),
        lambda: errors_of_mean(entry.mechanism, entry.plan.epsilon, rows),
    )
    st.markdown("**If all you need is the mean**")
    left, right = st.columns(2)
    left.metric(
        f"Mean of {count(rows, 'released value')} is off by about",
        quantity(local, literal(column.unit)),
        help="Noise goes on every value (local privacy), and the mean is taken afterwards.",
        border=True,
    )
    right.metric(
        "A mean released by itself is off by about",
        quantity(alone, literal(column.unit)),
        help="Noise goes on the answer alone, at the same ε.",
        border=True,
    )
    st.caption(
        "This page puts noise on every value, so that the rows themselves can be given away. That "
        "costs far more error than noise on one answer: for a mean, release the statistic instead."
    )
