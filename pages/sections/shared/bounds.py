"""Public bounds of a column's values, with their unit and where they come from."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

import streamlit as st

from compdp_core.intervals import Interval
from compdp_core.tables import Table
from compdp_core.tables.column import Column as Profile
from pages.inputs.entry import between, exact, set_exact
from pages.sections.shared.setup import setting
from pages.sections.shared.upload import current
from pages.session.framework import DeltaGenerator
from pages.session.state import edits

_IN_BRACKETS = re.compile(r"[(\[]([^()\[\]]{1,24})[)\]]\s*$")
_EXPECT = "{} value anyone may expect"


class BoundFields(NamedTuple):
    lower: Decimal | None
    upper: Decimal | None
    unit: str
    source: str
    below: DeltaGenerator
    """Where refusals go."""

    def interval(self) -> Interval | None:
        """Both bounds, or None while one is missing or after saying what is wrong with them."""
        with self.below:
            return between(self.lower, self.upper)


def bound_fields(
    table: Table, profile: Profile, called: str = "", longest: int | None = None, of: str = ""
) -> BoundFields:
    """Ask; with the name that the fields are called by where there are several columns, and a word
    for what they bound where that is not the values of the column.
    """

    def named(name: str) -> str:
        return setting(table.fingerprint, profile.position, of + name)

    comma = f", {called}" if called else ""
    low, high, unit = st.columns([2, 2, 1])
    below = st.container()
    ends: list[Decimal | None] = []
    for place, name, most in ((low, "lower", "smallest"), (high, "upper", "largest")):
        with place:
            ends.append(
                exact(
                    named(name),
                    f"{name.capitalize()} bound{comma}",
                    optional=True,
                    faults_in=below,
                    placeholder=_EXPECT.format(most),
                )
            )
    with unit:
        words = st.text_input(
            f"Unit{comma}",
            placeholder="units",
            max_chars=longest,
            **edits(named("unit"), unit_of(profile.label)),
        )
    source = st.text_input(
        f"Where these bounds come from{comma} (public, optional)",
        max_chars=200,
        placeholder="such as: the scale of the test, the range of the instrument",
        **edits(named("source"), ""),
    )
    return BoundFields(ends[0], ends[1], words.strip(), source.strip(), below)


def unit_of(label: str) -> str:
    """The unit of a column, as its name says: what stands in brackets at the end.

    >>> unit_of("height (cm)"), unit_of("score"), unit_of("score (column 3)")
    ('cm', '', '')
    """
    found = _IN_BRACKETS.search(label)
    if found is None or re.fullmatch(r"column \d+", found[1]):
        return ""
    return found[1].strip()


def offer_sample_bounds(table: Table, positions: Sequence[int]) -> None:
    """Samples come with public bounds; the button fills them in."""
    upload = current()
    if upload is None or upload.sample is None:
        return
    bounds = upload.sample.bounds
    known = {p: bounds[h] for p in positions if (h := table.columns[p].header) in bounds}
    if known:
        st.button(
            "Fill in the sample's public bounds",
            icon=":material/edit_note:",
            help="They come from the unit, the instrument or the definition, not from the table.",
            on_click=_fill,
            args=(table.fingerprint, known),
        )


def _fill(file: str, known: dict[int, tuple[int, int]]) -> None:
    for position, ends in known.items():
        for name, end in zip(("lower", "upper"), ends, strict=True):
            set_exact(setting(file, position, name), Decimal(end))
