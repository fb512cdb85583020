"""The course in class: open a session of it, invite, and show how many answered what."""

from __future__ import annotations

import streamlit as st

from pages.rooms.registry import ROOMS, Course
from pages.rooms.room import RoomError
from pages.sections.classroom.course_wall import course_wall
from pages.sections.classroom.invitation import invitation, link, reachable, said
from pages.sections.classroom.keyring import leave, secret, teach
from pages.sections.shared.course.contents import course_questions
from pages.session import faults
from pages.session.fragments import every
from pages.session.state import keep, recall
from pages.shell.panels import drawer
from pages.shell.pulse import beat, watch

_FAULT = "classroom.course.fault"
LOOK_EVERY = 1.5
"""Seconds between looks at what has arrived."""
CLASS = "class"
"""What a link to the course says the session by."""


def course_class(course: Course | None) -> None:
    """The way to a session, or its wall."""
    if course is None:
        _open_one()
        return
    drawn = course.session.version
    left, right = st.columns(2, gap="large", vertical_alignment="center")
    with left:
        st.header("The course in class", anchor=False)
        st.markdown(
            "Everybody reads, tries and answers on their own device. The wall counts the first "
            "answers to each question, without names and without noise: they are no private data."
        )
    with right:
        invitation("learn", CLASS, course)
    course_wall(course.session)
    with st.container(horizontal=True):
        st.button("Forget all answers", on_click=course.session.reset, key="classroom.reset")
        st.button("End the session", on_click=_end, args=(course,), key="classroom.course.end")
    drawer("classroom.course.address", "Link and address", ":material/link:", lambda: _way(course))
    watch(drawn)
    _look(course, drawn)


@every(LOOK_EVERY)
def _look(course: Course, drawn: int) -> None:
    """Draw the page anew once there is something new."""
    if course.session.version != drawn or not ROOMS.is_here(course):
        st.rerun()
    beat(course.session.version)


def _open_one() -> None:
    st.markdown(
        "Twelve short steps, each with something to try and a question. Students follow on their "
        "own devices; the wall shows how many answered each question and how."
    )
    reachable()
    if recall(_FAULT):
        faults.tell(recall(_FAULT))
    st.button(
        "Open a class session",
        type="primary",
        icon=":material/meeting_room:",
        on_click=_open,
        key="classroom.course.open",
    )


def _open() -> None:
    process = st.context.cookies.get("dp_process", "")
    try:
        teach(ROOMS.open_course(course_questions(), process=process))
        keep(_FAULT, None)
    except RoomError as refusal:
        keep(_FAULT, faults.sentence(str(refusal)))


def _end(course: Course) -> None:
    ROOMS.end_course(course)
    leave(course)


def _way(course: Course) -> None:
    st.caption("Students open this link, or scan the code above.")
    st.code(link("learn", said(CLASS, course)), language=None, wrap_lines=True)
    st.caption("Your own link opens this page again, also on another device: do not show it.")
    st.code(link("classroom", f"#teach={secret(course)}"), language=None, wrap_lines=True)
    reachable()
