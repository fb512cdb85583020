"""How many rows of persons a release leaves out: for the owner alone."""

from __future__ import annotations

import numpy as np
import streamlit as st

from compdp_core.adjacency import Person
from compdp_core.release import Plan
from compdp_core.tables import Table
from compdp_core.tables.contributions import persons_of
from pages.session import faults
from pages.session.state import memo
from pages.shell.panels import private
from pages.text.wording import count


def rows_read(table: Table, person: Person | None) -> int:
    """How many rows are read: of each person those there may be at most. Private."""
    if person is None:
        return table.row_count

    def counted() -> int:
        return int(np.minimum(persons_of(table, person.by).rows, person.at_most).sum())

    return memo("person.rows_read", (table, person), counted)


def values_released(table: Table, plan: Plan, present: int) -> int:
    """How many values a column has on average, of so many that are present. Private."""
    share = plan.share * rows_read(table, plan.person) / table.row_count
    return max(1, round(present * share))


def allowed(table: Table, person: Person) -> bool:
    """Whether nobody has more rows than may be, where that is refused; else it is said."""

    def fits() -> bool:
        persons_of(table, person.by).check(person)
        return True

    return bool(faults.attempt(fits))


def rows_left_out(table: Table, person: Person) -> None:
    """What will be left out of this table; nothing is drawn for it."""
    gone = table.row_count - rows_read(table, person)
    persons = persons_of(table, person.by).count
    whole = f"{count(table.row_count, 'row')} of {count(persons, 'person')}"
    with private("rows-left-out", "what one release leaves out"):
        if gone:
            st.markdown(f"Of {whole}, {count(gone, 'row')} will be left out, drawn at random.")
        else:
            st.markdown(f"Of {whole}, none is left out: nobody has more than {person.at_most:,}.")
