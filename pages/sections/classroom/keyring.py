"""The room that this page teaches: by its key, which the tab keeps over a reload."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.rooms.registry import ROOMS
from pages.rooms.room import Room, RoomError
from pages.session import faults
from pages.session.framework import session_name
from pages.session.state import forget, keep, recall

_ROOM, _DROPPED, _REFUSED = "classroom.room", "classroom.dropped", "classroom.refused"
_keyring = st.components.v2.component(
    "keyring", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
)


def teach(room: Room) -> None:
    """From now on this page is that of the room."""
    keep(_ROOM, room)
    keep(_REFUSED, None)


def leave(room: Room) -> None:
    """Back to the questions; the tab forgets the key."""
    keep(_ROOM, None)
    keep(_DROPPED, secret(room))
    # What was worked out of its answers.
    for made in ("classroom.answers.", "classroom.card.", "classroom.wall", "classroom.clamped."):
        forget(made)


def secret(room: Room) -> str:
    """What a teacher's link brings."""
    return f"{room.code}.{room.teacher_key}"


def taught() -> Room | None:
    """The room, if there is one. Draws what keeps its key, and shows nothing itself."""
    room: Room | None = recall(_ROOM)
    if room is not None and not ROOMS.is_here(room):
        leave(room)
        keep(_REFUSED, "The room is gone: it was removed, or its time has passed.")
        room = None
    held = "" if room is None else secret(room)
    with st.container(key="unseen-keyring"):
        said = _keyring(
            key="keyring",
            data={"held": held, "dropped": recall(_DROPPED, "")},
            on_key_change=lambda: None,
        )
    if said.key and str(said.key) != held:
        _take(said.key)
        st.rerun()
    if recall(_REFUSED):
        faults.tell(recall(_REFUSED))
    return room


def _take(key: object) -> None:
    try:
        teach(ROOMS.taught(key, session_name() or ""))
    except RoomError as refusal:
        keep(_DROPPED, str(key)[:100])
        keep(_REFUSED, faults.sentence(str(refusal)))
