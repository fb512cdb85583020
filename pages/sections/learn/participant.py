"""What stands for a person in a class: a random token of the browser's tab."""

from __future__ import annotations

import re
import secrets
from pathlib import Path

import streamlit as st

from pages.session.state import keep, recall

_TOKEN = re.compile(r"[0-9a-f]{32}", re.ASCII)
_PARTICIPANT = "learn.participant"

_participant = st.components.v2.component(
    "participant", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
)


def who() -> str:
    """What stands for this person: the browser's own, or one of this session if it has not come.

    Once said it stays: one session of the framework is one participant, whatever a browser sends.
    """
    known: str | None = recall(_PARTICIPANT)
    if known is None:
        known = secrets.token_hex(16)
        keep(_PARTICIPANT, known)
    return known


def hear_participant() -> None:
    """Let the browser say who it was before the page was loaded anew; shows nothing itself."""
    known = recall(_PARTICIPANT) is not None
    with st.container(key="unseen-participant"):
        said = _participant(
            key="participant", data={"known": known}, on_participant_change=lambda: None
        )
    token = str(said.participant)
    if not known and _TOKEN.fullmatch(token):
        keep(_PARTICIPANT, token)
