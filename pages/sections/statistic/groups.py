"""In which groups: categories of a public list, or bins between public edges."""

from __future__ import annotations

import streamlit as st

from compdp_core.errors import ParameterError
from compdp_core.statistics import Grouping
from compdp_core.tables import Table
from pages.inputs.options import segments, select
from pages.sections.shared.upload import labels
from pages.sections.statistic import settings as said
from pages.session import faults
from pages.session.state import edits
from pages.text.typed_numbers import parsed

MOST = 100


def groups(table: Table) -> tuple[Grouping | None, bool]:
    """The grouping, if one is wanted, and whether the question is complete in this."""
    if not st.toggle(
        "One answer for each group",
        help="A count for each group is a histogram. Groups share no row; step 3 says what all "
        "answers cost together.",
        **edits(said.GROUPS.name, said.GROUPS.default),
    ):
        return None, True
    segments("Groups are", said.GROUPS_ARE, said.GROUPS_KIND)
    bins = said.value(said.GROUPS_KIND) == "bins"
    left, right = st.columns(2)
    with left:
        hint = "Choose a column"
        position = select("Grouped by", labels(table), said.GROUPS_BY, placeholder=hint)
        st.caption(_OF_BINS if bins else _OF_CATEGORIES)
    with right:
        typed = _edges() if bins else _categories()
    if position is None or not typed:
        what = "edges of its bins, two or more" if bins else "categories"
        st.info(f"Choose a column and type its {what}, to go on.", icon=":material/arrow_upward:")
        return None, False
    if len(typed) > MOST:
        what = "edges" if bins else "categories"
        faults.tell(f"{len(typed)} {what} are too many: list {MOST} at most.")
        return None, False
    by = table.columns[position].label
    found = faults.attempt(lambda: _edged(by, typed) if bins else Grouping(by, typed))
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
    "last one both. Rows below the first edge, above the last one or without a number are in no "
    "answer. A bin without rows gets an answer like any other."
)


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def _categories() -> tuple[str, ...]:
    text = st.text_area(
        "Categories, one a line",
        height=190,
        max_chars=4000,
        placeholder="9a\n9b\n10a",
        **edits(said.CATEGORIES.name, said.CATEGORIES.default),
    )
    return _lines(text)


def _edges() -> tuple[str, ...]:
    text = st.text_area(
        "Edges of the bins, one a line",
        height=190,
        max_chars=4000,
        placeholder="0\n18\n65\n120",
        **edits(said.EDGES.name, said.EDGES.default),
    )
    return _lines(text)


def _edged(by: str, typed: tuple[str, ...]) -> Grouping:
    edges = []
    for text in typed:
        value = parsed(text)
        if value is None:
            raise ParameterError("edges", text, "must be numbers, one a line")
        edges.append(float(value))
    return Grouping(by, edges=tuple(edges))
