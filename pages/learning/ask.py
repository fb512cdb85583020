"""The question of a lesson: one answer at a time, each explained, the first one scored."""

from __future__ import annotations

import streamlit as st

from pages.furniture.state import edits, recall
from pages.learning.lesson import Lesson
from pages.learning.score import answer, answers


def ask(lesson: Lesson) -> None:
    question = lesson.question()
    given = answers()
    solved = given.solved(lesson)
    name = f"learn.choice.{lesson.key}"
    with st.container(key="lesson-question"):
        st.radio(
            question.words,
            range(len(question.options)),
            format_func=lambda place: question.options[place].words,
            **edits(name, None),
        )
        chosen = recall(name)
        st.button(
            "Check the answer",
            key="learn.check",
            disabled=chosen is None or solved or chosen in given.to(lesson),
            on_click=answer,
            args=(lesson, chosen),
        )
        for place in given.to(lesson):
            option = question.options[place]
            show, icon = (
                (st.success, ":material/check_circle:")
                if option.right
                else (st.warning, ":material/replay:")
            )
            show(f"**{option.words}** {option.why}", icon=icon)
