"""The course in a class, without a browser: whose answers are counted, and what the page says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pages.rooms import codes
from pages.rooms.course import FULL, MOST_STUDENTS, CourseSession
from pages.rooms.registry import ROOMS, Course
from pages.rooms.tries import Tries
from pages.sections.learn.settings import LESSONS, in_address, travelling
from pages.sections.shared.course.contents import course_questions
from tests.app.course import PAGE, opened
from tests.app.driving import Driven

CHECK = "Check the answer"
FIRST, SECOND = LESSONS[:2]
JOINED = "You are in the class session"


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong codes of one test do not hold up the next: all are of one visitor."""
    monkeypatch.setattr(ROOMS, "_tries", Tries())


@pytest.fixture
def course() -> Iterator[Course]:
    made = ROOMS.open_course(course_questions())
    yield made
    ROOMS._courses.pop(made.code, None)


def joined(course: Course, **more: str) -> Driven:
    return opened(**{"class": course.code, **more})


def answered(app: Driven, place: int) -> Driven:
    app.at.radio[-1].set_value(place)
    app.run()
    return app.press(CHECK)


def typed(app: Driven, code: str) -> Driven:
    """A browser sends what stands in a form together with the press of its button."""
    (field,) = [each for each in app.at.text_input if each.label == "Code on the wall"]
    field.set_value(code)
    return app.press("Join")


def test_the_first_answer_of_each_step_is_counted_once(course: Course) -> None:
    app, session = joined(course), course.session
    (line,) = app.messages("info")
    assert line.startswith(f"{JOINED} **{codes.spoken(course.code)}**")
    assert "without your name and without noise" in line
    right = FIRST.question().right
    wrong = 1 if right == 0 else 0
    answered(app, wrong)
    answered(app, right)
    counts = [int(place == wrong) for place in range(len(FIRST.question().options))]
    assert session.counts(FIRST.key) == tuple(counts)
    app.press("Clear my answers")
    answered(app, right)
    assert session.counts(FIRST.key) == tuple(counts)
    app.press(f"Next: {SECOND.title}")
    answered(app, 0)
    assert (session.answered(SECOND.key), session.students) == (1, 1)


def test_each_phone_is_one_participant(course: Course) -> None:
    for place in (0, 1, 1):
        answered(joined(course), place)
    counts = course.session.counts(FIRST.key)
    assert (counts[:2], course.session.students) == ((1, 2), 3)


def test_the_link_opens_a_step_as_it_was_set_and_keeps_the_class(course: Course) -> None:
    app = joined(course, step="clamping", clamping_value="30")
    assert app.at.header[0].value.endswith("Why clamped noise is biased")
    assert app.at.slider[0].value == 30
    app.go("pages/audit.py").go(PAGE)
    assert JOINED in app.said("info")


def test_links_for_others_do_not_bring_them_into_the_class() -> None:
    assert not [each for each in travelling() if each.key == "class"]
    assert [each for each in in_address() if each.key == "class"]


def test_whoever_leaves_is_counted_no_more(course: Course) -> None:
    app = joined(course).press("Leave the class")
    assert not app.messages("info")
    answered(app, 0)
    assert course.session.students == 0


@pytest.mark.parametrize("code", ["BBBBBB", "bbb-bbb"])
def test_of_a_code_that_is_unknown_or_over_it_says_so_and_goes_on_alone(code: str) -> None:
    app = opened(**{"class": code})
    (line,) = app.messages("warning")
    assert "There is no class session **BBB BBB** now" in line
    answered(app, FIRST.question().right)
    assert app.metric("Right at the first") == f"1 of {len(LESSONS)}"
    app.press("Go on alone")
    assert not app.messages("warning")


def test_a_code_that_is_typed_leads_into_the_class(course: Course) -> None:
    app = typed(opened(), f" {codes.spoken(course.code).lower()} ")
    assert JOINED in app.said("info")
    answered(app, 0)
    assert course.session.answered(FIRST.key) == 1


def test_a_typed_code_that_is_none_is_refused_in_words_and_may_be_corrected(course: Course) -> None:
    app = typed(opened(), "12")
    assert "This is no code: it must be the code of a class session" in app.said("warning")
    typed(app, course.code)
    assert JOINED in app.said("info")
    assert not app.messages("warning")


def test_a_link_with_its_key_works_after_many_wrong_codes_and_a_wrong_key_never(
    course: Course,
) -> None:
    for _ in range(10):
        opened(**{"class": "BBBBBB"})
    assert JOINED in opened(**{"class": f"{course.code}.{course.key}"}).said("info")
    assert "There is no class" in opened(**{"class": f"{course.code}.x{course.key}"}).said(
        "warning"
    )


def test_a_class_that_is_over_is_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    missed: list[str] = []
    monkeypatch.setattr(ROOMS._tries, "missed", missed.append)
    app = opened(**{"class": "BBBBBB"})
    for _ in range(3):
        app.run()
    assert len(missed) == 1


def test_a_class_that_ends_meanwhile_is_told(course: Course) -> None:
    app = joined(course)
    del ROOMS._courses[course.code]
    answered(app, FIRST.question().right)
    assert "There is no class session" in app.said("warning")
    assert app.metric("Right at the first") == f"1 of {len(LESSONS)}"


@pytest.mark.parametrize("code", ["", "x", "KTR", "<b>KTRPMX", "1234567", "AEIOUY", "K" * 5000])
def test_what_is_no_code_is_refused_in_words(code: str) -> None:
    app = opened(**{"class": code})
    assert "it must be the code of a class session" in app.said("warning")
    assert not app.messages("info")


def test_a_full_class_says_so_and_the_answer_counts_for_oneself(course: Course) -> None:
    fill(course.session)
    app = answered(joined(course), FIRST.question().right)
    assert FULL in app.messages("warning")
    assert app.metric("Right at the first") == f"1 of {len(LESSONS)}"


def fill(session: CourseSession) -> None:
    for place in range(MOST_STUDENTS):
        session.answer(f"phone-{place}", SECOND.key, 0, len(SECOND.question().options))
