"""The course: where one is, the open lesson, and the way on."""

from __future__ import annotations

import streamlit as st

from pages.furniture import links
from pages.furniture.address import follow
from pages.furniture.catalogue import page
from pages.furniture.fragments import fragment
from pages.furniture.state import edits
from pages.learning import settings as to
from pages.learning.arrival import arrival, turn_to
from pages.learning.ask import ask
from pages.learning.course import LESSONS
from pages.learning.lesson import Lesson
from pages.learning.score import answers, begin_again


@fragment
def live() -> None:
    links.notices(to.PAGE)
    _contents()
    lesson = to.open_lesson()
    place = LESSONS.index(lesson)
    with st.container(border=True, key=f"step-{place + 1}"):
        st.header(f"{place + 1} · {lesson.title}", anchor=f"step-{place + 1}")
        with st.container(key="lesson-text"):
            st.markdown(lesson.text)
        with st.container(key="lesson-task"):
            st.markdown(f"**Try it.** {lesson.task}")
        with st.container(key="lesson-try"):
            lesson.attempt()
        ask(lesson)
        _on(place)
    _more(lesson)
    links.share(to.PAGE, to.travelling())
    follow(to.PAGE, to.travelling())
    arrival()


def _contents() -> None:
    given = answers()
    with st.container(horizontal=True, vertical_alignment="bottom", key="course"):
        st.selectbox(
            "Step of the course",
            [lesson.key for lesson in LESSONS],
            format_func=_entries().__getitem__,
            **edits(to.STEP.name, to.STEP.default),
        )
        st.metric("Right at the first answer", f"{given.score} of {len(LESSONS)}")
    if given.answered:
        with st.container(horizontal=True, vertical_alignment="center", key="course-score"):
            st.progress(
                given.answered / len(LESSONS),
                f"{given.answered} of {len(LESSONS)} questions answered",
            )
            st.button("Clear my answers", on_click=begin_again, key="learn.again")


def _entries() -> dict[str, str]:
    """What the list of steps says for each key."""
    given = answers()

    def mark(lesson: Lesson) -> str:
        return "✓ " if given.at_once(lesson) else "● " if given.to(lesson) else ""

    return {
        lesson.key: f"{mark(lesson)}{place} · {lesson.title}"
        for place, lesson in enumerate(LESSONS, start=1)
    }


def _on(place: int) -> None:
    """Buttons to the steps before and after."""
    with st.container(horizontal=True, key="course-on"):
        for label, icon, there in (
            ("Back", ":material/arrow_back:", place - 1),
            ("Next", ":material/arrow_forward:", place + 1),
        ):
            if 0 <= there < len(LESSONS):
                st.button(
                    f"{label}: {LESSONS[there].title}",
                    icon=icon,
                    key=f"learn.{label}",
                    type="primary" if label == "Next" else "secondary",
                    on_click=turn_to,
                    args=(LESSONS[there].key,),
                )


def _more(lesson: Lesson) -> None:
    if lesson.more is not None:
        key, label = lesson.more
        further = page(key)
        st.page_link(further.path, label=label, icon=further.icon)
