"""Which spellings stand for a missing value: what was found, what else does, what does not."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from compdp_core.tables import Table
from compdp_core.tables.missing import DEFAULT_MISSING
from pages.inputs.links import put
from pages.session.state import picks, recall

ALSO, NOT = "reading.also_missing", "reading.not_missing"


def chosen() -> tuple[str, ...] | None:
    """The spellings to read with, or None for the usual ones."""
    also, no = recall(ALSO, []), {word.lower() for word in recall(NOT, [])}
    if not also and not no:
        return None
    usual = [word for word in DEFAULT_MISSING if word.lower() not in no]
    return tuple(dict.fromkeys([*usual, *also]))


def choose(spelled: Collection[str]) -> None:
    """Read with these spellings from now on, as a settings file has them."""
    usual = {word.lower() for word in DEFAULT_MISSING}
    said = {word.lower() for word in spelled}
    put(ALSO, [word for word in spelled if word.lower() not in usual])
    put(NOT, [word for word in DEFAULT_MISSING if word and word.lower() not in said])


def spellings(table: Table | None) -> None:
    """Two lists that hold only what differs from the usual spellings."""
    found = _found(table)
    first, second = st.columns(2)
    first.multiselect(
        "Also missing",
        sorted(recall(ALSO, [])),
        accept_new_options=True,
        placeholder="Type a spelling, such as -99, and press Enter",
        help=f"Beside {len(DEFAULT_MISSING) - 1} usual spellings, such as NA, n.a., not measured, "
        "-, #N/A. Upper and lower case count as equal; an empty cell is always missing.",
        **picks(ALSO, []),
    )
    second.multiselect(
        "Found, but not missing",
        sorted({*found, *recall(NOT, [])}),
        placeholder="Found in this table: " + (", ".join(found) or "none"),
        help="Spellings that count as missing in the columns of numbers, and do not here.",
        **picks(NOT, []),
    )


def _found(table: Table | None) -> list[str]:
    if table is None:
        return []
    words = {word for c in table.columns for word, _ in c.missing_spellings if word}
    return sorted(words)
