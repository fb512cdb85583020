"""The public list of a column's answers: typed, well known, or taken from the data as a leak."""

from __future__ import annotations

from functools import partial

import streamlit as st

from compdp_core.tables import Table
from pages.inputs.links import put
from pages.inputs.options import select
from pages.sections.privatize.answers import enumerated, in_one_line
from pages.sections.privatize.well_known import PAIRS, SCALES
from pages.sections.shared.listing import typed
from pages.sections.shared.proposed import Holds, proposed
from pages.sections.shared.setup import setting
from pages.session.state import edits, keep, recall
from pages.text.wording import literal

TAKEN = "taken from the data"
"""What the card says of a list that was not known without the table."""
LINE, MOST_LINES = 22, 12
"""Pixels of a line of text, and lines that are seen at once."""


def ask_list(table: Table, position: int, called: str, holds: Holds) -> None:
    """Ask for the answers, in their order where they have one."""
    named = partial(setting, table.fingerprint, position)
    order = " from the lowest to the highest" if holds == "scale" else ""
    st.text_area(
        f"Public list of answers{order}, {called}",
        placeholder="yes, no" if holds == "yes_no" else "One a line, or with commas between",
        height=_height(recall(named("list"), ""), 2 if holds == "yes_no" else 5),
        help="As they stand in the cells; what is released is written as it is here.",
        **edits(named("list"), ""),
    )
    st.toggle(
        f"Capitals make no difference: Yes is yes, {called}",
        help="Off: answers are compared letter for letter.",
        **edits(named("list.any_case"), False),
    )
    if not recall(named("list")):
        _offer_known(table, position, called, holds)
    if taken(table, position):
        st.warning(
            "This list is taken from the data: it tells which answers occur, to anyone who sees "
            "it, and the card says so. Prefer a list that is known without the table.",
            icon=":material/visibility:",
        )
        st.button(
            "It is known without the table",
            key=f"known-{position}",
            help="Press it only where anyone could have written the same list.",
            on_click=keep,
            args=(named("list.taken"), False),
        )


def _height(text: str, least: int) -> int:
    """Of a field that shows all lines of a short text."""
    return 38 + LINE * min(max(text.count("\n") + 1, least), MOST_LINES)


def _offer_known(table: Table, position: int, called: str, holds: Holds) -> None:
    known = SCALES | PAIRS if holds == "scale" else PAIRS | SCALES
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    with left:
        chosen = select(
            f"Or a well-known list, {called}",
            known,
            setting(table.fingerprint, position, "list.known"),
            None,
            placeholder="Choose a list",
        )
    right.button(
        "Take this list",
        key=f"take-known-{position}",
        disabled=chosen is None,
        on_click=take_list,
        args=(table, position, chosen or ()),
        width="stretch",
    )


def offer_lists(table: Table, position: int, called: str) -> None:
    """For the owner alone: the well-known list that the cells fit, and the answers that occur."""
    if recall(setting(table.fingerprint, position, "list")):
        return
    found = [each for each in proposed(table, position) if each.categories]
    occur = tuple(text for text in found[0].categories if in_one_line(text)) if found else ()
    usual = next((each.usual for each in found if each.usual), ())
    with st.container(horizontal=True, vertical_alignment="center"):
        if usual:
            st.markdown(f"The cells fit a well-known list: {literal(enumerated(usual))}.")
            st.button(
                "Take the well-known list",
                key=f"take-usual-{position}",
                on_click=take_list,
                args=(table, position, usual),
                kwargs={"any_case": True},
            )
        if occur:
            st.button(
                "Take the answers that occur (a leak)",
                key=f"take-found-{position}",
                help="The list is public, so it then tells which answers occur in your table.",
                icon=":material/visibility:",
                on_click=take_list,
                args=(table, position, occur),
                kwargs={"from_data": True, "others": len(occur) < len(found[0].categories)},
            )
    if found and len(occur) < len(found[0].categories):
        st.caption("Answers of several lines cannot be listed: they count as “other”.")
    if found and found[0].doubt:
        st.caption(f":material/help: {literal(found[0].doubt)}")


def take_list(
    table: Table,
    position: int,
    answers: tuple[str, ...],
    *,
    from_data: bool = False,
    any_case: bool = False,
    others: bool = False,
) -> None:
    """Make these the answers, from a callback; what was merged before is apart again.

    ``others``: whether there are more in the data.
    """
    named = partial(setting, table.fingerprint, position)
    put(named("list"), typed(answers))
    keep(named("list.taken"), from_data)
    put(named("list.known"), None)
    put(named("list.any_case"), any_case)
    keep(named("list.merged"), {})
    if from_data:
        put(named("list.other"), others)


def taken(table: Table, position: int) -> bool:
    """Whether the list was read off the cells: an edited one was, too, until it is emptied."""
    named = partial(setting, table.fingerprint, position)
    if not recall(named("list")):
        keep(named("list.taken"), False)
    return bool(recall(named("list.taken"), False))
