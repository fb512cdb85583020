"""After what a button has brought, the eye and the keyboard go to where that begins."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_arrive = st.components.v2.component(
    "arrival", js=Path(__file__).with_name("arrival.js").read_text(encoding="utf-8")
)


def arrive(name: str, heading: str, when: float) -> None:
    """Draw what goes to the heading, a CSS selector, once `when` is later than ever in this
    window under that name; at the first time it only takes note. It shows nothing itself.
    """
    with st.container(key="unseen-arrival"):
        _arrive(key="arrival", data={"name": name, "heading": heading, "when": when})
