"""The pulse of a page that looks for news by itself: where it stops, the page is drawn anew.

Whatever draws the page calls :func:`watch` with what it was drawn for, and the part that looks for
news :func:`beat` with what it finds. Both are public, and never shown.
"""

from __future__ import annotations

import time
from html import escape
from pathlib import Path

import streamlit as st

_watch = st.components.v2.component(
    "pulse", js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
)


def watch(state: object) -> None:
    """Draw what watches; for the page itself."""
    with st.container(key="unseen-pulse"):
        _watch(key="pulse", data={"state": str(state)}, on_look_change=lambda: None)


def beat(state: object) -> None:
    """Say that there was a look, and what it found; for the part that is drawn again by itself."""
    with st.container(key="unseen-beat"):
        found = escape(str(state), quote=True)
        st.html(f'<i class="pulse" data-state="{found}" data-at="{time.time()}" hidden></i>')
