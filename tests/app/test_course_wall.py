"""The wall of a class that takes the course: what it shows, and what it keeps back for a while."""

from __future__ import annotations

import json
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.rooms.course import CourseQuestion, CourseSession
from pages.sections.classroom.course_bars import LETTERS
from pages.sections.shared.course.contents import course_questions
from tests.app.driving import TIMEOUT, listed

COIN = CourseQuestion("coin", "A coin", "Heads?", ("yes", "no", "both"), right=1)
DIE = CourseQuestion("die", "A die", "Six?", ("yes", "no"), right=0)
CHOICE = "On the wall"
SHOW, HIDE = "Show which is right", "Hide which is right"


def script(session: object) -> None:
    from pages.rooms.course import CourseSession  # noqa: PLC0415
    from pages.sections.classroom.course_wall import course_wall  # noqa: PLC0415

    assert isinstance(session, CourseSession)
    course_wall(session)


class Wall:
    """One projector in front of a class."""

    def __init__(self, session: CourseSession) -> None:
        self.at = AppTest.from_function(script, args=(session,), default_timeout=TIMEOUT)
        self.run()

    def run(self) -> Wall:
        self.at.run()
        assert not self.at.exception
        assert not self.at.error
        return self

    def show(self, title: str) -> Wall:
        self.at.selectbox[0].set_value(self._key(title))
        return self.run()

    def _key(self, title: str) -> str:
        options = list(self.at.selectbox[0].options)
        return ["every", "coin", "die"][options.index(title)]

    def press(self, label: str) -> Wall:
        (button,) = [each for each in self.at.button if each.label == label]
        button.click()
        return self.run()

    @property
    def words(self) -> str:
        return "\n".join(str(each.value) for each in self.at.markdown)

    @property
    def chart(self) -> Any:
        (found,) = self.at.get("plotly_chart")
        proto: Any = found
        return proto.proto

    def bars(self) -> dict[str, list[int]]:
        traces = json.loads(self.chart.spec)["data"]
        return {each["name"]: [int(value) for value in listed(each["x"])] for each in traces}


@pytest.fixture
def session() -> CourseSession:
    made = CourseSession([COIN, DIE])
    for place, option in enumerate((1, 1, 1, 0, 2)):
        made.answer(f"phone-{place}", "coin", option, 3)
    made.answer("phone-0", "die", 1, 2)
    return made


def test_all_questions_are_a_list_with_shares_only_where_they_were_shown(
    session: CourseSession,
) -> None:
    wall = Wall(session)
    assert list(wall.at.selectbox[0].options) == ["All questions", "1 · A coin", "2 · A die"]
    assert "**5 participants so far.**" in wall.words
    assert "| 1 · A coin | 5 | – |" in wall.words
    assert "| 2 · A die | 1 | – |" in wall.words
    session.reveal("coin")
    assert "| 1 · A coin | 5 | 60 % |" in wall.run().words


def test_before_its_time_nothing_on_the_wall_tells_which_is_right(session: CourseSession) -> None:
    wall = Wall(session).show("1 · A coin")
    assert "Heads?" in wall.words
    for letter, words in zip(LETTERS, COIN.options, strict=False):
        assert f"- **{letter}** {words}" in wall.words
    assert wall.bars() == {"chosen by": [1, 3, 1]}
    assert "right" not in f"{wall.words}{wall.chart.alt}{wall.chart.spec}".replace("bright", "")
    assert wall.chart.alt.startswith("5 of 5 answered.")
    assert "A: 1, B: 3, C: 1" in wall.chart.alt


def test_the_button_marks_the_right_one_and_takes_it_back(session: CourseSession) -> None:
    wall = Wall(session).show("1 · A coin").press(SHOW)
    assert session.revealed == {"coin"}
    assert wall.bars() == {"right": [3], "not right": [1, 1]}
    assert "**B** no :green-badge[:material/check: right]" in wall.words
    assert wall.chart.alt.endswith("Right is B.")
    wall.press(HIDE)
    assert wall.bars() == {"chosen by": [1, 3, 1]}


def test_what_arrives_is_seen_at_the_next_look(session: CourseSession) -> None:
    wall = Wall(session).show("2 · A die")
    assert wall.bars() == {"chosen by": [0, 1]}
    session.answer("phone-3", "die", 0, 2)
    assert wall.run().bars() == {"chosen by": [1, 1]}
    assert wall.chart.alt.startswith("2 of 5 answered.")


def test_a_class_that_has_not_answered_draws_every_question() -> None:
    wall = Wall(CourseSession([COIN, DIE]))
    assert "Nobody has answered yet." in wall.words
    assert wall.show("1 · A coin").bars() == {"chosen by": [0, 0, 0]}
    assert wall.press(SHOW).bars() == {"right": [0], "not right": [0, 0]}


def test_no_question_of_the_course_has_more_options_than_letters() -> None:
    assert max(len(each.options) for each in course_questions()) <= len(LETTERS)
