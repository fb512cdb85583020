"""Columns that the released file is without, such as names. That is free, at any time."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from compdp_core.tables import Table
from pages.inputs.links import put
from pages.session.state import picks, recall


def omitted(table: Table, planned: Collection[int]) -> tuple[int, ...]:
    """Positions of the columns to leave out; what is privatised is never among them."""
    return tuple(p for p in recall(_name(table), []) if p in _others(table, planned))


def ask_what_to_omit(table: Table, planned: Collection[int]) -> None:
    """A choice of the columns that are not privatised, and what is said of those that stay."""
    others = _others(table, planned)
    if not others:
        return
    st.multiselect(
        "Columns to leave out of the file",
        list(others),
        format_func=others.__getitem__,
        placeholder="None; type to search",
        help="Names, numbers of pupils, remarks. The card and the script leave them out, too. It "
        "costs nothing and draws no noise, so it can also be changed after a release.",
        **picks(_name(table), [], allowed=others),
    )
    stay = len(others) - len(omitted(table, planned))
    if stay:
        one = stay == 1
        what = "The other column gets" if one else f"The other {stay:,} columns of the file get"
        st.markdown(
            f"{what} no noise: a name, a number or a rare combination in "
            f"{'it' if one else 'them'} can still point to a person."
        )


def omit_by_label(table: Table, labels: Collection[str], planned: Collection[int]) -> None:
    """Leave out the columns of these labels, as a settings file has them."""
    others = _others(table, planned)
    put(_name(table), [position for position, label in others.items() if label in labels])


def _name(table: Table) -> str:
    return f"omitted.{table.fingerprint}"


def _others(table: Table, planned: Collection[int]) -> dict[int, str]:
    return {c.position: c.label for c in table.columns if c.position not in planned}
