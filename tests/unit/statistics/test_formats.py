"""Statistics of dates: in whole days, and told as the column writes them."""

from __future__ import annotations

from datetime import date
from fractions import Fraction

import pytest

import compdp_core as cdp
from compdp_core.errors import CompdpError
from compdp_core.randomness import SeededSource
from compdp_core.report import card_of_answer
from compdp_core.report.settings import StatisticSettings, to_json
from compdp_core.report.settings_reading import from_json
from compdp_core.tables import read
from compdp_core.tables.value_formats import DateFormat

DATES = ("2024-01-01", "2024-03-01", "2024-12-31", "2023-06-01", "soon", "")
TABLE = read(("day\n" + "\n".join(f'"{each}"' for each in DATES) + "\n").encode())
BOUNDS = ("2024-01-01", "2024-12-31")


def asked(statistic: str) -> cdp.Query:
    return cdp.Query(statistic, "day", bounds=BOUNDS, format=DateFormat(), missing="fill")


def test_a_mean_date_is_that_of_the_days_moved_into_the_bounds() -> None:
    low, high = (date.fromisoformat(each) for each in BOUNDS)
    days = [
        (min(max(date.fromisoformat(each), low), high) - date(1970, 1, 1)).days
        for each in DATES[:4]
    ]
    middle = Fraction((low - date(1970, 1, 1)).days + (high - date(1970, 1, 1)).days, 2)
    # Whole days are asked for, so the middle of the bounds counts as the whole one beside it.
    whole = Fraction(round(middle))
    assert asked("mean").ask(TABLE).exact == (sum(days) + 2 * whole) / 6
    assert asked("mean").ask(TABLE).plan.unit == "days"
    assert asked("minimum").written(asked("minimum").ask(TABLE).value) == "2024-01-01"


def test_an_answer_is_told_as_a_date_and_a_variance_is_not() -> None:
    query = asked("mean")
    answer = cdp.answer(query, TABLE, epsilon=50, source=SeededSource(3))
    item = card_of_answer(answer, query, TABLE).as_dict()["items"][0]
    assert item["answer"]["written"] == [
        query.written(answer.value),
        *map(query.written, answer.interval),
    ]
    assert item["answer"]["written"][0].startswith("2024-")
    low, high = (query.written(end) for end in answer.mechanism.outputs)
    assert item["written"] == {
        "format": DateFormat().label,
        "step": "one day, counted from 1970-01-01",
        "inputs": {"lower": BOUNDS[0], "upper": BOUNDS[1]},
        "outputs": {"lower": low, "upper": high},
        "settings": None,  # nothing of an answer is read again
    }
    assert f"{BOUNDS[0]} … {BOUNDS[1]}" in card_of_answer(answer, query, TABLE).to_html()
    spread = asked("variance")
    answer = cdp.answer(spread, TABLE, epsilon=50, source=SeededSource(3))
    item = card_of_answer(answer, spread, TABLE).as_dict()["items"][0]
    assert item["answer"]["written"] is item["written"] is None


def test_a_sum_of_dates_is_refused_with_the_statistic_named() -> None:
    with pytest.raises(CompdpError, match="dates and times of day have no sum"):
        asked("sum")


def test_an_answer_beyond_all_that_the_format_can_write_is_so_many_steps() -> None:
    short = DateFormat("%d.%m.%y")  # of years from 1969 to 2068
    query = cdp.Query("mean", "day", ("2024-01-01", "2068-12-31"), format=short)
    assert query.written(19_723.4) == "01.01.24"
    assert query.written(40_000.0) == "40,000 days"


def test_a_total_of_dates_is_refused_and_a_number_of_persons_is_not() -> None:
    for statistic in ("mean", "median"):
        with pytest.raises(CompdpError, match="dates and times of day have no total"):
            cdp.Query(statistic, "day", BOUNDS, format=DateFormat(), per_person="total")
    assert cdp.Query("count", "day", format=DateFormat(), per_person="total").bounds is None


def test_settings_of_a_question_about_dates_and_bins_come_back() -> None:
    grouping = cdp.Grouping("day", edges=(1, 2, 5), format=DateFormat())
    query = cdp.Query("mean", 0, BOUNDS, format=DateFormat(), grouping=grouping)
    said = StatisticSettings(query, Fraction(1))
    found = from_json(to_json(said))
    assert (found.settings, found.notices) == (said, ())
