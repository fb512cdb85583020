"""What clamped Laplace noise would have said, of a simulated class."""

from __future__ import annotations

import math
import zlib
from typing import Any

import streamlit as st

from compdp_core.survey.clamped import InventedClass, clamped_mean, class_noise
from compdp_core.survey.means import numeric
from pages.rooms.room import RoomQuestion
from pages.sections.classroom.clamped_chart import clamped_chart
from pages.sections.classroom.large_chart import LargeChart
from pages.sections.classroom.result_words import of_clamped
from pages.session.fragments import fragment
from pages.session.state import edits, keep, memo, recall
from pages.text.wording import count, in_label, literal

SWITCH = "What would clamped Laplace noise have said?"
SHOWN = "classroom.clamped"
ANOTHER = "Simulate another class"
WITHOUT = 30
"""Answers of a simulated class while there are none of the real one."""
NOBODY = (
    "Nobody’s true answer is used: none is here. A simulated class of the same size, {size}, "
    "gets both kinds of noise at the same ε."
)


@fragment
def clamped_view(asked: RoomQuestion, default: InventedClass | None) -> None:
    """The switch, and what it shows; nothing for a question with a list of answers."""
    if asked.question.categories:
        return
    with st.container(key="wall-clamped"):
        if not st.toggle(SWITCH, **edits(SHOWN, False)):
            return
        size = len(asked.shown) or WITHOUT
        st.markdown(f":material/science: {NOBODY.format(size=count(size, 'answer'))}")
        invented = _invented(asked, default)
        told, chart = _simulated(asked, invented, size)
        with st.container(key="wall-clamped-told"):
            st.markdown(literal(told))
        chart.draw()


def _invented(asked: RoomQuestion, default: InventedClass | None) -> InventedClass:
    """The class that is set; at first the one that is expected, or one near the upper bound."""
    low, high = numeric(asked.question).inputs
    width = high - low
    first = default or InventedClass(high - 0.15 * width, 0.1 * width)
    step = 10.0 ** math.floor(math.log10(width / 50))
    name = f"classroom.clamped.{asked.id}"
    how: dict[str, Any] = {"step": step, "format": _format(step)}
    unit = asked.question.unit
    left, right, button = st.columns([3, 3, 2], vertical_alignment="bottom")
    mean = left.slider(
        _label("Mean of the simulated class", unit),
        low,
        high,
        **how,
        **edits(f"{name}.mean", _on(step, first.mean, low, high)),
    )
    std = right.slider(
        _label("Spread of the simulated class", unit),
        0.0,
        _on(step, width / 2, 0.0, width),
        **how,
        **edits(f"{name}.std", _on(step, first.std, 0.0, width / 2)),
    )
    button.button(
        ANOTHER, icon=":material/refresh:", key=f"{name}.again", on_click=_another, args=(asked.id,)
    )
    return InventedClass(mean, std)


def _label(words: str, unit: str) -> str:
    return in_label(f"{words} ({unit})", words) if unit else words


def _format(step: float) -> str:
    return f"%.{max(0, -math.floor(math.log10(step)))}f"


def _on(step: float, value: float, low: float, high: float) -> float:
    """The nearest stop of a slider."""
    return min(max(low + round((value - low) / step) * step, low), high)


def _another(question: str) -> None:
    keep(_drawn(question), recall(_drawn(question), 0) + 1)


def _drawn(question: str) -> str:
    return f"classroom.clamped.{question}.drawn"


def _simulated(asked: RoomQuestion, invented: InventedClass, size: int) -> tuple[str, LargeChart]:
    """Words and picture: of the same class and noise for as long as nothing is asked anew."""
    drawn = recall(_drawn(asked.id), 0)
    seed = zlib.crc32(f"{asked.id} {drawn}".encode())

    def work() -> tuple[str, LargeChart]:
        found = clamped_mean(asked.question, invented, size, seed=seed)
        until = class_noise(asked.question, invented).answers_until_seen()
        return of_clamped(asked.question, found, until), clamped_chart(
            asked.question, invented, found, size
        )

    return memo("classroom.clamped.found", (asked.id, invented, size, drawn), work)
