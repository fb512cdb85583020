"""Home without a browser: it draws, its controls act, its doors lead on."""

from __future__ import annotations

from compdp_core.mechanism import CompositeMechanism
from pages.furniture.wording import span
from tests.app.driving import chart, fresh


def test_home_draws_its_picture_with_words_for_those_who_cannot_see_it() -> None:
    at = fresh("app.py")
    picture = chart(at, "home")
    assert "lie in −58.87 … 158.9 points" in picture.alt
    assert "mean is the true value" in picture.alt


def test_moving_the_true_value_moves_its_image() -> None:
    at = fresh("app.py")
    before = chart(at, "home").spec
    at.slider[0].set_value(70).run()
    assert not at.exception
    assert chart(at, "home").spec != before
    assert "true value 70 points" in chart(at, "home").alt


def test_smaller_epsilon_widens_the_outputs() -> None:
    at = fresh("app.py")
    at.button_group[0].set_value(0.5).run()
    assert not at.exception
    low, high = CompositeMechanism(0.5, (0, 100)).outputs
    assert f"lie in {span(low, high)}" in chart(at, "home").alt
