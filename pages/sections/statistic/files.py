"""The files of a released statistic. All are written out from what is stored: none draws noise."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from compdp_core.accounting import exact_text
from compdp_core.release.statistic import Answer
from compdp_core.report import card_of_answer, notebook_of_answer, script_of_answer
from compdp_core.report.answer_card import Answers
from compdp_core.report.card import Card
from compdp_core.report.settings import StatisticSettings, to_json
from compdp_core.statistics.query import Query
from pages.charts.export import as_csv
from pages.sections.shared.larger_file import offer_a_larger_file
from pages.sections.shared.release_panel import file_button
from pages.sections.shared.upload import current
from pages.sections.statistic.query import KeptAnswers, ReadyQuery


def files(kept: KeptAnswers) -> None:
    upload = current()
    asked, answers = kept.ready.asked, _answers(kept)
    stem = f"{upload.file_stem if upload else 'table'}_{asked.plan.statistic}"

    button = partial(file_button, "answer")

    def card() -> Card:
        return card_of_answer(answers, asked.inquiry, asked.table, asked.source)

    st.caption("Each file is written from the stored answer: nothing is drawn anew, nothing spent.")
    with st.container(horizontal=True):
        button("Privacy card", lambda: card().to_html(), f"{stem}_card.html", first=True)
        button("Card as data", lambda: card().to_json(), f"{stem}_card.json")
        button("Answer as CSV", lambda: _csv(kept), f"{stem}.csv")
        button(
            "Python script",
            lambda: script_of_answer(answers, asked.inquiry, asked.table),
            f"{stem}_release.py",
        )
        button(
            "Notebook",
            lambda: notebook_of_answer(answers, asked.inquiry, asked.table),
            f"{stem}_release.ipynb",
        )
        button("Settings", lambda: settings_json(kept.ready), f"{stem}_settings.json")
    offer_a_larger_file("answer", lambda: settings_json(kept.ready))
    if not asked.inquiry.neighbours.n_is_public:
        # Said of every such answer: otherwise it would tell that rows were left out of this one.
        st.caption(
            "The number of rows is protected, so the script does not say which rows are left out, "
            "nor does the notebook: whoever runs them names them."
        )


def _answers(kept: KeptAnswers) -> Answers:
    if None in kept.answers:
        return kept.answers[None]
    return {str(name): each for name, each in kept.answers.items()}


def _csv(kept: KeptAnswers) -> bytes:
    asked = kept.ready.asked
    rows = [
        {
            "question": each.plan.text,
            "group": "" if name is None else name,
            "answer": each.value,
            "lower": each.interval[0],
            "upper": each.interval[1],
            "level": each.level,
            "unit": each.plan.unit,
            **_written(asked.inquiry, each),
            "epsilon": exact_text(each.epsilon),
            "released": each.when.isoformat(),
            "identifier": each.identifier,
        }
        for name, each in kept.answers.items()
    ]
    return as_csv(pd.DataFrame(rows))


def _written(inquiry: Query, answer: Answer) -> dict[str, str]:
    """The same as the column writes its values, where a number is not what one reads."""
    texts = map(inquiry.written, (answer.value, *answer.interval))
    named = dict(zip(("answer written", "lower written", "upper written"), texts, strict=True))
    return named if all(named.values()) else {}


def settings_json(ready: ReadyQuery) -> str:
    """The question, its budget and its shape; no value of the table."""
    asked = ready.asked
    return to_json(
        StatisticSettings(
            asked.inquiry,
            ready.epsilon,
            ready.pair,
            ready.steps,
            asked.table.columns[asked.inquiry.position].label,
            asked.source,
        )
    )
