"""What a lesson plan is made of. All words are plain: page and file each set them in their way."""

from __future__ import annotations

import re
from dataclasses import dataclass

_INNER = re.compile(r"(?<=±) | (?=%)|(?<=ε =) |(?<=ε) (?==)|(?<=\d) (?=points)")
"""Blanks within what is read as one."""


def unbroken(text: str) -> str:
    """The text with numbers that no end of a line parts from their signs.

    >>> unbroken("± 4 points at ε = 4").split(" ")
    ['±\xa04\xa0points', 'at', 'ε\xa0=\xa04']
    """
    return _INNER.sub("\u00a0", text)


@dataclass(frozen=True)
class WayIn:
    """A link to a page as the lesson needs it."""

    label: str
    page: str
    """Its key."""
    setting: tuple[str, str]
    """What the link sets."""


@dataclass(frozen=True)
class LessonPart:
    minutes: int
    title: str
    does: tuple[str, ...]
    """What the teacher does."""
    asks: tuple[str, ...]
    """The very words to the class."""
    sees: tuple[str, ...]
    """What the class should see then."""
    ways: tuple[WayIn, ...] = ()


@dataclass(frozen=True)
class Trouble:
    """What may go wrong, and what to do then."""

    sign: str
    remedy: str


@dataclass(frozen=True)
class TalkingPoint:
    question: str
    answer: str


@dataclass(frozen=True)
class LessonSheet:
    minutes: int
    aim: str
    before: tuple[str, ...]
    command: str
    """Starts the app for a classroom."""
    command_note: str
    parts: tuple[LessonPart, ...]
    troubles: tuple[Trouble, ...]
    points: tuple[TalkingPoint, ...]
    homework: tuple[str, ...]

    @property
    def title(self) -> str:
        return f"A lesson of {self.minutes} minutes: what a class may say without telling"

    def begins(self, place: int) -> int:
        """Minute at which a part begins."""
        return sum(part.minutes for part in self.parts[:place])

    def time(self, place: int) -> str:
        """From when to when a part goes.

        >>> parts = tuple(LessonPart(n, "", (), (), ()) for n in (5, 10))
        >>> LessonSheet(15, "", (), "", "", parts, (), (), ()).time(1)
        '5–15'
        """
        return f"{self.begins(place)}–{self.begins(place + 1)}"
