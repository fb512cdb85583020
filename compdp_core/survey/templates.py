"""Questions to begin with, and how many answers it takes until a class sees the point."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from compdp_core.release import ColumnPlan
from compdp_core.survey.clamped import InventedClass, class_noise
from compdp_core.survey.question import Question
from compdp_core.survey.shares import share_half_width

NEAR = 0.2
"""An interval of a share reaches so far to either side at most, where it tells something."""


@dataclass(frozen=True, eq=False)
class Template:
    """A question, and what a class is expected to be like."""

    key: str
    """Its name in links."""
    title: str
    question: Question
    point: str
    """What a class sees with it, in a sentence."""
    expected: InventedClass | float
    """Answers of a class as one is expected, or the share of the first category."""

    @cached_property
    def needed(self) -> int | None:
        """From how many answers on the point is seen; None where no number of them does."""
        if isinstance(self.expected, InventedClass):
            return class_noise(self.question, self.expected).answers_until_seen()
        return answers_until_near(self.question, self.expected)


def answers_until_near(question: Question, share: float) -> int:
    """From how many answers on the interval of a share reaches no further than :data:`NEAR` to
    either side.

    >>> late = ColumnPlan(epsilon=2, kind="category", categories=["yes", "no"])
    >>> answers_until_near(Question("Late?", late), 0.3)
    38
    """
    return math.ceil((share_half_width(question, share, 1) / NEAR) ** 2)


def _number(text: str, inputs: tuple[float, float], epsilon: float, unit: str) -> Question:
    return Question(text, ColumnPlan(inputs=inputs, epsilon=epsilon), unit)


def _choice(text: str, categories: Sequence[str], epsilon: float) -> Question:
    return Question(text, ColumnPlan(epsilon=epsilon, kind="category", categories=categories))


TEMPLATES: tuple[Template, ...] = (
    Template(
        "marks",
        "Points in the last test",
        _number("How many points did you get in the last test?", (0, 20), 4, "points"),
        "Most answers lie near the top, where clamped noise is wrong on average: the mean of the "
        "class comes out right all the same.",
        InventedClass(17.5, 2.0),
    ),
    Template(
        "way",
        "Minutes on the way",
        _number("How many minutes did you need to get here today?", (0, 120), 4, "min"),
        "Most answers lie near the bottom of wide bounds: clamped noise would make the way of the "
        "class far too long.",
        InventedClass(15.0, 8.0),
    ),
    Template(
        "yes_no",
        "An embarrassing yes or no",
        _choice("Have you ever copied homework?", ["yes", "no"], 2.5),
        "A yes on the wall proves nothing about anybody, and still the share of the class comes "
        "out.",
        0.3,
    ),
    Template(
        "sleep",
        "Hours of sleep",
        _number("How many hours did you sleep last night?", (0, 12), 4, "h"),
        "Answers lie near the middle: the mean shows soon, but what clamping does to it only in a "
        "whole year group.",
        InventedClass(7.5, 1.0),
    ),
)


def template(key: str) -> Template | None:
    """The template of that name, if there is one."""
    return next((each for each in TEMPLATES if each.key == key), None)
