"""Rooms of a class: each answer counted once, nobody let in by guessing, nothing left behind."""

from __future__ import annotations

import gc
import itertools
import re
import threading
import tracemalloc
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from compdp_core.release import ColumnPlan
from compdp_core.survey.question import Question
from pages.rooms import registry, tries
from pages.rooms.codes import LENGTH, LETTERS, new_code, new_key, spoken, typed
from pages.rooms.course import CourseQuestion
from pages.rooms.registry import COURSE_MINUTES, MOST_ROOMS, NO_ROOM, TOO_MANY, Rooms
from pages.rooms.room import (
    IDLE_MINUTES,
    KEPT_MINUTES,
    LONGEST_MINUTES,
    MOST_ANSWERS,
    MOST_QUESTIONS,
    Room,
    RoomError,
)
from pages.rooms.tries import Tries

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


@pytest.fixture
def clock() -> Clock:
    return Clock()


def room_of(clock: Callable[[], float], *, minutes: int = 30, most: int = 100) -> Room:
    return Room("KTRPMX", MARKS, minutes=minutes, most=most, clock=clock)


def ticket(number: int) -> str:
    return f"{number:032x}"


def text(number: int) -> str:
    """One of the numbers that can be drawn."""
    return f"{number / 1000:.3f}"


# Answers


def test_an_answer_that_comes_again_is_received_and_counted_once(clock: Clock) -> None:
    room = room_of(clock)
    id_ = room.now.id
    for _ in range(3):
        receipt = room.answer(id_, ticket(1), "12.250")
        assert (receipt.state, receipt.words) == ("received", "")
        assert (receipt.question, receipt.ticket) == (id_, ticket(1))
    assert room.now.values == [12.25]


def test_another_answer_under_the_same_ticket_is_refused_and_changes_nothing(clock: Clock) -> None:
    room = room_of(clock)
    room.answer(room.now.id, ticket(1), "12.250")
    version = room.version
    receipt = room.answer(room.now.id, ticket(1), "12.251")
    assert receipt.state == "refused"
    assert "here already" in receipt.words
    assert room.now.values == [12.25]
    assert room.version == version


