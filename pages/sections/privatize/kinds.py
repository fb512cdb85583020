"""What a column holds: proposed from its cells, confirmed or changed by the owner."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from compdp_core.tables import Table
from compdp_core.tables.column_kinds import Proposal
from pages.inputs.links import put
from pages.inputs.options import select
from pages.sections.shared.formats import format_setting
from pages.sections.shared.proposed import TITLES, Holds, held, likeliest, proposed, readings
from pages.sections.shared.setup import setting
from pages.session.state import keep, memo, recall, widget_key
from pages.text.wording import literal

OUTPUTS = ("hard", "out.lower", "out.upper")
"""Settings of step 3: whether there are hard output bounds, and these."""
COUNTED: tuple[tuple[Holds, tuple[tuple[float, float], ...]], ...] = (
    ("date", ((20_000, 60_000),)),
    ("datetime", ((1e8, 5e9), (1e11, 5e12))),
)
"""Between which numbers dates of our time lie: days since 1900, seconds or milliseconds of Unix."""


def ask_kind(table: Table, position: int, called: str) -> Holds | None:
    """What the owner says that it holds, from what its cells suggest; None while that is open."""
    found = proposed(table, position)
    several = readings(found)
    likely = None if several else likeliest(found)
    first = None if likely is None else held(likely)
    name = setting(table.fingerprint, position, "kind")
    kind: Holds | None = select(
        f"What this column holds, {called}",
        TITLES,
        name,
        first,
        placeholder="Choose what it holds",
        help="Proposed from the cells, so only you see the proposal. What you choose is public.",
    )
    if kind is not None:
        _own_outputs(table, position, kind)
    if kind is None:
        _ask(table, position, called, several)
    elif likely is not None and kind == first:
        _tell_doubt(likely, found[0])
        if likely.kind == "whole" and likely.format is None:
            _tell_of_dates(table, position)
    return kind


def measure_of(kind: Holds) -> str:
    """What bounds of that kind are measured in."""
    return "number" if kind in ("number", "whole", "limits") else kind


def _own_outputs(table: Table, position: int, kind: Holds) -> None:
    """Hard output bounds are of what the column held when they were set: a number is no day. They
    come back with it.
    """
    named, measure = partial(setting, table.fingerprint, position), measure_of(kind)
    before = recall(named("measure"), measure)
    keep(named("measure"), measure)
    if before != measure:
        keep(named(f"outputs.{before}"), [recall(named(name)) for name in OUTPUTS])
        own = recall(named(f"outputs.{measure}"), (False, None, None))
        for name, value in zip(OUTPUTS, own, strict=True):
            put(named(name), bool(value) if name == OUTPUTS[0] else value)


def _tell_doubt(likely: Proposal, other: Proposal) -> None:
    if other.kind == "scale" and likely.kind == "whole":
        st.caption(
            ":material/help: It may be a scale. Choose that where the receiver needs shares of the "
            "answers; for means it is the same."
        )
    elif likely.doubt and not likely.categories:
        st.caption(f":material/help: {literal(likely.doubt)}")


def _tell_of_dates(table: Table, position: int) -> None:
    """Whole numbers that may be dates as a spreadsheet or a computer counts them."""

    def kind() -> Holds | None:
        values = table.readings(position).values
        low, high = np.nanmin(values), np.nanmax(values)
        fits = (kind for kind, ends in COUNTED for a, b in ends if a <= low and high <= b)
        return next(fits, None)

    found = memo(setting(table.fingerprint, position, "counted"), table, kind)
    if found is not None:
        st.caption(
            f":material/help: If these are dates as numbers, as spreadsheets and computers count "
            f"them, choose “{TITLES[found]}”."
        )


def _ask(table: Table, position: int, called: str, several: tuple[Proposal, ...]) -> None:
    """Every way to read the cells, each with its example; choosing one says the kind, too."""
    if not several:
        return
    key = widget_key(setting(table.fingerprint, position, "reading"))

    def chosen() -> None:
        each: Proposal | None = st.session_state[key]
        if each is not None and each.format is not None:
            put(format_setting(table, position, each.kind), each.format)
            put(setting(table.fingerprint, position, "kind"), held(each))

    st.selectbox(
        f"The cells can be read in {len(several)} ways, {called}",
        several,
        index=None,
        format_func=_example,
        key=key,
        on_change=chosen,
        placeholder="Choose the right one",
    )


def _example(reading: Proposal) -> str:
    label = "" if reading.format is None else reading.format.label
    return label[:1].upper() + label[1:]
