"""Step 2: what is asked, of which rows, between which bounds, and what one change does to it."""

from __future__ import annotations

import dataclasses

import streamlit as st

from compdp_core.adjacency import Neighbours, Person
from compdp_core.statistics import Count, Mean
from compdp_core.statistics.query import Query
from compdp_core.tables import Table
from pages.sections.shared.marks import in_doubt
from pages.sections.shared.settings_box import settings_box
from pages.sections.shared.upload import stripped
from pages.sections.statistic import settings as said
from pages.sections.statistic.bounds import Bounded, bounds
from pages.sections.statistic.decimal_mark import decimal, mark_of
from pages.sections.statistic.groups import groups
from pages.sections.statistic.owner import owner_hints
from pages.sections.statistic.persons import counted, in_groups
from pages.sections.statistic.query import Asked
from pages.sections.statistic.rows import condition, least_rows, missing, neighbours
from pages.sections.statistic.settings import value
from pages.sections.statistic.settings_file import NAME, take
from pages.sections.statistic.statistic_choice import which
from pages.sections.statistic.worked_out import worked_out
from pages.session import faults
from pages.session.state import memo
from pages.shell.panels import private as owners
from pages.shell.panels import step
from pages.text.wording import literal


def question_step(table: Table, person: Person | None) -> Asked | None:
    """The complete question, or None while something is left to set."""
    with step(2, "Question", "Everything here is public. None of it should come from the values."):
        settings_box(NAME, table, take)
        chosen = which(table)
        if chosen is None:
            return None
        statistic, column = chosen
        counting = isinstance(statistic, Count)
        per_person = counted(person, counting=counting)
        bounded = Bounded() if counting else bounds(table, column, per_person)
        where, where_ready = condition(table)
        read = None if counting else column
        grouping, groups_ready = groups(table, read)
        written = bounded is not None and bounded.is_written
        compared = where is not None and where.kind == "number"
        marked = None if written else read
        mark = mark_of(table, None) if written and not compared else decimal(table, marked)
        undecided = marked is not None and value(said.DECIMAL) == said.AS_IN_THE_TABLE
        doubt = in_doubt(table.columns[marked or 0]) if undecided else ""
        if doubt:
            with owners("mark", "the decimal mark of your cells"):
                st.warning(literal(doubt), icon=":material/help:")
        policy = "fill" if counting else missing(per_person)
        person = in_groups(person, grouping)
        notion, max_rows = neighbours(person)
        if bounded is None or doubt or not where_ready or not groups_ready:
            return None
        if counting:
            column = _read_by_count(table, where.column if where else None, grouping)
        private = notion is Neighbours.ADD_OR_REMOVE_ONE
        if isinstance(statistic, Mean) and (private or where or grouping or policy != "fill"):
            statistic = dataclasses.replace(statistic, at_least=least_rows(per_person))
            if statistic.at_least is None:
                what = "rows" if per_person == "rows" else "persons"
                st.info(
                    f"Here the number of {what} that the mean reads is protected. Say how many are "
                    "surely read, or release the sum and the count and divide them.",
                    icon=":material/arrow_upward:",
                )
                return None
        if private and max_rows is None:
            st.info("Say how many rows there could be at most.", icon=":material/arrow_upward:")
            return None

        def complete() -> Asked:
            inquiry = Query(
                statistic,
                column,
                bounded.interval,
                notion,
                max_rows,
                where,
                grouping,
                policy,
                bounded.whole,
                bounded.unit,
                bounded.strip,
                decimal=mark,
                person=person,
                per_person=per_person,
                format=bounded.format,
            )
            first = None if grouping is None else grouping.categories[0]
            read = _past_symbols(table, inquiry)
            return Asked(inquiry, read, inquiry.plan(read, first), bounded.source)

        asked = faults.attempt(complete)
        if asked is not None:
            worked_out(asked)
            owner_hints(asked)
        return asked


def _past_symbols(table: Table, inquiry: Query) -> Table:
    """The table as conditions read it: without the symbols that the owner lets be taken off."""
    named = {each.column for each in inquiry.conditions if each.kind == "number"}
    affixes = {c.position: stripped(c.position) for c in table.columns if c.label in named}

    def past() -> Table:
        found = table
        for position, affix in affixes.items():
            found = found if affix is None else found.stripped(position, affix)
        return found

    return memo("statistic.table", (table, affixes), past)


def _read_by_count(table: Table, where: str | None, grouping: object) -> int:
    """A count reads no values, only what its condition and groups read."""
    if where is not None:
        return next(c.position for c in table.columns if c.label == where)
    return int(value(said.GROUPS_BY) or 0) if grouping is not None else 0
