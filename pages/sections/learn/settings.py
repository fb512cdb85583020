"""Which lesson is open and how it is set: what a teacher's link says."""

from __future__ import annotations

from pages.inputs import links
from pages.sections.learn.course import LESSONS, lesson
from pages.sections.learn.lesson import Lesson

PAGE = "learn"
STEP = links.choice(f"{PAGE}.step", "step", [each.key for each in LESSONS], default=LESSONS[0].key)
SETTINGS = (STEP, *(setting for each in LESSONS for setting in each.settings))


def open_lesson() -> Lesson:
    return lesson(links.value(STEP))


def travelling() -> tuple[links.Setting, ...]:
    """Of all settings those that the open lesson has."""
    return (STEP, *open_lesson().settings)
