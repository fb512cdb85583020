"""The question of a lesson: one answer at a time, each explained, the first one scored."""

from __future__ import annotations

import streamlit as st

from pages.sections.learn.lesson import Lesson, Option
from pages.sections.learn.score import CHOICE, answer, answers
from pages.session.state import one_of, recall


def ask(lesson: Lesson) -> None:
    question = lesson.question()
    given = answers()
    name = f"{CHOICE}{lesson.key}"
    with st.container(key="lesson-question"):
        st.radio(
            question.words,
            format_func=lambda place: question.options[place].words,
            **one_of(name, None, range(len(question.options))),
        )
        chosen = recall(name)
        # Switched off only while there is nothing to check: it has the keyboard when it is pressed.
        st.button(
            "Check the answer",
            key="learn.check",
            disabled=chosen is None,
            on_click=answer,
            args=(lesson, chosen),
        )
        for place in given.to(lesson):
            _explain(question.options[place])
        others = [n for n in range(len(question.options)) if n not in given.to(lesson)]
        if given.solved(lesson) and others:
            with st.expander("Why not the others"):
                for place in others:
                    option = question.options[place]
                    st.markdown(f"**{option.words}**  \n{option.why}")


def _explain(option: Option) -> None:
    if option.right:
        st.success(f"**Right: {option.words}**  \n{option.why}", icon=":material/check_circle:")
    else:
        st.warning(f"**Not right: {option.words}**  \n{option.why}", icon=":material/replay:")
