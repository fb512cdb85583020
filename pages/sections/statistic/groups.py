"""In which groups: categories of a public list, or bins between public edges."""

from __future__ import annotations

from functools import partial

import streamlit as st

from compdp_core.statistics import Grouping
from compdp_core.tables import Table
from pages.inputs.links import put
from pages.inputs.options import segments, select
from pages.sections.shared.listing import listed
from pages.sections.shared.setup import setting
from pages.sections.shared.upload import labels
from pages.sections.statistic import settings as said
from pages.sections.statistic.bins import NUMBERS, binned_by, edges, lines, read_of_bins
from pages.session import faults
from pages.session.state import edits, recall

MOST = 100


def groups(table: Table, read: int | None) -> tuple[Grouping | None, bool]:
    """The grouping, if one is wanted, and whether the question is complete in this.

    ``read``: the column that the question reads, of which it was said how.
    """
    if not st.toggle(
        "One answer for each group",
        help="A count for each group is a histogram. Groups share no row; step 3 says what all "
        "answers cost together.",
        **edits(said.GROUPS.name, said.GROUPS.default),
    ):
        return None, True
    segments("Groups are", said.GROUPS_ARE, said.GROUPS_KIND)
    binned = said.value(said.GROUPS_KIND) == "bins"
    left, right = st.columns(2)
    with left:
        hint = "Choose a column"
        position = select("Grouped by", labels(table), said.GROUPS_BY, placeholder=hint)
        reading = (
            read_of_bins(table, position, read) if binned and position is not None else NUMBERS
        )
        st.caption(_OF_BINS if binned else _OF_CATEGORIES)
    with right:
        typed = edges(reading) if binned else _categories(table, position)
    if position is None or not typed or reading.open:
        what = "edges of its bins, two or more" if binned else "categories"
        st.info(f"Choose a column and type its {what}, to go on.", icon=":material/arrow_upward:")
        return None, False
    if len(typed) > MOST:
        what = "edges" if binned else "categories"
        faults.tell(f"{len(typed)} {what} are too many: list {MOST} at most.")
        return None, False
    by = table.columns[position].label
    found = faults.attempt(
        lambda: binned_by(table, position, typed, reading) if binned else Grouping(by, typed)
    )
    return found, found is not None


_OF_CATEGORIES = (
    "The list must be public: type what anyone knows, such as the classes of a school. "
    "It is not read from the table, since that would tell which groups have rows. Rows "
    "of other categories are in no answer: to refuse because of them would tell, without "
    "any noise, that there are some. A group without rows gets an answer like any other. "
    "Cells count as they are written: 9 and 9.0 are two categories."
)
_OF_BINS = (
    "The edges must be public, and not fitted to the table. Each bin holds its lower edge, the "
    "last one both. Rows below the first edge, above the last one or without a value are in no "
    "answer. A bin without rows gets an answer like any other."
)


def _categories(table: Table, position: int | None) -> tuple[str, ...]:
    text = st.text_area(
        "Categories, one a line",
        height=190,
        max_chars=4000,
        placeholder="9a\n9b\n10a",
        **edits(said.CATEGORIES.name, said.CATEGORIES.default),
    )
    if position is not None and (known := _known(table, position)) and known != lines(text):
        st.button(
            "Take the list from Privatize",
            help="The public list of answers that was set for this column there, one text a group.",
            on_click=put,
            args=(said.CATEGORIES.name, "\n".join(known)),
        )
    return lines(text)


def _known(table: Table, position: int) -> tuple[str, ...]:
    """The list of this column on Privatize; none where it was taken from the data."""
    named = partial(setting, table.fingerprint, position)
    return () if recall(named("list.taken"), False) else listed(recall(named("list"), ""))
