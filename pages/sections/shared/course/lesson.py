"""What one lesson is: a short text, one thing to try, one question that is scored."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from pages.inputs.links import Setting


@dataclass(frozen=True)
class Option:
    words: str
    why: str
    right: bool = False


@dataclass(frozen=True)
class LessonQuestion:
    """Asked once, scored by the first answer. Numbers in it come from the library."""

    words: str
    options: tuple[Option, ...]

    def __post_init__(self) -> None:
        if sum(option.right for option in self.options) != 1:
            raise ValueError(f"“{self.words}” must have exactly one right answer.")
        if len({option.words for option in self.options}) != len(self.options):
            raise ValueError(f"“{self.words}” offers the same answer twice.")

    @property
    def right(self) -> int:
        return next(place for place, option in enumerate(self.options) if option.right)


@dataclass(frozen=True)
class Lesson:
    key: str
    """Its name in links."""
    title: str
    text: str
    """A few sentences of markdown, read before trying."""
    task: str
    """What to do with the picture, and what to look for."""
    attempt: Callable[[], None]
    """Draws the controls and the picture."""
    question: Callable[[], LessonQuestion]
    """The same at every call: it must not depend on what is set on the page."""
    settings: tuple[Setting, ...] = ()
    """What a teacher's link may set; each key begins with the lesson's own."""
    more: tuple[str, str] | None = None
    """Key of the page that goes further, and what one can do there."""

    def __post_init__(self) -> None:
        # Asked for at every run, and what it computes never changes.
        object.__setattr__(self, "question", cache(self.question))
