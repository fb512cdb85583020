"""Which columns are offered: every one but free text and names, and these on demand."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from compdp_core.adjacency import Person
from compdp_core.tables import Table
from compdp_core.tables.column import Column as Profile
from pages.inputs.options import several
from pages.sections.shared.proposed import better_left
from pages.sections.shared.setup import chosen_columns
from pages.sections.shared.upload import stripped
from pages.session.state import edits, recall
from pages.text.wording import count, literal

NAMED = 6
"""Columns that are not offered and are named."""


def choose_of(table: Table, person: Person | None) -> Sequence[int]:
    """The columns to privatize, out of all but those that are better left as they are, or out."""
    by = () if person is None else person.by
    free = [column for column in table.columns if column.label not in by]
    with st.spinner("Looking at what the columns hold …"):
        left = [column for column in free if is_left(table, column)]
    every = recall(offer_all(table), False)
    usable = {column.position: _option(column) for column in free if every or column not in left}
    chosen: list[int] = []
    if usable:
        hint = "Choose one or several; type to search"
        chosen = several(
            "Columns to privatize", usable, chosen_columns(table), [], placeholder=hint
        )
    else:
        st.warning(
            "No column holds numbers, dates or answers that can be privatized. Change how the file "
            "is read, or choose another table.",
            icon=":material/warning:",
        )
    if left:
        _offer_the_rest(table, left)
    if usable and not chosen:
        st.caption(
            "The other columns get no noise: they are written back as they came, or not at all if "
            "you say so in step 6. There it also says which of their cells a spreadsheet would run."
        )
    if usable and person is not None:
        says, shows = ("says", "it shows") if len(person.by) == 1 else ("say", "they show")
        st.caption(
            f"{literal(person.text)} {says} whose a row is and cannot be privatized. In the file "
            f"{shows} which rows are one person's."
        )
    return chosen


def offer_all(table: Table) -> str:
    """Where it is kept whether free text and names are offered, too."""
    return f"{chosen_columns(table)}.all"


def _offer_the_rest(table: Table, left: Sequence[Profile]) -> None:
    """Why some columns are not offered, for their owner, and one press that offers them."""
    why = [f"**{literal(c.label)}**: {literal(better_left(table, c.position))}" for c in left]
    more = [f"and {count(len(left) - NAMED, 'more column')}"] if len(left) > NAMED else []
    st.caption("Not offered: " + "  \n".join([*why[:NAMED], *more]))
    st.toggle(
        "Offer these columns, too",
        help="You can make a list of categories for any column. Names and free text are better "
        "left out of the file.",
        **edits(offer_all(table), False),
    )


def is_left(table: Table, column: Profile) -> bool:
    if column.usable or column.mostly_numbers or stripped(column.position):
        return False
    return bool(better_left(table, column.position))


def _option(column: Profile) -> str:
    return f"{column.label} · looks like an ID" if column.identifier else column.label
