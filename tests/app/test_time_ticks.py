"""Marks of dates and times on an axis, and how a column's values are said."""

from __future__ import annotations

import pytest

from compdp_core.errors import InfeasibleOutputsError
from compdp_core.tables.categories import Categories
from compdp_core.tables.value_formats import DateFormat
from pages.charts.bars import upright_name
from pages.charts.time_ticks import LETTERS, in_time, time_axis
from pages.text.values import ValueWords, points, too_narrow
from tests.unit.tables.clock import Clock

DAYS, TIMES = ValueWords(format=DateFormat()), ValueWords(format=Clock())


@pytest.mark.parametrize(
    ("words", "low", "high", "ends"),
    [
        (DAYS, 0, 1, ("01", "02")),
        (DAYS, 19000, 19008, "0123456789"),
        (DAYS, 19000, 19100, "0123456789"),
        (DAYS, 19000, 19700, "-01"),
        (DAYS, 0, 20000, "-01-01"),
        (DAYS, -500000, 400000, "00-01-01"),
        (TIMES, 480, 485, ":0"),
        (TIMES, 480, 1080, ":00"),
        (TIMES, -3000, 6000, ":00"),
        (TIMES, -300000, 600000, ":00"),
    ],
)
def test_marks_are_at_round_places_few_and_inside(
    words: ValueWords, low: float, high: float, ends: object
) -> None:
    axis = time_axis(words, low, high)
    marks, texts = axis["tickvals"], axis["ticktext"]
    assert 1 <= len(marks) <= 6
    assert len(set(texts)) == len(texts)
    assert sum(map(len, texts)) <= LETTERS
    assert all(low <= mark <= high for mark in marks)
    assert words.format is not None
    # What cannot be written as a date, as before our era, is left as a number of days.
    said = [text for text in texts if not text.endswith("days")]
    assert [words.format.value(text) for text in said if text[0] != "-"] == [
        mark for mark, text in zip(marks, texts, strict=True) if text in said and text[0] != "-"
    ]
    if isinstance(ends, str) and not ends.isdigit() and len(marks) > 1:
        assert all(ends in text for text in said), texts


def test_plain_numbers_keep_their_axis_and_what_the_pointer_says() -> None:
    trace = {"type": "bar", "x": [0.0, 1.0], "hovertemplate": "%{y}"}
    assert time_axis(ValueWords("cm"), 0, 10) == {}
    assert in_time([trace], ValueWords("cm")) == [trace]
    (told,) = in_time([trace], DAYS)
    assert told["text"] == ["1970-01-01", "1970-01-02"]
    assert told["hovertemplate"] == "%{text}: %{y}"


@pytest.mark.parametrize(
    ("words", "size", "said"),
    [
        (ValueWords("cm"), 12.345, "12.3 cm"),
        (DAYS, 12.345, "12.3 days"),
        (DAYS, 1.0, "1 day"),
        (DAYS, 3650.0, "3,650 days (9.99 years)"),
        (TIMES, 80.0, "1 h 20 min"),
        (TIMES, 0.5, "30 s"),
        (TIMES, 60.0 * 24 * 40, "40 days"),
        (TIMES, 0.0, "0 s"),
    ],
)
def test_amounts_are_said_with_units_in_words(words: ValueWords, size: float, said: str) -> None:
    assert words.amount(size) == said


def test_values_are_said_as_the_column_has_them() -> None:
    scale = ValueWords.of("units", "scale", None, Categories.of(["low", "high"]))
    assert (scale.value(2), scale.value(3), scale.key) == ("2 (high)", "3 units", "1 low · 2 high")
    numbered = ValueWords.of("points", "scale", None, Categories.of(["1", "2", "3"]))
    assert (numbered.value(2), numbered.key) == ("2 points", "")
    assert DAYS.span(0, 31) == "1970-01-01 … 1970-02-01"
    # Far beyond what a date can be.
    assert DAYS.value(-1e7) == "−10,000,000 days"
    assert points(0.01) == "1 percentage point"


def test_hard_bounds_that_are_too_narrow_name_the_ways_out_as_dates() -> None:
    refusal = InfeasibleOutputsError(
        epsilon=1.0,
        inputs=(0, 100),
        outputs=(-5, 105),
        needed_fraction=0.9,
        largest_fraction=0.4,
        smallest_epsilon=2.34567,
        narrowest_outputs=(-70.5, 170.5),
        widest_inputs=None,
    )
    said = too_narrow(refusal, DAYS)
    assert "raise epsilon to at least 2.346" in said
    assert "widen the outputs to at least 1969-10-22 … 1970-06-21" in said
    assert "narrow the" not in said


def test_the_name_of_an_upright_axis_fits_beside_few_bars() -> None:
    name = "socioeconomic background of the parents, as they say"
    assert [len(upright_name(name, height)) for height in (262, 400, 600)] == [21, 41, len(name)]
    assert upright_name("surface", 214) == "surface"
    assert upright_name(name, 262).endswith("…")
