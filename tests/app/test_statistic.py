"""Release a statistic, without a browser."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from typing import Any

import pytest

from compdp_core.intervals import Interval
from compdp_core.report.settings import StatisticSettings
from compdp_core.report.settings_reading import from_json
from compdp_core.statistics import STATISTICS
from pages.sections.shared.samples import SAMPLES
from pages.sections.statistic.files import settings_json
from pages.sections.statistic.settings_file import NAME as SETTINGS_FILE
from pages.sections.statistic.statistic_choice import TITLES
from pages.shell.panels import is_open
from pages.text.wording import WHO_SEES
from tests.app.driving import Driven

PAGE, BUDGET = "pages/statistic.py", "pages/budget.py"
ROWS = [(f"p{i}", 10 + i % 9, "ab"[i % 2] if i % 10 else "c") for i in range(60)]
TABLE = ("name,age (years),class\n" + "\n".join(f"{n},{a},{c}" for n, a, c in ROWS)).encode()
EPSILON = "ε, exactly"
RELEASE, AGAIN = "Release the answer", "Release once more"
AT_LEAST = "Rows that are surely read (public)"


def opened(data: bytes = TABLE, **link: str) -> Driven:
    return Driven(PAGE, **link).upload("t.csv", data)


def asked(kind: str = "mean", data: bytes = TABLE, lower: str = "0", upper: str = "20") -> Driven:
    app = opened(data, statistic=kind, column="2")
    return app if kind == "count" else app.bounds(2, lower, upper)


def kept(app: Driven) -> list[Any]:
    return next((value for name, value in app.kept.items() if name.startswith("answers.")), [])


def coming_and_going(app: Driven, most: str = "100") -> Driven:
    """Rows may come and go, up to that many."""
    app.at.radio[0].set_value("add or remove one")
    return app.run().text("Rows there could be at most (public)", most)


def test_every_statistic_has_a_title() -> None:
    assert set(TITLES) == set(STATISTICS)


# Bounds, range and sensitivity


def test_bounds_start_empty_and_extremes_show_only_on_demand() -> None:
    app = opened().select("Of which column", 1)
    assert app.written("Lower bound") == app.written("Upper bound") == ""
    assert "10 … 18" not in app.said()
    assert RELEASE not in app.labels("button")
    app.toggle("Peek at the smallest and largest value, age (years)")
    (warning,) = app.messages("warning")
    assert "10 … 18" in warning
    assert "give these two values away" in warning


def test_range_and_sensitivity_are_worked_out_with_formula_and_reason() -> None:
    app = asked()
    assert app.metric("The answer lies in") == "0 … 20 years"
    assert app.metric("One row can change it by") == f"{20 / 60:.4g} years"
    text = app.said()
    assert "Δ = (b − a)/n = (20 − 0)/60 = 0.333333" in text
    assert "one of n values moves by b − a at most" in text
    assert "staircase" in text
    # Without a release both ways of step 6 are simulated, and say so.
    rows = app.at.dataframe[-1].value
    assert list(rows["from"]) == ["simulated", "simulated"]
    assert not app.kept["ledger"].entries
    app.press("Simulate again")
    assert rows["mean"][0] != app.at.dataframe[-1].value["mean"][0]


def test_bounds_typed_on_privatize_are_at_hand_here() -> None:
    app = Driven("pages/privatize.py").upload("t.csv", TABLE)
    app.choose("Columns to privatize", [1]).text("Lower bound, age (years)", "5")
    app.text("Upper bound, age (years)", "25").go(PAGE).select("Of which column", 1)
    assert (app.written("Lower bound"), app.written("Upper bound")) == ("5", "25")
    app.text("Upper bound", "30").go("pages/privatize.py")
    assert app.written("Upper bound, age (years)") == "30"


@pytest.mark.parametrize(("lower", "upper"), [("20", "0"), ("5", "5")])
def test_swapped_or_equal_bounds_are_refused(lower: str, upper: str) -> None:
    app = asked(lower=lower, upper=upper)
    assert "lower below upper" in app.messages("error")[0]
    assert RELEASE not in app.labels("button")


def test_the_best_noise_is_a_staircase_where_one_row_changes_little_and_others_can_be_had() -> None:
    app = asked().press(RELEASE)
    best = app.metric("It is typically off by")
    app.select("Function pair", "A1B1").press(AGAIN)
    assert float(app.metric("It is typically off by").split()[0]) > 10 * float(best.split()[0])
    app.select("Function pair", "best").select("What to release", "median").press(RELEASE)
    assert [each.ready.mechanism.pair for each in kept(app)] == ["A4B1", "A1B1", "A1B1"]


def test_a_wish_for_accuracy_sets_the_budget_and_what_is_said_goes_once_anything_changes() -> None:
    wish = "I want 95 % of answers within ± this of the truth (unit of the answer)"
    app = asked().text(EPSILON, "0.7").text(wish, "1e-12").press("Find the ε")
    assert "cannot be had" in app.messages("error")[0]
    assert app.written(EPSILON) == "0.7"
    app.text(wish, "2").press("Find the ε")
    assert "within ±2 years" in app.messages("success")[0]
    assert float(app.metric("95 % of answers lie within").split()[1]) <= 2
    found = app.written(EPSILON)
    assert not app.text(EPSILON, f"{float(found) * 0.97:.4g}").messages("success")
    assert float(app.metric("95 % of answers lie within").split()[1]) > 1.99
    assert app.text(EPSILON, found).messages("success")
    assert not app.select("Function pair", "A1B1").messages("success")
    assert not app.text(wish, "0").messages("success")
    assert "It must be above 0, such as 2. Until then" in app.messages("error")[0]


# Conditions, groups, missing values


def test_a_count_with_a_condition_counts_the_rows_that_meet_it() -> None:
    app = asked("count").toggle("Only rows that meet a condition")
    app.select("Column of the condition", 1).select("Comparison", ">=")
    app.text("Compared with", "15").text(EPSILON, "50").press(RELEASE)
    wanted = sum(age >= 15 for _, age, _ in ROWS)
    # Off by even one has odds of e^-50 or so.
    assert kept(app)[0].answers[None].value == wanted
    assert app.kept["ledger"].entries[0].columns == ("age (years)",)


@pytest.mark.parametrize("kind", ["count", "sum", "median"])
def test_a_condition_that_nothing_meets_is_answered_like_any_other(kind: str) -> None:
    app = asked(kind).toggle("Only rows that meet a condition")
    app.select("Column of the condition", 2).text("Compared with", "zzz")
    assert not app.messages("error")
    app.press(RELEASE)
    assert kept(app)
    # The owner is told, and the publishable side is not.
    assert any("No row is read" in text for text in app.messages("warning"))


COMPARED = "Cells are compared as"


def conditional(what: str, data: bytes = TABLE) -> Driven:
    app = asked("count", data).toggle("Only rows that meet a condition")
    return app.select("Column of the condition", 1).text("Compared with", what)


def compared(app: Driven) -> list[str]:
    return [str(each.value) for each in app.every("button_group") if each.label == COMPARED]


def compare_as(app: Driven, kind: str) -> Driven:
    return app.pick(COMPARED, kind)


def test_cells_are_compared_as_what_they_are_compared_with_until_the_owner_says_otherwise() -> None:
    app = asked("count").toggle("Only rows that meet a condition")
    assert not compared(app)
    app.select("Column of the condition", 1).text("Compared with", "15")
    assert compared(app) == ["number"]
    assert compared(app.text("Compared with", "old")) == ["text"]
    assert 'number of rows where age (years) == "old"' in app.said()
    assert compared(compare_as(app.text("Compared with", "15"), "text")) == ["text"]
    assert 'number of rows where age (years) == "15"' in app.said()
    app.select("Comparison", ">=")
    assert "compares with text: use == or !=" in app.messages("error")[0]
    assert RELEASE not in app.labels("button")
    compare_as(app.text("Compared with", "old"), "number")
    assert "compare the cells as texts" in app.messages("error")[0]
    assert RELEASE not in app.labels("button")


def test_one_cell_moves_a_count_by_one_and_no_word_that_is_published() -> None:
    """Forty times 17.0, compared with 17: as texts, which one `x` used to make of all, none is."""
    rows = [f"p{i},17.0,a" for i in range(40)]
    released = []
    for data in (rows, ["p0,x,a", *rows[1:]]):
        table = "\n".join(["name,age (years),class", *data]).encode()
        app = conditional("17", table).text(EPSILON, "50").press(RELEASE)
        (one,) = kept(app)
        released.append(one.answers[None].value)
        assert one.answers[None].plan.text == "number of rows where age (years) == 17"
    assert released == [40, 39]
    assert any("1 cell of age (years) is no number" in text for text in app.messages("caption"))


def test_what_a_column_is_never_turns_with_one_cell() -> None:
    rows = [f"{i},{12 + i if i < 2 else 'NA'}" for i in range(52)]
    for data in (rows, ["0,abc", *rows[1:]]):
        app = opened("\n".join(["id,score", *data]).encode()).select("What to release", "sum")
        app.select("Of which column", 1).bounds(2, "0", "20")
        app.select("Missing values", "leave out").text(EPSILON, "50").press(RELEASE)
        (one,) = kept(app)
        assert one.ready.asked.inquiry.kind == "number"
        wanted = 25 if data is rows else 13
        assert one.answers[None].value == pytest.approx(wanted, abs=5)
        assert not app.messages("error")


def test_a_link_of_before_is_compared_as_its_constant_shows() -> None:
    said = {"statistic": "count", "condition": "on", "where": "1", "compare": ">=", "with": "15"}
    app = Driven(PAGE, **said).upload("t.csv", TABLE)
    assert compared(app) == ["number"]
    assert compared(app.text("Compared with", "b")) == ["text"]


def grouped(kind: str, categories: str) -> Driven:
    app = asked(kind).toggle("One answer for each group").select("Grouped by", 2)
    app.at.text_area[0].set_value(categories)
    return app.run()


@pytest.mark.parametrize(("notion", "cost"), [("replace one", 2), ("add or remove one", 1)])
def test_groups_cost_what_the_neighbours_make_them_cost(notion: str, cost: int) -> None:
    app = grouped("count", "a\nb\nc")
    if notion != "replace one":
        coming_and_going(app)
    app.text(EPSILON, "0.5").press(RELEASE)
    assert len(app.kept["ledger"].entries) == 3
    assert app.spent == Fraction(cost, 2)
    assert kept(app)[0].ready.cost == Fraction(cost, 2)


def test_an_unlisted_or_empty_group_shows_only_to_the_owner() -> None:
    whole, some = grouped("count", "a\nb\nc"), grouped("count", "a\nzzz")
    for app in (whole, some):
        assert not app.messages("error")
        app.press(RELEASE)
    assert set(kept(some)[0].answers) == {"a", "zzz"}
    owner = [text for text in some.messages("markdown") if "of 60" in text]
    assert owner == [f"{sum(c == 'a' for _, _, c in ROWS)} rows of 60."]
    some.at.text_area[0].set_value("a\na")
    assert "each category once" in some.run().messages("error")[0]


def test_a_mean_of_skipped_rows_needs_a_public_number_of_rows_and_says_how_it_is_filled() -> None:
    holes = TABLE + b"\nx,,a\ny,,b"
    app = asked(data=holes)
    # Offered whether or not any is missing.
    assert asked().labels("selectbox") == app.labels("selectbox")
    app.select("Missing values", "leave out")
    assert RELEASE not in app.labels("button")
    assert any("release the sum and the count" in text for text in app.messages("info"))
    # The owner learns that it is filled up, and how far.
    app.text(AT_LEAST, "62")
    assert any("2 middles of the bounds fill up" in text for text in app.messages("warning"))
    assert not app.text(AT_LEAST, "60").messages("warning")
    app.text(AT_LEAST, "50").press(RELEASE)
    assert kept(app)[0].answers[None].plan.sensitivity == Fraction(20, 50)
    # Rows that come and go: the most there could be does not hide how many there are.
    app = asked()
    coming_and_going(app, "50").text(AT_LEAST, "50")
    assert "60 rows of 60." in app.messages("markdown")
    assert not app.messages("warning")


def test_a_variance_is_refused_from_public_facts_with_the_way_out() -> None:
    app = asked("variance", b"name,age,class\nx,12,a\n")
    assert "needs at least 2 rows" in app.messages("error")[0]
    assert "12" not in app.messages("error")[0]
    assert RELEASE not in app.labels("button")
    coming_and_going(app)
    assert "neighbours that replace one row" in app.messages("error")[0]


def test_a_column_without_numbers_is_answered_like_any_other_and_the_owner_is_told() -> None:
    app = asked("sum", b"a,b\np,\nq,\n")
    assert not app.messages("error")
    assert any("2 values of 2 are missing" in text for text in app.messages("markdown"))
    assert kept(app.press(RELEASE))


# Release


def test_the_answer_is_drawn_once_and_the_true_one_shows_on_demand_to_the_owner_alone() -> None:
    exact = f"{sum(age for _, age, _ in ROWS) / len(ROWS):.6g}"
    app = asked().text(EPSILON, "0.1").press(RELEASE)
    (before,) = kept(app)
    tables = [str(frame.value) for frame in app.at.dataframe[-3:-1]]
    assert not any(exact in text for text in tables)
    assert exact not in app.said()
    (warning,) = app.messages("warning")
    assert "ε = 0.1 was already spent" in warning
    assert "it is ε = 0.2" in warning
    assert "average noise away" in warning
    app.text(EPSILON, "2").toggle("Show the exact answer")
    assert any(exact in str(frame.value) for frame in app.at.dataframe)
    (after,) = kept(app)
    assert after is before
    assert len(app.kept["ledger"].entries) == 1
    shown, _ = app.metric("Released answer").replace("−", "-").split()
    assert float(shown) == pytest.approx(before.answers[None].value, abs=1e-5)
    app.text(EPSILON, "0.1").press(AGAIN)
    assert len(kept(app)) == 2
    assert app.spent == Fraction(1, 5)


def test_the_picture_holds_no_value_of_the_table() -> None:
    one, other = asked(), asked(data=TABLE.replace(b",10,", b",19,"))
    assert one.chart("answer").spec == other.chart("answer").spec


def given(app: Driven, document: str) -> Driven:
    app.kept[is_open(SETTINGS_FILE)] = True
    app.run()
    file = ("s.json", document.encode(), "application/json")
    return app.set("file_uploader", "Settings file", file)


@pytest.mark.parametrize("kind", STATISTICS)
def test_every_statistic_is_released_charged_once_and_asked_again_by_its_file(kind: str) -> None:
    app = asked(kind).text(EPSILON, "0.7")
    if kind in ("count", "sum"):
        app.toggle("Only rows that meet a condition")
        app.select("Column of the condition", 2).text("Compared with", "a")
    (one,) = kept(app.press(RELEASE))
    (answer,) = one.answers.values()
    low, high = answer.mechanism.outputs
    assert low <= answer.value <= high
    assert answer.plan.statistic == kind
    (spend,) = app.kept["ledger"].entries
    assert spend.id == answer.identifier
    assert answer.epsilon == spend.epsilon == Fraction(7, 10)
    reading = from_json(settings_json(one.ready))
    assert not reading.notices
    assert isinstance(reading.settings, StatisticSettings)
    assert reading.settings.epsilon == Fraction(7, 10)
    assert reading.settings.inquiry == one.ready.asked.inquiry
    moved = "\n".join(",".join(reversed(row.split(","))) for row in TABLE.decode().splitlines())
    again = given(opened(moved.encode()), settings_json(one.ready))
    assert not again.messages("warning")
    before, after = one.ready, kept(again.press(RELEASE))[0].ready
    assert (after.epsilon, after.pair, after.steps) == (before.epsilon, before.pair, before.steps)
    assert after.asked.plan == before.asked.plan
    assert after.asked.inquiry.where == before.asked.inquiry.where


def test_a_number_that_was_compared_as_text_is_so_again() -> None:
    app = compare_as(conditional("15"), "text").press(RELEASE)
    again = given(opened(), settings_json(kept(app)[0].ready))
    assert not again.messages("warning")
    assert compared(again) == ["text"]
    assert kept(again.press(RELEASE))[0].ready.asked.inquiry == kept(app)[0].ready.asked.inquiry
    # A file of before does not say it.
    document = json.loads(settings_json(kept(app)[0].ready))
    document["where"] = [{"column": "age (years)", "comparison": ">=", "constant": 15.0}]
    assert compared(given(opened(), json.dumps(document))) == ["number"]


def test_the_script_does_not_say_which_rows_are_left_out_where_their_number_is_protected() -> None:
    app = asked("count").press(RELEASE)
    assert not any("the script does not say" in text for text in app.messages("caption"))
    coming_and_going(app).press(RELEASE)
    assert any("the script does not say" in text for text in app.messages("caption"))


def test_settings_that_do_not_fit_change_nothing_or_ask() -> None:
    document = json.loads(settings_json(kept(asked().press(RELEASE))[0].ready))
    app = given(asked("count"), json.dumps({**document, "label": "height"}))
    (warning,) = app.messages("warning")
    assert "height is no column of this table" in warning
    assert app._of("selectbox", "What to release").value == "count"
    where = [{"column": "school", "comparison": "==", "constant": "a"}]
    app = given(opened(), json.dumps({**document, "where": where}))
    assert any("school is not in this table" in text for text in app.messages("warning"))
    assert RELEASE not in app.labels("button")
    app = given(opened(), '{"columns": [{"position": 1, "inputs": [0, 9]}]}')
    assert any("the page Privatize opens them" in text for text in app.messages("warning"))


def test_a_spend_over_the_limit_is_refused_with_what_is_left() -> None:
    app = asked().text(EPSILON, "0.4").press(RELEASE).go(BUDGET)
    app.text("Limit for each table (empty: none)", "0.5").go(PAGE)
    assert "0.1 is left" in app.messages("error")[0]
    assert AGAIN not in app.labels("button")
    assert len(app.kept["ledger"].entries) == 1
    app.text(EPSILON, "0.1").press(AGAIN)
    assert len(app.kept["ledger"].entries) == 2


def test_the_mean_row_by_row_is_far_less_exact_and_uses_what_was_released() -> None:
    app = Driven("pages/privatize.py").press(SAMPLES[0].title)
    app.choose("Columns to privatize", [3]).press("Fill in the sample's public bounds")
    app.press("Release").go(PAGE).select("Of which column", 3)
    (said,) = [text for text in app.messages("markdown") if "released by itself" in text]
    assert "ε" not in said
    app.text("ε, exactly", "0.5")
    (said,) = [text for text in app.messages("markdown") if "released by itself" in text]
    assert re.search(r"at ε = 1; a mean released by itself by \S+ cm\S* at ε = 0\.5: ", said), said
    app.press(RELEASE)
    rows = app.at.dataframe[-1].value
    assert list(rows["from"]) == ["released", "released"]
    released = next(v for k, v in app.kept.items() if k.startswith("release.")).release
    said, unit = rows["mean"][0].split()
    assert unit == "cm"
    assert abs(float(said) - released.columns[0].values.mean()) <= 0.005 + 1e-9
    assert any("Both are your releases" in text for text in app.messages("caption"))


def test_a_link_restores_the_settings_and_nonsense_falls_back_with_a_notice() -> None:
    app = opened()
    said = {"statistic": "sum", "column": "2", "lower": "1", "upper": "30", "epsilon": "0.25"}
    for key, text in {**said, "neighbours": "everyone", "pair": "A9"}.items():
        app.at.query_params[key] = text
    app.run()
    assert (app.written("Lower bound"), app.written("Upper bound")) == ("1", "30")
    assert app.written(EPSILON) == "0.25"
    notices = next(text for text in app.messages("warning") if "is not used" in text)
    assert "neighbours=everyone" in notices
    assert "pair=A9" in notices
    app.press(RELEASE)
    inquiry = kept(app)[0].ready.asked.inquiry
    assert inquiry.statistic.name == "sum"
    assert inquiry.bounds == Interval(1, 30)


def test_leaving_and_returning_loses_nothing() -> None:
    app = asked("sum").text(EPSILON, "0.7").press(RELEASE)
    (before,) = kept(app)
    app.kept[is_open("statistic.see")] = True
    app.go("app.py").go(PAGE)
    assert app.written(EPSILON) == "0.7"
    assert app.written("Lower bound") == "0"
    assert kept(app) == [before]
    assert json.loads(app.chart("answer").spec)["data"]


def test_rows_without_a_value_are_not_among_those_that_are_read() -> None:
    holes = TABLE + b"\nx,,a\ny,,b"
    app = asked("sum", data=holes).select("Missing values", "leave out")
    assert "60 rows of 62." in app.messages("markdown")
    assert "All others have no value." in app.messages("caption")
    app.toggle("Only rows that meet a condition").select("Column of the condition", 2)
    app.text("Compared with", "a")
    assert f"{sum(c == 'a' for _, _, c in ROWS)} rows of 62." in app.messages("markdown")


def test_a_mean_of_other_rows_or_bounds_is_not_taken_for_the_released_one() -> None:
    app = Driven("pages/privatize.py").upload("t.csv", TABLE)
    app.choose("Columns to privatize", [1]).bounds(2, "0", "20").press("Release").awaited()
    app.go(PAGE).select("Of which column", 1).press(RELEASE)

    def origins() -> list[str]:
        return list(app.at.dataframe[-1].value["from"])

    assert origins() == ["released", "released"]
    app.text("Upper bound", "30")
    assert origins() == ["simulated", "simulated"]
    app.text("Upper bound", "20")
    assert origins() == ["released", "released"]
    app.text("Rows to leave out", "1-30")
    assert origins() == ["simulated", "simulated"]


def test_a_release_says_what_the_ledger_will_say_of_it() -> None:
    """Under two kinds of neighbours, and for groups side by side."""
    app = asked("count")
    coming_and_going(app).text(EPSILON, "0.5")
    app.press(RELEASE)
    app.at.radio[0].set_value("replace one")
    (warning,) = app.run().messages("warning")
    assert "after this release it is ε = 1.5." in warning
    assert "counts twice beside releases for replacing one" in warning
    app.go("pages/privatize.py").choose("Columns to privatize", [1]).bounds(2, "0", "20")
    warning = next(text for text in app.messages("warning") if "already spent" in text)
    assert "after this release it is ε = 2." in warning
    app.press("Release").awaited()
    assert app.spent == 2

    app = grouped("count", "a\nb").text(EPSILON, "0.5").press(RELEASE)
    app.at.text_area[0].set_value("c\nd")
    (warning,) = app.run().messages("warning")
    assert "it is ε = 1. That is less than this release by itself" in warning
    app.press(RELEASE)
    assert app.spent == 1


def test_groups_of_a_file_read_in_another_way_are_not_taken_for_the_same_groups() -> None:
    """Both columns are called class, one in each reading: a row lies in a group of each."""
    rows = "\n".join(f"{'ab'[i % 2]},{'xy'[i // 2 % 2]}" for i in range(40))
    app = opened(f"class,team\nteam,class\n{rows}".encode()).select("What to release", "count")
    coming_and_going(app)
    app.toggle("One answer for each group").select("Grouped by", 0)
    app.at.text_area[0].set_value("a\nb")
    app.run().press(RELEASE)
    assert app.spent == 1
    app.select("Which line holds the names?", 1).select("Grouped by", 1)
    app.at.text_area[0].set_value("x\ny")
    assert "it is ε = 2" in app.run().messages("warning")[0]
    app.press(RELEASE)
    assert app.spent == 2
    book = app.kept["ledger"]
    assert [entry.group.by for entry in book.entries] == ["class"] * 4
    assert len({entry.group.rule for entry in book.entries}) == 2


def test_the_made_up_answer_is_one_that_there_is() -> None:
    """Another step is another slider: the old place is no whole number, and its end none at all."""
    app = asked("median")
    app.at.slider[0].set_value(3.2)
    app.run().toggle("Anyone knows that this column holds whole numbers")
    assert app.at.slider[0].value == 10.0
    app.toggle("Anyone knows that this column holds whole numbers", on=False)
    assert app.at.slider[0].value == 3.2


def test_what_is_left_for_groups_is_said_of_all_answers_together() -> None:
    app = grouped("count", "a\nb\nc").text(EPSILON, "0.4").press(RELEASE).go(BUDGET)
    app.text("Limit for each table (empty: none)", "1").go(PAGE)
    (refusal,) = app.messages("error")
    assert "Ask for epsilon 0.2 or less for all of them together" in refusal
    # That much together is half of it for each answer.
    assert app.text(EPSILON, "0.11").messages("error")
    app.text(EPSILON, "0.1").press(AGAIN)
    assert app.spent == 1


def test_bounds_that_are_not_whole_are_named_where_whole_numbers_were_declared() -> None:
    known = "Anyone knows that this column holds whole numbers"
    app = asked("maximum", lower="0.5", upper="20.3").toggle(known)
    (said,) = [text for text in app.messages("info") if "whole number" in text]
    assert "moved to 0.5" in said
    assert "Take 1 and 20" in said
    app.bounds(2, "1", "20")
    assert not [text for text in app.messages("info") if "whole number" in text]
    (answer,) = kept(app.press(RELEASE).awaited())
    assert answer.answers[None].mechanism.lattice.spacing == 1


# Bins, and one budget for all answers


def binned(edges: str, notion: str = "replace one") -> Driven:
    app = asked("count").toggle("One answer for each group").select("Grouped by", 1)
    app.pick("Groups are", "bins")
    app.at.text_area[0].set_value(edges)
    app.run()
    return app if notion == "replace one" else coming_and_going(app)


@pytest.mark.parametrize("notion", ["replace one", "add or remove one"])
def test_a_histogram_costs_one_budget_whatever_its_number_of_bars(notion: str) -> None:
    app = binned("0\n10\n14\n20\n40", notion).pick("The budget is", "all")
    app.text(EPSILON, "1").press(RELEASE)
    (one,) = kept(app)
    assert list(one.answers) == ["[0, 10)", "[10, 14)", "[14, 20)", "[20, 40]"]
    assert app.spent == 1
    assert {each.epsilon for each in one.answers.values()} == {
        Fraction(1, 2) if notion == "replace one" else Fraction(1)
    }
    # A share of rows is told only where their number is public.
    shares = [frame for frame in app.at.dataframe if "share of all rows" in frame.value]
    assert len(shares) == (notion == "replace one")


@pytest.mark.parametrize(
    ("edges", "words"),
    [("0\nten", "must be numbers, one a line"), ("5\n5", "two or more that rise")],
)
def test_edges_that_are_none_are_refused_with_the_line(edges: str, words: str) -> None:
    app = binned(edges)
    assert words in app.messages("error")[0]
    assert RELEASE not in app.labels("button")


@pytest.mark.parametrize("page", ["pages/privatize.py", "pages/statistic.py"])
def test_who_sees_the_true_values_is_said_where_a_table_comes_in_and_where_it_leaves(
    page: str,
) -> None:
    """Also of a server: nothing promises the reader's own machine."""
    app = Driven(page)
    assert sum(WHO_SEES in text for text in app.messages("caption")) == 1
    assert "this machine" not in app.said("caption")
    app.upload("t.csv", b"age\n1\n2\n3\n")
    if "privatize" in page:
        app.choose("Columns to privatize", [0]).bounds(1, "0", "20")
    else:
        app = asked()
    assert sum(WHO_SEES in text for text in app.messages("caption")) == 2
