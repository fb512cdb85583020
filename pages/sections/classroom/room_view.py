"""A room that is open: its wall, and what a teacher can do with it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.inputs.options import select
from pages.rooms.room import Room, RoomQuestion
from pages.sections.classroom.clamped_view import clamped_view
from pages.sections.classroom.controls import LINK, controls, time_left
from pages.sections.classroom.invitation import invitation
from pages.sections.classroom.results import results
from pages.sections.classroom.wall import wall
from pages.session.fragments import every
from pages.session.state import edits, keep, recall

LOOK_EVERY = 1.0
"""Seconds between looks of the wall at what has arrived."""
PROJECTOR = "classroom.projector"
_LOOK = Path(__file__).with_name("room_view.css")


def projected() -> bool:
    """Whether the wall stands alone on the screen."""
    return bool(recall(PROJECTOR, False))


def room_view(room: Room) -> None:
    st.html(_LOOK)
    alone = projected()
    asked = _shown(room, alone=alone)
    with st.container(key="classroom-projected" if alone else "classroom-wall"):
        _live_wall(room, asked, _state(room))
    st.toggle("For the projector: the wall alone", **edits(PROJECTOR, False))
    if alone:
        return
    controls(room)
    _of_answers(room, asked)


def _shown(room: Room, *, alone: bool) -> RoomQuestion:
    """The question that is asked, or an earlier one that is looked at again."""
    questions = room.questions
    chosen = recall(_EARLIER)
    if chosen is not None and chosen[0] == room.id and chosen[1] <= len(questions):
        now: RoomQuestion = questions[chosen[1] - 1]
    else:
        now = questions[-1]
    if len(questions) > 1 and not alone:
        titles = {each.number: f"{each.number} · {each.question.text}" for each in questions}
        name = f"classroom.shown.{room.id}.{len(titles)}"
        number: int = select("Question on the wall", titles, name, now.number)
        now = questions[number - 1]
        keep(_EARLIER, (room.id, number) if number < len(questions) else None)
    return now


_EARLIER = "classroom.earlier"


@every(2 * LOOK_EVERY)
def _of_answers(room: Room, asked: RoomQuestion) -> None:
    """What is made of the answers, which go on arriving."""
    if not asked.question.categories:
        clamped_view(asked, asked.expected)
    results(room, asked)


@every(LOOK_EVERY)
def _live_wall(room: Room, asked: RoomQuestion, drawn: object) -> None:
    if _state(room) != drawn:
        st.rerun()
    time_left(room)
    is_now = asked is room.now
    join = (lambda: invitation("room", LINK, room)) if is_now else None
    wall(room, asked, join=join)


def _state(room: Room) -> object:
    """What the rest of the page was drawn for."""
    return room.now.id, room.is_open, bool(room.now.shown)
