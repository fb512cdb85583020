"""A room that is open: its wall, and what a teacher can do with it."""

from __future__ import annotations

import math
from pathlib import Path

import streamlit as st

from pages.inputs.options import select
from pages.rooms.registry import ROOMS
from pages.rooms.room import Room, RoomQuestion
from pages.sections.classroom.clamped_view import clamped_view
from pages.sections.classroom.controls import LINK, controls, of_room, of_wall, time_left
from pages.sections.classroom.invitation import invitation
from pages.sections.classroom.keyring import PROJECTOR
from pages.sections.classroom.results import results
from pages.sections.classroom.wall import wall
from pages.session.fragments import every
from pages.session.state import edits, keep, recall
from pages.shell.pulse import beat, watch

LOOK_EVERY = 1.0
"""Seconds between looks at what has arrived."""
_EARLIER = "classroom.earlier"
_LOOK = Path(__file__).with_name("room_view.css")


def projected() -> bool:
    """Whether the wall stands alone on the screen."""
    return bool(recall(PROJECTOR, False))


def room_view(room: Room) -> None:
    # First: what arrives while the page is drawn is news at the next look.
    drawn = _state(room)
    st.html(_LOOK)
    alone = projected()
    asked = _shown(room, alone=alone)
    with st.container(key="classroom-projected" if alone else "classroom-wall"):
        time_left(room)
        joins = room.is_open and asked is room.now
        wall(room, asked, join=(lambda: invitation("room", LINK, room)) if joins else None)
    with st.container(horizontal=True, vertical_alignment="center", key="classroom-controls"):
        st.toggle("For the projector: the wall alone", **edits(PROJECTOR, False))
        of_wall(room, asked)
        if not alone:
            of_room(room)
    if not asked.question.categories:
        clamped_view(asked, asked.expected)
    if not alone:
        results(room, asked)
        controls(room)
    watch(drawn)
    _look(room, drawn)


def _shown(room: Room, *, alone: bool) -> RoomQuestion:
    """The question that is asked, or an earlier one that is looked at again until the next one."""
    questions = room.questions
    place, number = recall(_EARLIER, (None, 0))
    now = questions[number - 1] if place == (room.id, len(questions)) else questions[-1]
    if len(questions) > 1 and not alone:
        titles = {each.number: f"{each.number} · {each.question.text}" for each in questions}
        name = f"classroom.shown.{room.id}.{len(titles)}"
        chosen: int = select("Question on the wall", titles, name, now.number)
        now = questions[chosen - 1]
        keep(_EARLIER, ((room.id, len(questions)), chosen))
    return now


@every(LOOK_EVERY)
def _look(room: Room, drawn: object) -> None:
    """Draw the page anew once there is something new. In between nothing is, so that what one is
    about to press or to download stays what it is.
    """
    now = _state(room)
    if now != drawn:
        st.rerun()
    beat(now)


def _state(room: Room) -> object:
    """What the page was drawn for."""
    return room.id, room.version, math.ceil(room.left / 60.0), ROOMS.is_here(room)