def test_answers_of_fifty_threads_at_once_are_each_counted_once(clock: Clock) -> None:
    """Every device sends its answer eight times, from two threads of its own."""
    room, id_ = room_of(clock, most=300), ""
    id_ = room.now.id
    start = threading.Barrier(50)

    def device(thread: int) -> list[str]:
        start.wait()
        numbers = [4 * (thread // 2) + k for k in range(4)] * 4
        return [room.answer(id_, ticket(n), text(n)).state for n in numbers]

    with ThreadPoolExecutor(50) as threads:
        states = [state for each in threads.map(device, range(50)) for state in each]
    assert set(states) == {"received"}
    assert sorted(room.now.values) == [n / 1000 for n in range(100)]
    assert room.version == 100


def test_a_room_that_fills_up_while_all_answer_at_once_takes_so_many_and_no_more(
    clock: Clock,
) -> None:
    room = room_of(clock, most=20)
    start = threading.Barrier(50)

    def device(n: int) -> str:
        start.wait()
        return room.answer(room.now.id, ticket(n), text(n)).state

    with ThreadPoolExecutor(50) as threads:
        states = list(threads.map(device, range(50)))
    assert states.count("received") == 20 == len(room.now.values)
    taken = [n for n, state in enumerate(states) if state == "received"]
    assert sorted(room.now.values) == [n / 1000 for n in taken]
    assert room.answer(room.now.id, ticket(taken[0]), text(taken[0])).state == "received"


HOSTILE: list[Any] = [
    None, True, 0, 1.5, 10**5000, b"0" * 32, "", " ", "\ud800", "x" * 10**6, [], {}, object(),
    ["a"], {"a": 1}, float("nan"), ("0" * 32,), "<script>", "../../etc", "\x00" * 32,
]  # fmt: skip


@pytest.mark.parametrize("place", range(len(HOSTILE)))
def test_whatever_arrives_is_refused_and_changes_nothing(clock: Clock, place: int) -> None:
    thing, room = HOSTILE[place], room_of(clock)
    asked, known, value = room.now.id, ticket(1), "12.250"
    for receipt in (
        room.answer(thing, known, value),
        room.answer(asked, thing, value),
        room.answer(asked, known, thing),
    ):
        assert receipt.state == "refused"
        assert receipt.words.endswith(".")
        assert receipt.ticket in ("", ticket(1))
        assert len(receipt.question) <= 32
    assert room.now.values == []
    assert room.version == 0


@pytest.mark.parametrize(
    "wrong", ["0" * 31, "0" * 33, "G" * 32, "A" * 32, "٠" * 32, "0" * 32 + "\n"]
)
def test_a_ticket_is_32_small_hexadecimal_digits(clock: Clock, wrong: str) -> None:
    room = room_of(clock)
    assert room.answer(room.now.id, wrong, "12.250").state == "refused"


@pytest.mark.parametrize("value", ["12.2505", "99", "nan", "-0", "yes", "1e1", "12,25"])
def test_what_the_noise_cannot_make_is_refused(clock: Clock, value: str) -> None:
    room = room_of(clock)
    receipt = room.answer(room.now.id, ticket(1), value)
    assert receipt.words == "What arrived is nothing that this question’s noise can make."
    assert value not in receipt.words


def test_after_the_next_question_late_answers_are_refused_and_accepted_ones_still_received(
    clock: Clock,
) -> None:
    room = room_of(clock)
    first = room.now
    room.answer(first.id, ticket(1), "12.250")
    second = room.ask(LATE)
    assert (second.number, room.now, room.questions) == (2, second, (first, second))
    assert first.id != second.id
    assert room.answer(first.id, ticket(1), "12.250").state == "received"
    late = room.answer(first.id, ticket(2), "12.250")
    assert (late.state, late.words[:16]) == ("refused", "It came too late")
    # The same device answers anew; a place of a category is no number and the reverse.
    assert room.answer(second.id, ticket(1), "1").state == "received"
    assert room.answer(second.id, ticket(2), "12.250").state == "refused"
    assert (first.values, second.values) == ([12.25], [1.0])
    assert room.epsilon == 5


def test_after_its_end_a_room_takes_nothing_but_says_what_it_has(clock: Clock) -> None:
    room = room_of(clock, minutes=30)
    room.answer(room.now.id, ticket(1), "12.250")
    clock.pass_minutes(29.99)
    assert room.is_open
    clock.pass_minutes(0.02)
    assert (room.is_open, room.left) == (False, 0)
    assert "has ended" in room.answer(room.now.id, ticket(2), "12.250").words
    assert room.answer(room.now.id, ticket(1), "12.250").state == "received"
    with pytest.raises(RoomError, match="has ended"):
        room.ask(LATE)
    assert room.now.values == [12.25]


def test_a_room_is_extended_from_its_end_and_from_now_where_it_has_ended(clock: Clock) -> None:
    room = room_of(clock, minutes=30)
    room.extend(10)
    assert room.left == 40 * 60
    room.end()
    assert (room.is_open, room.left) == (False, 0)
    clock.pass_minutes(5)
    room.extend(10)
    assert (room.is_open, room.left) == (True, 10 * 60)
    assert room.answer(room.now.id, ticket(2), "12.250").state == "received"
    for _ in range(50):
        room.extend(200)
    assert room.left == LONGEST_MINUTES * 60


def test_a_frozen_wall_stands_still_while_answers_arrive(clock: Clock) -> None:
    room = room_of(clock)
    room.freeze(room.now)
    assert room.now.shown == []
    for n in range(3):
        room.answer(room.now.id, ticket(n), text(n))
    assert (room.now.shown, room.now.values) == ([], [0.0, 0.001, 0.002])
    room.go_on(room.now)
    assert room.now.shown == room.now.values
    room.freeze(room.now)
    room.answer(room.now.id, ticket(9), text(9))
    assert room.now.shown == [0.0, 0.001, 0.002]
    room.ask(LATE)
    assert room.now.shown == []
    assert room.now.frozen is None
    # The one before shows all that came, as nobody would let it go on.
    assert room.questions[0].frozen is None
    assert room.questions[0].shown == room.questions[0].values


def test_what_was_made_of_answers_goes_with_them(clock: Clock) -> None:
    room = room_of(clock)
    room.answer(room.now.id, ticket(1), "1.000")
    asked = room.now
    first = asked.memo("told", 1, lambda: list(asked.values))
    assert first == [1.0]
    assert asked.memo("told", 1, lambda: [2.0]) is first
    assert asked.memo("told", 2, lambda: [2.0]) == [2.0]
    room.forget()
    assert (asked.answers, asked.made, room.is_open) == ({}, {}, False)


def test_every_change_raises_the_version(clock: Clock) -> None:
    room, versions = room_of(clock), [0]
    for change in (
        lambda: room.answer(room.now.id, ticket(1), "1.000"),
        lambda: room.freeze(room.now),
        lambda: room.go_on(room.now),
        lambda: room.ask(LATE),
        lambda: room.extend(1),
        room.end,
    ):
        change()
        versions.append(room.version)
    assert versions == sorted(set(versions))


@pytest.mark.parametrize("minutes", [0, -1, LONGEST_MINUTES + 1])
@pytest.mark.parametrize("most", [0, -1, MOST_ANSWERS + 1])
def test_no_room_is_open_for_ever_or_takes_any_number(minutes: int, most: int) -> None:
    for wrong in ({"minutes": minutes, "most": 5}, {"minutes": 5, "most": most}):
        with pytest.raises(RoomError, match="choose so many"):
            room_of(lambda: 0.0, **wrong)


def test_a_full_room_of_the_most_questions_takes_less_than_two_megabytes(clock: Clock) -> None:
    gc.collect()
    tracemalloc.start()
    try:
        room = room_of(clock, most=MOST_ANSWERS)
        for question in range(MOST_QUESTIONS):
            if question:
                room.ask(Question(f"Marks {question}?", ColumnPlan(inputs=(0, 20), epsilon=4)))
            for n in range(MOST_ANSWERS + 5):
                room.answer(room.now.id, ticket(n), text(n))
        gc.collect()
        used = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert [len(each.answers) for each in room.questions] == [MOST_ANSWERS] * MOST_QUESTIONS
    assert 100_000 < used < 2_000_000
    with pytest.raises(RoomError, match="at most 12 questions"):
        room.ask(LATE)


def test_a_room_has_no_place_for_true_answers_names_or_times_of_answers(clock: Clock) -> None:
    room = room_of(clock)
    clock.pass_minutes(7.125)
    room.answer(room.now.id, ticket(77), "12.250")
    assert set(vars(room)) == {
        "code", "most", "key", "teacher_key", "id", "version",
        "opened", "_clock", "_lock", "_ends", "_questions",
    }  # fmt: skip
    assert set(vars(room.now)) == {
        "number", "question", "expected", "id", "answers", "frozen", "made",
    }  # fmt: skip
    assert room.now.expected is None  # what a teacher set, never what a class answered
    assert room.now.answers == {ticket(77): 12.25}
    assert str(clock.now) not in repr((vars(room), vars(room.now)))


def test_names_of_rooms_questions_and_keys_are_all_different(clock: Clock) -> None:
    one, other = room_of(clock), room_of(clock)
    one.ask(MARKS)
    names = [each for room in (one, other) for each in (room.id, room.key, room.teacher_key)]
    names += [each.id for room in (one, other) for each in room.questions]
    assert len(set(names)) == len(names) == 9
    # An answer to a question of another room is none to this one.
    assert one.answer(other.now.id, ticket(1), "12.250").state == "refused"


def test_answers_can_be_read_while_others_arrive(clock: Clock) -> None:
    room, done = room_of(clock, most=300), threading.Event()

    def read() -> int:
        seen = 0
        while not done.is_set():
            values = room.now.values
            assert len(values) >= seen
            assert values == [n / 1000 for n in range(len(values))]
            seen = len(values)
        return seen

    with ThreadPoolExecutor(4) as threads:
        readers = [threads.submit(read) for _ in range(3)]
        for n in range(300):
            room.answer(room.now.id, ticket(n), text(n))
        done.set()
    assert all(reader.result() <= 300 for reader in readers)


# Codes


def test_a_code_is_six_letters_that_are_no_word_and_no_digit() -> None:
    assert len(LETTERS) == len(set(LETTERS)) == 20
    assert not set(LETTERS) & set("AEIOUY0123456789")
    for _ in range(200):
        assert re.fullmatch(f"[{LETTERS}]{{6}}", new_code())


@pytest.mark.parametrize(
    ("process", "number"),
    [("", ""), ("app", ""), ("2", "2"), ("app-12", "12"), ("app-123", "23"), ("7b", ""), ("٣", "")],
)
def test_the_process_stands_in_front_of_its_codes(process: str, number: str) -> None:
    code = new_code(process)
    assert code[:-LENGTH] == number
    assert typed(code) == (code, "")
    assert typed(spoken(code)) == (code, "")


def test_all_letters_are_as_likely_at_every_place() -> None:
    """False alarm: 1e-9 a run, of chi-square with 19 degrees of freedom for each of six places; a
    letter that comes half as often again is found out as surely.
    """
    draws, most = 12_000, 92.0  # The probability beyond is 1.1e-11 for each place.
    codes = [new_code() for _ in range(draws)]

    def statistic(letters: list[str]) -> float:
        counts, mean = [letters.count(letter) for letter in LETTERS], draws / 20
        return sum((count - mean) ** 2 for count in counts) / mean

    for place in range(LENGTH):
        assert statistic([code[place] for code in codes]) < most
    one = [code[0] for code in codes]
    twin = [
        LETTERS[0] if letter == LETTERS[1] and n % 2 else letter for n, letter in enumerate(one)
    ]
    assert statistic(twin) > most


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ("ktrpmx", ("KTRPMX", "")),
        ("  ktr pmx\n", ("KTRPMX", "")),
        ("KTR-PMX", ("KTRPMX", "")),
        ("2 KTR PMX", ("2KTRPMX", "")),
        ("12ktrpmx.a_b-C9", ("12KTRPMX", "a_b-C9")),
        ("KTRPMX.", ("KTRPMX", "")),
        ("KTRPM", None),
        ("KTRPMXX", None),
        ("AEIOUY", None),
        ("123KTRPMX", None),
        ("٢KTRPMX", None),
        ("KTRPMX.a.b", None),
        ("KTRPMX.é", None),
        ("KTRPMX.\ud800", None),
        ("KTRPMX.a b", None),
        ("KTRPMX.a\n", ("KTRPMX", "a")),
        ("KTRPMX\x00", None),
        ("", None),
        ("." * 50, None),
        ("K" * 10**6, None),
        (" " * 101, None),
        (None, None),
        (b"KTRPMX", None),
        (["KTRPMX"], None),
        (123456, None),
    ],
)
def test_what_is_typed_is_a_code_or_none(given: Any, found: Any) -> None:
    assert typed(given) == found


def test_keys_are_long_and_never_the_same() -> None:
    keys = {new_key() for _ in range(1000)}
    assert len(keys) == 1000
    for key in keys:
        assert len(key) >= 22
        assert typed(f"KTRPMX.{key}") == ("KTRPMX", key)


# Tries


@pytest.fixture
def rooms(clock: Clock) -> Rooms:
    return Rooms(clock, Tries(clock=clock))


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
    assert rooms.course(given, "one") is None
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
