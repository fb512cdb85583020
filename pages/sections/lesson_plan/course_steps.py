"""Steps of the course, as the lesson plan names them."""

from __future__ import annotations

from pages.sections.lesson_plan.sheet import WayIn
from pages.sections.shared.course.contents import LESSONS, lesson
from pages.text.wording import enumeration


def steps(*keys: str) -> str:
    """Their numbers in a sentence.

    >>> steps("promise", "clamping", "composite")
    '1, 4 and 5'
    """
    return enumeration([str(_number(key)) for key in keys])


def step(key: str) -> WayIn:
    """The way to it."""
    return WayIn(f"Course, step {_number(key)}: {lesson(key).title}", "learn", ("step", key))


def _number(key: str) -> int:
    return LESSONS.index(lesson(key)) + 1
