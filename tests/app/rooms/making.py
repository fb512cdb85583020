"""Rooms of a test, and time that passes when it is told to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from compdp_core.release import ColumnPlan
from compdp_core.survey.question import Question
from pages.rooms.codes import new_code
from pages.rooms.registry import NO_ROOM, TOO_MANY, Rooms
from pages.rooms.room import (
    Room,
    RoomError,
)

MARKS = Question("Marks?", ColumnPlan(inputs=(0, 20), epsilon=4))
LATE = Question("Late?", ColumnPlan(epsilon=1, kind="category", categories=["yes", "no"]))


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1e9

    def __call__(self) -> float:
        return self.now

    def pass_minutes(self, minutes: float) -> None:
        self.now += 60 * minutes


def room_of(clock: Callable[[], float], *, minutes: int = 30, most: int = 100) -> Room:
    return Room("KTRPMX", MARKS, minutes=minutes, most=most, clock=clock)


def ticket(number: int) -> str:
    return f"{number:032x}"


def text(number: int) -> str:
    """One of the numbers that can be drawn."""
    return f"{number / 1000:.3f}"


def opened(rooms: Rooms, **more: Any) -> Room:
    return rooms.open_room(MARKS, **{"minutes": 60, "most": 30, **more})


def wrong_code(rooms: Rooms) -> str:
    """One that leads nowhere."""
    taken = set(rooms._rooms)
    return next(code for code in iter(new_code, "") if code not in taken)


def misses(rooms: Rooms, visitor: str, most: int = 1000) -> int:
    """How many wrong codes a visitor may try now."""
    for n in range(most):
        with pytest.raises(RoomError) as refusal:
            rooms.join(wrong_code(rooms), visitor)
        if str(refusal.value) == TOO_MANY:
            return n
        assert str(refusal.value) == NO_ROOM
    return most
