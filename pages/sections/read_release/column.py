"""Step 2: one released column, and what can be said of its true values."""

from __future__ import annotations

import streamlit as st

from pages.inputs.links import put
from pages.inputs.options import segments, select
from pages.sections.read_release.column_figures import show_figures
from pages.sections.read_release.settings import ABOUT, COLUMN, LEVEL, LEVELS, LIMIT, WHOSE, value
from pages.sections.read_release.subject import OpenRelease
from pages.session.state import keep, recall
from pages.shell.panels import step

SEEN = "received.limit_of"


def column_step(opened: OpenRelease) -> int:
    """The position of the column that is looked at."""
    hint = "From the released cells and the card alone, beside what a naive reading would say."
    with step(2, "One column", hint):
        titles = {place: each.label for place, each in opened.columns.items()}
        if value(COLUMN) not in titles:  # of a link, or of the file before
            put(COLUMN.name, next(iter(titles)))
        which, whose, level = st.columns([3, 3, 2], gap="medium")
        with which:
            place: int = select("Column", titles, COLUMN, next(iter(titles)))
        with whose:
            segments("Said of", ABOUT, WHOSE)
        with level:
            segments("Intervals right in", LEVELS, LEVEL)
        _forget_limit(place)
        show_figures(opened, place)
    return place


def _forget_limit(place: int) -> None:
    """A limit is one of its column: with another column it goes, unless a link set both."""
    now = (place, value(LIMIT))
    before = recall(SEEN, now)
    if before[0] != place and before[1] == now[1]:
        put(LIMIT.name, None)
    keep(SEEN, (place, value(LIMIT)))
