"""A class session of the course: what it counts, what it refuses, and that it holds no more."""

from __future__ import annotations

import gc
import sys
import threading
from typing import Any

import pytest

from compdp_core.errors import CompdpError, ParameterError
from pages.rooms.course import FULL, LONGEST, MOST_STUDENTS, CourseQuestion, CourseSession
from pages.sections.shared.course.contents import LESSONS, course_questions

COIN = CourseQuestion("coin", "A coin", "Heads?", ("yes", "no", "both"), right=1)
DIE = CourseQuestion("die", "A die", "Six?", ("yes", "no"), right=0)
THREADS = 8


def class_of(*questions: CourseQuestion) -> CourseSession:
    return CourseSession(questions or (COIN, DIE))


def test_the_first_answer_counts_and_a_second_changes_nothing() -> None:
    session = class_of()
    assert session.answer("one", "coin", 2, 3)
    before = session.version
    for option in (0, 1, 2):
        assert not session.answer("one", "coin", option, 3)
    assert session.counts("coin") == (0, 0, 1)
    assert session.version == before
    assert session.answer("one", "die", 0, 2)
    assert session.answer("two", "coin", 2, 3)
    assert (session.counts("coin"), session.answered("coin")) == ((0, 0, 2), 2)
    assert (session.answered("die"), session.students) == (1, 2)


def test_the_version_rises_with_each_change_and_with_nothing_else() -> None:
    session = class_of()
    seen = [session.version]
    session.answer("one", "coin", 0, 3)
    seen.append(session.version)
    session.reveal("coin")
    seen.append(session.version)
    session.reveal("coin")
    assert session.version == seen[-1]
    assert session.revealed == {"coin"}
    session.reveal("coin", shown=False)
    seen.append(session.version)
    assert not session.revealed
    session.reset()
    seen.append(session.version)
    assert seen == sorted(set(seen))


def test_after_a_reset_everybody_may_answer_anew() -> None:
    session = class_of()
    session.answer("one", "coin", 0, 3)
    session.reveal("coin")
    session.reset()
    assert (session.counts("coin"), session.students) == ((0, 0, 0), 0)
    assert not session.revealed
    assert session.answer("one", "coin", 1, 3)


@pytest.mark.parametrize(
    ("what", "given"),
    [
        ("question_key", ("one", key, 0, 3))
        for key in ("", "COIN", "coin\n", "__class__", None, 0, b"coin", ["coin"], "x" * 10**6)
    ]
    + [("option", ("one", "coin", option, 3)) for option in (-1, 3, 10**30, True, 1.0, "1", None)]
    + [("options", ("one", "coin", 0, options)) for options in (0, 2, 4, 3.0, "3", None, True)]
    + [
        ("participant", (who, "coin", 0, 3))
        for who in ("", " ", "a b", "a\n", "ä", "\ud800", "x" * (LONGEST + 1), None, 1, b"one")
    ],
)
def test_what_does_not_fit_is_refused_and_counts_nothing(what: str, given: Any) -> None:
    session = class_of()
    before = session.version
    with pytest.raises(ParameterError) as refused:
        session.answer(*given)
    assert refused.value.name == what
    assert len(str(refused.value)) < 250
    assert (session.version, session.students, session.answered("coin")) == (before, 0, 0)


def test_what_stands_for_a_participant_is_not_quoted() -> None:
    with pytest.raises(ParameterError) as refused:
        class_of().answer("secret token", "coin", 0, 3)
    assert "secret" not in f"{refused.value}{vars(refused.value)}"


def test_questions_without_a_right_option_or_with_one_key_are_refused() -> None:
    for right in (-1, 2):
        with pytest.raises(ParameterError):
            CourseQuestion("die", "A die", "Six?", ("yes", "no"), right=right)
    for questions in ((), (COIN, COIN)):
        with pytest.raises(ParameterError):
            CourseSession(questions)


def test_a_full_class_refuses_others_in_words_and_goes_on() -> None:
    session = class_of()
    for place in range(MOST_STUDENTS):
        session.answer(f"phone-{place}", "coin", place % 3, 3)
    with pytest.raises(CompdpError, match="places of this class are taken") as refused:
        session.answer("more", "coin", 0, 3)
    assert str(refused.value) == FULL
    assert session.answer("phone-0", "die", 0, 2)
    assert (session.students, session.answered("coin")) == (MOST_STUDENTS, MOST_STUDENTS)


def test_threads_lose_nothing_and_count_nobody_twice() -> None:
    session = class_of()
    begin = threading.Barrier(THREADS)
    first: list[int] = []

    def answer_all() -> None:
        begin.wait()
        given = (session.answer(f"phone-{n}", "coin", n % 3, 3) for n in range(300))
        first.append(sum(given))
        session.reveal("coin")

    threads = [threading.Thread(target=answer_all) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(first) == session.students == 300
    assert session.counts("coin") == (100, 100, 100)
    assert session.version == 300 + 1


def size_of(thing: Any) -> int:
    seen: dict[int, int] = {}
    left = [vars(thing)]
    while left:
        each = left.pop()
        if id(each) not in seen and not isinstance(each, type):
            seen[id(each)] = sys.getsizeof(each)
            left += gc.get_referents(each)
    return sum(seen.values())


def test_a_full_session_of_the_whole_course_is_small() -> None:
    session = CourseSession(course_questions())
    empty = size_of(session)
    for place in range(MOST_STUDENTS + 50):
        for asked in session.questions:
            try:
                session.answer(f"phone-{place}", asked.key, 0, len(asked.options))
            except CompdpError:
                assert place >= MOST_STUDENTS
    assert size_of(session) - empty < 1_500_000


def test_who_has_answered_is_held_as_hashes_of_this_session_alone() -> None:
    sessions = [class_with(["phone-of-ada", "phone-of-ben"]) for _ in range(2)]
    for session in sessions:
        assert "phone-of-ada" not in repr(vars(session))
        # Neither in an order nor beside what was chosen.
        assert all(type(each) is set for each in session._answered.values())
    assert not sessions[0]._answered["coin"] & sessions[1]._answered["coin"]


def class_with(participants: list[str]) -> CourseSession:
    session = class_of()
    for each in participants:
        session.answer(each, "coin", 0, 3)
    return session


def test_the_questions_are_those_of_the_course() -> None:
    for lesson, asked in zip(LESSONS, course_questions(), strict=True):
        question = lesson.question()
        assert (asked.key, asked.title, asked.words) == (lesson.key, lesson.title, question.words)
        assert asked.options == tuple(option.words for option in question.options)
        assert asked.right == question.right
