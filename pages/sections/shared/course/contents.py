"""The lessons in their order, and what the wall of a class needs of each."""

from __future__ import annotations

from functools import cache

from pages.rooms.course import CourseQuestion
from pages.sections.shared.course.lesson import Lesson
from pages.sections.shared.course.lessons.bounds import BOUNDS
from pages.sections.shared.course.lessons.card import CARD
from pages.sections.shared.course.lessons.clamping import CLAMPING
from pages.sections.shared.course.lessons.composite import COMPOSITE
from pages.sections.shared.course.lessons.epsilon import EPSILON
from pages.sections.shared.course.lessons.optimum import OPTIMUM
from pages.sections.shared.course.lessons.person import PERSON
from pages.sections.shared.course.lessons.place import PLACE
from pages.sections.shared.course.lessons.promise import PROMISE
from pages.sections.shared.course.lessons.reading import READING
from pages.sections.shared.course.lessons.repetition import REPETITION
from pages.sections.shared.course.lessons.shape import SHAPE

LESSONS: tuple[Lesson, ...] = (
    PROMISE, EPSILON, BOUNDS, CLAMPING, COMPOSITE, SHAPE, OPTIMUM, PLACE, REPETITION, PERSON, CARD,
    READING,
)  # fmt: skip


def lesson(key: str) -> Lesson:
    return next(each for each in LESSONS if each.key == key)


# Of public settings alone, and some seconds of work: once for all sessions.
@cache
def course_questions() -> tuple[CourseQuestion, ...]:
    """The question of each lesson, as a class session counts and a wall shows it."""
    return tuple(_of(each) for each in LESSONS)


def _of(lesson: Lesson) -> CourseQuestion:
    asked = lesson.question()
    options = tuple(option.words for option in asked.options)
    return CourseQuestion(lesson.key, lesson.title, asked.words, options, asked.right)
