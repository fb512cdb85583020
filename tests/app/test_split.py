"""How a row's budget is split over its columns: what each way costs, and what is then released."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from compdp_core.release.splitting import Way
from pages.sections.privatize.split_choice import QUESTION, SHORT
from tests.app.driving import Driven
from tests.app.test_person import given, settings_of

PAGE, CHOICE, EPSILON = "pages/privatize.py", "Columns to privatize", "ε, exactly"
ROWS = "\n".join(f"{i % 21},{10 + i % 9},{150 + i % 40}.5" for i in range(60))
TABLE = f"score,age,height\n{ROWS}".encode()
ERROR = "I need a typical error below (in the column's unit)"
ANSWERED = "Columns that each row answers (empty: the best number)"


def planned(way: str = "equal parts", epsilon: str = "2") -> Driven:
    app = Driven(PAGE).upload("t.csv", TABLE).choose(CHOICE, [0, 1, 2])
    app.bounds(1, "0", "20").bounds(2, "5", "25").bounds(3, "100", "220").text(EPSILON, epsilon)
    app.set("radio", QUESTION, way)
    if way == "wished errors":
        for label, error in (("score", "4"), ("age", "2"), ("height", "40")):
            app.text(f"Error of one value, {label}", error)
    return app


def costs(app: Driven) -> Any:
    (found,) = [each.value for each in app.at.dataframe if "way" in each.value]
    return found


def error_of(app: Driven, column: str, way: Way) -> float:
    rows = costs(app)
    found = rows[(rows["column"] == column) & (rows["way"] == SHORT[way])]["one value is off by"]
    return float(found.iloc[0].split()[0].replace(",", ""))


def test_what_each_way_costs_is_seen_before_one_is_chosen() -> None:
    app = planned()
    rows = costs(app)
    assert set(rows["way"]) == {SHORT[each] for each in ("equal parts", "equal errors", "sampled")}
    assert len(rows) == 9
    assert list(rows["rows with a value"][-3:]) == ["33.3 %"] * 3
    # What is said of the chosen way is what the tiles say of it.
    app.select("Column shown in steps 3 to 5", 2)
    assert error_of(app, "height", "equal parts") == float(app.metric("One value").split()[0])
    mean = rows[(rows["column"] == "height")]["a mean is off by"].iloc[0]
    assert mean == app.metric("A mean of all 60 rows")


@pytest.mark.parametrize("way", ["equal parts", "equal errors", "wished errors", "sampled"])
def test_what_is_released_is_what_was_chosen_and_no_more_is_spent(way: str) -> None:
    app = planned(way).press("Release").awaited()
    (done,) = app.releases
    assert 2 * Fraction(9999, 10000) < done.epsilon <= 2
    assert app.spent == done.epsilon
    blanks = sum(int(np.isnan(column.values).sum()) for column in done.columns)
    assert blanks == (0 if done.plan.answered is None else 60 * (3 - done.plan.answered))
    assert (done.plan.answered is None) is (way != "sampled")


def test_errors_follow_the_wishes() -> None:
    app = planned("wished errors")
    errors = [error_of(app, column, "wished errors") for column in ("score", "age", "height")]
    assert errors == pytest.approx([errors[0], errors[0] / 2, errors[0] * 10], rel=0.05)
    assert "it takes a larger ε" in app.said("caption")
    assert "they are met" in app.text(EPSILON, "50").said("caption")
    app.text("Error of one value, age", "")
    assert "type one for each" in app.said("error")
    assert "Release" not in app.labels("button")


def test_rows_answer_as_many_columns_as_is_said() -> None:
    app = planned("sampled").text(ANSWERED, "2")
    assert "answers 2 of 3 columns" in app.said("caption")
    assert "about 40 of 60 rows" in " ".join(each.label for each in app.at.metric)
    assert "over 2 of 3 columns" in app.said("markdown")
    app.press("Release").awaited()
    (done,) = app.releases
    assert {column.plan.epsilon for column in done.columns} == {Fraction(1)}
    lines = done.csv().decode().splitlines()[1:]
    assert {line.split(",").count("") for line in lines} == {1}
    assert {"outcome-0", "outcome-1", "outcome-2"} <= set(app.charts)
    # The settings make the same plan again.
    again = given(Driven(PAGE).upload("t.csv", TABLE), settings_of(app)).press("Release").awaited()
    assert again.releases[0].plan == done.plan


@pytest.mark.parametrize("way", ["equal parts", "equal errors", "wished errors", "sampled"])
def test_a_wish_for_one_column_sets_the_budget_whatever_the_way(way: str) -> None:
    app = planned(way).select("Column shown in steps 3 to 5", 2)
    app.text(ERROR, "50").press("Find the ε")
    assert "the budget is set to it" in app.said("success"), app.said("error")
    assert float(app.metric("One value").split()[0]) <= 50
    less = app.text(EPSILON, str(round(float(app.written(EPSILON)) * 0.97, 4)))
    assert float(less.metric("One value").split()[0]) > 50
