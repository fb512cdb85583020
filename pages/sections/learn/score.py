"""The question of a lesson and its answers. The first one counts; the others teach."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import streamlit as st

from pages.sections.learn import in_class
from pages.sections.learn.settings import LESSONS
from pages.sections.shared.course.lesson import Lesson, Option
from pages.session.state import forget, keep, one_of, recall

NAME = "learn.answers"
CHOICE = "learn.choice."
"""What is chosen, and not yet an answer; the key of the lesson follows."""


@dataclass(frozen=True)
class Answers:
    """Places of the options chosen, in order, by the key of the lesson."""

    given: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def to(self, lesson: Lesson) -> tuple[int, ...]:
        return self.given.get(lesson.key, ())

    def solved(self, lesson: Lesson) -> bool:
        """Whether the right answer was found, at once or later."""
        given = self.to(lesson)
        return bool(given) and lesson.question().right in given

    def at_once(self, lesson: Lesson) -> bool:
        given = self.to(lesson)
        return bool(given) and given[0] == lesson.question().right

    def also(self, lesson: Lesson, place: int) -> Answers:
        """One answer more; none after the right one, and none twice."""
        before = self.to(lesson)
        if self.solved(lesson) or place in before:
            return self
        return replace(self, given=self.given | {lesson.key: (*before, place)})

    @property
    def answered(self) -> int:
        return sum(bool(self.to(lesson)) for lesson in LESSONS)

    @property
    def score(self) -> int:
        return sum(self.at_once(lesson) for lesson in LESSONS)


def answers() -> Answers:
    given: Answers = recall(NAME, Answers())
    return given


def answer(lesson: Lesson, place: int) -> None:
    if not answers().to(lesson):
        in_class.count(lesson.key, place, len(lesson.question().options))
    keep(NAME, answers().also(lesson, place))


def begin_again() -> None:
    keep(NAME, Answers())
    forget(CHOICE)


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
