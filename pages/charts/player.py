"""A player of precomputed frames: it plays in the browser and asks the server nothing.

A page brings its own pictures as JavaScript (see player.js for what it has to define) and hands
over all frames at once.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import streamlit as st

from pages.charts.chart import behind
from pages.charts.export import as_csv
from pages.session.downloads import download

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


def numbers_behind(key: str, numbers: Callable[[], pd.DataFrame], alt: str, file: str) -> None:
    more = behind(key)
    if more.open:
        with more:
            table = numbers()
            st.dataframe(table, hide_index=True, height=240, alt=alt)
            download("CSV", lambda: as_csv(table), f"{file}.csv", f"csv-{key}")
            st.caption("For a picture of one frame, use SVG or PNG beside the player.")


def _text(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")
