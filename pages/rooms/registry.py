"""All rooms of this process, which its sessions share."""

from __future__ import annotations

import hmac
import threading
import time
from collections.abc import Callable, Sequence
from typing import TypeVar

from compdp_core.survey.clamped import InventedClass
from compdp_core.survey.question import Question
from pages.rooms.codes import new_code, new_key, typed
from pages.rooms.course import CourseQuestion, CourseSession
from pages.rooms.room import Room, RoomError
from pages.rooms.tries import Tries

MOST_ROOMS = 100
COURSE_MINUTES = 240
NO_ROOM = "there is no room with this code now: look at the wall once more"
TOO_MANY = (
    "too many wrong codes were tried just now: wait a minute, or scan the QR code, which always "
    "works"
)


class CourseCodeError(RoomError):
    """The code is not that of a room, but of a session of the course."""


class Course:
    """A course session of a class under its code."""

    def __init__(
        self, code: str, questions: Sequence[CourseQuestion], clock: Callable[[], float]
    ) -> None:
        self.code, self.key, self.teacher_key = code, new_key(), new_key()
        self.session = CourseSession(questions)
        self._ends, self._clock = clock() + 60.0 * COURSE_MINUTES, clock

    @property
    def is_gone(self) -> bool:
        """Whether it is over."""
        return not self._clock() < self._ends


Place = TypeVar("Place", Room, Course)


class Rooms:
    """Rooms and course sessions by their codes."""

    def __init__(self, clock: Callable[[], float] = time.time, tries: Tries | None = None) -> None:
        self._clock, self._tries = clock, tries or Tries()
        self._rooms: dict[str, Room] = {}
        self._courses: dict[str, Course] = {}
        self._lock = threading.Lock()

    def open_room(
        self,
        question: Question,
        *,
        minutes: int,
        most: int,
        expected: InventedClass | None = None,
        process: str = "",
    ) -> Room:
        """A new room. ``process``: the name of this process, where there are several."""
        with self._lock:
            code = self._free(process)
            room = Room(
                code,
                question,
                minutes=minutes,
                most=most,
                expected=expected,
                clock=self._clock,
            )
            self._rooms[code] = room
            return room

    def open_course(self, questions: Sequence[CourseQuestion], *, process: str = "") -> Course:
        """A new session of the course."""
        with self._lock:
            code = self._free(process)
            self._courses[code] = Course(code, questions, self._clock)
            return self._courses[code]

    def _free(self, process: str) -> str:
        self._sweep()
        if len(self._rooms) + len(self._courses) >= MOST_ROOMS:
            for code in [code for code, room in self._rooms.items() if room.is_idle][:1]:
                self._rooms.pop(code).forget()
        if len(self._rooms) + len(self._courses) >= MOST_ROOMS:
            raise RoomError(f"{MOST_ROOMS} rooms are open here: remove one, or wait until one ends")
        while True:
            code = new_code(process)
            if code not in self._rooms and code not in self._courses:
                return code

    def join(self, text: object, visitor: str) -> Room:
        """The room of a typed code or a link; :class:`RoomError` says what else to do."""
        code, key = typed(text) or ("", "")
        room, course = self._at(code)
        if course is not None and not key and self._tries.may(visitor):
            raise CourseCodeError("this is the code of a class session of the course")
        return self._entered(room, key, visitor)

    def course(self, text: object, visitor: str) -> CourseSession:
        """The course session of a typed code or a link; the same of it."""
        code, key = typed(text) or ("", "")
        return self._entered(self._at(code)[1], key, visitor).session

    def taught(self, text: object, visitor: str) -> Room | Course:
        """The room or the course of a teacher's link."""
        code, key = typed(text) or ("", "")
        room, course = self._at(code)
        place = room or course
        if place is not None and hmac.compare_digest(key.encode(), place.teacher_key.encode()):
            return place
        raise self._missed(visitor, "this teacher’s link leads to no room that is here now")

    def _at(self, code: str) -> tuple[Room | None, Course | None]:
        with self._lock:
            self._sweep()
            return self._rooms.get(code), self._courses.get(code)

    def _entered(self, place: Place | None, key: str, visitor: str) -> Place:
        """The place, to whoever has its key or typed its code. What a link says with a wrong key is
        a try like any other.
        """
        if place is not None and key and hmac.compare_digest(key.encode(), place.key.encode()):
            return place
        if place is None or key or not self._tries.may(visitor):
            raise self._missed(visitor, NO_ROOM)
        return place

    def _missed(self, visitor: str, words: str) -> RoomError:
        """What to say to a wrong try, which is counted unless there were too many."""
        if not self._tries.may(visitor):
            return RoomError(TOO_MANY)
        self._tries.missed(visitor)
        return RoomError(words)

    def is_here(self, place: Room | Course) -> bool:
        """Whether the room or session was neither removed nor forgotten."""
        with self._lock:
            self._sweep()
            return place in (self._rooms.get(place.code), self._courses.get(place.code))

    def remove(self, room: Room) -> None:
        """Forget a room and all its answers."""
        with self._lock:
            if self._rooms.get(room.code) is room:
                del self._rooms[room.code]
        room.forget()

    def end_course(self, course: Course) -> None:
        """Forget a session of the course and all its answers."""
        with self._lock:
            if self._courses.get(course.code) is course:
                del self._courses[course.code]

    def sweep(self) -> None:
        """Forget what is over."""
        with self._lock:
            self._sweep()

    def _sweep(self) -> None:
        for code in [code for code, each in self._rooms.items() if each.is_gone]:
            self._rooms.pop(code).forget()
        for code in [code for code, each in self._courses.items() if each.is_gone]:
            del self._courses[code]


ROOMS = Rooms()
"""Those of this process."""
