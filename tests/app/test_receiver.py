"""Privatize, before a release: what a receiver will be able to say, and the way back."""

from __future__ import annotations

import re
from typing import Any, Literal

import numpy as np
import pytest

import compdp_core as cdp
from compdp_core.estimates.forecast.expected import ExpectedCategory, ExpectedNumbers, expected
from compdp_core.estimates.forecast.wished import beside_statistic
from compdp_core.text import number
from pages.sections.shared.person import QUESTION
from pages.sections.shared.person_answer import PERSON
from tests.app.driving import Driven
from tests.app.kinds import opened
from tests.app.test_person import AT_MOST

PAGE, FIND, EPSILON, NEED = "pages/privatize.py", "Find the ε", "ε, exactly", "What I need"
ROWS = 2000
WHOLE: dict[str, Any] = {"inputs": (0, 20), "epsilon": 1, "kind": "whole"}
AGES = np.random.default_rng(5).integers(0, 21, (2, ROWS)).T
TABLE = ("age,size\n" + "\n".join(f"{a},{b}" for a, b in AGES)).encode()
MEAN = "I need the mean within ± (in the column's unit)"
RELATION = "I need to find correlations from (with a column as it came)"


def ready(columns: tuple[int, ...] = (0,), epsilon: str = "1") -> Driven:
    app = Driven(PAGE).upload("t.csv", TABLE).choose("Columns to privatize", columns)
    for column in columns:
        app.bounds(column + 1, "0", "20")
    return app.text(EPSILON, epsilon)


def told(app: Driven, of: str = "| what |") -> dict[str, str]:
    """The table that begins with this heading, line by line."""
    (table,) = [text for text in app.messages("markdown") if text.startswith(of)]
    lines = [
        line.strip("| ").split(" | ", 1) for line in table.replace("\u00a0", " ").splitlines()[2:]
    ]
    return dict(lines)


def foretold(epsilon: Any, rows: int = ROWS) -> ExpectedNumbers:
    found = expected(cdp.ColumnPlan(**WHOLE | {"epsilon": epsilon}), rows)
    assert isinstance(found, ExpectedNumbers)
    return found


def test_what_will_be_told_of_numbers_is_that_of_the_library() -> None:
    found, lines = foretold(1), told(ready())
    assert lines["the mean of the rows"].startswith(f"within ± {number(found.mean_within)}")
    share = number(100 * found.above_within)
    assert next(said for what, said in lines.items() if "share above 10" in what) == (
        f"within ± {share} percentage points"
    )
    low, high = found.std_between
    assert lines["the standard deviation"].startswith(f"{number(low)} … {number(high)} ")
    assert lines["the distribution"].startswith("told" if found.tells_distribution else "not told")
    least = number(found.correlation(), 2)
    assert lines["a correlation with a column as it came"] == f"found from ± {least} on"


def test_what_the_noise_hides_is_said_to_be_hidden() -> None:
    lines = told(ready(epsilon="0.05"))
    assert "nothing: the noise hides it" in lines["the standard deviation"]
    assert lines["a correlation with a column as it came"] == "nothing: the noise hides it"


def test_correlations_with_other_columns_of_the_release_are_told_each() -> None:
    lines = told(ready((0, 1), "8"))
    one = foretold(4)
    assert lines["a correlation with size"] == (
        f"found from ± {number(one.correlation(one), 2)} on"
    )


def test_it_is_the_same_for_other_cells() -> None:
    other = TABLE.replace(b"\n7,", b"\n19,")
    app = Driven(PAGE).upload("t.csv", other).choose("Columns to privatize", [0])
    assert told(app.bounds(1, "0", "20").text(EPSILON, "1")) == told(ready())


def test_a_wish_sets_the_epsilon_or_names_the_rows() -> None:
    app = ready().pick(NEED, "mean").text(MEAN, "0.5").press(FIND)
    assert "the budget is set to it" in app.said("success"), app.said("error")
    found = float(app.written(EPSILON))
    assert foretold(found).mean_within <= 0.5 < foretold(0.997 * found).mean_within
    needed = int(re.findall(r"would take ([\d,]+) rows", app.said("success"))[0].replace(",", ""))
    assert foretold(1, needed).mean_within <= 0.5 < foretold(1, needed - 1).mean_within
    app.pick(NEED, "correlation").text(RELATION, "0.1").press(FIND)
    found = float(app.written(EPSILON))
    assert foretold(found).correlation() <= 0.1 < foretold(0.997 * found).correlation()
    app.text(RELATION, "0.001").press(FIND)
    assert "take more rows" in app.said("error")
    assert "rows." in app.said("error").split("take more rows")[1]
    app.text(RELATION, "0")
    assert "must be above 0" in app.said("error")


