"""Step 5: one button draws the answer once, charges the ledger and keeps the answer for good."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from compdp_core.accounting import decimal_text
from compdp_core.release.statistic import Answer, answer
from compdp_core.statistics import ExactAnswer
from compdp_core.tables import Table
from pages.sections.statistic.outcome import earlier, outcome
from pages.sections.statistic.query import ReadyQuery, remembered
from pages.session import faults
from pages.session.ledger import affordable, charge, together
from pages.shell.panels import step


@dataclass(frozen=True, eq=False)
class KeptAnswers:
    """A released statistic as the session remembers it. Nothing of it changes any more."""

    answers: dict[str | None, Answer]
    """One for each group; under None where there are no groups."""
    ready: ReadyQuery
    number: int
    """First, second, … statistic of this table in this session."""


def release_step(table: Table, ready: ReadyQuery | None) -> bool:
    """Whether a statistic of this table was released."""
    with step(5, "Release and download", "Noise is drawn once, by the system, and kept."):
        kept = remembered(table)
        if kept:
            if ready is not None and not _same(kept[-1].ready, ready):
                st.info(
                    "The question above has changed since. What follows is the answer as it was "
                    "released.",
                    icon=":material/history:",
                )
            outcome(kept[-1])
            earlier(kept[:-1])
        if ready is None:
            st.info("Finish the steps above to release.", icon=":material/arrow_upward:")
        elif any(_same(each.ready, ready) for each in kept):
            with st.expander("Release once more: a second spend", icon=":material/replay:"):
                _offer(table, ready, again=True)
        else:
            _offer(table, ready, again=False)
        return bool(kept)


def released_at(table: Table) -> float:
    """When the last statistic of this table was drawn; 0 without one."""
    kept = remembered(table)
    return next(iter(kept[-1].answers.values())).when.timestamp() if kept else 0.0


def _same(one: ReadyQuery, other: ReadyQuery) -> bool:
    """Whether both put the same question, at whatever ε."""
    return one.asked.fingerprint == other.asked.fingerprint


def _offer(table: Table, ready: ReadyQuery, *, again: bool) -> None:
    before, after, why = together(*ready.spends())
    st.markdown(f"This spends **ε = {decimal_text(ready.cost)}** for every row.")
    if not affordable(*ready.spends()):
        return
    if before:
        repeat = (
            "The same question was answered before: whoever holds both answers can average noise "
            "away. The first answer stays above, to look at and to download, at no cost. "
            if again
            else ""
        )
        st.warning(
            f"ε = {decimal_text(before)} was already spent on this table; after this release it "
            f"is ε = {decimal_text(after)}. {why}{repeat}",
            icon=":material/warning:",
        )
    label = "Release once more" if again else "Release the answer"
    # Each offer has a key of its own: a second click on the button of the one that was taken, while
    # the page still shows it, must not take the next.
    done = len(remembered(table))
    key = f"release-answer-after-{done}" if done else "release-answer"
    if st.button(label, type="primary", icon=":material/lock_open:", key=key):
        faults.attempt(lambda: _release(table, ready))


def _release(table: Table, ready: ReadyQuery) -> None:
    """Draw, then charge and keep: both or, where the ledger refuses by now, neither."""
    inquiry = ready.asked.inquiry
    with st.spinner("Releasing …"):
        questions: dict[str | None, ExactAnswer] = {}
        if inquiry.grouping is None:
            questions[None] = inquiry.ask(table)
        else:
            questions.update(inquiry.ask_each(table))
        answers = {
            category: answer(question, ready.epsilon, pair=ready.pair, steps=ready.steps)
            for category, question in questions.items()
        }
        spends = ready.spends({category: each.identifier for category, each in answers.items()})
        kept = remembered(table)
        kept = [*kept, KeptAnswers(answers, ready, len(kept) + 1)]
        charge(*spends, keeping={f"answers.{table.fingerprint}": kept})
    st.rerun()
