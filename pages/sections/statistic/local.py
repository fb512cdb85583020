"""Step 6: noise on every row, or on the answer alone? The same mean both ways, side by side."""

from __future__ import annotations

import math

import streamlit as st

from compdp_core.accounting import decimal_text
from compdp_core.tables import Table
from compdp_core.tables.alignment import may_leave_out
from pages.sections.shared.figures import records
from pages.sections.statistic.both_ways import (
    BothWays,
    both_ways,
    mean_release,
    question_for,
    row_release,
)
from pages.sections.statistic.query import ReadyQuery, remembered
from pages.sections.statistic.words import AnswerWords
from pages.session import faults
from pages.session.state import keep, memo, recall
from pages.shell.panels import private, step
from pages.text.wording import budget, literal, number

SEED = "statistic.seed"


def local_step(table: Table, ready: ReadyQuery) -> None:
    """Only where there is a column with bounds; a count has none."""
    with step(
        6,
        "Row by row, or the answer alone?",
        "Privatize puts noise on every value. This page puts it on the answer.",
    ):
        inquiry = ready.asked.inquiry
        if inquiry.bounds is None:
            st.info("Choose a mean or a sum above to compare both.", icon=":material/info:")
            return
        if inquiry.person is not None:
            st.info(
                "Where people have several rows, a mean taken from a table with noise on every "
                "value reads rows that were drawn for that table alone: the two are not compared.",
                icon=":material/info:",
            )
            return
        if may_leave_out(table.format, len(table.columns)):
            st.info(
                "Lines of this table count as no rows by how they look, so the number of rows is "
                "not public and no mean of all rows can be compared here.",
                icon=":material/info:",
            )
            return
        question = question_for(ready)
        rows = row_release(table, question)
        mean = mean_release(table, question, remembered(table))
        seed = recall(SEED, 1)
        found = faults.attempt(
            lambda: memo(
                "statistic.both_ways",
                (ready.asked.fingerprint, ready.epsilon, seed, rows, mean),
                lambda: both_ways(ready, seed, rows, mean),
            )
        )
        if found is not None:
            _told(found, AnswerWords.of_answers(question, inquiry.unit), seed)


def _told(both: BothWays, words: AnswerWords, seed: int) -> None:
    # A release may have had another ε than the page has now.
    same = both.rows.budget == both.answer.budget
    row, alone = (
        f"**{literal(words.amount(way.error))}**" + ("" if same else f" at {budget(way.budget)}")
        for way in (both.rows, both.answer)
    )
    # The errors tell how many rows there are, which may be protected.
    with private("both-ways", "the exact mean beside both"):
        st.markdown(
            f"A mean of {literal(both.label)} over all rows, taken from a table with noise on "
            f"every value, is typically off by {row}; a mean released by itself by {alone}: "
            f"{_times(both)}. Row by row is for those who need the table, or who trust nobody with "
            "it (local privacy). The answer alone is for those who need the answer (central "
            "privacy)."
        )
        records(_rows(both, words), "The mean row by row, the mean alone, and the exact mean")
        if both.rows.released and both.answer.released:
            st.caption("Both are your releases of this session; nothing here is drawn anew.")
            return
        st.caption(
            "What is simulated is drawn with a fixed seed, to look at. It is no release and costs "
            "nothing; do not publish it."
        )
        st.button("Simulate again", icon=":material/casino:", on_click=keep, args=(SEED, seed + 1))


def _times(both: BothWays) -> str:
    """How the error of the answer alone compares with the other."""
    alone, row = both.answer.error, both.rows.error
    if alone > row:  # at a smaller ε of its own
        return f"{number(alone / row)} times more"
    return f"{number(row / alone if alone > 0 else math.inf)} times less"


def _rows(both: BothWays, words: AnswerWords) -> list[dict[str, str]]:
    return [
        {
            "way": way.name,
            "from": "released" if way.released else "simulated",
            "mean": words.value(way.mean),
            "off by": words.off(way.mean - both.exact),
            "typically off by": words.amount(way.error),
            "exact mean": words.value(both.exact),
            "ε": decimal_text(way.budget),
        }
        for way in (both.rows, both.answer)
    ]
