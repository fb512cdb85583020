"""The course without a browser: opening a step, using its controls, reading what it shows."""

from __future__ import annotations

from typing import Any

from pages.sections.shared.course.lesson import Lesson, Option
from tests.app.driving import Driven

PAGE = "pages/learn.py"


def opened(**link: str) -> Driven:
    """The course, opened by a link that says this."""
    return Driven(PAGE, **link)


def named(app: Driven, key: str) -> dict[str, Any]:
    """The traces of a chart by name."""
    return {each["name"]: each for each in app.traces(key)}


def option(lesson: Lesson) -> Option:
    """The right one."""
    question = lesson.question()
    return question.options[question.right]
