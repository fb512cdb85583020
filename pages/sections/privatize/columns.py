"""Step 2: which columns, between which bounds, and what becomes of missing values."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from compdp_core.adjacency import Person
from compdp_core.tables import Table
from compdp_core.tables.column import Column as Profile
from pages.inputs.options import several
from pages.sections.privatize import settings_file
from pages.sections.shared.bounds import bound_fields, offer_sample_bounds
from pages.sections.shared.cells import cells_of
from pages.sections.shared.owner import declared, owner_view
from pages.sections.shared.settings_box import settings_box
from pages.sections.shared.setup import ChosenColumn, chosen_columns, setting
from pages.sections.shared.upload import read_column, stripped
from pages.session.state import edits
from pages.shell.panels import step
from pages.text.wording import in_label, literal


def columns_step(table: Table, person: Person | None) -> list[ChosenColumn] | None:
    """The chosen columns with their bounds, or None while something is left to set."""
    about = (
        "Bounds of the true values are public: set them from what anyone may know. "
        "Released values spread wider; step 4 shows how wide."
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
        found = [_column(table, position) for position in positions]
        ready = [column for column in found if column is not None]
        if len(ready) < len(found):
            left = [
                literal(table.columns[p].label)
                for p, c in zip(positions, found, strict=True)
                if c is None
            ]
            st.info(
                f"Set both bounds of {' and of '.join(left)} to go on.",
                icon=":material/arrow_upward:",
            )
            return None
        return ready


def _column(table: Table, position: int) -> ChosenColumn | None:
    profile, affix = read_column(table, position)

    def named(name: str) -> str:
        return setting(table.fingerprint, position, name)

    called = in_label(profile.label, f"column {position + 1}")
    with st.container(border=True, key=f"column-{position}"):
        st.markdown(f"**{literal(profile.label)}**")
        if profile.identifier:
            st.warning(
                f"This looks like an ID ({profile.identifier}). Noise does not protect who is "
                "who: an ID is better left out of the file.",
                icon=":material/warning:",
            )
        if profile.constant:
            st.info("All values of this column are equal.", icon=":material/info:")
        typed = bound_fields(table, profile, called)
        words = typed.unit or "units"
        whole = st.toggle(
            f"Release whole numbers, {called}", **edits(named("whole"), profile.whole)
        )
        cells = cells_of(table, position, called)
        inputs = typed.interval()
        owner_view(table, profile, affix, inputs, words, cells.decimal)
        if declared(table, position, affix, cells.decimal).missing.all():
            st.warning(
                "No cell of this column is a number with this decimal mark. Choose the other mark, "
                "or another column.",
                icon=":material/warning:",
            )
            return None
        if inputs is None or cells.missing_as is None:
            return None
        return ChosenColumn(
            table.fingerprint,
            position,
            profile.label,
            words,
            inputs,
            whole,
            cells.missing,
            affix,
            cells.decimal,
            cells.missing_as,
            typed.source,
        )


def choose_of(table: Table, person: Person | None) -> Sequence[int]:
    usable = {
        column.position: _option(column)
        for column in table.columns
        if column.usable or column.mostly_numbers or stripped(column.position)
        if person is None or column.label not in person.by
    }
    if not usable:
        st.warning(
            "No column holds numbers that can be privatized; step 1 says why for each. "
            "Change how the file is read, or choose another table.",
            icon=":material/warning:",
        )
        return []
    hint = "Choose one or several; type to search"
    chosen: list[int] = several(
        "Columns to privatize", usable, chosen_columns(table), [], placeholder=hint
    )
    if not chosen:
        st.caption(
            "The other columns get no noise: they are written back as they came, or not at all if "
            "you say so in step 6. There it also says which of their cells a spreadsheet would run."
        )
    if person is not None:
        says, shows = ("says", "it shows") if len(person.by) == 1 else ("say", "they show")
        st.caption(
            f"{literal(person.text)} {says} whose a row is and cannot be privatized. In the file "
            f"{shows} which rows are one person's."
        )
    return chosen


def _option(column: Profile) -> str:
    return f"{column.label} · looks like an ID" if column.identifier else column.label
