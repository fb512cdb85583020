"""Which statistic, of which column, in which groups."""

from __future__ import annotations

import streamlit as st

from compdp_core.statistics import STATISTICS, Count, Grouping, Median, Statistic, Variance
from compdp_core.tables import Table
from pages.inputs.options import segments, select
from pages.sections.shared.upload import labels
from pages.sections.statistic import settings as said
from pages.sections.statistic.settings import value
from pages.session import faults
from pages.session.state import edits

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


MOST = 100


def groups(table: Table) -> tuple[Grouping | None, bool]:
    """The grouping, if one is wanted, and whether the question is complete in this."""
    if not st.toggle(
        "One answer for each group",
        help="Groups share no row, so each answer gets the whole ε of step 3; step 3 says what "
        "all of them cost together.",
        **edits(said.GROUPS.name, said.GROUPS.default),
    ):
        return None, True
    left, right = st.columns(2)
    with left:
        hint = "Choose a column"
        position = select("Grouped by", labels(table), said.GROUPS_BY, placeholder=hint)
        st.caption(
            "The list must be public: type what anyone knows, such as the classes of a school. "
            "It is not read from the table, since that would tell which groups have rows. Rows "
            "of other categories are in no answer: to refuse because of them would tell, without "
            "any noise, that there are some. A group without rows gets an answer like any other. "
            "Cells count as they are written: 9 and 9.0 are two categories."
        )
    with right:
        text = st.text_area(
            "Categories, one a line",
            height=190,
            max_chars=4000,
            placeholder="9a\n9b\n10a",
            **edits(said.CATEGORIES.name, said.CATEGORIES.default),
        )
    categories = tuple(line.strip() for line in text.splitlines() if line.strip())
    if position is None or not categories:
        st.info("Choose a column and type its categories to go on.", icon=":material/arrow_upward:")
        return None, False
    if len(categories) > MOST:
        faults.tell(f"{len(categories)} categories are too many: list {MOST} at most.")
        return None, False
    by = table.columns[position].label
    found = faults.attempt(lambda: Grouping(by, categories, "leave out"))
    return found, found is not None
