"""Steps 3 to 6 of Privatize for answers, scales, dates and times."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.tables.categories import Categories
from compdp_core.tables.value_formats import DateFormat
from pages.charts.bars import KEPT, MOST, TURNED
from pages.charts.shares import LABELS as SHARES
from pages.sections.privatize.split_choice import QUESTION
from pages.sections.privatize.true_value import ANSWER, LABEL
from pages.shell.panels import is_open
from pages.text.wording import percent
from tests.app.driving import Driven
from tests.app.kinds import ANSWERS, KINDS, LABELS, opened, table

EPSILON, FOCUS = "ε, exactly", "Column shown in steps 3 to 5"
WISH = "I need an error of a share below (in percentage points)"
HARD = "Set hard output bounds myself"
MADE = RandomizedResponse(1.0, 3)


def unfolded(app: Driven) -> Driven:
    app.kept.update({is_open("privatize.see"): True, is_open("privatize.compare"): True})
    return app.run()


def test_one_of_a_kind_is_told_as_one(monkeypatch: pytest.MonkeyPatch) -> None:
    two = Categories.of(ANSWERS[:2])
    app = unfolded(opened(monkeypatch, ["answer"], categories=two))
    assert "and the other one with 26.9 %" in app.chart("see").alt
    app = opened(monkeypatch, ["day"]).press("Release").awaited()
    (steps,) = [each.value["spacing"] for each in app.at.dataframe if "spacing" in each.value]
    assert steps.tolist() == ["1 day"]


# Step 3


def test_what_an_epsilon_means_for_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(monkeypatch, ["answer"])
    assert app.metric("A true answer is kept") == "57.6 %"  # e / (e + 2)
    assert app.metric("One particular other answer") == "21.2 %"  # 1 / (e + 2)
    assert app.metric("An attacker's best guess") == "73.2 %"
    error = 100 * MADE.typical_error / 20
    assert app.metric("A share among all 400 rows") == f"{error:.3g} points"
    assert app.at.metric[3].label.startswith("An attacker")  # "the last figure" of the caption
    # There is no shape of noise to choose, nor bounds of outputs.
    assert "Function pair" not in app.labels("selectbox")
    assert HARD not in app.labels("toggle")
    assert "are very many" not in app.said()


def test_the_way_back_from_the_error_of_a_share(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(monkeypatch, ["answer"]).text(WISH, "4").press("Find the ε")
    assert "for this column" in app.said("success")
    found = Decimal(app.written(EPSILON))
    assert RandomizedResponse(float(found), 3).typical_error / 20 <= 0.04
    app.text(WISH, "1e-12").press("Find the ε")
    assert "take more rows" in app.said("error")


def test_very_many_answers_are_told_what_merging_gains(monkeypatch: pytest.MonkeyPatch) -> None:
    many = Categories.of([*ANSWERS, *(f"town {i}" for i in range(37))])
    app = opened(monkeypatch, ["answer"], categories=many)
    (said,) = [text for text in app.messages("info") if "very many" in text]
    assert "40 answers are very many" in said
    assert "Merged into 10 of equal size" in said
    assert "(#step-2)" in said
    assert "very many" not in app.text(EPSILON, "4").said("info")
    # A picture of a long list has the answer that is looked at, and one bar for the rest.
    (kept, *others) = (trace for trace in app.traces("see"))
    assert len(kept["x"]) + sum(len(each["x"]) for each in others) == MOST + 1
    app.select(ANSWER, 39)
    assert "true answer is town 36" in app.chart("see").alt


@pytest.mark.parametrize(
    ("label", "error", "example", "unit"),
    [
        ("day", "days", "releases of 2024-07-01 lie in", "in days"),
        ("time", " h ", "releases of 13:00 lie in", "in hours"),
        ("size", "units", "releases of 2 (M) lie in", "in the column's unit"),
    ],
)
def test_figures_are_in_the_words_of_the_column(
    monkeypatch: pytest.MonkeyPatch, label: str, error: str, example: str, unit: str
) -> None:
    app = opened(monkeypatch, [label])
    assert error in app.metric("One value is typically off by")
    labels = [each.label.replace("\\", "").replace("`", "") for each in app.at.metric]
    assert any(example in each for each in labels), labels
    wish = f"I need a typical error below ({unit})"
    app.text(wish, "2").press("Find the ε")
    assert "for this column" in app.said("success")
    assert Decimal(app.written(EPSILON)) > 1
    said = app.metric("One value is typically off by")
    assert said.startswith(("1.8", "1.9", "2.00", "2 ", "1 h 5")), said
    (errors,) = [each.value for each in app.at.dataframe if "mechanism" in each.value]
    named = {"day": "days", "time": "hours", "size": "units"}[label]
    assert f"MSE ({named}²)" in errors
    assert ("AL" in errors) is (label == "size")
    # Of the composite mechanism as drawn: about the square of the error that was wished.
    assert 2 < float(errors[f"MSE ({named}²)"].iloc[0].split()[0]) < 20


def test_hard_bounds_of_dates_are_typed_as_dates(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(monkeypatch, ["day"]).toggle(HARD)
    smallest, largest = "Smallest released value", "Largest released value"
    app.text(smallest, "01.02.2020")
    assert "is not written as this column is. Type it like 2024-01-01." in app.said("error")
    app.text(smallest, "2023-12-01").text(largest, "2025-02-01")
    for way in ("raise epsilon", "widen the outputs to at least 20", "narrow the inputs to"):
        assert way in app.said("error")
    app.text(smallest, "2021-02-03").text(largest, "2027-11-05")
    assert not app.messages("error")
    assert app.written(smallest) == "2021-02-03"
    app.text(largest, "never")
    assert "Until then 2027-11-05 is in force" in app.said("error")
    app.press("Release").awaited()
    (done,) = app.releases
    low, high = done.columns[0].composite.outputs
    form = DateFormat()
    assert form.value("2021-02-03") <= low < high <= form.value("2027-11-05")


# How a row's budget is split


@pytest.mark.parametrize("way", ["equal parts", "equal errors", "sampled", "by hand"])
def test_a_budget_is_split_over_columns_of_mixed_kinds(
    monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    app = opened(monkeypatch, LABELS).text(EPSILON, "5").set("radio", QUESTION, way)
    assert not app.messages("error")
    offered = app._of("radio", QUESTION).options
    assert [each for each in offered if "wish" in each] == []
    assert "Errors by wish are not offered" in app.said("caption")
    (costs,) = [each.value for each in app.at.dataframe if "way" in each.value]
    of = dict(zip(costs["column"], costs.to_dict("records"), strict=False))
    assert "percentage points" in of["answer"]["a mean or share is off by"]
    assert of["answer"]["one value is off by, or kept"].startswith("kept with ")
    assert "days" in of["day"]["a mean or share is off by"]
    for position, label in enumerate(LABELS):
        app.select(FOCUS, position)
        assert label in app.said("markdown")
    app.press("Release").awaited()
    (done,) = app.releases
    assert 5 * Fraction(9999, 10000) < done.epsilon <= 5
    assert (done.plan.answered is None) is (way != "sampled")


def test_the_way_back_holds_for_every_way_to_split(monkeypatch: pytest.MonkeyPatch) -> None:
    for way in ("equal parts", "equal errors", "by hand"):
        app = opened(monkeypatch, ["answer", "score"]).set("radio", QUESTION, way)
        app.text(WISH, "4").press("Find the ε")
        assert "for this column" in app.said("success"), way
        assert 3.9 < float(app.metric("A share among").split()[0]) <= 4.0, way


def test_a_way_that_answers_do_not_have_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(monkeypatch, ["answer", "score"])
    app.kept["privatize.split"] = "wished errors"
    app.run().press("Release").awaited()
    assert [column.plan.epsilon for column in app.releases[0].columns] == [Fraction(1, 2)] * 2


# Step 4


def test_bars_show_what_one_true_answer_may_turn_into(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(monkeypatch, ["answer"])
    kept, other = app.traces("see")
    assert (kept["name"], other["name"]) == (KEPT, TURNED)
    assert kept["y"] == [0]
    assert other["y"] == [1, 2]
    np.testing.assert_allclose(kept["x"], 100 * MADE.probability_kept)
    np.testing.assert_allclose(other["x"], 100 * MADE.probability_other)
    # Not by colour alone: hatched, named on the axis, with its number behind it.
    assert kept["marker"]["pattern"]["shape"]
    names = app.spec("see")["layout"]["yaxis"]["ticktext"]
    assert names == ["<b>yes</b> (true)", "no", "perhaps"]
    app.select(ANSWER, 2)
    assert app.traces("see")[0]["y"] == [2]
    assert "Where the true answer is perhaps, it is released with" in app.chart("see").alt


def test_an_axis_has_dates_and_times_as_the_column_writes_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = opened(monkeypatch, ["day", "time"])
    axis = app.spec("see")["layout"]["xaxis"]
    assert all(text.endswith("-01-01") for text in axis["ticktext"])
    assert [DateFormat().value(text) for text in axis["ticktext"]] == axis["tickvals"]
    curve = next(each for each in app.traces("see") if each["name"].startswith("activation"))
    assert curve["text"][0].count("-") == 2
    assert "true value is 2024-07-0" in app.chart("see").alt
    app.set("select_slider", LABEL, DateFormat().value("2024-12-31"))
    assert "true value is 2024-12-31" in app.chart("see").alt
    app.select(FOCUS, 2)
    assert all(":00" in text for text in app.spec("see")["layout"]["xaxis"]["ticktext"])
    assert "Inputs lie in 08:00 … 18:00" in app.chart("see").alt


def test_each_place_of_a_scale_has_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(monkeypatch, ["size"]).select(LABEL, 4.0)
    true, other, scale = app.traces("see")
    assert true["x"] == [4.0]
    assert scale["name"] == "your scale 1 … 4"  # what the dotted lines are
    heights = dict(zip(true["x"] + other["x"], true["y"] + other["y"], strict=True))
    assert sum(heights.values()) == pytest.approx(100)
    # Right on average.
    assert sum(place * each for place, each in heights.items()) == pytest.approx(400, rel=0.02)
    assert "1 S · 2 M · 3 L · 4 XL" in app.said("caption")


# Steps 5 and 6


def test_shares_of_answers_before_and_after(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"answer,n\n" + b"yes,1\n" * 1600 + b"no,2\n" * 300 + b"perhaps,3\n" * 90 + b",4\n" * 10
    app = opened(monkeypatch, ["answer"], data)
    assert "Compare with" not in app.labels("multiselect")
    said = app.chart("compare").alt
    assert "yes: 80.4 % of your rows" in said
    assert "Read as it stands, the simulated column is off by" in app.said("caption")
    unfolded(app.press("Release").awaited())
    (done,) = app.releases
    (rows,) = [each.value for each in app.at.dataframe if "largest ratio" in each.value]
    row = rows.iloc[0]
    assert row["ε proved"] == "1"
    assert int(row["of all: W"].replace(",", "")) == MADE.total
    assert int(row["kept: weight a"].replace(",", "")) == MADE.kept
    assert int(row["each other: weight b"].replace(",", "")) == MADE.each_other
    (shares, _) = [each.value for each in app.at.dataframe if SHARES[0] in each.value][::-1]
    drawn = done.columns[0].values
    assert list(shares["answer"]) == ANSWERS
    assert shares[SHARES[1]][0] == percent(float(np.mean(drawn == 0)))
    low, high = (float(each) for each in shares["95 % interval"][0].rstrip(" %").split(" … "))
    # Ten standard errors: it never fails by chance, and the released share fails it by far.
    assert abs(float(shares[SHARES[2]][0].rstrip(" %")) - 80.2) < 2.5 * (high - low)
    assert abs(100 * np.mean(drawn == 0) - 80.2) > 25


@pytest.mark.parametrize("label", LABELS)
def test_every_kind_is_released_and_shown_beside_its_true_values(
    monkeypatch: pytest.MonkeyPatch, label: str
) -> None:
    app = opened(monkeypatch, [label])
    unfolded(app.press("Release").awaited())
    (done,) = app.releases
    key = f"outcome-{done.columns[0].plan.position}"
    assert {"see", "compare", key} <= set(app.charts)
    assert done.csv().startswith(b"answer,day,time,size,score\n")
    (rows,) = [each.value for each in app.at.dataframe if "ε proved" in each.value]
    if label in ("day", "time"):
        form = KINDS[label]["format"]
        low, high = done.columns[0].composite.outputs
        assert rows["outputs"][0] == f"{form.text(low)} … {form.text(high)}"
        assert form.text(round(done.columns[0].values.mean())) in app.chart(key).alt
    if label != "answer":
        assert "Compare with" in app.labels("multiselect")


def test_the_shape_of_noise_is_no_setting_of_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(monkeypatch, ["answer", "score"]).press("Release").awaited()
    app.select(FOCUS, 4).select("Function pair", "A2B1").toggle(HARD)
    assert any("changed since" in text for text in app.messages("info"))
    app = opened(monkeypatch, ["answer"]).press("Release").awaited()
    app.kept["privatize.pair"] = "A2B1"
    assert not any("changed since" in text for text in app.run().messages("info"))
    assert app.releases[0].columns[0].plan.pair is None


def test_figures_and_pictures_of_steps_3_and_4_do_not_depend_on_the_table(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = []
    for data in (table(), table(shift=5)):
        app = opened(monkeypatch, LABELS, data)
        each = []
        for position in range(len(LABELS)):
            app.select(FOCUS, position)
            tiles = [(metric.label, metric.value) for metric in app.at.metric]
            tiles = [each for each in tiles if "released" not in each[0]]
            see = app.chart("see")
            each.append((tiles, json.loads(see.spec), see.alt))
            assert len(tiles) >= 4
        seen.append(each)
    assert seen[0] == seen[1]


def test_names_of_answers_are_shown_as_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    odd = ["<b>a</b>", "*no*", "$x$"]
    data = b"answer\n" + "\n".join(odd * 20).encode() + b"\n"
    app = opened(monkeypatch, ["answer"], data, categories=Categories.of(odd))
    names = app.spec("see")["layout"]["yaxis"]["ticktext"]
    assert names == ["<b>&lt;b&gt;a&lt;/b&gt;</b> (true)", "*no*", "$x$"]
    assert app._of("selectbox", ANSWER).options == odd
    app.press("Release").awaited()
    assert app.releases[0].columns[0].plan.categories == Categories.of(odd)
