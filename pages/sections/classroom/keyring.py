"""What this page teaches, a room and a session of the course: by keys that the tab keeps over a
reload.
"""

from __future__ import annotations

import secrets
from pathlib import Path

import streamlit as st

from pages.rooms.registry import ROOMS, Course
from pages.rooms.room import Room, RoomError
from pages.session import faults
from pages.session.framework import session_name
from pages.session.state import forget, keep, recall

PROJECTOR = "classroom.projector"
WAY = "classroom.way"
"""Which of the two the page shows."""
_ROOM, _COURSE = "classroom.room", "classroom.course"
_DROPPED, _REFUSED, _SESSION = "classroom.dropped", "classroom.refused", "classroom.session"
MOST_DROPPED = 20
_keyring = st.components.v2.component(
    "keyring", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
)


def teach(place: Room | Course) -> None:
    """From now on this page is that of the room, or of the session of the course."""
    is_room = isinstance(place, Room)
    keep(_ROOM if is_room else _COURSE, place)
    keep(WAY, "room" if is_room else "course")
    keep(_REFUSED, None)


def leave(place: Room | Course) -> None:
    """Back to where one opens another; the tab forgets the key."""
    keep(_ROOM if isinstance(place, Room) else _COURSE, None)
    _drop(secret(place))
    if isinstance(place, Room):
        keep(PROJECTOR, False)
        forget("classroom.clamped.")


def _drop(key: str) -> None:
    keep(_DROPPED, [*recall(_DROPPED, []), key][-MOST_DROPPED:])


def secret(place: Room | Course) -> str:
    """What a teacher's link brings."""
    return f"{place.code}.{place.teacher_key}"


def taught() -> tuple[Room | None, Course | None]:
    """The room and the session of the course, if there are. Draws what keeps their keys, and shows
    nothing itself.
    """
    room: Room | None = recall(_ROOM)
    course: Course | None = recall(_COURSE)
    if room is not None and not ROOMS.is_here(room):
        leave(room)
        keep(_REFUSED, "The room is gone: it was removed, or its time has passed.")
        room = None
    if course is not None and not ROOMS.is_here(course):
        leave(course)
        course = None
    _keep_keys(room, course)
    if recall(_REFUSED):
        faults.tell(recall(_REFUSED))
    return room, course


def _keep_keys(room: Room | None, course: Course | None) -> None:
    held = {
        "room": "" if room is None else secret(room),
        "course": "" if course is None else secret(course),
    }
    if recall(_SESSION) is None:
        keep(_SESSION, secrets.token_hex(8))
    with st.container(key="unseen-keyring"):
        said = _keyring(
            key="keyring",
            data={"held": held, "dropped": recall(_DROPPED, []), "session": recall(_SESSION)},
            on_key_change=lambda: None,
        )
    if said.key and said.key not in held.values():
        _take(said.key)
        st.rerun()


def _take(key: object) -> None:
    try:
        teach(ROOMS.taught(key, session_name() or ""))
    except RoomError as refusal:
        _drop(str(key)[:100])
        keep(_REFUSED, faults.sentence(str(refusal)))
