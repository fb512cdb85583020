"""The answers to a question as files: what arrived, and its privacy card."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from compdp_core.survey.answers import SurveyAnswers
from pages.rooms.room import Room, RoomQuestion
from pages.sections.classroom import result_words as words
from pages.sections.classroom.told import told_by
from pages.session.downloads import download
from pages.shell.page_list import page
from pages.text.wording import count

STILL_OPEN = (
    "Answers may still arrive. Freeze the wall before you download: then file and card are of the "
    "same answers."
)
READING = page("read_release")
OPENED = f"File and card can be opened on the page {READING.title}."


def answers_of(room: Room, asked: RoomQuestion) -> SurveyAnswers | None:
    """What the wall shows, as a release: the same object for the same answers, so that its number
    and time stay. None before the first answer.
    """
    shown = asked.shown
    if not shown:
        return None
    made = asked.memo("answers", len(shown), lambda: SurveyAnswers(asked.question, shown))
    # The card says whether there were other questions, which may be asked later.
    others = len(room.questions)
    given = made.identifier, others
    return asked.memo("card", given, lambda: replace(made, questions=others))


def results(room: Room, asked: RoomQuestion) -> None:
    """Buttons for the files."""
    answers = answers_of(room, asked)
    if answers is None:
        st.caption("Once an answer has arrived, answers and card can be downloaded here.")
        return
    number = asked.number
    with st.container(horizontal=True, vertical_alignment="center", key=f"wall-files-{number}"):
        download("Answers (CSV)", answers.csv, f"room-answers-{number}.csv")
        download("Card (HTML)", answers.card_html, f"room-card-{number}.html")
        download("Card (JSON)", lambda: answers.made_card.to_json(), f"room-card-{number}.json")
    shown = count(len(answers.array), "answer")
    told = told_by(asked, asked.shown).remark
    opened = words.MADE_UP[-1] if told == words.MADE_UP else OPENED
    st.caption(f"{shown}, in an order that tells nothing of when they came. {opened}")
    if room.is_open and asked is room.now and asked.frozen is None:
        st.caption(STILL_OPEN)
    st.page_link(READING.path, label=READING.title, icon=READING.icon)
