"""The way into a room: by its link, which a QR code holds, or by a code that is typed."""

from __future__ import annotations

import streamlit as st

from pages.rooms.codes import typed
from pages.rooms.registry import ROOMS, CourseCodeError
from pages.rooms.room import Room, RoomError
from pages.session import faults
from pages.session.framework import session_name
from pages.session.state import keep, recall
from pages.shell.page_list import page

_ROOM, _TRIED, _REFUSED = "room.joined", "room.tried", "room.refused"
_COURSE = "room.course"
LINK = "room"
"""What a link says the room by."""


def joined() -> Room | None:
    """The room that this page is in; what the address says is tried once."""
    said = st.query_params.get(LINK)
    if said and said != recall(_TRIED):
        keep(_TRIED, said)
        _join(said)
    room: Room | None = recall(_ROOM)
    if room is not None and not ROOMS.is_here(room):
        keep(_ROOM, None)
        keep(_REFUSED, "This room is over: its teacher removed it, or its time has passed.")
        return None
    return room


def _join(text: str) -> None:
    try:
        keep(_ROOM, ROOMS.join(text, session_name() or ""))
        keep(_REFUSED, None)
    except CourseCodeError:
        keep(_COURSE, text)
    except RoomError as refusal:
        keep(_ROOM, None)
        keep(_REFUSED, faults.sentence(str(refusal)))


def ask_for_code() -> None:
    """A field for the code, and what became of the last one."""
    if recall(_COURSE):
        # The way there is the course's own: it says what is wrong with the code, if anything is.
        code = recall(_COURSE)
        keep(_COURSE, None)
        st.switch_page(page("learn").path, query_params={"class": code})
    if recall(_REFUSED):
        faults.tell(recall(_REFUSED))
        _other_process()
    with st.form("room.code", border=False):
        st.text_input(
            "Code on the wall",
            key="room.typed",
            max_chars=40,
            placeholder="such as KTR PMX",
            autocomplete="off",
        )
        st.form_submit_button("Join", type="primary", on_click=_typed, key="room.join")
    st.caption(
        "Or scan the QR code on the wall with the camera of your phone. You need no account. Your "
        "answer gets its noise on this device, and only what the noise made of it is sent."
    )


def _typed() -> None:
    text = str(st.session_state["room.typed"])
    if not text.strip():
        return
    if typed(text) is None:
        keep(_REFUSED, "A code has six letters, such as KTR PMX, and maybe a number in front.")
        return
    _join(text)
    keep(_TRIED, st.query_params.get(LINK))
    room: Room | None = recall(_ROOM)
    if room is not None:
        # A reload then comes back to it, also while others have used up the tries of all.
        st.query_params[LINK] = f"{room.code}.{room.key}"


def _other_process() -> None:
    """Where there are several processes, the number in front of a code says which one has it."""
    found = typed(st.session_state.get("room.typed", ""))
    if found is not None and found[0][0].isdigit() and st.context.cookies.get("dp_process"):
        st.link_button("Look on the other server", f"?{LINK}={found[0]}")
