"""A made-up true value to look at, chosen as the column has its values."""

from __future__ import annotations

import numpy as np
import streamlit as st

from compdp_core.intervals import Interval
from pages.inputs.options import select
from pages.inputs.slider import made_up
from pages.sections.shared.setup import ChosenColumn
from pages.sections.shared.words import words_of
from pages.session.state import edits

STOPS = 200
"""Of a slider over dates or times, at most."""
LABEL = "True value, between your bounds"
ANSWER = "True answer, one of your list"


def true_answer(column: ChosenColumn) -> int:
    """Which category is looked at; the first one until another is chosen."""
    assert column.categories is not None
    names = dict(enumerate(column.categories.names))
    place: int = select(ANSWER, names, column.setting("see.answer"), 0)
    return place


def true_value(column: ChosenColumn) -> float:
    words, ends = words_of(column), column.inputs
    assert ends is not None
    if words.names:
        places = {place: words.value(place) for place, _ in words.names}
        middle = list(places)[len(places) // 2]
        chosen: float = select(LABEL, places, column.setting("see.place"), middle)
        return chosen
    if words.format is None:
        return made_up(LABEL, ends, column.setting("see"), whole=column.whole)
    stops = _stops(ends)
    name = column.setting(f"see.{ends.lower}.{ends.upper}")
    value: float = st.select_slider(
        LABEL,
        stops,
        format_func=words.value,
        **edits(name, stops[len(stops) // 2], allowed=stops),
    )
    return value


def _stops(ends: Interval) -> list[float]:
    """Whole steps from end to end, evenly as far as they are whole."""
    many = min(STOPS, int(ends.width) + 1)
    steps: list[float] = np.unique(np.rint(np.linspace(*ends.as_tuple(), many))).tolist()
    return steps
