"""The course in order."""

from __future__ import annotations

from pages.sections.learn.lesson import Lesson
from pages.sections.learn.lessons.bounds import BOUNDS
from pages.sections.learn.lessons.card import CARD
from pages.sections.learn.lessons.clamping import CLAMPING
from pages.sections.learn.lessons.composite import COMPOSITE
from pages.sections.learn.lessons.epsilon import EPSILON
from pages.sections.learn.lessons.optimum import OPTIMUM
from pages.sections.learn.lessons.place import PLACE
from pages.sections.learn.lessons.promise import PROMISE
from pages.sections.learn.lessons.repetition import REPETITION
from pages.sections.learn.lessons.shape import SHAPE

LESSONS: tuple[Lesson, ...] = (
    PROMISE,
    EPSILON,
    BOUNDS,
    CLAMPING,
    COMPOSITE,
    SHAPE,
    OPTIMUM,
    PLACE,
    REPETITION,
    CARD,
)


def lesson(key: str) -> Lesson:
    """The lesson with that key."""
    return next(each for each in LESSONS if each.key == key)
