"""What only the owner may see of a column before a release: extremes on demand, what is cut."""

from __future__ import annotations

import streamlit as st

from compdp_core.intervals import Interval
from compdp_core.statistics.describe import Clamping
from compdp_core.tables import Numbers, Table
from compdp_core.tables.affix import Affix
from compdp_core.tables.column import Column as Profile
from pages.sections.shared.setup import setting
from pages.session.state import edits, memo
from pages.shell.panels import private
from pages.text.wording import count, in_label, literal, quantity, span


def declared(table: Table, position: int, affix: Affix | None, decimal: str | None) -> Numbers:
    """The numbers of a column as it is declared, read once."""
    return memo(
        setting(table.fingerprint, position, "declared"),
        (affix, decimal, table),
        lambda: table.readings(position, affix, decimal),
    )


def owner_view(
    table: Table,
    profile: Profile,
    affix: Affix | None,
    inputs: Interval | None,
    unit: str,
    decimal: str | None = None,
) -> None:
    """What the bounds, and what the column is declared to be, do to the values."""
    position, named = profile.position, f"{table.fingerprint[:16]}-{profile.position}"
    found = declared(table, position, affix, decimal)
    with private(f"column-{named}", "what the bounds do to your values"):
        facts = []
        absent = int(found.missing.sum())
        if absent:
            facts.append(f"- {literal(_absent(profile, absent, table.row_count))}")
        if inputs is not None and absent < table.row_count:
            facts.append(f"- {_cut(table, position, found, (inputs, affix, decimal), unit)}")
        if facts:
            st.markdown("\n".join(facts))
        if absent < table.row_count and st.toggle(
            "Peek at the smallest and largest value, "
            + in_label(profile.label, f"column {position + 1}"),
            **edits(setting(table.fingerprint, position, "peek"), False),
        ):
            low, high = table.peek(position, affix, decimal)
            st.warning(
                f"They are {literal(span(low, high, unit, digits=15))}. Bounds taken from them "
                "give these two values away, to anyone who sees the bounds. Prefer what is known "
                "without the table: the unit, the instrument, the law.",
                icon=":material/visibility:",
            )


def _absent(profile: Profile, absent: int, rows: int) -> str:
    """How many values are missing, and how many of them because their cells are no numbers."""
    is_, odd = "is" if absent == 1 else "are", absent - profile.missing
    said = f"{count(absent, 'value')} of {rows:,} {is_} missing."
    if odd <= 0:
        return said
    why = profile.refusal or f"{count(odd, 'cell')} cannot be read with this decimal mark."
    return f"{said} What is no number counts as missing, too. {why}"


def _cut(
    table: Table,
    position: int,
    found: Numbers,
    said: tuple[Interval, Affix | None, str | None],
    unit: str,
) -> str:
    inputs = said[0]
    clamping: Clamping = memo(
        setting(table.fingerprint, position, "clamping"),
        (said, table),
        lambda: Clamping.of(found.values, inputs),
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
