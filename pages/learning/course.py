"""The course in order."""

from __future__ import annotations

from pages.learning.lesson import Lesson
from pages.learning.lessons.promise import PROMISE

LESSONS: tuple[Lesson, ...] = (PROMISE,)


def lesson(key: str) -> Lesson:
    """The lesson with that key."""
    return next(each for each in LESSONS if each.key == key)
