"""Where people have several rows: what of a person counts, in which groups, and what is better."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import streamlit as st

from compdp_core.adjacency import PerPerson, Person
from compdp_core.release.advice import advice as compared
from compdp_core.statistics import Count, Grouping, Mean, Sum
from compdp_core.statistics.query import MissingValues
from pages.inputs.entry import within
from pages.inputs.links import field
from pages.inputs.options import select
from pages.sections.statistic import settings as said
from pages.sections.statistic.query import Asked
from pages.session.state import memo
from pages.text.values import ValueWords
from pages.text.wording import count, literal

COUNTS: dict[PerPerson, str] = {"rows": "Rows", "total": "Persons"}
"""Of a count, which reads no values."""
READS: dict[PerPerson, str] = {
    "rows": "Whoever has more rows weighs more.",
    "total": "The bounds are those of a person's total, and all rows of a person are added up.",
    "mean": "Each person weighs the same, with however many rows.",
}


MISSING_MEANS: dict[MissingValues, str] = {
    "fill": "Rows without a value are skipped. A person without any counts as the middle of the "
    "bounds.",
    "leave out": "Only persons with a value are read. How many these are is protected, which some "
    "statistics pay for with accuracy.",
}
"""Where one value of each person is read."""


def counted(person: Person | None, *, counting: bool) -> PerPerson:
    """What of a person is read; asked where a person may have several rows."""
    if person is None or person.one_row:
        return "rows"
    titles = COUNTS if counting else said.PER_PERSON
    chosen: PerPerson = select("What of a person counts", titles, said.COUNTED)
    if not counting:
        st.caption(READS[chosen])
    return chosen


def in_groups(person: Person | None, grouping: Grouping | None) -> Person | None:
    """The person as it is read in groups: in so many of them at most."""
    if person is None or person.one_row or grouping is None:
        return person
    field(
        said.MOST_GROUPS,
        "Groups in which one person is read at most (public)",
        check=within(said.ROWS),
        help="One person may have rows in several groups. All answers together cost the ε of one "
        "for each group that a person is read in, and twice that where persons are replaced. In "
        "which ones somebody with more groups is read is drawn at random.",
    )
    return dataclasses.replace(person, groups=said.number(said.MOST_GROUPS) or 1)


def advice(asked: Asked) -> None:
    """Which of the ways to read a person has the smaller error, for the most rows there may be."""
    rows, read = count(asked.most_rows, "row"), asked.inquiry.per_person
    adding, counting = (isinstance(asked.inquiry.statistic, kind) for kind in (Sum, Count))
    if read == ("mean" if adding else "total") and not counting:
        return  # Nothing asks nearly the same, or the bounds say nothing of single values.
    if adding:
        change = literal(asked.words.amount(float(asked.plan.sensitivity), 4))
        if read == "rows":
            st.caption(
                f"With {rows} a person changes the sum by up to {change}. Where anyone knows "
                "closer bounds than that for a person's total, the total of each person has the "
                "smaller error."
            )
        else:
            st.caption(
                f"One value of each person changes the sum by up to {change}. Where {rows} between "
                "their own bounds change it by less, rows have the smaller error."
            )
        return
    if isinstance(asked.inquiry.statistic, Mean) and asked.inquiry.statistic.at_least is not None:
        st.caption(
            f"With {rows} of a person at most, the mean of each person has the smaller error "
            f"unless {asked.most_rows:,} times as many rows as persons are surely read."
        )
        return
    epsilon = Fraction(said.value(said.BUDGET))
    found = memo(
        "statistic.ways",
        (asked.fingerprint, epsilon),
        lambda: compared(asked.inquiry, asked.table, epsilon),
    )
    # A count is one of rows, or one of persons.
    words = ValueWords() if counting else asked.words
    one = "persons" if counting else "one value of each person"
    names = [("rows" if way.per_person == "rows" else one) for way in found.ways]
    errors = [
        literal(words.amount(way.typical_error))
        for way in found.ways
        if way.typical_error is not None
    ]
    if found.best is None or len(errors) < 2:
        return
    told = ", ".join(f"{name} {error}" for name, error in zip(names, errors, strict=True))
    best = names[found.ways.index(found.best)]
    better = "" if len(set(errors)) == 1 else f" The smaller one is that of {best}."
    st.caption(
        f"Typical error at the ε of step 3, for {rows} of a person at most: {told}.{better} "
        f"{found.difference}"
    )
