"""What was asked of several columns, answered: sentences to repeat, and a table beside the naive
reading.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from compdp_core.estimates.summary.requests import Request
from compdp_core.estimates.summary.rows import SummaryRow, rows
from compdp_core.estimates.summary.sentences import NONE, remarks, sentence, texts, verdict
from pages.sections.read_release.subject import OpenRelease
from pages.sections.shared.figures import records
from pages.session.state import memo
from pages.shell.panels import drawer
from pages.text.wording import literal, percent

NAIVE, FAULT = "naive reading", "which is"
REFUSED = "cannot be said"
MOST_SAID = 3
"""Sentences below one another; where there are more, they are told on demand."""
MOST = 12
"""Sentences at all; the table has all figures."""


def answered(opened: OpenRelease, requests: Sequence[Request], key: str) -> tuple[SummaryRow, ...]:
    """The figures of some requests, worked out once while they and the release are the same."""
    made: tuple[SummaryRow, ...] = memo(
        f"received.asked.{key}",
        (opened, list(requests)),
        lambda: tuple(row for each in requests for row in rows(opened.estimates, each)),
    )
    return made


def show_answers(
    opened: OpenRelease,
    found: Sequence[SummaryRow],
    alt: str,
    named: Callable[[SummaryRow], str] = lambda row: row.figure,
) -> None:
    """Sentences, then all figures as a table by these names, then what limits them."""
    reasons = dict.fromkeys(sentence(row) for row in found if row.estimate is None)
    for said in reasons:
        st.info(literal(said), icon=":material/info:")
    told = [row for row in found if row.estimate is not None]
    few = len(told) <= MOST_SAID
    for row in told if few else told[:1]:
        st.markdown(literal(sentence(row)))
    if not told:
        return
    records([figure_line(named(row), row, opened.estimates.level) for row in found], alt)
    if not few:
        st.caption(f"Each interval alone is right so often, all {len(told)} at once more seldom.")
    st.caption(literal(" ".join(remarks(told))))
    if not few:
        to_repeat(told, f"received.sentences.{alt}")


def to_repeat(rows: Sequence[SummaryRow], key: str) -> None:
    """Sentences, on demand."""

    def say() -> None:
        st.markdown("\n".join(f"- {literal(sentence(row))}" for row in rows[:MOST]))

    drawer(key, "Sentences to repeat", ":material/format_quote:", say)


def figure_line(name: str, row: SummaryRow | None, level: float) -> dict[str, str]:
    """A figure in a table; None while it is worked out."""
    interval = f"{percent(level)} interval"
    if row is None:
        return {"figure": name, "estimate": "…", interval: NONE, NAIVE: NONE, FAULT: NONE}
    said = texts(row)
    return {
        "figure": name,
        "estimate": REFUSED if row.estimate is None else said.value,
        interval: said.interval,
        NAIVE: said.naive,
        FAULT: verdict(row),
    }
