"""Home without a browser: it draws, its controls act, its doors lead on."""

from __future__ import annotations

from compdp_core.mechanisms.composite import CompositeMechanism
from pages.text.wording import span
from tests.app.driving import Driven


def outputs(epsilon: float) -> str:
    return span(*CompositeMechanism(epsilon, (0, 100)).outputs)


def test_home_draws_its_picture_with_words_and_its_controls_move_it() -> None:
    app = Driven()
    before = app.chart("home")
    assert f"lie in {outputs(2)} points" in before.alt
    assert "mean is the true value" in before.alt
    # No axis that nobody has heard of yet.
    assert "mapped domain" not in before.spec
    assert "image" not in before.spec
    app.at.slider[0].set_value(70)
    app.run()
    assert app.chart("home").spec != before.spec
    assert "The true value is 70 points." in app.chart("home").alt
    app.at.button_group[0].set_value(0.5)
    app.run()
    assert f"lie in {outputs(0.5)}" in app.chart("home").alt


def test_the_door_to_the_sample_opens_it() -> None:
    app = Driven().press("Open the sample")
    app.go("pages/privatize.py")
    assert "height (cm)" in app.options("Columns to privatize")
