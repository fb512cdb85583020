"""Which lesson is open and how it is set: what a teacher's link says."""

from __future__ import annotations

from pages.inputs import links
from pages.sections.learn.in_class import CLASS
from pages.sections.shared.course.contents import LESSONS as LESSONS
from pages.sections.shared.course.contents import lesson
from pages.sections.shared.course.lesson import Lesson

PAGE = "learn"
STEP = links.choice(f"{PAGE}.step", "step", [each.key for each in LESSONS], default=LESSONS[0].key)
SETTINGS = (STEP, CLASS, *(setting for each in LESSONS for setting in each.settings))


def open_lesson() -> Lesson:
    return lesson(links.value(STEP))


def travelling() -> tuple[links.Setting, ...]:
    """Of all settings those that the open lesson has."""
    return (STEP, *open_lesson().settings)


def in_address() -> tuple[links.Setting, ...]:
    """The same and the class, so that whoever loads the page anew stays in it. Links and files for
    others are without it: they would bring others into the class.
    """
    return (*travelling(), CLASS)
