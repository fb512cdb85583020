"""Nobody is let in by guessing, and nobody with a right code held up."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from pages.rooms import tries
from pages.rooms.codes import LENGTH, LETTERS, new_key
from pages.rooms.registry import NO_ROOM, Rooms
from pages.rooms.room import (
    RoomError,
)
from pages.rooms.tries import Tries
from tests.app.rooms.making import (
    Clock,
    misses,
    opened,
)


def test_a_visitor_is_stopped_after_five_wrong_codes_and_may_try_one_more_later(
    clock: Clock, rooms: Rooms
) -> None:
    room = opened(rooms)
    assert misses(rooms, "one") == 5
    # Being right now tells nothing either.
    with pytest.raises(RoomError, match="too many wrong codes"):
        rooms.join(room.code, "one")
    assert rooms.join(room.code, "other") is room
    clock.now += 19
    assert misses(rooms, "one") == 0
    clock.now += 1.5
    assert misses(rooms, "one") == 1
    clock.now += 10_000
    assert misses(rooms, "one") == 5


def test_all_together_are_stopped_after_a_hundred(clock: Clock, rooms: Rooms) -> None:
    room = opened(rooms)
    assert sum(misses(rooms, f"visitor {n}") for n in range(60)) == 100
    with pytest.raises(RoomError, match="too many wrong codes"):
        rooms.join(room.code, "newcomer")
    clock.now += 7
    assert sum(misses(rooms, f"late {n}") for n in range(60)) == 7


def test_a_link_with_its_key_passes_when_codes_are_held_up(rooms: Rooms) -> None:
    room = opened(rooms)
    for n in range(60):
        misses(rooms, f"visitor {n}")
    link = f"{room.code}.{room.key}"
    assert rooms.join(link, "visitor 1") is room
    assert rooms.join(link.replace(".", " ."), "newcomer") is room
    assert rooms.taught(f"{room.code}.{room.teacher_key}", "newcomer") is room


def test_right_codes_cost_nothing(rooms: Rooms) -> None:
    room = opened(rooms)
    for n in range(500):
        assert rooms.join(room.code, f"student {n % 3}") is room
        assert rooms.join(f"{room.code}.{room.key}", f"student {n % 3}") is room
    assert misses(rooms, "student 0") == 5


def test_a_wrong_key_is_a_miss_and_lets_nobody_in_by_the_code_in_front_of_it(rooms: Rooms) -> None:
    room = opened(rooms)
    for _ in range(5):
        with pytest.raises(RoomError) as refusal:
            rooms.join(f"{room.code}.{new_key()}", "one")
        assert str(refusal.value) == NO_ROOM
    assert misses(rooms, "one") == 0


@pytest.mark.parametrize("given", [None, "", 5, b"KTRPMX", "x" * 10**6, "\ud800", "KTRPMX.\ud800"])
def test_what_is_no_code_is_a_miss_like_any_other(rooms: Rooms, given: Any) -> None:
    with pytest.raises(RoomError, match="no room with this code"):
        rooms.join(given, "one")
    with pytest.raises(RoomError, match="leads to no room"):
        rooms.taught(given, "one")
    with pytest.raises(RoomError, match="no room with this code"):
        rooms.course(given, "one")
    assert misses(rooms, "one") == 2


def test_only_the_teachers_key_makes_a_teacher(rooms: Rooms) -> None:
    room, other = opened(rooms), opened(rooms)
    assert rooms.taught(f"{room.code}.{room.teacher_key}", "one") is room
    for n, key in enumerate(["", room.key, other.teacher_key, room.teacher_key[:-1], new_key()]):
        with pytest.raises(RoomError, match="leads to no room"):
            rooms.taught(f"{room.code}.{key}", f"visitor {n}")
    with pytest.raises(RoomError):
        rooms.join(f"{room.code}.{room.teacher_key}", "last")
    for _ in range(5):
        with pytest.raises(RoomError):
            rooms.taught(room.code, "guesser")
    with pytest.raises(RoomError, match="too many wrong codes"):
        rooms.taught(f"{room.code}.{new_key()}", "guesser")


def test_visitors_are_remembered_up_to_a_number(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tries, "MOST_VISITORS", 50)
    many = Tries(together=(1e9, 1.0), clock=clock)
    for n in range(500):
        many.missed(f"visitor {n}")
        assert len(many._visitors) <= 50
    # The latest are those that are remembered.
    assert list(many._visitors) == [f"visitor {n}" for n in range(450, 500)]
    assert many._visitors["visitor 499"].left == 4


def test_a_day_of_guessing_finds_one_of_five_rooms_less_than_once_in_a_hundred(
    clock: Clock,
) -> None:
    """Guesses as many as the limits let through, from however many visitors."""
    limits, guesses, visitors = Tries(clock=clock), 0, itertools.count()
    for _ in range(24 * 60):
        for visitor in map(str, visitors):
            if not limits.may(visitor):
                break
            limits.missed(visitor)
            guesses += 1
        clock.pass_minutes(1)
    most = 100 + 24 * 60 * 60
    assert most - 120 <= guesses <= most
    chance = 1 - (1 - 5 / len(LETTERS) ** LENGTH) ** most
    assert chance == pytest.approx(5 * most / 20**6, rel=0.01)
    assert 0.005 < chance < 0.01


def test_one_visitor_alone_finds_it_less_than_once_in_two_thousand_days() -> None:
    most = 5 + 24 * 60 * 60 / 20
    assert 5 * most / 20**6 < 1 / 2000
