"""The course in order."""

from __future__ import annotations

from pages.learning.lesson import Lesson
from pages.learning.lessons.bounds import BOUNDS
from pages.learning.lessons.card import CARD
from pages.learning.lessons.clamping import CLAMPING
from pages.learning.lessons.composite import COMPOSITE
from pages.learning.lessons.epsilon import EPSILON
from pages.learning.lessons.optimum import OPTIMUM
from pages.learning.lessons.place import PLACE
from pages.learning.lessons.promise import PROMISE
from pages.learning.lessons.repetition import REPETITION
from pages.learning.lessons.shape import SHAPE

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
