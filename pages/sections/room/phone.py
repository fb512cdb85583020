"""The page's part that runs on a student's own device: it draws the noise there.

The true answer never leaves the browser; what comes back is the noisy one with its ticket. The
draw itself is in draw.js, and tests/browser/test_room_draw.py holds it to the library's.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent
DRAW = ("decimal.js", "draw.js", "density.js")
"""What needs no page: the draw, and how likely its outputs are."""
_PAGE = ("kept.js", "words.js", "picture.js", "subjects.js", "outbox.js", "phone.js")


def script(*names: str) -> str:
    """The text of these files as one."""
    return "\n".join((HERE / name).read_text(encoding="utf-8") for name in names)


_phone = st.components.v2.component(
    "phone", html=script("phone.html"), css=script("phone.css"), js=script(*DRAW, *_PAGE)
)


def phone(data: dict[str, Any]) -> Any:
    """The question and its answer. ``.answer`` of what comes back is, in the run after one was
    sent, its ``question``, ``ticket`` and noisy ``value``, and None otherwise.
    """
    return _phone(key="phone", data=data, on_answer_change=lambda: None)