@pytest.mark.parametrize("label", ["day", "time", "size"])
def test_a_mean_is_wished_in_the_words_of_the_column(
    monkeypatch: pytest.MonkeyPatch, label: str
) -> None:
    app = opened(monkeypatch, [label]).pick(NEED, "mean")
    unit = {"day": "days", "time": "hours", "size": "the column's unit"}[label]
    app.text(f"I need the mean within ± (in {unit})", "0.5").press(FIND)
    assert "the budget is set to it" in app.said("success"), app.said("error")
    beyond = "after" if label == "day" else "above"
    assert any(what.startswith(f"the share {beyond} ") for what in told(app))
    assert f"From this table the share {beyond} " in app.said()
    said = told(app)["the mean of the rows"]
    assert re.match(r"within ± (0\.4\d*|0\.5|29 min|30 min)(?!\d)", said), said


def test_a_share_of_answers_is_told_and_wished(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = cdp.ColumnPlan(epsilon=1, kind="category", categories=["yes", "no", "perhaps"])
    found = expected(plan, 400)
    assert isinstance(found, ExpectedCategory)
    app = opened(monkeypatch, ["answer"])
    share = number(100 * found.share_within())
    assert told(app)["the share of an answer"] == f"within ± {share} percentage points"
    app.pick(NEED, "share")
    app.text("I need a share within ± (in percentage points)", "6").press(FIND)
    assert "the budget is set to it" in app.said("success"), app.said("error")
    within = told(app)["the share of an answer"].split()[2]
    assert 5.9 < float(within) <= 6.0
    beside = beside_statistic(plan, "share", found, 400)
    app.text(EPSILON, "1")
    said = app.said("markdown")
    assert f"**{number(beside.ratio, 2)} times as exact**" in said
    assert "a released count would be within" in said
    assert "the distribution" not in told(app)


def test_other_noise_and_one_released_answer_stand_beside_it() -> None:
    app = ready()
    lines = told(app, "| noise |")
    own, clamped = lines["composite"], lines["Laplace, clamped"]
    assert own.startswith(f"± {number(foretold(1).mean_within)}")
    assert "however many rows" in clamped
    assert clamped.endswith("–")
    laplace = 1.959964 * np.sqrt(2) * 20 / np.sqrt(ROWS)
    assert float(lines["Laplace"].split()[1]) == pytest.approx(laplace, rel=0.01)
    plan = cdp.ColumnPlan(**WHOLE)
    wishes: tuple[Literal["mean", "share"], ...] = ("mean", "share")
    for wish in wishes:
        beside = beside_statistic(plan, wish, foretold(1), ROWS)
        assert f"**{number(beside.ratio, 2)} times as exact**" in app.said("markdown")


def test_persons_are_told_of_as_persons() -> None:
    rows = "\n".join(f"P{n // 2},{a}" for n, (a, _) in enumerate(AGES[:400]))
    app = Driven(PAGE).upload("t.csv", f"patient,age\n{rows}\n".encode())
    app.set("radio", QUESTION, PERSON).text(AT_MOST, "2").choose("Columns to privatize", [1])
    app.bounds(2, "0", "20").text(EPSILON, "2")
    person, plan = cdp.Person("patient", at_most=2), cdp.ColumnPlan(**WHOLE)
    found = expected(plan, 400, person=person)
    assert isinstance(found, ExpectedNumbers)
    assert told(app)["the mean of the rows"].startswith(f"within ± {number(found.mean_within)}")
    assert "Rows of one person may be all alike" in app.said("caption")
    beside = beside_statistic(plan, "mean", found, 400, person=person, persons=200)
    assert f"**{number(beside.ratio, 2)} times as exact**" in app.said("markdown")
    assert "At the same ε of one person a released mean" in app.said("markdown")
