"""The wall: what the answers to one question tell, to be read from the last row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from compdp_core.survey.question import Question
from compdp_core.survey.wording import one_answer, promise
from pages.rooms.room import Room, RoomQuestion
from pages.sections.classroom import result_words as words
from pages.sections.classroom.told import Told, told_by
from pages.text.wording import count, literal, together

LOOK = Path(__file__).with_name("wall.css")
SHORT = 80
"""Letters of a question that has room for large ones."""
WAITING = "Waiting for the first answer"
NOTHING_CAME = "No answer came."

Join = Callable[[], None] | None


def wall(room: Room, asked: RoomQuestion, *, join: Join = None) -> None:
    """Draw one question of a room with the answers that the wall shows.

    ``join``: draws how to get into the room.
    """
    # Answers arrive meanwhile: all that is drawn is of one moment.
    shown, arrived, stands = asked.shown, len(asked.answers), asked.frozen is not None
    stopped = words.frozen(len(shown), arrived - len(shown)) if stands else ""
    st.html(LOOK)
    with st.container(key="wall"):
        if shown:
            _results(room.most, asked.question, told_by(asked, shown), len(shown), stopped, join)
            _promise(asked.question)
        else:
            _waiting(room, asked.question, stopped, join)


def _promise(question: Question) -> None:
    with st.container(key="wall-promise"):
        said = literal(f"{promise(question)} {one_answer(question)}")
        st.markdown(said.replace("ε = ", together("ε = ")))


def _waiting(room: Room, question: Question, stopped: str, join: Join) -> None:
    with _beside(join, [1, 1], "wall-join-large"):
        _asked(question)
        with st.container(key="wall-waiting"):
            waiting = f"{WAITING} (at most {count(room.most, 'answer')})"
            st.markdown(waiting if room.is_open else NOTHING_CAME)
            _sentences("", stopped)
            _promise(question)


def _results(
    most: int, question: Question, told: Told, shown: int, stopped: str, join: Join
) -> None:
    with _beside(join, [9, 4], "wall-join"):
        _asked(question)
        _figures(told.figures, shown, most)
        _sentences(told.figures.told, stopped)
    with st.container(key="wall-charts"):
        for place, chart in zip(
            st.columns([3, 2] if question.categories else 3, gap="medium"),
            (*told.charts, None)[:3],
            strict=False,
        ):
            with place:
                chart.draw() if chart else _remark(told.remark)


@contextmanager
def _beside(join: Join, widths: list[int], key: str) -> Iterator[None]:
    """A place for the question, with the way into the room at its right."""
    if join is None:
        yield
        return
    with st.container(key="wall-head"):
        left, right = st.columns(widths, gap="medium")
    with right, st.container(key=key):
        join()
    with left:
        yield


def _asked(question: Question) -> None:
    with st.container(key="wall-question" if len(question.text) <= SHORT else "wall-question-long"):
        st.header(literal(question.text), anchor=False)


def _figures(figures: words.WallFigures, shown: int, most: int) -> None:
    with st.container(key="wall-figures"):
        answers, value, interval = st.columns([4, 5, 5])
    answers.metric(f"Answers, at most {most}", f"{shown}")
    value.metric(literal(figures.label), literal(figures.value))
    interval.metric(words.INTERVAL, together(figures.interval))


def _sentences(told: str, stopped: str) -> None:
    with st.container(key="wall-told"):
        if told:
            st.markdown(literal(told))
        if stopped:
            st.markdown(f":material/pause_circle: {stopped}")


def _remark(lines: tuple[str, ...]) -> None:
    with st.container(key="wall-remark"):
        st.markdown("\n\n".join(map(literal, lines)))
