"""Times of day that are released as such: hard output bounds from midnight to midnight."""

from __future__ import annotations

from decimal import Decimal
from functools import partial

import streamlit as st

from compdp_core.tables import Table
from compdp_core.tables.value_formats import ValueFormat
from pages.inputs.links import put
from pages.sections.shared.setup import setting
from pages.session.state import edits, keep, recall, widget_key

DAY = 86_400


def keep_within_the_day(table: Table, position: int, called: str, form: ValueFormat) -> None:
    """A switch over the hard output bounds of step 3: it shows on where they are the day's."""
    named = partial(setting, table.fingerprint, position)
    last = Decimal(round(DAY / form.step) - 1)
    day = (Decimal(0), last)
    ends = (recall(named("out.lower")), recall(named("out.upper")))
    name = named("within_day")
    keep(name, bool(recall(named("hard"), False)) and ends == day)
    how = edits(name, False)

    def changed() -> None:
        if how["key"] == widget_key(name):
            on = bool(st.session_state[how["key"]])
            keep(name, on)
            put(named("hard"), on)
            for end, bound in zip(("out.lower", "out.upper"), day, strict=True):
                put(named(end), bound if on else None)

    st.toggle(
        f"Keep released times within the day, {called}",
        help="Sets hard output bounds, from midnight to midnight. The bounds above must leave "
        "room for noise on both sides; step 3 says where there is too little.",
        **how | {"on_change": changed},
    )
