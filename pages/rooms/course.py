"""A class that takes the course together: how many answered each question, and how.

Held are counts, and for each question hashes of who has answered it, under a key that never leaves
the session. No name, address, time or order is held, nor which answer was whose.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import threading
from collections.abc import Sequence
from dataclasses import dataclass

from compdp_core.errors import CompdpError, ParameterError

MOST_STUDENTS = 500
LONGEST = 64
"""Characters of what stands for a participant."""
_PARTICIPANT = re.compile(rf"[!-~]{{1,{LONGEST}}}", re.ASCII)
FULL = f"All {MOST_STUDENTS} places of this class are taken: your answers count for you alone."


@dataclass(frozen=True)
class CourseQuestion:
    """What a wall shows of one step of the course."""

    key: str
    title: str
    words: str
    options: tuple[str, ...]
    right: int
    """Place of the right option."""

    def __post_init__(self) -> None:
        if not 0 <= self.right < len(self.options):
            raise ParameterError("right", self.right, "must be the place of one of the options")


class CourseSession:
    """First answers of a class, counted. Every method may be called from any thread.

    >>> asked = CourseQuestion("coin", "A coin", "Heads?", ("yes", "no"), right=0)
    >>> session = CourseSession([asked])
    >>> session.answer("phone-1", "coin", 1, 2), session.answer("phone-1", "coin", 0, 2)
    (True, False)
    >>> session.counts("coin"), session.answered("coin"), session.students
    ((0, 1), 1, 1)
    """

    def __init__(self, questions: Sequence[CourseQuestion]) -> None:
        self.questions = tuple(questions)
        self._asked = {each.key: each for each in self.questions}
        if not 0 < len(self._asked) == len(self.questions):
            raise ParameterError("questions", len(questions), "must have keys of their own")
        self._lock = threading.Lock()
        self._version = 0
        self._begin()

    def _begin(self) -> None:
        self._key = secrets.token_bytes(16)
        self._counts = {key: [0] * len(each.options) for key, each in self._asked.items()}
        self._answered: dict[str, set[bytes]] = {key: set() for key in self._asked}
        self._students: set[bytes] = set()
        self._revealed: set[str] = set()

    def answer(
        self, participant: object, question_key: object, option: object, options: object
    ) -> bool:
        """Count the first answer of a participant to a question; whether it was the first.

        ``options``: how many the question had where it was answered. What does not fit is refused.
        """
        who, asked = _checked(participant), self.question(question_key)
        there = len(asked.options)
        if type(options) is not int or options != there:
            raise ParameterError("options", options, f"must be the {there} of the question")
        if type(option) is not int or not 0 <= option < there:
            raise ParameterError("option", option, f"must be a place from 0 to {there - 1}")
        with self._lock:
            return self._count(who, asked.key, option)

    def _count(self, participant: str, key: str, option: int) -> bool:
        digest = hashlib.blake2b(participant.encode(), key=self._key, digest_size=16).digest()
        if digest in self._answered[key]:
            return False
        if digest not in self._students and len(self._students) >= MOST_STUDENTS:
            raise CompdpError(FULL)
        self._students.add(digest)
        self._answered[key].add(digest)
        self._counts[key][option] += 1
        self._version += 1
        return True

    def question(self, key: object) -> CourseQuestion:
        asked = self._asked.get(key) if isinstance(key, str) else None
        if asked is None:
            raise ParameterError("question_key", key, "must be the key of a question of the course")
        return asked

    def counts(self, question_key: str) -> tuple[int, ...]:
        """How many chose each option at first."""
        key = self.question(question_key).key
        with self._lock:
            return tuple(self._counts[key])

    def answered(self, question_key: str) -> int:
        return sum(self.counts(question_key))

    @property
    def students(self) -> int:
        """Participants who have answered anything."""
        with self._lock:
            return len(self._students)

    @property
    def version(self) -> int:
        """Rises with each change."""
        with self._lock:
            return self._version

    @property
    def revealed(self) -> frozenset[str]:
        """Keys of the questions of which the wall shows the right option."""
        with self._lock:
            return frozenset(self._revealed)

    def reveal(self, question_key: str, shown: bool = True) -> None:
        """Show which option is right, or hide it again."""
        key = self.question(question_key).key
        with self._lock:
            if shown != (key in self._revealed):
                self._revealed ^= {key}
                self._version += 1

    def reset(self) -> None:
        """Forget all answers, and who gave them: everybody may answer anew."""
        with self._lock:
            self._begin()
            self._version += 1


def _checked(participant: object) -> str:
    if isinstance(participant, str) and _PARTICIPANT.fullmatch(participant):
        return participant
    # What stands for a participant is not quoted.
    kind = type(participant).__name__
    raise ParameterError("participant", kind, f"must be 1 to {LONGEST} plain characters")
