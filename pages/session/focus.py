"""The keyboard's place on the page survives a run, also where what had it makes room for another.

Without this, whoever presses Release with the keyboard is sent on to the next button behind it,
and that is a second release.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

_watch = st.components.v2.component(
    "focus", js=Path(__file__).with_name("focus.js").read_text(encoding="utf-8")
)


def keep_focus() -> None:
    """Draw the watcher, which shows nothing. One a page is enough."""
    with st.container(key="unseen-focus"):
        _watch(key="focus")
