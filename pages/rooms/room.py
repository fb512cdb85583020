"""A room: its questions, the noisy answers that arrived, and until when it is open.

It holds noisy answers and the ticket under which each came, a random number of this answer alone:
no true answer ever reaches it, and no name, address or time of an answer is kept.
"""

from __future__ import annotations

import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, TypeVar

from compdp_core.errors import CompdpError
from compdp_core.survey.clamped import InventedClass
from compdp_core.survey.question import AnswerError, Question
from pages.rooms.codes import new_key

MOST_ANSWERS = 300
"""Of one question."""
MOST_QUESTIONS = 12
LONGEST_MINUTES = 240
KEPT_MINUTES = 60
"""How long a room that has ended keeps its answers."""
IDLE_MINUTES = 10
"""After which a room without an answer goes, where no other place is left."""
T = TypeVar("T")
_TICKET = re.compile(r"[0-9a-f]{32}", re.ASCII)


class RoomError(CompdpError):
    """A room does not do that; the words say what to do instead."""


@dataclass(frozen=True)
class Receipt:
    """What became of an answer that arrived."""

    question: str
    ticket: str
    state: Literal["received", "refused"]
    words: str = ""
    """Why it was refused, in a sentence."""


@dataclass
class RoomQuestion:
    """A question of a room and the answers to it, in the order they came."""

    number: int
    """From 1."""
    question: Question
    expected: InventedClass | None = None
    """How the teacher expects a class to answer, for simulations alone."""
    id: str = field(default_factory=lambda: secrets.token_hex(8))
    answers: dict[str, float] = field(default_factory=dict)
    """By the ticket, which a device draws for this one answer."""
    frozen: int | None = None
    """How many answers the wall shows, where it stands still."""
    made: dict[str, tuple[object, Any]] = field(default_factory=dict, repr=False)
    """What was worked out of the answers: it goes with them."""

    @property
    def values(self) -> list[float]:
        """All noisy answers."""
        return list(self.answers.values())

    @property
    def shown(self) -> list[float]:
        """Those that the wall shows."""
        return self.values[: self.frozen]

    def memo(self, name: str, fingerprint: object, compute: Callable[[], T]) -> T:
        """The last result under that name while its fingerprint is unchanged, else a new one; the
        same for all pages that show the question.
        """
        kept: tuple[object, T] | None = self.made.get(name)
        if kept is not None and kept[0] == fingerprint:
            return kept[1]
        result = compute()
        self.made[name] = (fingerprint, result)
        return result


class Room:
    """One room. Every method may be called from any thread."""

    def __init__(
        self,
        code: str,
        question: Question,
        *,
        minutes: int,
        most: int,
        expected: InventedClass | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        if not 1 <= minutes <= LONGEST_MINUTES:
            raise RoomError(f"a room is open for 1 to {LONGEST_MINUTES} minutes: choose so many")
        if not 1 <= most <= MOST_ANSWERS:
            raise RoomError(f"a room takes 1 to {MOST_ANSWERS} answers: choose so many")
        self.code, self.most = code, most
        self.key, self.teacher_key = new_key(), new_key()
        self.id = secrets.token_hex(8)
        """By which devices keep what they sent; a code may come again, this does not."""
        self._clock, self._lock = clock, threading.RLock()
        self.opened = clock()
        self._ends = self.opened + 60.0 * minutes
        self._questions = [RoomQuestion(1, question, expected)]
        self.version = 0
        """Rises with every change."""

    @property
    def ends(self) -> float:
        """When it ends, in seconds since 1970."""
        return self._ends

    @property
    def is_open(self) -> bool:
        """Whether it takes answers."""
        return self._clock() < self._ends

    @property
    def is_gone(self) -> bool:
        """Whether its answers are to be forgotten."""
        return not self._clock() < self._ends + 60.0 * KEPT_MINUTES

    @property
    def is_idle(self) -> bool:
        """Whether it may make room for another one: nobody has answered for a while."""
        answered = any(each.answers for each in self.questions)
        return not answered and not self._clock() < self.opened + 60.0 * IDLE_MINUTES

    @property
    def left(self) -> float:
        """Seconds until it ends; 0 afterwards."""
        return max(0.0, self._ends - self._clock())

    @property
    def questions(self) -> tuple[RoomQuestion, ...]:
        """All questions so far; the last one is open."""
        with self._lock:
            return tuple(self._questions)

    @property
    def now(self) -> RoomQuestion:
        """The question that is asked."""
        with self._lock:
            return self._questions[-1]

    @property
    def epsilon(self) -> Fraction:
        """What somebody spends who answers every question: they add up."""
        return sum((each.question.epsilon for each in self.questions), Fraction(0))

    def answer(self, question: object, ticket: object, answer: object) -> Receipt:
        """Take a noisy answer, once for each ticket; what arrives may be anything."""
        if not (isinstance(ticket, str) and _TICKET.fullmatch(ticket)):
            return Receipt("", "", "refused", "What arrived has no ticket.")
        name = question if isinstance(question, str) and len(question) <= 32 else ""
        with self._lock:
            asked = next((each for each in self._questions if each.id == name), None)
            if asked is None:
                why = "This room does not ask that question."
            else:
                why = self._take(asked, ticket, answer)
        return Receipt(name, ticket, "refused" if why else "received", why)

    def _take(self, asked: RoomQuestion, ticket: str, answer: object) -> str:
        """Why it is not taken; empty where it is, or was before."""
        try:
            value = asked.question.read(answer)
        except AnswerError:
            return "What arrived is nothing that this question’s noise can make."
        if ticket in asked.answers:
            same = asked.answers[ticket] == value
            return "" if same else "Another answer of this device is here already."
        if asked is not self._questions[-1]:
            return "It came too late: the class has gone on to the next question."
        if not self.is_open:
            return "It came too late: the room has ended."
        if len(asked.answers) >= self.most:
            return f"The room is full: it takes {self.most} answers."
        asked.answers[ticket] = value
        self.version += 1
        return ""

    def ask(self, question: Question, expected: InventedClass | None = None) -> RoomQuestion:
        """Go on to another question, which everybody who answers pays for again."""
        with self._lock:
            if not self.is_open:
                raise RoomError("the room has ended: extend it first, or open another one")
            if len(self._questions) >= MOST_QUESTIONS:
                raise RoomError(f"a room asks at most {MOST_QUESTIONS} questions: open another one")
            self._questions[-1].frozen = None
            self._questions.append(RoomQuestion(len(self._questions) + 1, question, expected))
            self.version += 1
            return self._questions[-1]

    def freeze(self, asked: RoomQuestion) -> None:
        """Let the wall of a question stand still; answers go on arriving."""
        with self._lock:
            asked.frozen = len(asked.answers)
            self.version += 1

    def go_on(self, asked: RoomQuestion) -> None:
        """Let the wall of a question show all answers again."""
        with self._lock:
            asked.frozen = None
            self.version += 1

    def extend(self, minutes: int) -> None:
        """Be open for so many minutes more: from now, where it has ended."""
        with self._lock:
            longest = self._clock() + 60.0 * LONGEST_MINUTES
            self._ends = min(max(self._ends, self._clock()) + 60.0 * minutes, longest)
            self.version += 1

    def forget(self) -> None:
        """Forget all answers, also in pages that still hold the room, and take no more."""
        with self._lock:
            for each in self._questions:
                each.answers.clear()
                each.made.clear()
            self.end()

    def end(self) -> None:
        """Take no more answers."""
        with self._lock:
            self._ends = min(self._ends, self._clock())
            self.version += 1
