"""One column of step 2: what it holds, what that needs, its missing cells, and what that does."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import streamlit as st

from compdp_core.tables import Table
from compdp_core.tables.column import Column
from pages.inputs.options import select
from pages.sections.privatize.asked import AskedColumn
from pages.sections.privatize.kinds import ask_kind
from pages.sections.privatize.parts import PARTS
from pages.sections.shared.cells import cells_of
from pages.sections.shared.declared import Declared
from pages.sections.shared.formats import with_decimal
from pages.sections.shared.owner import owner_view
from pages.sections.shared.setup import ChosenColumn, setting
from pages.sections.shared.upload import read_column
from pages.session.state import recall
from pages.text.wording import in_label, literal


def ask_column(table: Table, position: int, epsilon: Fraction) -> ChosenColumn | str:
    """Everything public that is said of it, or what is left to do, to be followed by its name."""
    profile, affix = read_column(table, position)
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
        holds = ask_kind(table, position, called)
        if holds is None:
            return "say what is held in"
        part = PARTS[holds](AskedColumn(table, profile, called, epsilon), holds)
        if part is None:
            return "say which form is used in"
        numbers = part.kind in ("number", "whole")
        cells = cells_of(table, position, called, numbers=numbers, policies=part.policies)
        declared = part.declared
        if declared is not None and numbers:
            form = with_decimal(declared.format, cells.decimal)
            declared = replace(declared, strip=affix, decimal=cells.decimal, format=form)
        owner_view(table, profile, declared, part.inputs, part.unit, part.offers)
        if part.due or declared is None:
            return part.due
        if declared.read(table, position).missing.all():
            st.warning(_NOTHING[_what(declared)], icon=":material/warning:")
            return "say what fits the cells of"
        if numbers and table.columns[position].doubt is not None:
            return "say the decimal mark of"
        if cells.missing_as is None:
            return "correct what missing cells are written as in"
        return ChosenColumn(
            table.fingerprint,
            position,
            profile.label,
            part.unit,
            part.inputs,
            part.kind not in ("number", "category"),
            cells.missing,
            affix if numbers and declared.format is None else None,
            cells.decimal,
            cells.missing_as,
            part.source,
            part.kind,
            declared.categories,
            declared.format,
            _digits(table, profile, called) if numbers else None,
        )


USUAL = "0"


def _digits(table: Table, profile: Column, called: str) -> str | None:
    """The digits to write with: asked where the cells, or opened settings, have other ones."""
    name = setting(table.fingerprint, profile.position, "digits")
    offered = dict.fromkeys((profile.digits, recall(name) or profile.digits, USUAL))
    if len(offered) == 1:
        return None
    titles = {zero: "".join(chr(ord(zero) + n) for n in range(10)) for zero in offered}
    chosen: str = select(
        f"Digits of released numbers, {called}",
        titles,
        name,
        profile.digits,
        help="All of its cells are written with these, whichever stood there.",
    )
    return None if chosen == USUAL else chosen


def _what(declared: Declared) -> str:
    if declared.categories is not None:
        return "list"
    return "format" if declared.is_written else "number"


_NOTHING = {
    "number": "No cell of this column is a number with this decimal mark. Choose the other mark, "
    "or say what else the column holds.",
    "format": "No cell of this column is written so. Choose another form, or say what else the "
    "column holds.",
    "list": "No cell of this column is one of these answers. Change the list: the answers are "
    "compared letter for letter.",
}
