"""The course without a browser: its steps, its score, its links, its questions."""

from __future__ import annotations

import pytest

from pages.sections.learn.score import Answers
from pages.sections.learn.settings import LESSONS, SETTINGS
from pages.sections.shared.course.controls import dial
from pages.sections.shared.course.lesson import Lesson, LessonQuestion, Option
from pages.sections.shared.course.lessons import clamping
from tests.app.course import PAGE, opened
from tests.app.driving import Driven

CHECK = "Check the answer"
KEYS = [lesson.key for lesson in LESSONS]


def answered(app: Driven, place: int) -> Driven:
    # The lesson's own radio buttons, if it has any, come first.
    app.at.radio[-1].set_value(place)
    app.run()
    return app.press(CHECK)


def wrong(lesson: Lesson) -> list[int]:
    options = lesson.question().options
    return [place for place, option in enumerate(options) if not option.right]


def test_keys_differ_and_settings_carry_their_lessons_key() -> None:
    assert len(set(KEYS)) == len(KEYS)
    assert len({setting.key for setting in SETTINGS}) == len(SETTINGS)
    assert len({setting.name for setting in SETTINGS}) == len(SETTINGS)
    for lesson in LESSONS:
        assert lesson.settings, f"{lesson.key}: a teacher can set nothing"
        for setting in lesson.settings:
            assert setting.key.startswith(f"{lesson.key}_")
            assert setting.read(setting.write(setting.default)) == setting.default


def test_each_step_offers_the_whole_course_as_a_notebook() -> None:
    for lesson in (LESSONS[0], LESSONS[-1]):
        app = opened(step=lesson.key)
        assert app.labels("download_button").count("The course as a notebook") == 1


@pytest.mark.parametrize("lesson", LESSONS, ids=KEYS)
def test_every_answer_can_be_given_and_is_explained(lesson: Lesson) -> None:
    options = lesson.question().options
    assert 3 <= len(options) <= 4
    assert all(option.words and len(option.why) > 20 for option in options)
    app = opened(step=lesson.key)
    place = KEYS.index(lesson.key) + 1
    assert [header.value for header in app.at.header] == [f"{place} · {lesson.title}"]
    assert not app.messages("error")
    assert all(len(chart.proto.alt) > 60 for chart in app.every("plotly_chart"))
    for place in wrong(lesson):
        answered(app, place)
        assert any(options[place].why in str(each.value) for each in app.at.warning)
    right = options[lesson.question().right]
    answered(app, lesson.question().right)
    assert any(right.why in str(each.value) for each in app.at.success)
    # The first answer counts.
    assert app.metric("Right at the first") == f"0 of {len(LESSONS)}"


def test_a_question_has_one_right_answer_and_none_twice() -> None:
    right, other = Option("a", "why", right=True), Option("b", "why")
    assert LessonQuestion("?", (other, right)).right == 1
    for options in ((other,), (right, Option("c", "why", right=True)), (right, other, other)):
        with pytest.raises(ValueError, match=r"exactly one|twice"):
            LessonQuestion("?", options)


def test_the_right_answer_is_told_neither_by_its_place_nor_by_its_length() -> None:
    questions = [lesson.question() for lesson in LESSONS]
    places = [question.right for question in questions]
    assert all(1 <= places.count(place) <= 4 for place in range(4))
    for question in questions:
        lengths = [len(option.words) for option in question.options]
        right = lengths.pop(question.right)
        # A line longer than the longest wrong answer would be seen from the last row.
        assert right <= max(lengths) + 12, question.words


def test_the_first_answer_counts_and_stays() -> None:
    app = Driven(PAGE)
    first, second = LESSONS[:2]
    answered(app, first.question().right)
    assert app.metric("Right at the first") == f"1 of {len(LESSONS)}"
    # What was right is explained; the others can be opened.
    assert [expander.label for expander in app.at.expander] == ["Why not the others"]
    app.press(f"Next: {second.title}")
    answered(app, wrong(second)[0])
    answered(app, second.question().right)
    assert app.metric("Right at the first") == f"1 of {len(LESSONS)}"
    app.go("pages/audit.py").go(PAGE)
    assert app.metric("Right at the first") == f"1 of {len(LESSONS)}"
    assert app.at.header[0].value == f"2 · {second.title}"
    assert len(app.at.warning) == len(app.at.success) == 1
    app.press("Clear my answers")
    assert app.metric("Right at the first") == f"0 of {len(LESSONS)}"
    assert not app.at.warning
    assert not app.at.success
    assert app.at.radio[-1].value is None


def test_answers_are_counted_once_and_end_with_the_right_one() -> None:
    lesson = LESSONS[0]
    right, miss = lesson.question().right, wrong(lesson)[0]
    given = Answers().also(lesson, miss).also(lesson, miss)
    assert given.to(lesson) == (miss,)
    assert (given.answered, given.score, given.solved(lesson)) == (1, 0, False)
    done = given.also(lesson, right)
    assert done.also(lesson, wrong(lesson)[1]) == done
    assert (done.answered, done.score, done.solved(lesson)) == (1, 0, True)
    assert Answers().also(lesson, right).score == 1


def test_a_link_opens_a_step_as_it_was_set() -> None:
    app = opened(step="clamping", clamping_value="30", clamping_epsilon="2.5")
    assert app.at.header[0].value.endswith(clamping.CLAMPING.title)
    assert [slider.value for slider in app.at.slider] == [30, 2.5]
    assert "On average **36.6**" not in app.messages("markdown")[0]


def test_nonsense_in_a_link_is_refused_in_words() -> None:
    app = opened(step="none", bounds_upper="1e9", other="1")
    assert app.at.header[0].value == f"1 · {LESSONS[0].title}"
    (notice,) = app.messages("warning")
    assert "step=none" in notice
    assert "it must be a number from 10 to 200" in notice
    assert "Not a setting of this page" in notice


def test_a_dial_takes_the_nearest_step_and_nothing_beyond_its_ends() -> None:
    whole, parts = (
        dial("x_a", "a", -150, 250, 50, step=5),
        dial("x_b", "b", 0.1, 5.0, 1.0, step=0.1),
    )
    assert [whole.setting.read(text) for text in ("-150", "52", "53", "250")] == [-150, 50, 55, 250]
    assert [parts.setting.read(text) for text in ("0.1", "0.349", "5")] == [0.1, 0.3, 5.0]
    for text in ("251", "-151", "x", "", "1e400"):
        with pytest.raises(ValueError, match="from -150 to 250"):
            whole.setting.read(text)
