"""The wall of a class that takes the course: how many answered each question, and how."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.inputs.options import select
from pages.rooms.course import CourseQuestion, CourseSession
from pages.sections.classroom.course_bars import LETTERS, bars_of_options
from pages.text.wording import count, percent

EVERY = "every"
CHOSEN = "classroom.course.question"

_LOOK = Path(__file__).with_name("course_wall.css")


def course_wall(session: CourseSession) -> None:
    """Draw one question with the bars of its options, or all of them as a list."""
    st.html(_LOOK)
    keys = (each.key for each in session.questions)
    titles = {EVERY: "All questions", **dict(zip(keys, _titles(session), strict=True))}
    with st.container(key="course-wall"):
        chosen = select("On the wall", titles, CHOSEN, EVERY)
        if chosen == EVERY:
            _list(session)
        else:
            _one(session, session.question(chosen))


def _titles(session: CourseSession) -> list[str]:
    return [f"{place} · {each.title}" for place, each in enumerate(session.questions, start=1)]


def _list(session: CourseSession) -> None:
    rows = [
        f"| {title} | {session.answered(each.key)} | {_share(session, each)} |"
        for title, each in zip(_titles(session), session.questions, strict=True)
    ]
    head = ["| Step | Answered | Right at once |", "| :-- | --: | --: |"]
    st.markdown(f"**{_students(session)}**")
    with st.container(key="table-course-wall"):
        st.markdown("\n".join([*head, *rows]))
    st.caption("“Right at once” is told once the question’s right answer has been shown.")


def _share(session: CourseSession, asked: CourseQuestion) -> str:
    """Of the first answers those that were right, where the class may know it by now."""
    counts = session.counts(asked.key)
    if asked.key not in session.revealed or not sum(counts):
        return "–"
    return percent(counts[asked.right] / sum(counts), 2)


def _students(session: CourseSession) -> str:
    if not session.students:
        return "Nobody has answered yet."
    return f"{count(session.students, 'participant')} so far."


def _one(session: CourseSession, asked: CourseQuestion) -> None:
    shown = asked.key in session.revealed
    with st.container(key="course-wall-question"):
        st.markdown(asked.words)
    words, picture = st.columns([6, 5], gap="large")
    with words, st.container(key="course-wall-options"):
        st.markdown("\n".join(_option(asked, place, shown) for place in range(len(asked.options))))
    with picture:
        bars_of_options(session, asked, shown).draw()
    _reveal(session, asked, shown)


def _option(asked: CourseQuestion, place: int, shown: bool) -> str:
    words = f"**{LETTERS[place]}** {asked.options[place]}"
    right = shown and place == asked.right
    return f"- {words} :green-badge[:material/check: right]" if right else f"- {words}"


def _reveal(session: CourseSession, asked: CourseQuestion, shown: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            "Hide which is right" if shown else "Show which is right",
            icon=":material/visibility_off:" if shown else ":material/visibility:",
            type="secondary" if shown else "primary",
            key="classroom.course.reveal",
            on_click=session.reveal,
            args=(asked.key, not shown),
        )
        st.caption("First answers, without names and without noise.")
