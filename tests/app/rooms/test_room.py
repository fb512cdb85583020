"""A room: each answer counted once, whatever arrives and when."""

from __future__ import annotations

import gc
import threading
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from compdp_core.release import ColumnPlan
from compdp_core.survey.question import Question
from pages.rooms.room import (
    LONGEST_MINUTES,
    MOST_ANSWERS,
    MOST_QUESTIONS,
    RoomError,
)
from tests.app.rooms.making import (
    LATE,
    MARKS,
    Clock,
    room_of,
    text,
    ticket,
)


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
