"""Which rows are read, what becomes of missing values, and who is protected."""

from __future__ import annotations

from typing import Any

import streamlit as st

from compdp_core.adjacency import Neighbours, PerPerson, Person
from compdp_core.errors import CompdpError
from compdp_core.statistics import Condition, Kind
from compdp_core.statistics.query import MissingValues
from compdp_core.tables import Table
from pages.inputs.entry import exact, within
from pages.inputs.links import Setting
from pages.inputs.options import radio, segments, select
from pages.sections.shared.cells import MARKS, Mark
from pages.sections.shared.upload import labels
from pages.sections.statistic import persons
from pages.sections.statistic import settings as said
from pages.sections.statistic.settings import value
from pages.session import faults
from pages.session.state import edits, forget, kept
from pages.text.typed_numbers import in_two_ways, parsed
from pages.text.wording import NEIGHBOURS, OF_PERSONS

SIGNS = {"==": "=", "!=": "≠", "<": "<", "<=": "≤", ">": ">", ">=": "≥"}


def condition(table: Table) -> tuple[Condition | None, bool]:
    """The condition, if one is wanted, and whether the question is complete in this."""
    if not st.toggle(
        "Only rows that meet a condition",
        help="How many rows meet it is then protected like any other number.",
        **edits(said.WHERE.name, said.WHERE.default),
    ):
        return None, True
    left, middle, right = st.columns([3, 1, 2])
    below = st.container()
    with left:
        hint = "Choose a column"
        position = select(
            "Column of the condition", labels(table), said.WHERE_COLUMN, placeholder=hint
        )
    with middle:
        how = select("Comparison", SIGNS, said.WHERE_HOW)
    with right:
        what = st.text_input(
            "Compared with", max_chars=200, placeholder="a number or a word",
            **edits(said.WHERE_WHAT.name, said.WHERE_WHAT.default),
        )  # fmt: skip
    with below:
        if position is None or not what.strip():
            st.info("Complete the condition to go on.", icon=":material/arrow_upward:")
            return None, False
        kind = _kind(what.strip())
        label = table.columns[position].label
        found = faults.attempt(lambda: _condition(label, how, what.strip(), kind))
    return found, found is not None


def _kind(what: str) -> Kind:
    """As what cells are compared: what the constant shows, until the owner says otherwise.

    Never what the cells show: one of them could then turn the answer for all others over.
    """
    if value(said.WHERE_KIND) is None and said.WHERE_KIND.name in kept():
        forget(said.WHERE_KIND.name)
    shown: Kind = "text" if parsed(what) is None else "number"
    kind: Kind = segments("Cells are compared as", said.KINDS_MEAN, said.WHERE_KIND.name, shown)
    st.caption(
        "It is public, and your word: the table is not asked. As numbers, a cell that is none "
        "meets no condition. As texts, 18 and 18.0 differ, and only = and ≠ can be asked."
    )
    return kind


def _condition(column: str, how: Any, what: str, kind: Kind) -> Condition:
    if kind == "text":
        return Condition(column, how, what, kind)
    if question := in_two_ways(what):
        raise CompdpError(f"{question} Type it without a thousands mark.")
    number = parsed(what)
    if number is None:
        raise CompdpError(
            f"{what!r} is no number: type one, such as 18, or compare the cells as texts"
        )
    return Condition(column, how, float(number), kind)


def decimal(table: Table, column: int | None) -> Mark:
    """The mark that numbers are read with: a setting from here on, whatever the cells become."""
    own = table.format.decimal if column is None else table.columns[column].decimal
    found: Mark = "," if own == "," else "."
    names: dict[str, str] = {said.AS_IN_THE_TABLE: f"as found in the table: {MARKS[found]}"}
    names |= {str(mark): word for mark, word in MARKS.items()}
    chosen: str = select("Decimal mark of the numbers", names, said.DECIMAL)
    return found if chosen == said.AS_IN_THE_TABLE else "," if chosen == "," else "."


def missing(per_person: PerPerson) -> MissingValues:
    """What becomes of cells without a value; offered always, so that it tells nothing."""
    chosen: MissingValues = select("Missing values", said.MISSING, said.MISSING_POLICY)
    means = said.MISSING_MEANS if per_person == "rows" else persons.MISSING_MEANS
    st.caption(means[chosen])
    return chosen


def neighbours(person: Person | None) -> tuple[Neighbours, int | None]:
    """Which two tables must look alike, and, where rows come and go, how many there may be."""
    notion = Neighbours(
        radio(
            "Two tables that must look alike differ in this:",
            NEIGHBOURS if person is None else OF_PERSONS,
            said.NOTION,
            captions=list((said.NEIGHBOURS_MEAN if person is None else said.PERSONS_MEAN).values()),
        )
    )
    if notion is Neighbours.REPLACE_ONE:
        return notion, None
    return notion, _rows(
        said.MAX_ROWS,
        "Rows there could be at most (public)",
        "such as the number of pupils of all schools asked",
        "Not the number of rows of this table: that is protected now. If there are more rows "
        "after all, they are counted as this many.",
    )


def least_rows(per_person: PerPerson) -> int | None:
    """Rows or persons that a mean surely reads, where their number is protected."""
    what = "rows" if per_person == "rows" else "persons"
    return _rows(
        said.AT_LEAST,
        f"{what.capitalize()} that are surely read (public)",
        "a number that anyone may know",
        f"The mean divides by this number of {what} or more. With fewer {what}, middles of the "
        "bounds fill up, so privacy holds even if the statement is wrong.",
    )


def _rows(setting: Setting, label: str, example: str, help: str) -> int | None:
    check = within(said.ROWS)
    exact(setting.name, label, check=check, optional=True, placeholder=example, help=help)
    return said.number(setting)
