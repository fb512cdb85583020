"""The answers to a question as files: what arrived, and its privacy card."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from compdp_core.survey.answers import SurveyAnswers
from pages.rooms.room import Room, RoomQuestion
from pages.sections.classroom import result_words as words
from pages.sections.classroom.told import release_of, told_by
from pages.session.downloads import MIME
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
    made, questions = release_of(asked, shown), len(room.questions)
    if questions == 1:
        return made
    # The card says whether there were other questions, which may be asked later.
    given = made.identifier, questions
    return asked.memo("card", given, lambda: replace(made, questions=questions))


def _files(asked: RoomQuestion, answers: SurveyAnswers) -> tuple[tuple[str, str, bytes], ...]:
    """Label, name and content. Made beforehand: a file that is made when it is asked for is lost
    where an answer arrives at that very moment, as the page is then drawn anew.
    """
    number = asked.number

    def made() -> tuple[tuple[str, str, bytes], ...]:
        card = answers.made_card
        return (
            ("Answers (CSV)", f"room-answers-{number}.csv", answers.csv()),
            ("Card (HTML)", f"room-card-{number}.html", card.to_html().encode()),
            ("Card (JSON)", f"room-card-{number}.json", card.to_json().encode()),
        )

    return asked.memo("files", (answers.identifier, answers.questions), made)


def results(room: Room, asked: RoomQuestion) -> None:
    """Buttons for the files."""
    answers = answers_of(room, asked)
    if answers is None:
        st.caption("Once an answer has arrived, answers and card can be downloaded here.")
        return
    number = asked.number
    with st.container(horizontal=True, vertical_alignment="center", key=f"wall-files-{number}"):
        for label, name, data in _files(asked, answers):
            kind = name.rpartition(".")[2]
            looks: dict[str, Any] = {"key": f"file-{name}", "icon": ":material/download:"}
            st.download_button(label, data, name, MIME[kind], on_click="ignore", **looks)
    shown = count(len(answers.array), "answer")
    told = told_by(asked, asked.shown).remark
    opened = words.MADE_UP[-1] if told == words.MADE_UP else OPENED
    st.caption(f"{shown}, in an order that tells nothing of when they came. {opened}")
    if room.is_open and asked is room.now and asked.frozen is None:
        st.caption(STILL_OPEN)
    st.page_link(READING.path, label=READING.title, icon=READING.icon)
