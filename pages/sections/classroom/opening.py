"""Set up a room: the question, what a class will see of it, how long and how many."""

from __future__ import annotations

import streamlit as st

from compdp_core.survey.question import Question
from pages.inputs import links
from pages.rooms.registry import ROOMS
from pages.rooms.room import LONGEST_MINUTES, MOST_ANSWERS, RoomError
from pages.sections.classroom import settings as to
from pages.sections.classroom.forecast import expectation, expected_class, forecast
from pages.sections.classroom.invitation import reachable
from pages.sections.classroom.keyring import teach
from pages.sections.classroom.question_form import question_form, templates
from pages.session import faults
from pages.session.state import edits, keep, recall
from pages.shell.panels import step

_FAULT = "classroom.fault"


def opening() -> None:
    """The steps until a room is open."""
    with step(1, "Question"):
        templates()
        question = question_form()
    with step(2, "What the class will see"):
        if question is None:
            st.caption("As soon as the question above is complete.")
        else:
            forecast(question)
            if not question.categories:
                expectation(question)
    with step(3, "Room"):
        left, right = st.columns(2)
        with left:
            st.number_input(
                "Minutes it is open",
                1,
                LONGEST_MINUTES,
                **edits(to.MINUTES.name, to.MINUTES.default),
            )
        with right:
            most = edits(to.MOST.name, to.MOST.default)
            st.number_input("Answers at most", 1, MOST_ANSWERS, **most)
        reachable()
        if recall(_FAULT):
            faults.tell(recall(_FAULT))
        st.button(
            "Open the room",
            type="primary",
            icon=":material/meeting_room:",
            disabled=question is None,
            on_click=_open,
            args=(question,),
            key="classroom.open",
        )
        st.caption(
            "The room lives in this program's memory: what arrives is gone when you remove the "
            "room, an hour after it has ended, or when the program ends, unless you export it."
        )
    links.share(to.PAGE, to.SETTINGS)


def _open(question: Question) -> None:
    keep(_FAULT, None)
    try:
        room = ROOMS.open_room(
            question,
            minutes=links.value(to.MINUTES),
            most=links.value(to.MOST),
            expected=expected_class(),
            process=st.context.cookies.get("dp_process", ""),
        )
    except RoomError as refusal:
        keep(_FAULT, faults.sentence(str(refusal)))
        return
    teach(room)
