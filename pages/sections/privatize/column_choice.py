"""Which columns are to be privatised."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from compdp_core.tables import Table
from compdp_core.tables.column import Column as Profile
from pages.sections.shared.setup import chosen_columns
from pages.sections.shared.upload import stripped
from pages.session.state import picks


def choose_of(table: Table) -> Sequence[int]:
    usable = {
        column.position: _option(column)
        for column in table.columns
        if column.usable or column.mostly_numbers or stripped(column.position)
    }
    if not usable:
        st.warning(
            "No column holds numbers that can be privatized; step 1 says why for each. "
            "Change how the file is read, or choose another table.",
            icon=":material/warning:",
        )
        return []
    chosen: list[int] = st.multiselect(
        "Columns to privatize",
        list(usable),
        format_func=usable.__getitem__,
        placeholder="Choose one or several; type to search",
        **picks(chosen_columns(table), [], allowed=usable),
    )
    if not chosen:
        st.caption(
            "The other columns get no noise: they are written back as they came, or not at all if "
            "you say so in step 6. There it also says which of their cells a spreadsheet would run."
        )
    return chosen


def _option(column: Profile) -> str:
    return f"{column.label} · looks like an ID" if column.identifier else column.label
