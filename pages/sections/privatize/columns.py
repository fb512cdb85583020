"""Step 2: which columns, what each holds, between which bounds or out of which list."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from compdp_core.adjacency import Person
from compdp_core.tables import Table
from pages.sections.privatize import settings_file
from pages.sections.privatize.budget import Unit, set_total
from pages.sections.privatize.column import ask_column
from pages.sections.privatize.offered import choose_of
from pages.sections.shared.bounds import offer_sample_bounds
from pages.sections.shared.settings_box import settings_box
from pages.sections.shared.setup import ChosenColumn
from pages.session import faults
from pages.shell.panels import step
from pages.text.wording import enumeration, literal


def columns_step(table: Table, person: Person | None) -> list[ChosenColumn] | None:
    """The chosen columns with their bounds or lists, or None while something is left to set."""
    about = (
        "Bounds and lists of the true values are public: set them from what anyone may know. "
        "Released numbers spread wider than their bounds; step 4 shows how wide."
    )
    with step(2, "Columns and bounds", about):
        settings_box(settings_file.NAME, table, settings_file.take)
        positions = choose_of(table, person)
        if not positions:
            return None
        if 0 in positions and table.format.comment_rows == "keep":
            st.warning(
                "Lines that begin with # are to be kept word for word, and what begins them stands "
                f"in {literal(table.columns[0].label)}, the first column. To privatize it, say in "
                "step 1 that these lines are left out, or rows like the others.",
                icon=":material/warning:",
            )
            return None
        offer_sample_bounds(table, positions)
        each = set_total(Unit(person)) / len(positions)
        found = [ask_column(table, position, each) for position in positions]
        ready = [column for column in found if isinstance(column, ChosenColumn)]
        if len(ready) < len(found):
            _tell_what_is_due(table, positions, found)
            return None
        return ready


def _tell_what_is_due(
    table: Table, positions: Sequence[int], found: Sequence[ChosenColumn | str]
) -> None:
    due: dict[str, list[str]] = {}
    for position, column in zip(positions, found, strict=True):
        if isinstance(column, str):
            due.setdefault(column, []).append(literal(table.columns[position].label))
    said = [f"{what} {enumeration(names)}" for what, names in due.items()]
    st.info(faults.sentence(f"{'; '.join(said)} to go on"), icon=":material/arrow_upward:")
