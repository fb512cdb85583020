"""What only the owner may see of a column before a release: extremes on demand, what is cut."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
import streamlit as st

from compdp_core.intervals import Interval
from compdp_core.statistics.describe import Clamping
from compdp_core.tables import Table
from compdp_core.tables.column import Column as Profile
from pages.sections.shared.declared import Declared, answers_in
from pages.sections.shared.setup import setting
from pages.session.state import edits, memo
from pages.shell.panels import private
from pages.text.wording import count, in_label, literal

MOST_PEEKED = 200


def owner_view(
    table: Table,
    profile: Profile,
    declared: Declared | None,
    inputs: Interval | None,
    unit: str,
    offers: Callable[[], None] = lambda: None,
) -> None:
    """What the bounds or the list, and what the column is declared to be, do to the values.

    ``declared``: None while there is no list of answers yet.
    """
    position, named = profile.position, f"{table.fingerprint[:16]}-{profile.position}"
    called = in_label(profile.label, f"column {position + 1}")
    listed = declared is None or declared.categories is not None
    does = "list does" if listed else "bounds do"
    with private(f"column-{named}", f"what the {does} to your values"):
        absent = 0
        if declared is not None:
            absent = int(declared.read(table, position).missing.sum())
            _facts(table, profile, declared, absent, inputs, unit)
        offers()
        if declared is None or listed:
            _peek_at_answers(table, position, called)
        elif absent < table.row_count:
            _peek(table, position, declared, unit, called)


def _facts(
    table: Table, profile: Profile, declared: Declared, absent: int,
    inputs: Interval | None, unit: str,
) -> None:  # fmt: skip
    facts = []
    if absent:
        facts.append(f"- {literal(_absent(table, profile, declared, absent))}")
    if inputs is not None and declared.categories is None and absent < table.row_count:
        facts.append(f"- {_cut(table, profile.position, declared, inputs, unit)}")
    if facts:
        st.markdown("\n".join(facts))


def _peek_at_answers(table: Table, position: int, called: str) -> None:
    """Which texts occur and how often, on demand."""
    name = setting(table.fingerprint, position, "peek")
    if not st.toggle(f"Peek at the answers that occur, {called}", **edits(name, False)):
        return
    found = answers_in(table, position)
    seen = found.most_common(MOST_PEEKED)
    st.dataframe(
        pd.DataFrame(seen, columns=["answer", "cells"]),
        hide_index=True,
        height="auto" if len(seen) <= 8 else 320,
        alt="Answers that occur in this column, with how many cells hold each",
    )
    if len(found) > len(seen):
        st.caption(f"The first {len(seen)} of {len(found):,}.")
    st.warning(
        "A list made of them tells which answers occur, to anyone who sees the list. Prefer what "
        "is known without the table: the questionnaire, the code book, the law.",
        icon=":material/visibility:",
    )


def _peek(table: Table, position: int, declared: Declared, unit: str, called: str) -> None:
    name = setting(table.fingerprint, position, "peek")
    if st.toggle(f"Peek at the smallest and largest value, {called}", **edits(name, False)):
        values = declared.read(table, position).values
        ends = declared.span(float(np.nanmin(values)), float(np.nanmax(values)), unit)
        st.warning(
            f"They are {literal(ends)}. Bounds taken from them "
            "give these two values away, to anyone who sees the bounds. Prefer what is known "
            "without the table: the unit, the instrument, the law.",
            icon=":material/visibility:",
        )


def _absent(table: Table, profile: Profile, declared: Declared, absent: int) -> str:
    """How many values are missing, and how many of them because their cells are none."""
    is_ = "is" if absent == 1 else "are"
    said = f"{count(absent, 'value')} of {table.row_count:,} {is_} missing."
    if declared.categories is not None or declared.is_written:
        odd = _odd(table, profile.position, declared, absent)
        kind = "not in the list" if declared.categories is not None else "not written so"
        told = f" Of them {count(odd, 'cell')} {'is' if odd == 1 else 'are'} {kind}."
        return said + told * (odd > 0)
    odd = absent - profile.missing
    if odd <= 0:
        return said
    why = profile.refusal or f"{count(odd, 'cell')} cannot be read with this decimal mark."
    return f"{said} What is no number counts as missing, too. {why}"


def _odd(table: Table, position: int, declared: Declared, absent: int) -> int:
    """How many cells are missing though they are neither blank nor a missing spelling."""
    found = answers_in(table, position)
    if declared.categories is None:
        return found.total() - (table.row_count - absent)
    known = {text for texts in declared.categories.members for text in texts}
    others = sum(amount for text, amount in found.items() if text not in known)
    return others if declared.categories.other is None else 0


def _cut(table: Table, position: int, declared: Declared, inputs: Interval, unit: str) -> str:
    values = declared.read(table, position).values
    clamping: Clamping = memo(
        setting(table.fingerprint, position, "clamping"),
        (inputs, declared, table),
        lambda: Clamping.of(values, inputs),
    )
    outside = clamping.below + clamping.above
    if not outside:
        return "No value lies outside the bounds."
    moved = (
        "lies outside the bounds and is moved"
        if outside == 1
        else ("lie outside the bounds and are moved")
    )
    return literal(
        f"{count(outside, 'value')} {moved} to the nearest one ({clamping.below:,} below, "
        f"{clamping.above:,} above). The mean of your values moves by "
        f"{declared.off(clamping.shift, unit)} through that."
    )
