"""A student's page: the way in, the question with its draw, and the wait for the next one."""

from __future__ import annotations

from typing import Any

import streamlit as st

from compdp_core.survey.wording import odds
from pages.rooms.room import Receipt, Room
from pages.sections.room.joining import ask_for_code, joined
from pages.sections.room.phone import phone
from pages.session.fragments import every
from pages.session.state import keep, recall
from pages.shell.page_list import Page
from pages.shell.pulse import beat, watch

LOOK_EVERY = 4.0
"""Seconds between looks for another question: two hundred phones do that at once."""
A_DAY = 86_400.0
_SENT, _RECEIPT = "room.sent", "room.receipt"
ENDED = "The room has ended: it takes no more answers."


def live(row: Page) -> None:
    room = joined()
    if room is None:
        st.title(row.title, anchor=False)
        st.markdown(row.lead)
        ask_for_code()
        return
    drawn = _state(room)
    with st.container(key="room-phone"):
        said = phone(_data(room))
    if said.answer and _take(room, said.answer):
        st.rerun()
    watch(drawn)
    _look(room, drawn)


@every(LOOK_EVERY)
def _look(room: Room, drawn: object) -> None:
    """Draw the page anew once there is something new."""
    now = _state(room)
    if now != drawn or joined() is None:
        st.rerun()
    beat(now)


def _state(room: Room) -> object:
    return room.id, room.now.id, room.is_open


def _take(room: Room, sent: Any) -> bool:
    """Hand over what the device sent; whether that is news to it.

    One session has one answer to a question: another ticket than the first is not taken.
    """
    given = sent if isinstance(sent, dict) else {}
    question, ticket = given.get("question"), given.get("ticket")
    tickets = recall(_SENT, {})
    name = question if isinstance(question, str) else ""
    if tickets.get(name, ticket) != ticket:
        words = "This device has answered this question already."
        receipt = Receipt(name, str(ticket)[:64], "refused", words)
    else:
        receipt = room.answer(question, ticket, given.get("value"))
        if receipt.state == "received":
            keep(_SENT, {**tickets, name: ticket})
    number, before = recall(_RECEIPT, (0, None))
    keep(_RECEIPT, (number + 1, receipt))
    return before != receipt or receipt.state == "refused"


def _data(room: Room) -> dict[str, Any]:
    """What the device is told: all of it is public, but for what became of its own answer."""
    now, (number, receipt) = room.now, recall(_RECEIPT, (0, None))
    return {
        "room": room.id,
        # The room can be extended, and a device's clock be wrong: one that forgot too early would
        # draw a second time.
        "ends": room.ends + A_DAY,
        "question": {
            "id": now.id,
            "number": now.number,
            "odds": odds(now.question),
            **now.question.draw_data(),
        },
        "open": room.is_open,
        "closed": "" if room.is_open else ENDED,
        "receipt": None
        if receipt is None
        else {
            "count": number,
            "question": receipt.question,
            "ticket": receipt.ticket,
            "state": receipt.state,
            "words": receipt.words,
        },
    }
