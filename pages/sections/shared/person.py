"""Whose privacy it is: a row's, or that of a person with several rows. Asked before any budget."""

from __future__ import annotations

import streamlit as st

from compdp_core.adjacency import Beyond, Person
from compdp_core.parameters import count as counted
from compdp_core.tables import Table
from compdp_core.tables.contributions import persons_of
from pages.inputs.entry import exact, within
from pages.inputs.options import radio, several
from pages.sections.shared.person_answer import (
    LEAVE_OUT,
    PERSON,
    ROWS,
    chosen_columns,
    doubtful,
    first_columns,
    named,
    privacy_unit,
    repeats,
)
from pages.sections.shared.upload import labels
from pages.session.state import edits, recall
from pages.shell.panels import drawer, private
from pages.text.wording import count, literal

QUESTION = "Whose privacy: a row's, or a person's?"
AT_MOST = counted("at_most", "The number", "Rows of one person.", "rows", lower=1, upper=1e9)
WHO = {
    ROWS: "Every row is another person",
    PERSON: "The rows with the same value in some columns are one person",
}
WHO_MEANS = (
    "A release hides what any one row says.",
    "A release hides what all rows of any one person say together.",
)
BEYOND: dict[Beyond, str] = {
    "leave out": "Leave them out, drawn at random",
    "refuse": "Refuse to release",
}
BEYOND_TELLS = (
    "Tells nothing: the system draws which rows of a person are read, anew for each release and "
    "whatever stands in them.",
    "Tells without any noise whether anybody has more. It is for a number that everybody knows to "
    "be kept.",
)


def ask_whose_privacy(table: Table) -> bool:
    """The block; whether it is answered, so that the steps below may be seen.

    Where an ID repeats, the owner alone is told, and nothing is assumed. Else it waits, closed,
    for whoever knows that people have several rows.
    """
    if doubtful(table):
        _say_what_repeats(table)
        st.markdown(f"**{QUESTION}**")
        _ask(table)
    else:
        drawer("whose-privacy", QUESTION, ":material/group:", lambda: _ask(table))
    found = privacy_unit(table)
    if found.lacks:
        st.info(found.lacks, icon=":material/arrow_upward:")
    else:
        st.caption(_said(found.person))
    return not found.lacks


def _say_what_repeats(table: Table) -> None:
    lines = [
        f"**{literal(each.label)}** repeats: {count(each.values, 'value')} in {each.rows:,} rows."
        for each in repeats(table)
    ]
    again = recall(named(table, "again"), "")
    if again and recall(named(table, "who")) is None:
        st.warning(f"The settings file does not fit. {literal(again)}", icon=":material/rule:")
    if lines:
        with private("repeats", "an ID that repeats"):
            lines.append(
                "Somebody with several rows is protected less by a release that hides one row."
            )
            st.warning("  \n".join(lines), icon=":material/groups:")


def _ask(table: Table) -> None:
    first = None if doubtful(table) else ROWS
    who = radio(
        QUESTION, WHO, named(table, "who"), first, captions=WHO_MEANS, label_visibility="collapsed"
    )
    if who == PERSON:
        _whose_rows(table)
        _peek(table)


def _whose_rows(table: Table) -> None:
    several(
        "Columns that are the same in all rows of a person",
        labels(table),
        named(table, "by"),
        first_columns(table),
        placeholder="Choose one or several; type to search",
        help="Cells are compared letter for letter, but for spaces around them. All rows without "
        "a value there count as one person.",
    )
    exact(
        named(table, "at_most"),
        "Rows of one person at most, k (public)",
        check=within(AT_MOST),
        optional=True,
        placeholder="a number anyone may know, such as the visits that were planned",
        help="It says how much one person can change, so the cost for a person grows with it. "
        "Everybody may read it: take it from how the table came about, not from its rows.",
    )
    radio(
        "Further rows of a person",
        BEYOND, named(table, "beyond"), LEAVE_OUT, captions=BEYOND_TELLS,
    )  # fmt: skip


def _peek(table: Table) -> None:
    """How many rows the fullest person has: on demand, for the owner alone."""
    by = chosen_columns(table)
    if not by:
        return
    with private("person-rows", "how many rows your persons have"):
        if st.toggle("Peek at who has the most rows", **edits(named(table, "peek"), False)):
            rows = persons_of(table, by).rows
            st.warning(
                f"Of {count(len(rows), 'person')}, the one with the most rows has "
                f"{int(rows.max()):,}. Taken for k, this gives that person away, to anyone who "
                "sees the release. Prefer what is known without the table: the plan, the rules.",
                icon=":material/visibility:",
            )


def _said(person: Person | None) -> str:
    if person is None:
        return "Every row counts as another person."
    beyond = "further rows are left out" if person.beyond == LEAVE_OUT else "more are refused"
    rows = count(person.at_most, "row")
    return f"One person: all rows with the same {literal(person.text)}, {rows} at most; {beyond}."
