"""The course in order, which lesson is open and how it is set: what a teacher's link says."""

from __future__ import annotations

from pages.inputs import links
from pages.sections.learn.lesson import Lesson
from pages.sections.learn.lessons.bounds import BOUNDS
from pages.sections.learn.lessons.card import CARD
from pages.sections.learn.lessons.clamping import CLAMPING
from pages.sections.learn.lessons.composite import COMPOSITE
from pages.sections.learn.lessons.epsilon import EPSILON
from pages.sections.learn.lessons.optimum import OPTIMUM
from pages.sections.learn.lessons.person import PERSON
from pages.sections.learn.lessons.place import PLACE
from pages.sections.learn.lessons.promise import PROMISE
from pages.sections.learn.lessons.reading import READING
from pages.sections.learn.lessons.repetition import REPETITION
from pages.sections.learn.lessons.shape import SHAPE

LESSONS: tuple[Lesson, ...] = (
    PROMISE, EPSILON, BOUNDS, CLAMPING, COMPOSITE, SHAPE, OPTIMUM, PLACE, REPETITION, PERSON, CARD,
    READING,
)  # fmt: skip


def lesson(key: str) -> Lesson:
    return next(each for each in LESSONS if each.key == key)


PAGE = "learn"
STEP = links.choice(f"{PAGE}.step", "step", [each.key for each in LESSONS], default=LESSONS[0].key)
SETTINGS = (STEP, *(setting for each in LESSONS for setting in each.settings))


def open_lesson() -> Lesson:
    return lesson(links.value(STEP))


def travelling() -> tuple[links.Setting, ...]:
    """Of all settings those that the open lesson has."""
    return (STEP, *open_lesson().settings)
