"""The course: where one is, the open lesson, and the way on."""

from __future__ import annotations

import time

import streamlit as st

from pages.inputs import links
from pages.inputs.options import select
from pages.sections.learn import settings as to
from pages.sections.learn.in_class import class_line
from pages.sections.learn.notebook import course
from pages.sections.learn.score import Answers, answers, ask, begin_again
from pages.sections.learn.settings import LESSONS
from pages.sections.shared.course.lesson import Lesson
from pages.session.downloads import download
from pages.session.fragments import fragment
from pages.session.state import keep, recall
from pages.shell.address import follow
from pages.shell.page_list import page
from pages.shell.panels import arrive, explores

BEGIN = "Each step: read, try, answer. The first answer counts, and every answer is explained."


@fragment
def live() -> None:
    links.notices(to.PAGE)
    # Before the step: whoever sees it may load the page anew at once.
    follow(to.PAGE, to.in_address())
    class_line()
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
    explores()
    arrival()


def _contents() -> None:
    given = answers()
    titles = {each.key: f"{place} · {each.title}" for place, each in enumerate(LESSONS, start=1)}
    with st.container(horizontal=True, vertical_alignment="bottom", key="course"):
        # What a list says must stay: the browser answers with the words of an option.
        select("Step of the course", titles, to.STEP)
        st.metric("Right at the first answer", f"{given.score} of {len(LESSONS)}")
    # Always there: what stands below would be drawn anew, and the keyboard lose its place.
    with st.container(horizontal=True, vertical_alignment="center", key="course-score"):
        st.progress(given.answered / len(LESSONS), _answered(given))
        if given.answered:
            st.button("Clear my answers", on_click=begin_again, key="learn.again")


def _answered(given: Answers) -> str:
    if not given.answered:
        return BEGIN
    open_steps = [str(n) for n, each in enumerate(LESSONS, start=1) if not given.to(each)]
    if not open_steps:
        return f"All {len(LESSONS)} questions answered."
    left = ", ".join(open_steps)
    return f"{given.answered} of {len(LESSONS)} questions answered. Still open: {left}."


def _on(place: int) -> None:
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
    download(
        "The course as a notebook",
        course,
        "course.ipynb",
        help="The text of every step and an experiment that runs, for Jupyter.",
    )


TURNED = f"{to.PAGE}.turned"


def turn_to(key: str) -> None:
    links.put(to.STEP.name, key)
    keep(TURNED, time.time())


def arrival() -> None:
    arrive(to.PAGE, '[class*="st-key-step-"] h2', recall(TURNED, 0.0))
