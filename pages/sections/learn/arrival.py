"""After Back or Next the new step begins at the top: there the eye and the keyboard go."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.inputs import links
from pages.sections.learn import settings as to
from pages.session.state import keep, recall

TURNS = f"{to.PAGE}.turns"

_arrive = st.components.v2.component(
    "arrival", js=Path(__file__).with_name("arrival.js").read_text(encoding="utf-8")
)


def turn_to(key: str) -> None:
    """Callback of the buttons to other steps."""
    links.put(to.STEP.name, key)
    keep(TURNS, recall(TURNS, 0) + 1)


def arrival() -> None:
    """Draw what watches for a turn, which shows nothing itself."""
    with st.container(key="unseen-arrival"):
        _arrive(key="arrival", data={"turns": recall(TURNS, 0)})
