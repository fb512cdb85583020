"""Public bounds of the column's values: the same that were set for it on Privatize, if any."""

from __future__ import annotations

import math
from dataclasses import dataclass

import streamlit as st

from compdp_core.intervals import Interval
from compdp_core.tables import Table
from compdp_core.tables.affix import Affix
from pages.inputs.entry import between, exact
from pages.inputs.links import put
from pages.sections.shared.owner import owner_view
from pages.sections.shared.sample_bounds import offer_sample_bounds
from pages.sections.shared.setup import setting
from pages.sections.shared.units import unit_of
from pages.sections.shared.upload import stripped
from pages.sections.statistic import settings as said
from pages.sections.statistic.settings import OF_A_COLUMN, PAGE, value
from pages.session.state import edits, keep, recall

MIRROR = f"{PAGE}.mirror"


@dataclass(frozen=True)
class Bounded:
    """What is publicly known about the column's values. A count needs none of it."""

    interval: Interval | None = None
    unit: str = ""
    whole: bool = False
    source: str = ""
    strip: Affix | None = None


def bounds(table: Table, position: int) -> Bounded | None:
    """The bounds, or None while there are none."""
    _follow_link(table, position)
    affix = stripped(position)
    profile = (table.stripped(position, affix) if affix else table).columns[position]

    def named(name: str) -> str:
        return setting(table.fingerprint, position, name)

    st.markdown("**Between which bounds do its values lie?** Values beyond are moved to them.")
    offer_sample_bounds(table, [position])
    low, high, unit = st.columns([2, 2, 1])
    below = st.container()
    with low:
        lower = exact(
            named("lower"), "Lower bound", optional=True, faults_in=below,
            placeholder="smallest value anyone may expect",
        )  # fmt: skip
    with high:
        upper = exact(
            named("upper"), "Upper bound", optional=True, faults_in=below,
            placeholder="largest value anyone may expect",
        )  # fmt: skip
    with unit:
        words = st.text_input(
            "Unit",
            placeholder="units",
            max_chars=24,
            **edits(named("unit"), unit_of(profile.label)),
        ).strip()
    source = st.text_input(
        "Where these bounds come from (public, optional)",
        max_chars=200,
        placeholder="such as: the scale of the test, the range of the instrument",
        **edits(named("source"), ""),
    ).strip()
    whole = st.toggle(
        "Anyone knows that this column holds whole numbers",
        help="Whole answers are then released as whole numbers. It is a public statement: make "
        "it only where it is known without the table.",
        **edits(said.WHOLE.name, said.WHOLE.default),
    )
    _mirror(table, position)
    with below:
        inputs = between(lower, upper)
        if whole and inputs is not None:
            _say_if_not_whole(inputs)
    owner_view(table, profile, affix, inputs, words or "units")
    if inputs is None:
        st.info("Set both bounds to go on.", icon=":material/arrow_upward:")
        return None
    return Bounded(inputs, words, whole, source, affix)


def _say_if_not_whole(inputs: Interval) -> None:
    """What is declared whole is released whole only between whole bounds."""
    beside = next((end for end in inputs.as_tuple() if not end.is_integer()), None)
    if beside is None:
        return
    first, last = math.ceil(inputs.lower), math.floor(inputs.upper)
    way_out = (
        f"Take {first:,} and {last:,} as bounds: every whole number between yours lies between "
        "these, too."
        if first < last
        else "Take whole numbers as bounds."
    )
    st.info(
        f"No answer is released as a whole number between these bounds: a value that is moved to "
        f"{beside:.16g} is none. {way_out}".replace("-", "−"),
        icon=":material/info:",
    )


def _follow_link(table: Table, position: int) -> None:
    """Hand on to the column what a link or a file has said since the last look."""
    seen = recall(MIRROR, {})
    for each, short in OF_A_COLUMN.items():
        now = value(each)
        if now != seen.get(each.name, each.default):
            name = setting(table.fingerprint, position, short)
            put(name, now)


def _mirror(table: Table, position: int) -> None:
    """Keep what the column has where links and files find it."""
    seen = {
        each.name: recall(setting(table.fingerprint, position, short), each.default)
        for each, short in OF_A_COLUMN.items()
    }
    for name, now in seen.items():
        keep(name, now)
    keep(MIRROR, seen)
