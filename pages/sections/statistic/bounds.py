"""Public bounds of the column's values: the same that were set for it on Privatize, if any."""

from __future__ import annotations

import math
from dataclasses import dataclass

import streamlit as st

from compdp_core.adjacency import PerPerson
from compdp_core.intervals import Interval
from compdp_core.tables import Table
from compdp_core.tables.affix import Affix
from compdp_core.tables.value_formats import ValueFormat
from pages.sections.shared.bounds import bound_fields, offer_sample_bounds
from pages.sections.shared.declared import Declared
from pages.sections.shared.formats import with_decimal
from pages.sections.shared.owner import owner_view
from pages.sections.shared.upload import read_column
from pages.sections.shared.written_bounds import ask_bounds
from pages.sections.statistic import of_column
from pages.sections.statistic import settings as said
from pages.sections.statistic.decimal_mark import mark_of
from pages.sections.statistic.of_column import bounds_of
from pages.sections.statistic.reading import read_as
from pages.session.state import edits
from pages.text.wording import in_label


@dataclass(frozen=True)
class Bounded:
    """What is publicly known about the column's values. A count needs none of it."""

    interval: Interval | None = None
    unit: str = ""
    whole: bool = False
    source: str = ""
    strip: Affix | None = None
    format: ValueFormat | None = None

    @property
    def is_written(self) -> bool:
        """Whether its values are dates, times or durations."""
        return self.format is not None and self.format.kind != "number"


def bounds(table: Table, position: int, per_person: PerPerson) -> Bounded | None:
    of_column.follow(table, position, per_person)
    reading = read_as(table, position)
    what = "does a person's total" if per_person == "total" else "do its values"
    found = None
    if not reading.open:
        st.markdown(f"**Between which bounds {what} lie?** Values beyond are moved to them.")
        if reading.written is not None:
            found = _written(table, position, per_person, reading.written)
        else:
            found = _numbers(table, position, per_person, reading.format)
    of_column.mirror(table, position, per_person, reading.format)
    if found is None:
        todo = "Say how the column is read" if reading.open else "Set both bounds"
        st.info(f"{todo} to go on.", icon=":material/arrow_upward:")
    return found


def _written(
    table: Table, position: int, per_person: PerPerson, form: ValueFormat
) -> Bounded | None:
    """Of dates, times and durations, which are whole numbers of steps."""
    profile, _ = read_column(table, position)
    called = in_label(profile.label, f"column {position + 1}")
    typed = ask_bounds(table, position, called, form, bounds_of(per_person))
    cut = typed.inputs if per_person == "rows" else None
    owner_view(table, profile, Declared(format=form), cut, form.unit)
    if typed.inputs is None:
        return None
    return Bounded(typed.inputs, form.unit, whole=True, source=typed.source, format=form)


def _numbers(
    table: Table, position: int, per_person: PerPerson, rule: ValueFormat | None
) -> Bounded | None:
    profile, affix = read_column(table, position)
    if per_person != "total":
        offer_sample_bounds(table, [position])
    typed = bound_fields(table, profile, longest=24, of=bounds_of(per_person))
    whole = st.toggle(
        "Anyone knows that this column holds whole numbers",
        help="Whole answers are then released as whole numbers. It is a public statement: make "
        "it only where it is known without the table.",
        **edits(said.WHOLE.name, said.WHOLE.default),
    )
    inputs = typed.interval()
    if whole and inputs is not None:
        with typed.below:
            _say_if_not_whole(inputs)
    mark = mark_of(table, position)
    rule = with_decimal(rule, mark)
    declared = Declared(affix, mark) if rule is None else Declared(format=rule)
    # What becomes of the values of rows says nothing about totals and means of them.
    cut = inputs if per_person == "rows" else None
    owner_view(table, profile, declared, cut, typed.unit or "units")
    if inputs is None:
        return None
    return Bounded(inputs, typed.unit, whole, typed.source, declared.strip, rule)


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
