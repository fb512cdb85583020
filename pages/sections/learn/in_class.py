"""The course in a class: the code of a teacher's link, and the first answers that are counted."""

from __future__ import annotations

import streamlit as st

from compdp_core.errors import CompdpError
from pages.inputs import links
from pages.rooms import codes
from pages.rooms.course import CourseSession
from pages.rooms.registry import ROOMS
from pages.rooms.room import RoomError
from pages.sections.learn.participant import hear_participant, who
from pages.session import faults
from pages.session.framework import session_name
from pages.session.state import keep, recall
from pages.text.wording import literal

_REFUSED = "learn.class.refused"
_NOT_THERE = "learn.class.not_there"
_TYPED = "learn.class.typed"


def _read(text: str) -> str:
    code, key = codes.typed(text) or ("", "")
    if not code:
        raise ValueError(f"it must be the code of a class session, {codes.LENGTH} letters.")
    return f"{code}.{key}" if key else code


CLASS = links.Setting("learn.class", "class", None, _read)


def session() -> CourseSession | None:
    """The class session that this person is in, while it goes on."""
    code = links.value(CLASS)
    if code is None or recall(_NOT_THERE) == code:
        return None
    try:
        return ROOMS.course(code, session_name() or "")
    except RoomError:
        # Asked for at every run, a class that is over would look like many guesses of a code.
        keep(_NOT_THERE, code)
        return None


def class_line() -> None:
    """Say that one is in a class, and let one leave it; a way in for whoever learns alone."""
    code = links.value(CLASS)
    if code is None:
        _way_in()
        return
    going_on = session() is not None
    with st.container(horizontal=True, vertical_alignment="center", key="course-class"):
        if going_on:
            st.info(_joined(code), icon=":material/groups:")
        else:
            st.warning(_over(code), icon=":material/link_off:")
        st.button("Leave the class" if going_on else "Go on alone", on_click=leave, key="leave")
    refused = recall(_REFUSED)
    if refused is not None:
        st.warning(literal(refused), icon=":material/group_off:")
    if going_on:
        hear_participant()


def _way_in() -> None:
    with st.popover(
        "Join a class", icon=":material/groups:", type="tertiary", key="learn.class.way"
    ):
        with st.form("learn.class.form", border=False):
            st.text_input("Code on the wall", key=_TYPED, max_chars=40, autocomplete="off")
            st.form_submit_button("Join", type="primary", on_click=_join, key="learn.class.join")
        if recall(_REFUSED):
            st.warning(literal(recall(_REFUSED)), icon=":material/link_off:")


def _join() -> None:
    """Take the code that was typed; asked for anew, as the class may have begun meanwhile."""
    keep(_NOT_THERE, None)
    try:
        keep(CLASS.name, _read(st.session_state[_TYPED]))
        keep(_REFUSED, None)
    except ValueError as problem:
        keep(_REFUSED, f"This is no code: {problem}")


def _joined(code: str) -> str:
    return (
        f"You are in the class session **{_spoken(code)}**: your first answer to each question is "
        "counted for the wall, without your name and without noise."
    )


def _over(code: str) -> str:
    return (
        f"There is no class session **{_spoken(code)}** now: it is over, or its code was mistyped. "
        "After several wrong codes scan the QR code on the wall, which works at once. The course "
        "goes on all the same; your answers count for you alone."
    )


def _spoken(code: str) -> str:
    return codes.spoken(code.partition(".")[0])


def leave() -> None:
    keep(CLASS.name, None)
    keep(_REFUSED, None)


def count(question_key: str, option: int, options: int) -> None:
    """Tell the class of a first answer."""
    there = session()
    if there is None:
        return
    try:
        there.answer(who(), question_key, option, options)
    except CompdpError as refusal:
        keep(_REFUSED, faults.sentence(str(refusal)))
