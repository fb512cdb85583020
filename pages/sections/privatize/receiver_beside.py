"""What a receiver could say by other noise, and by one released answer at the same ε."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from math import isinf
from typing import Literal

import streamlit as st

from compdp_core.estimates.forecast.expected import ExpectedOther
from compdp_core.estimates.forecast.wished import Beside, beside_statistic
from compdp_core.mechanisms.baselines import Mechanism
from compdp_core.release.statistic import middle
from compdp_core.tables import Table
from compdp_core.tables.contributions import persons_of
from pages.sections.privatize.receiver import foretold, found_from
from pages.sections.shared.left_out import rows_read
from pages.sections.shared.ready import ReadyRelease
from pages.sections.shared.words import words_of
from pages.session.state import memo
from pages.text.values import points
from pages.text.wording import literal, number


def by_other_noise(ready: ReadyRelease, rows: int, made: Mapping[str, Mechanism]) -> None:
    """Of each mechanism how surely the mean and correlations are told, where it is known."""
    own, column = foretold(ready, rows), ready.focus
    words = words_of(column).in_markdown()
    lines = ["| noise | the mean within | a correlation |", "| :-- | :-- | :-- |"]
    for name, each in made.items():
        given = (own.rows, own.level, own.share, own.at_most)
        found = ExpectedOther(*given, mechanism=each, whole=column.whole)
        correlation = own.correlation() if each is ready.mechanism else found.correlation()
        said = f"±\u00a0{words.amount(found.mean_within)}", found_from(correlation)
        if not found.is_unbiased:
            said = f"off by up to {words.amount(found.worst_bias)}, however many rows", "–"
        lines.append(f"| {literal(name)} | {said[0]} | {said[1]} |")
    st.markdown("**What a receiver could say by other noise**, at the same ε")
    with st.container(key="table-receiver-beside"):
        st.markdown("\n".join(lines))
    st.caption(
        "The mean of the released column, and a correlation with a column as it came, where true "
        "values are spread evenly between the bounds. Noise that is not right on average pulls "
        "them by what the true values are, which nobody knows."
    )


def by_one_answer(table: Table, ready: ReadyRelease) -> None:
    """The same answers from the table and released by themselves, in a sentence each."""
    entry, person = ready.entries[ready.at], ready.person
    persons = None if person is None else persons_of(table, person.by).count
    rows, found = rows_read(table, person), foretold(ready, table.row_count)
    wishes: tuple[Literal["mean", "share"], ...] = ("mean", "share")
    for wish in wishes[1:] if ready.focus.is_category else wishes:
        solve = partial(beside_statistic, entry.plan, wish, found, rows)
        beside = memo(
            f"privatize.beside.{wish}",
            (entry, found, rows, person, persons),
            partial(solve, person=person, persons=persons),
        )
        st.markdown(" ".join(_told(ready, wish, beside)))


def _told(ready: ReadyRelease, wish: str, beside: Beside) -> Iterator[str]:
    column, words = ready.focus, words_of(ready.focus).in_markdown()
    amount = words.amount if wish == "mean" else points
    what, alone = "the mean", "a released mean"
    if wish == "share":
        what, alone = "the share of an answer", "a released count"
        if not column.is_category and column.inputs is not None:
            at = words_of(column).value(middle(column.inputs, whole=column.whole))
            what = f"the share {words.beyond} {literal(at)}"
    whose = "" if ready.person is None else " of one person"
    yield f"- From this table {what} is told within ±\u00a0{amount(beside.table)}."
    if isinf(beside.ratio):
        yield f"At the same ε{whose} {alone} would be **exact** 95 % of the time."
        return
    yield f"At the same ε{whose} {alone} would be within ±\u00a0{amount(beside.statistic)}:"
    times = beside.ratio if beside.ratio >= 1 else 1 / beside.ratio
    yield f"**{number(times, 2)} times as {'exact' if beside.ratio >= 1 else 'far off'}**."
