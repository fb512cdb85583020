"""Which statistic, of which column."""

from __future__ import annotations

import streamlit as st

from compdp_core.statistics import STATISTICS, Count, Median, Statistic, Variance
from compdp_core.tables import Table
from pages.inputs.options import segments, select
from pages.sections.shared.upload import labels
from pages.sections.statistic import settings as said
from pages.sections.statistic.settings import value

TITLES = {
    "count": "Count of rows",
    "sum": "Sum",
    "mean": "Mean",
    "variance": "Variance",
    "minimum": "Minimum",
    "maximum": "Maximum",
    "median": "Median",
    "mode": "Mode: the most frequent value",
}


def which(table: Table) -> tuple[Statistic, int] | None:
    """The statistic and the place of its column; None while there is none."""
    left, right = st.columns(2)
    with left:
        kind = select("What to release", TITLES, said.KIND)
    if STATISTICS[kind] is Count:
        right.caption("A count needs no column. A condition below says which rows count.")
        return Count(), 0
    with right:
        # All of them: which ones look like numbers can turn with one cell.
        hint = "Choose a column of numbers"
        column = select("Of which column", labels(table), said.COLUMN, placeholder=hint)
        st.caption("Read as numbers: a cell that is none counts as missing.")
    statistic = _refined(kind)
    return None if column is None else (statistic, column)


def _refined(kind: str) -> Statistic:
    """The statistic with the choices that some of them need."""
    if STATISTICS[kind] is Variance:
        segments("The variance divides by", {"n": "n", "n-1": "n − 1"}, said.DDOF)
        return Variance(ddof=1 if value(said.DDOF) == "n-1" else 0)
    if STATISTICS[kind] is Median:
        chosen = select("With an even number of rows, the median is", said.MEDIANS, said.MEDIAN)
        return Median(chosen)
    return STATISTICS[kind]()
