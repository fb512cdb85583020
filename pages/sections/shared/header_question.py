"""Whether a first row with a number among its names is a row."""

from __future__ import annotations

import streamlit as st

from compdp_core.tables import Table
from pages.inputs.links import put
from pages.sections.shared.summary_rows import names_are_numbers
from pages.text.wording import literal


def ask_about_header(table: Table) -> None:
    """Whether the first row holds the names, where a number among them leaves a doubt."""
    if not names_are_numbers(table):
        return
    (notice,) = (each for each in table.notices if each.code == "header_numbers")
    st.warning(literal(notice.text), icon=":material/rule:")
    with st.container(horizontal=True):
        for label, has in (("It holds the names", True), ("It is a row like the others", False)):
            st.button(label, on_click=put, args=("reading.header", has), key=f"header-{has}")
