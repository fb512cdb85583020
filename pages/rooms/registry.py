"""All rooms of this process, which its sessions share."""

from __future__ import annotations

import hmac
import threading
import time
from collections.abc import Callable, Sequence

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
        given = typed(text)
        code, key = given or ("", "")
        with self._lock:
            self._sweep()
            room = self._rooms.get(code)
        if room is not None and key and hmac.compare_digest(key.encode(), room.key.encode()):
            return room
        # What a link says with a wrong key is a try like any other.
        if not self._tries.may(visitor):
            raise RoomError(TOO_MANY)
        if room is None and not key and code in self._courses:
            raise CourseCodeError("this is the code of a class session of the course")
        if room is None or key:
            self._tries.missed(visitor)
            raise RoomError(NO_ROOM)
        return room

    def taught(self, text: object, visitor: str) -> Room | Course:
        """The room or the course of a teacher's link."""
        code, key = typed(text) or ("", "")
        with self._lock:
            self._sweep()
            place = self._rooms.get(code) or self._courses.get(code)
        if place is not None and hmac.compare_digest(key.encode(), place.teacher_key.encode()):
            return place
        if not self._tries.may(visitor):
            raise RoomError(TOO_MANY)
        self._tries.missed(visitor)
        raise RoomError("this teacher’s link leads to no room that is here now")

    def course(self, text: object, visitor: str) -> CourseSession | None:
        """The course session of a typed code or a link; None where there is none."""
        code, key = typed(text) or ("", "")
        with self._lock:
            self._sweep()
            course = self._courses.get(code)
        if course is not None and key and hmac.compare_digest(key.encode(), course.key.encode()):
            return course.session
        if not self._tries.may(visitor):
            return None
        if course is None or key:
            self._tries.missed(visitor)
            return None
        return course.session

    def is_here(self, place: Room | Course) -> bool:
        """Whether the room or session was neither removed nor forgotten."""
        with self._lock:
            self._sweep()
            return (self._rooms.get(place.code) or self._courses.get(place.code)) is place

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
