"""The lesson plan on the screen and, by its own style, on paper."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import streamlit as st

from pages.inputs import links
from pages.inputs.options import segments
from pages.sections.lesson_plan.file import as_html
from pages.sections.lesson_plan.plan import LENGTHS, lesson_sheet
from pages.sections.lesson_plan.settings import MINUTES, PAGE, SETTINGS
from pages.sections.lesson_plan.sheet import LessonPart, LessonSheet, unbroken
from pages.session.downloads import download
from pages.session.fragments import fragment
from pages.shell.address import follow
from pages.shell.page_list import page
from pages.shell.panels import step
from pages.text.wording import literal

_PRINT = Path(__file__).with_name("print.css")


@fragment
def live() -> None:
    st.html(_PRINT)
    links.notices(PAGE)
    follow(PAGE, SETTINGS)
    sheet = lesson_sheet(_minutes())
    st.markdown(f"**{_words(sheet.title)}.** {_words(sheet.aim)}")
    _before(sheet)
    _timetable(sheet)
    for place, part in enumerate(sheet.parts):
        with step(place + 1, part.title, f"Minutes {sheet.time(place)}"):
            _part(place, part)
    _troubles(sheet)
    _points(sheet)
    links.share(PAGE, SETTINGS)


def _minutes() -> int:
    with st.container(horizontal=True, vertical_alignment="bottom", key="plan-choice"):
        titles = {str(n): f"{n} minutes" for n in LENGTHS}
        minutes = int(segments("Length of the lesson", titles, MINUTES))
        download(
            "Lesson plan as a file",
            lambda: as_html(lesson_sheet(minutes)),
            f"lesson-plan-{minutes}.html",
            help="A page of its own, to be kept, changed and printed.",
        )
    with st.container(key="plan-hint"):
        st.caption(
            ":material/print: To print it, press Ctrl + P (⌘ + P). Menu and buttons stay off the "
            "paper."
        )
    return minutes


def _before(sheet: LessonSheet) -> None:
    with st.container(border=True, key="plan-before"):
        st.header("Before the lesson", anchor="before")
        st.markdown(_bullets(sheet.before))
        st.markdown("**How to start the app for a classroom**")
        st.code(sheet.command, language=None, wrap_lines=True)
        st.markdown(_words(sheet.command_note))


def _timetable(sheet: LessonSheet) -> None:
    st.header("Timetable", anchor="timetable")
    rows = [
        f"| {sheet.time(place)} | {part.minutes} | {place + 1} · {_words(part.title)} |"
        for place, part in enumerate(sheet.parts)
    ]
    total = f"| | **{sheet.minutes}** | **minutes in all** |"
    with st.container(key="table-plan"):
        st.markdown("\n".join(["| Minutes | Length | Part |", "| :-- | --: | :-- |", *rows, total]))


def _part(place: int, part: LessonPart) -> None:
    you, they = st.columns([7, 6], gap="large")
    with you:
        st.markdown(f"**You do**\n\n{_bullets(part.does)}")
        said = "\n>\n".join(f"> “{_words(line)}”" for line in part.asks)
        st.markdown(f"**You ask**\n\n{said}")
    with they, st.container(key=f"plan-sees-{place}"):
        st.markdown(f"**The class sees**\n\n{_bullets(part.sees)}")
    if part.ways:
        with st.container(horizontal=True, key=f"plan-ways-{place}"):
            for way in part.ways:
                there = page(way.page)
                st.page_link(
                    there.path, label=way.label, icon=there.icon, query_params=dict([way.setting])
                )


def _troubles(sheet: LessonSheet) -> None:
    st.header("What goes wrong, and what to do", anchor="troubles")
    for each in sheet.troubles:
        st.markdown(f"**{_words(each.sign)}**  \n{_words(each.remedy)}")


def _points(sheet: LessonSheet) -> None:
    st.header("Questions to talk about, with answers", anchor="questions")
    for place, each in enumerate(sheet.points, start=1):
        st.markdown(f"**{place}. {_words(each.question)}**  \n{_words(each.answer)}")
    st.header("Homework", anchor="homework")
    st.markdown(_bullets(sheet.homework))


def _words(text: str) -> str:
    return unbroken(literal(text))


def _bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {_words(line)}" for line in lines)
