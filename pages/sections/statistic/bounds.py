"""Public bounds of the column's values: the same that were set for it on Privatize, if any."""

from __future__ import annotations

import math
from dataclasses import dataclass

import streamlit as st

from compdp_core.adjacency import PerPerson
from compdp_core.intervals import Interval
from compdp_core.tables import Table
from compdp_core.tables.affix import Affix
from pages.inputs.links import put
from pages.sections.shared.bounds import bound_fields, offer_sample_bounds
from pages.sections.shared.declared import Declared
from pages.sections.shared.owner import owner_view
from pages.sections.shared.setup import setting
from pages.sections.shared.upload import read_column
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


def bounds(table: Table, position: int, per_person: PerPerson) -> Bounded | None:
    _follow_link(table, position, per_person)
    profile, affix = read_column(table, position)

    what = "does a person's total" if per_person == "total" else "do its values"
    st.markdown(f"**Between which bounds {what} lie?** Values beyond are moved to them.")
    if per_person != "total":
        offer_sample_bounds(table, [position])
    typed = bound_fields(table, profile, longest=24, of=bounds_of(per_person))
    whole = st.toggle(
        "Anyone knows that this column holds whole numbers",
        help="Whole answers are then released as whole numbers. It is a public statement: make "
        "it only where it is known without the table.",
        **edits(said.WHOLE.name, said.WHOLE.default),
    )
    _mirror(table, position, per_person)
    inputs = typed.interval()
    if whole and inputs is not None:
        with typed.below:
            _say_if_not_whole(inputs)
    # What becomes of the values of rows says nothing about totals and means of them.
    cut = inputs if per_person == "rows" else None
    owner_view(table, profile, Declared(affix), cut, typed.unit or "units")
    if inputs is None:
        st.info("Set both bounds to go on.", icon=":material/arrow_upward:")
        return None
    return Bounded(inputs, typed.unit, whole, typed.source, affix)


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


def bounds_of(per_person: PerPerson) -> str:
    """What the names of the bounds begin with: those of a person's total are no values' bounds."""
    return "total." if per_person == "total" else ""


def _follow_link(table: Table, position: int, per_person: PerPerson) -> None:
    """Hand on to the column what a link or a file has said since the last look."""
    seen = recall(MIRROR, {})
    for each, short in OF_A_COLUMN.items():
        now = value(each)
        if now != seen.get(each.name, each.default):
            put(setting(table.fingerprint, position, bounds_of(per_person) + short), now)


def _mirror(table: Table, position: int, per_person: PerPerson) -> None:
    """Keep what the column has where links and files find it."""
    seen = {
        each.name: recall(
            setting(table.fingerprint, position, bounds_of(per_person) + short), each.default
        )
        for each, short in OF_A_COLUMN.items()
    }
    for name, now in seen.items():
        keep(name, now)
    keep(MIRROR, seen)
