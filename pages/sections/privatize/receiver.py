"""What whoever gets the file will be able to say of a column: as surely as settings foretell it."""

from __future__ import annotations

from collections.abc import Iterator
from math import isinf

import streamlit as st

from compdp_core.estimates.forecast.expected import (
    Expected,
    ExpectedCategory,
    ExpectedNumbers,
    expected,
    pair_rows,
)
from compdp_core.intervals import Interval
from compdp_core.release.statistic import middle
from pages.sections.shared.ready import ReadyRelease
from pages.sections.shared.words import words_of
from pages.session.state import memo
from pages.text.values import points
from pages.text.wording import budget, count, literal, number

MOST_OTHERS = 4
"""Columns of the plan that a correlation is told with, one by one."""
HOPELESS = 0.499
"""A share that is known no better than this is not known."""
Line = tuple[str, str]


def foretold(ready: ReadyRelease, rows: int, at: int | None = None) -> Expected:
    """Of the column in focus, or another one of the plan."""
    place = ready.at if at is None else at
    entry, share = ready.entries[place], ready.plan.share
    return memo(
        ready.columns[place].setting("expected"),
        (entry, rows, share, ready.person),
        lambda: expected(entry.mechanism, rows, share=share, person=ready.person),
    )


def receiver(ready: ReadyRelease, rows: int) -> None:
    """A short table; `rows` of the file, which are public."""
    found = foretold(ready, rows)
    lines = [*_own(ready, found), *_relations(ready, rows, found)]
    st.markdown(f"**What a receiver will be able to say** of {literal(ready.focus.label)}")
    with st.container(key="table-receiver"):
        head = ["| what | how surely |", "| :-- | :-- |"]
        st.markdown("\n".join([*head, *(f"| {what} | {said} |" for what, said in lines)]))
    spread = "all answers are as frequent"
    if isinstance(found, ExpectedNumbers):
        spread = "true values are spread evenly between the bounds"
    st.caption(
        f"From {count(found.rows, 'row')} at {budget(ready.entries[ready.at].plan.epsilon)}, where "
        f"{spread}. The intervals hold 95 % of the time, and a correlation so large is found 80 % "
        "of the time. All this follows from public settings by the formulas of Read a release: "
        "nothing is drawn, nothing is spent." + _of_persons(ready)
    )


def _own(ready: ReadyRelease, found: Expected) -> Iterator[Line]:
    if isinstance(found, ExpectedCategory):
        yield "the share of an answer", share_words(found.share_within())
    if not isinstance(found, ExpectedNumbers):
        return
    words = words_of(ready.focus).in_markdown()
    ends = Interval(*found.mechanism.inputs)
    half, within = 0.5 * ends.width, found.mean_within
    surely = f"within ±\u00a0{words.amount(within)}"
    yield "the mean of the rows", surely if within < half else "no more than the bounds say"
    at = literal(words_of(ready.focus).value(middle(ends, whole=ready.focus.whole)))
    yield f"the share {words.beyond} {at}", share_words(found.above_within)
    low, high = found.std_between
    ends_of = f"{words.amount(low)} … {words.amount(high)}"
    if words.format is None:
        ends_of = words.span(low, high, 3)
    surely = f"{ends_of}, if it is {words.amount(found.std)}"
    yield "the standard deviation", surely if low > 0.0 else "nothing: the noise hides it"
    told = "told, as a picture with its band"
    yield "the distribution", told if found.tells_distribution else "not told: too few rows for it"


def _relations(ready: ReadyRelease, rows: int, found: Expected) -> Iterator[Line]:
    of = "of one answer " if ready.focus.is_category else ""
    yield f"a correlation {of}with a column as it came", found_from(found.correlation())
    others = [place for place in range(len(ready.columns)) if place != ready.at]
    both = pair_rows(rows, len(ready.columns), ready.answered) if others else 0
    for place in others[:MOST_OTHERS]:
        column = ready.columns[place]
        which = "an answer of " if column.is_category else ""
        said = "no row has both"
        if both:
            said = found_from(found.correlation(foretold(ready, rows, place), both))
        yield f"a correlation {of}with {which}{literal(column.label)}", said


def found_from(least: float) -> str:
    if least < 1.0:
        return f"found from ±\u00a0{number(least, 2)} on"
    return "nothing: the noise hides it" if isinf(least) else "not found, however strong"


def share_words(within: float) -> str:
    return f"within ±\u00a0{points(within)}" if within < HOPELESS else "nothing: it may be any"


def _of_persons(ready: ReadyRelease) -> str:
    if ready.person is None or ready.person.one_row:
        return ""
    return " Rows of one person may be all alike, so a population is told less surely."
