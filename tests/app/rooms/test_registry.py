"""All rooms of a process: so many at most, and nothing left of those that are gone."""

from __future__ import annotations

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from pages.rooms import registry
from pages.rooms.course import CourseQuestion
from pages.rooms.registry import COURSE_MINUTES, MOST_ROOMS, Rooms
from pages.rooms.room import (
    IDLE_MINUTES,
    KEPT_MINUTES,
    LONGEST_MINUTES,
    MOST_ANSWERS,
    MOST_QUESTIONS,
    RoomError,
)
from tests.app.rooms.making import (
    Clock,
    opened,
    ticket,
)

# Registry


def test_a_hundred_rooms_are_open_at_most(clock: Clock, rooms: Rooms) -> None:
    opened_ = [opened(rooms) for _ in range(MOST_ROOMS)]
    assert len({room.code for room in opened_}) == MOST_ROOMS
    with pytest.raises(RoomError, match="100 rooms are open"):
        opened(rooms)
    rooms.remove(opened_[0])
    opened(rooms)
    with pytest.raises(RoomError, match="100 rooms are open"):
        opened(rooms)
    clock.pass_minutes(60 + KEPT_MINUTES)
    assert rooms.is_here(opened(rooms))
    assert not any(map(rooms.is_here, opened_))


def test_where_all_places_are_taken_a_room_without_an_answer_goes(
    clock: Clock, rooms: Rooms
) -> None:
    used, *idle = [opened(rooms) for _ in range(MOST_ROOMS)]
    assert used.answer(used.now.id, ticket(1), "12.250").state == "received"
    clock.pass_minutes(IDLE_MINUTES - 1)
    with pytest.raises(RoomError, match="100 rooms are open"):
        opened(rooms)
    clock.pass_minutes(1)
    news = [opened(rooms) for _ in idle]
    assert rooms.is_here(used)
    assert not any(map(rooms.is_here, idle))
    with pytest.raises(RoomError, match="100 rooms are open"):
        opened(rooms)
    assert all(map(rooms.is_here, news))


def test_a_teachers_link_leads_to_a_course_as_well(rooms: Rooms) -> None:
    asked = CourseQuestion("coin", "A coin", "Heads?", ("yes", "no"), right=0)
    course = rooms.open_course([asked])
    assert rooms.taught(f"{course.code}.{course.teacher_key}", "one") is course
    assert rooms.is_here(course)
    with pytest.raises(RoomError):
        rooms.taught(f"{course.code}.{course.key}", "one")
    rooms.end_course(course)
    assert not rooms.is_here(course)


def test_a_room_is_kept_for_an_hour_after_its_end_and_then_forgotten(
    clock: Clock, rooms: Rooms
) -> None:
    room = opened(rooms, minutes=20)
    clock.pass_minutes(20 + KEPT_MINUTES - 0.01)
    assert not room.is_open
    assert rooms.join(room.code, "one") is room
    assert rooms.is_here(room)
    clock.pass_minutes(0.02)
    assert room.is_gone
    assert not rooms.is_here(room)
    for enter in (rooms.join, rooms.taught):
        with pytest.raises(RoomError):
            enter(f"{room.code}.{room.key}", "one")


@pytest.mark.parametrize("way", ["removed", "over"])
def test_of_a_room_that_is_gone_nothing_is_left(clock: Clock, rooms: Rooms, way: str) -> None:
    room = opened(rooms)
    room.answer(room.now.id, ticket(1), "12.250")
    assert rooms.join(room.code, "one") is room
    left: list[weakref.ref[Any]] = [weakref.ref(room), weakref.ref(room.now)]
    if way == "removed":
        rooms.remove(room)
    else:
        clock.pass_minutes(60 + KEPT_MINUTES + 1)
        rooms.sweep()
    assert not rooms.is_here(room)
    assert all(ref() is not None for ref in left)
    del room
    gc.collect()
    assert [ref() for ref in left] == [None, None]


def test_a_room_of_the_same_code_is_another_one(
    rooms: Rooms, monkeypatch: pytest.MonkeyPatch
) -> None:
    codes = iter(["KTRPMX", "KTRPMX", "KTRPMX", "BBBBBB"])
    monkeypatch.setattr(registry, "new_code", lambda process: next(codes))
    first = opened(rooms)
    rooms.remove(first)
    second = opened(rooms)
    assert first.code == second.code
    assert first.id != second.id
    assert rooms.is_here(second)
    assert not rooms.is_here(first)
    rooms.remove(first)
    assert rooms.is_here(second)
    with pytest.raises(RoomError):
        rooms.join(f"{first.code}.{first.key}", "one")
    assert opened(rooms).code == "BBBBBB", "a code that is taken is not given again"


def test_rooms_opened_from_many_threads_have_codes_of_their_own(rooms: Rooms) -> None:
    start = threading.Barrier(20)

    def open_five(n: int) -> list[str]:
        start.wait()
        return [opened(rooms, process=str(n)).code for _ in range(5)]

    with ThreadPoolExecutor(20) as threads:
        codes = [code for each in threads.map(open_five, range(20)) for code in each]
    assert len(set(codes)) == MOST_ROOMS
    assert all(rooms.join(code, "one").code == code for code in codes)


def test_a_room_that_cannot_be_opened_takes_no_place(rooms: Rooms) -> None:
    for _ in range(MOST_ROOMS + 1):
        with pytest.raises(RoomError, match="choose so many"):
            opened(rooms, minutes=0)
    assert rooms._rooms == {}


def test_limits_are_those_that_are_stated() -> None:
    assert (MOST_ROOMS, MOST_QUESTIONS, MOST_ANSWERS) == (100, 12, 300)
    assert (LONGEST_MINUTES, KEPT_MINUTES, COURSE_MINUTES) == (240, 60, 240)
