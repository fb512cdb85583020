"""What only the owner may see of the rows that a question reads."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from compdp_core.adjacency import Neighbours, PerPerson, Person
from compdp_core.errors import CompdpError
from compdp_core.randomness import SeededSource
from compdp_core.statistics import Count, Mean
from compdp_core.statistics.query import Query
from compdp_core.tables import Table
from compdp_core.tables.contributions import TooManyRowsError
from pages.sections.statistic.query import Asked
from pages.session import faults
from pages.session.state import memo
from pages.shell.panels import private
from pages.text.wording import count, literal


def owner_hints(asked: Asked) -> None:
    """How many rows the question reads, where that is not all of them."""
    inquiry = asked.inquiry
    some = inquiry.where is not None or inquiry.grouping is not None or inquiry.missing != "fill"
    if not some and _least(inquiry) is None and not asked.several:
        return

    def look() -> list[int]:
        return rows_read(inquiry, asked.table)

    rows = faults.attempted(lambda: memo("statistic.rows_read", asked.fingerprint, look))
    if isinstance(rows, CompdpError):
        if not isinstance(rows, TooManyRowsError):  # which step 5 says
            faults.tell(faults.sentence(str(rows)))
        return
    read, total = sum(rows), asked.table.row_count
    with private("rows-read", "rows that the question reads"):
        st.markdown(f"{count(read, 'row')} of {total:,}.")
        if read == 0:
            st.warning(
                "No row is read. The answer is then noise around a public number, and nobody can "
                "tell that from it. Check the spelling of the condition and the categories.",
                icon=":material/warning:",
            )
        elif read < total:
            st.caption(f"All others {_why_not(inquiry)}.")
            if _some_of_a_person(inquiry) and inquiry.grouping is not None:
                st.caption(
                    "So it is in one draw of each person's groups and rows. A release draws anew, "
                    "and may read some more or fewer."
                )
        _unfit(asked)
        _filled_up(asked, rows)


def _unfit(asked: Asked) -> None:
    """Cells that a condition of numbers cannot read: nobody else is told that there are any."""
    labels = [each.column for each in asked.inquiry.conditions if each.kind == "number"]
    for column in asked.table.columns:
        none = column.rows - column.numbers
        if column.label in labels and none:
            st.caption(
                f"{count(none, 'cell')} of {literal(column.label)} "
                f"{'is no number and meets' if none == 1 else 'are no numbers and meet'} no "
                "condition of numbers."
            )


def _least(inquiry: Query) -> int | None:
    """Rows that are surely read, as the owner said of a mean."""
    return inquiry.statistic.at_least if isinstance(inquiry.statistic, Mean) else None


def _why_not(inquiry: Query) -> str:
    reasons = []
    if inquiry.grouping is not None:
        reasons.append("have another category or none")
    if inquiry.where is not None:
        reasons.append("miss the condition")
    if inquiry.missing == "leave out":
        reasons.append("have no value")
    if _some_of_a_person(inquiry):
        reasons.append("are left out at random as further rows of a person")
    return ", or ".join(reasons)


def _filled_up(asked: Asked, rows: list[int]) -> None:
    """A mean that reads fewer rows or persons than was said is none of these alone."""
    inquiry, least = asked.inquiry, _least(asked.inquiry)
    if least is None:
        return
    read = rows
    if inquiry.per_person != "rows":
        read = memo(
            "statistic.persons_read", asked.fingerprint, lambda: persons_read(inquiry, asked.table)
        )
    fewest = min(read)
    if fewest < least:
        each = "" if inquiry.grouping is None else " for the smallest group"
        st.warning(
            f"You said that {least:,} are surely read: {count(least - fewest, 'middle')} of the "
            f"bounds fill up what is missing{each} and draw the mean towards the middle. Privacy "
            "holds all the same.",
            icon=":material/warning:",
        )


def _some_of_a_person(inquiry: Query) -> bool:
    return inquiry.person is not None and inquiry.per_person == "rows"


def rows_read(inquiry: Query, table: Table) -> list[int]:
    """Rows that each answer reads: those that meet the condition, have the category and, where
    missing values are skipped, a value; of each person no more than may be. Private.
    """
    return _counted(inquiry, table, inquiry.person if _some_of_a_person(inquiry) else None, "rows")


def persons_read(inquiry: Query, table: Table) -> list[int]:
    """Persons that have a row that each answer reads. Private."""
    # Where further rows are refused, step 5 says so.
    person = inquiry.person and replace(inquiry.person, beyond="leave out")
    return _counted(inquiry, table, person, "total")


def _counted(
    inquiry: Query, table: Table, person: Person | None, per_person: PerPerson
) -> list[int]:
    counting = Query(
        Count(),
        inquiry.position,
        neighbours=Neighbours.ADD_OR_REMOVE_ONE,  # All rows of this table, however they look.
        max_rows=table.row_count,
        where=inquiry.where,
        grouping=inquiry.grouping,
        missing=inquiry.missing,
        strip=inquiry.strip,
        kind=inquiry.kind,
        decimal=inquiry.decimal,
        format=inquiry.format,
        person=person,
        per_person=per_person,
    )
    # For looking at: a release draws others, and as many where there are no groups.
    found = counting.questions(table, source=SeededSource(1))
    return [int(question.value) for question in found.values()]
