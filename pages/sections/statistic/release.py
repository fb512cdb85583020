"""Step 5: one button draws the answer once, charges the ledger and keeps the answer for good."""

from __future__ import annotations

import streamlit as st

from compdp_core.release.statistic import answer
from compdp_core.tables import Table
from pages.sections.shared.larger_file import offer_a_larger_file
from pages.sections.shared.left_out import allowed
from pages.sections.shared.release_panel import (
    AGAIN,
    HINT,
    TITLE,
    confirmed,
    offer_once_more,
    outdated,
)
from pages.sections.statistic.files import settings_json
from pages.sections.statistic.outcome import earlier, outcome
from pages.sections.statistic.query import KeptAnswers, ReadyQuery, remembered
from pages.session import faults
from pages.session.ledger import charge
from pages.shell.panels import step
from pages.text.wording import budget


def release_step(table: Table, ready: ReadyQuery | None) -> bool:
    with step(5, TITLE, HINT):
        kept = remembered(table)
        if kept:
            if ready is not None and not _same(kept[-1].ready, ready):
                outdated("question above has", "answer as it was released")
            outcome(kept[-1])
            earlier(kept[:-1])
        if ready is None:
            st.info("Finish the steps above to release.", icon=":material/arrow_upward:")
        elif any(_same(each.ready, ready) for each in kept):
            offer_once_more(lambda: _offer(table, ready, again=True))
        else:
            _offer(table, ready, again=False)
            if not kept:
                offer_a_larger_file("answer", lambda: settings_json(ready))
        return bool(kept)


def released_at(table: Table) -> float:
    """When the last statistic of this table was drawn; 0 without one."""
    kept = remembered(table)
    return next(iter(kept[-1].answers.values())).when.timestamp() if kept else 0.0


def _same(one: ReadyQuery, other: ReadyQuery) -> bool:
    return one.asked.fingerprint == other.asked.fingerprint


def _offer(table: Table, ready: ReadyQuery, *, again: bool) -> None:
    repeated = (
        "The same question was answered before: whoever holds both answers can average noise "
        "away. The first answer stays above, to look at and to download, at no cost. "
    )
    done, person = len(remembered(table)), ready.asked.inquiry.person
    if person is not None and not allowed(table, person):
        return
    if confirmed(
        ready.spends(),
        f"**{budget(ready.cost)}** for every {ready.asked.one}",
        repeated if again else "",
        AGAIN if again else "Release the answer",
        f"release-answer-after-{done}" if done else "release-answer",
    ):
        faults.attempt(lambda: _release(table, ready))


def _release(table: Table, ready: ReadyQuery) -> None:
    """Draw, then charge and keep: both or, where the ledger refuses by now, neither."""
    with st.spinner("Releasing …"):
        questions = ready.asked.inquiry.questions(table)
        answers = {
            category: answer(question, ready.epsilon, pair=ready.pair, steps=ready.steps)
            for category, question in questions.items()
        }
        spends = ready.spends({category: each.identifier for category, each in answers.items()})
        kept = remembered(table)
        kept = [*kept, KeptAnswers(answers, questions, ready, len(kept) + 1)]
        charge(*spends, keeping={f"answers.{table.fingerprint}": kept})
    st.rerun()
