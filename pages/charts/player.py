"""A player of precomputed frames: it plays in the browser and asks the server nothing.

A page brings its own pictures as JavaScript (see player.js for what it has to define) and hands
over all frames at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent
_CHOICES = "<!-- choices -->"


def player(name: str, pictures: Path, choices: str = "") -> Any:
    """The component; call it with a key and the data. `choices` is HTML of more controls."""
    return st.components.v2.component(
        name,
        html=_text("player.html").replace(_CHOICES, choices),
        css=_text("player.css"),
        js=f"{_text('player.js')}\n{pictures.read_text(encoding='utf-8')}",
    )


def _text(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")
