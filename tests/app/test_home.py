"""Home without a browser: it draws, its controls act, its doors lead on."""

from __future__ import annotations

from compdp_core.mechanisms.composite import CompositeMechanism
from pages.text.wording import span
from tests.app.driving import Driven


def outputs(epsilon: float) -> str:
    return span(*CompositeMechanism(epsilon, (0, 100)).outputs)


def test_home_draws_its_picture_with_words_for_those_who_cannot_see_it() -> None:
    picture = Driven().chart("home")
    assert f"lie in {outputs(2)} points" in picture.alt
    assert "mean is the true value" in picture.alt


def test_moving_the_true_value_moves_the_picture() -> None:
    app = Driven()
    before = app.chart("home").spec
    app.at.slider[0].set_value(70)
    app.run()
    assert app.chart("home").spec != before
    assert "The true value is 70 points." in app.chart("home").alt


def test_the_first_picture_has_no_axis_that_nobody_has_heard_of_yet() -> None:
    spec = Driven().chart("home").spec
    assert "mapped domain" not in spec
    assert "image" not in spec


def test_smaller_epsilon_widens_the_outputs() -> None:
    app = Driven()
    app.at.button_group[0].set_value(0.5)
    app.run()
    assert f"lie in {outputs(0.5)}" in app.chart("home").alt


def test_the_door_to_the_sample_opens_it() -> None:
    app = Driven().press("Open the sample")
    app.go("pages/privatize.py")
    assert "height (cm)" in app.options("Columns to privatize")
