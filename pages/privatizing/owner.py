"""What only the owner may see of a column before a release: extremes on demand, what is cut."""

from __future__ import annotations

import streamlit as st

from compdp_core.describe import Clamping
from compdp_core.intervals import Interval
from compdp_core.table import Table
from compdp_core.table.affix import Affix
from compdp_core.table.columns import Column as Profile
from pages.furniture.panels import private
from pages.furniture.state import edits, memo
from pages.furniture.wording import count, in_label, literal, quantity, span
from pages.privatizing.setup import setting


def owner_view(
    table: Table, profile: Profile, affix: Affix | None, inputs: Interval | None, unit: str
) -> None:
    position, named = profile.position, f"{table.fingerprint[:16]}-{profile.position}"
    with private(f"column-{named}", "what the bounds do to your values"):
        facts = []
        if profile.missing:
            facts.append(
                f"- {count(profile.missing, 'value')} of {table.row_count:,} "
                f"{'is' if profile.missing == 1 else 'are'} missing."
            )
        if inputs is not None:
            facts.append(f"- {_cut(table, position, affix, inputs, unit)}")
        if facts:
            st.markdown("\n".join(facts))
        if st.toggle(
            "Peek at the smallest and largest value, "
            + in_label(profile.label, f"column {position + 1}"),
            **edits(setting(table.fingerprint, position, "peek"), False),
        ):
            low, high = table.peek(position, affix)
            st.warning(
                f"They are {literal(span(low, high, unit, digits=15))}. Bounds taken from them "
                "give these two values away, to anyone who sees the bounds. Prefer what is known "
                "without the table: the unit, the instrument, the law.",
                icon=":material/visibility:",
            )


def _cut(table: Table, position: int, affix: Affix | None, inputs: Interval, unit: str) -> str:
    clamping: Clamping = memo(
        setting(table.fingerprint, position, "clamping"),
        (inputs, affix, table),
        lambda: Clamping.of(table.numbers(position, affix).values, inputs),
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
        f"{quantity(clamping.shift, unit)} through that."
    )
