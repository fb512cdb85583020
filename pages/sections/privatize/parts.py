"""What is asked of a column by what it holds: bounds, a format, a rule, or a list."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from compdp_core.intervals import Interval
from compdp_core.text import plain
from pages.sections.privatize.answers import categories_of, enumerated
from pages.sections.privatize.asked import AskedColumn, ColumnAnswers
from pages.sections.privatize.lists import (
    TAKEN,
    ask_list,
    offer_lists,
    taken,
)
from pages.sections.privatize.merging import arrange
from pages.sections.privatize.merging_gain import tell_what_merging_gains
from pages.sections.privatize.scales import ask_need
from pages.sections.privatize.stripping import offer_to_strip
from pages.sections.privatize.within_the_day import keep_within_the_day
from pages.sections.shared.bounds import bound_fields
from pages.sections.shared.cells import OF_ANSWERS, OF_SCALES
from pages.sections.shared.declared import Declared
from pages.sections.shared.formats import ask_format, ask_rule
from pages.sections.shared.proposed import Holds
from pages.sections.shared.written_bounds import ask_bounds
from pages.session import faults
from pages.session.state import edits
from pages.text.wording import count, literal


def numbers_part(asked: AskedColumn, holds: Holds) -> ColumnAnswers:
    """Numbers, whole numbers, and limits and classes that count as numbers."""
    if holds != "limits":
        offer_to_strip(asked.profile)
    form = ask_rule(asked.table, asked.position, asked.called) if holds == "limits" else None
    typed = bound_fields(asked.table, asked.profile, asked.called)
    inputs = typed.interval()
    whole = holds == "whole"
    if holds == "limits":
        whole = st.toggle(
            f"Release whole numbers, {asked.called}", **edits(asked.named("whole"), False)
        )
    due = "set both bounds of" if inputs is None else ""
    if holds == "limits" and form is None:
        due = "say what a limit counts as in"
    return ColumnAnswers(
        "whole" if whole else "number",
        Declared(format=form),
        inputs,
        typed.unit or "units",
        typed.source,
        due=due,
    )


def written_part(asked: AskedColumn, holds: Holds) -> ColumnAnswers | None:
    """Dates, times of day, both together, and durations."""
    assert holds in ("date", "time", "datetime", "duration")
    form = ask_format(asked.table, asked.position, asked.called, holds)
    if form is None:
        return None
    typed = ask_bounds(asked.table, asked.position, asked.called, form)
    if holds == "time":
        keep_within_the_day(asked.table, asked.position, asked.called, form)
    return ColumnAnswers(
        holds,
        Declared(format=form),
        typed.inputs,
        form.unit,
        typed.source,
        due="set both bounds of" if typed.inputs is None else "",
    )


def listed_part(asked: AskedColumn, holds: Holds) -> ColumnAnswers:
    """Categories, yes and no, and scales."""
    table, position, called = asked.table, asked.position, asked.called
    ask_list(table, position, called, holds)
    need = ask_need(table, position, called, asked.epsilon) if holds == "scale" else "shares"
    shares = need == "shares"
    others, blanks = _extras(asked, holds) if shares else (False, False)
    arrange(table, position, called, blanks=blanks, ordered=holds == "scale")
    found = faults.attempt(lambda: categories_of(table, position, others=others, blanks=blanks))
    if found is not None:
        names = zip(found.scores, found.names, strict=True)
        said = found.names if shares else tuple(f"{plain(score)} = {name}" for score, name in names)
        st.caption(f"{count(len(found), 'answer')}: {literal(enumerated(said))}")
        if shares:
            tell_what_merging_gains(len(found), asked.epsilon, table.row_count)
    source = st.text_input(
        f"Where this list comes from, {called} (public, optional)",
        max_chars=200,
        placeholder="such as: the questionnaire, the code book",
        **edits(asked.named("source"), ""),
    ).strip()
    if taken(table, position) and TAKEN not in source:
        source = "; ".join(filter(None, (source, TAKEN)))
    return ColumnAnswers(
        "category" if shares else "scale",
        None if found is None else Declared(categories=found),
        None if found is None or shares else Interval(min(found.scores), max(found.scores)),
        source=source,
        policies=OF_ANSWERS if shares else OF_SCALES,
        offers=partial(offer_lists, table, position, called),
        due="" if found is not None else "set the list of answers of",
    )


def _extras(asked: AskedColumn, holds: Holds) -> tuple[bool, bool]:
    """Whether texts that are not listed are an answer, and whether blank cells are."""
    left, right = st.columns(2)
    others = left.toggle(
        f"All else is “other”, {asked.called}",
        help="What is not listed becomes one more answer. Off: it counts as a missing value.",
        **edits(asked.named("list.other"), holds == "category"),
    )
    blanks = right.toggle(
        f"Blank is an answer, {asked.called}",
        help="Off: they are missing values.",
        **edits(asked.named("list.blank"), False),
    )
    return others, blanks


PARTS: dict[Holds, Callable[[AskedColumn, Holds], ColumnAnswers | None]] = {
    **dict.fromkeys(("number", "whole", "limits"), numbers_part),
    **dict.fromkeys(("category", "yes_no", "scale"), listed_part),
    **dict.fromkeys(("date", "time", "datetime", "duration"), written_part),
}
