"""A symbol or unit without which a column's cells are numbers, taken off with one press."""

from __future__ import annotations

import streamlit as st

from compdp_core.tables.affix import Affix
from compdp_core.tables.column import Column
from pages.sections.shared.upload import strip_too, stripped
from pages.text.wording import literal


def offer_to_strip(column: Column) -> None:
    if not column.refusal or not isinstance(column.affix, Affix) or stripped(column.position):
        return
    st.info(
        literal(f"The cells are numbers once you take off {column.affix}."), icon=":material/help:"
    )
    st.button(
        "Take it off",
        key=f"strip-{column.position}",
        help="The download then holds plain numbers in this column.",
        icon=":material/content_cut:",
        on_click=strip_too,
        args=(column.position,),
    )
