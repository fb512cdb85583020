"""Step 12 of the course, reading a release: its numbers a second way, and what they teach.

No test here depends on chance: all draws have fixed seeds.
"""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from pages.sections.shared.course.examples import reading
from pages.sections.shared.course.examples.noise import EPSILONS
from pages.sections.shared.course.lessons import reading as lesson
from pages.text.wording import number
from tests.app.course import named, opened


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_reading_what_is_told_holds_the_truth_and_closes_in_on_it(epsilon: str) -> None:
    few, many = (reading.read(epsilon, rows) for rows in (50, 100_000))
    for before, after in zip(few.figures, many.figures, strict=True):
        assert after.right is not None
        value, low, high = after.right
        assert low <= value <= high
        assert low <= after.true <= high
        if before.right is not None:
            assert high - low < before.right[2] - before.right[1]
    assert many.shares.sum() == pytest.approx(1)
    # As it stands only the mean is right; all else is closer when read with the card.
    off = {each.name: abs(each.naive - each.true) for each in many.figures}
    for each in many.figures:
        assert each.right is not None
        right = abs(each.right[0] - each.true)
        assert right <= off[each.name] if each.name.startswith("mean") else right < off[each.name]


def test_reading_a_spread_has_the_noise_taken_off_in_squares() -> None:
    now = reading.read("1", 20_000)
    spread = next(each for each in now.figures if each.name == reading.SPREAD)
    assert spread.naive == pytest.approx(float(np.std(now.released, ddof=1)))
    assert spread.right is not None
    assert spread.right[0] ** 2 == pytest.approx(spread.naive**2 - now.noise**2, rel=1e-6)


def test_reading_few_rows_tell_no_relation_and_say_so() -> None:
    app = opened(step="reading", reading_rows="50", reading_epsilon="0.5")
    (table,) = [text for text in app.messages("markdown") if "as it stands" in text and "|" in text]
    assert table.count("cannot be told") == 2
    app.set("select_slider", "Pupils in the released table", "100000")
    (table,) = [text for text in app.messages("markdown") if "as it stands" in text and "|" in text]
    assert "cannot be told" not in table
    # One row tells nothing, however many others there are.
    assert "can say that she has 0 … 100 points, which is all there is" in app.said("markdown")
    app.pick("Privacy budget ε", "4")
    assert "which is all there is" not in app.said("markdown")


def test_reading_the_pictures_show_the_release_and_what_was_estimated() -> None:
    app = opened(step="reading", reading_rows="5000", reading_epsilon="2")
    now = reading.read("2", 5000)
    seen = named(app, "reading-released")
    assert sum(seen["released"]["y"]) == pytest.approx(100)
    assert min(seen["released"]["x"]) < 0 < 100 < max(seen["released"]["x"])
    found = named(app, "reading-estimated")["estimated from it"]
    assert found["y"][1:-1:2] == pytest.approx(100 * now.shares)
    # Two humps of the true results are back: higher at 30 and 75 than between.
    heights = dict(zip(reading.edges()[:-1].tolist(), now.shares.tolist(), strict=True))
    assert min(heights[30.0], heights[70.0]) > 2 * heights[50.0]


def test_reading_the_answer_is_the_root_of_the_difference_of_the_squares() -> None:
    """Of the numbers as they are shown."""
    asked = lesson.READING.question()
    seen, noise = (float(each) for each in re.findall(r"\d+\.\d+", asked.words))
    right = asked.options[asked.right].words
    taken = math.sqrt(seen**2 - noise**2)
    assert right.startswith(f"By about {number(taken, 3)} points: the root")
    true = next(
        each.true for each in reading.read("1", 100_000).figures if each.name == reading.SPREAD
    )
    assert taken == pytest.approx(true, rel=0.03)
    assert any(f"By about {number(seen - noise, 2)} points" in each.words for each in asked.options)
