"""What a teacher can do with a room: freeze, ask another question, extend, end, remove."""

from __future__ import annotations

import math
from collections.abc import Callable

import streamlit as st

from compdp_core.survey.question import Question
from pages.rooms.codes import spoken
from pages.rooms.registry import ROOMS
from pages.rooms.room import KEPT_MINUTES, Room, RoomError, RoomQuestion
from pages.sections.classroom.forecast import expected_class, forecast
from pages.sections.classroom.invitation import link, reachable, said
from pages.sections.classroom.keyring import leave, secret
from pages.sections.classroom.question_form import question_form, templates
from pages.session import faults
from pages.session.state import keep, recall
from pages.shell.panels import drawer, is_open
from pages.text.wording import budget, count

_FAULT = "classroom.control.fault"
MORE_MINUTES = 10
LINK = "room"
"""What a link to a room says it by."""


def time_left(room: Room) -> None:
    """For how long the room is open."""
    minutes = math.ceil(room.left / 60.0)
    if room.is_open:
        st.caption(f"Room {spoken(room.code)} · open for {count(minutes, 'more minute')}")
    else:
        st.info(
            f"**The room has ended: it takes no more answers.** They are forgotten {KEPT_MINUTES} "
            "minutes after its end, unless you extend it.",
            icon=":material/stop_circle:",
        )


def of_wall(room: Room, asked: RoomQuestion) -> None:
    """What stops the wall, and lets it go on; ``asked``: the question that it shows."""
    if asked.frozen is None:
        _button("Freeze the wall", "pause", lambda: room.freeze(asked))
    else:
        _button("Go on", "play_arrow", lambda: room.go_on(asked))


def of_room(room: Room) -> None:
    """For how long answers are taken, and the way to another room."""
    _button(f"Extend by {MORE_MINUTES} min", "more_time", lambda: room.extend(MORE_MINUTES))
    if room.is_open:
        _button("End: no more answers", "stop_circle", lambda: room.end())
    else:
        _button("Open another room", "meeting_room", lambda: leave(room))


def controls(room: Room) -> None:
    if recall(_FAULT):
        faults.tell(recall(_FAULT))
    drawer("classroom.next", "Next question", ":material/quiz:", lambda: _next(room))
    drawer("classroom.links", "Links and address", ":material/link:", lambda: _links(room))
    drawer("classroom.remove", "Remove the room", ":material/delete:", lambda: _remove(room))


def _button(label: str, icon: str, do: Callable[[], None]) -> None:
    st.button(label, icon=f":material/{icon}:", on_click=do, key=f"classroom.{icon}")


def _next(room: Room) -> None:
    if not room.is_open:
        st.caption("The room has ended: extend it first.")
        return
    templates()
    question = question_form()
    if question is None:
        return
    forecast(question)
    total = room.epsilon + question.epsilon
    st.warning(
        f"Each student who answers spends {budget(question.epsilon)} again. Whoever answers every "
        f"question of this room has then spent {budget(total)}: budgets of one person add up.",
        icon=":material/add_circle:",
    )
    st.button(
        "Ask this now",
        type="primary",
        on_click=_ask,
        args=(room, question),
        key="classroom.ask",
    )


def _ask(room: Room, question: Question) -> None:
    keep(_FAULT, None)
    try:
        room.ask(question, expected_class())
        keep(is_open("classroom.next"), False)
    except RoomError as refusal:
        keep(_FAULT, faults.sentence(str(refusal)))


def _links(room: Room) -> None:
    st.caption("Students open this link, or scan the QR code on the wall.")
    st.code(link("room", said(LINK, room)), language=None, wrap_lines=True)
    st.caption(
        "Your own link opens this page on another device, or again if this tab is closed. Whoever "
        "has it can end and remove the room: do not show it on the wall."
    )
    st.code(link("classroom", f"#teach={secret(room)}"), language=None, wrap_lines=True)
    reachable()


def _remove(room: Room) -> None:
    st.markdown(
        "All its answers are forgotten at once. What you have downloaded stays; devices keep what "
        "they sent until they open another room."
    )
    st.button(
        "Remove the room and its answers",
        icon=":material/delete:",
        on_click=_forget,
        args=(room,),
        key="classroom.forget",
    )


def _forget(room: Room) -> None:
    ROOMS.remove(room)
    leave(room)
