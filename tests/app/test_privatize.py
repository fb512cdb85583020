"""The Privatize page without a browser."""

from __future__ import annotations

import json
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from compdp_core.report import Statement, card_of_table
from pages.sections.privatize.files import settings_json
from pages.sections.shared.samples import SAMPLES
from pages.shell.panels import is_open
from tests.app.driving import Driven

PAGE = "pages/privatize.py"
TABLE = b"id,age,income (EUR)\n01,14,1200\n02,,900\n03,15,5000\n04,200,1100\n05,13,1300\n"
CHOICE = "Columns to privatize"
EPSILON = "ε, exactly"
SPLIT = "How the budget of a row is split over its columns"
SCHOOL = SAMPLES[0].title


def opened(data: bytes = TABLE, name: str = "t.csv") -> Driven:
    return Driven(PAGE).upload(name, data)


def ready() -> Driven:
    return opened().choose(CHOICE, [1]).bounds(2, "0", "20")


# Data


def test_columns_are_offered_by_position_but_for_free_text_and_names() -> None:
    app = opened(b"score,score,name,=2+5\n1,2,Ada,3\n4,5,Ben,6\n7,8,Cy,9\n")
    assert app.options(CHOICE) == ["score (column 1)", "score (column 2)", "=2+5"]
    assert "Not offered: **name**: " in app.said("caption")
    app.toggle("Offer these columns, too")
    assert app.options(CHOICE) == ["score (column 1)", "score (column 2)", "name", "=2+5"]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "The file is empty (0 bytes)"),
        (b"\n\n\n", "only blank lines"),
        (b"name,age\n", "no data rows, only a header"),
        (b"PK\x03\x04 xl/workbook.xml", "This is an Excel file"),
        (b'a,b\n1,"2\n', 'The quote " that opens a cell in line 2 is never closed'),
        (b"a,b\n\x00\x01\x02\x03", "This is a binary file"),
    ],
)
def test_what_is_no_table_gets_one_sentence_and_a_way_out(data: bytes, says: str) -> None:
    app = opened(data)
    (message,) = app.messages("error")
    assert says in message
    assert app.labels("button").count("Another table") == 1
    app.press("Another table").upload("t.csv", TABLE)
    assert app.options(CHOICE)


def test_a_refused_file_can_be_read_after_another_choice() -> None:
    app = opened(b'a,b\n1,2\n3,"4\n')
    assert "never closed" in app.messages("error")[0]
    app.select("Cells are quoted with", "")
    assert not app.messages("error")
    assert app.options(CHOICE) == ["a"]


def test_a_symbol_is_taken_off_only_after_consent() -> None:
    app = opened(b"name,height\nAda,172 cm\nBen,168 cm\nCy,181 cm\n")
    app.choose(CHOICE, [1])
    assert "once you take off the symbol or unit cm behind" in app.said("info")
    app.choose("Take symbols off these columns", [1])
    assert app.options(CHOICE) == ["height"]
    assert "once you take off" not in app.said("info")
    app.choose(CHOICE, [1]).bounds(2, "100", "220").press("Release").awaited()
    (done,) = app.releases
    assert done.csv().splitlines()[0] == b"name,height"


# Columns and bounds


def test_bounds_start_empty_and_the_extremes_show_only_on_demand() -> None:
    app = opened().choose(CHOICE, [1])
    assert app.written("Lower bound, age") == app.written("Upper bound, age") == ""
    assert not any("13" in text for text in app.messages("warning"))
    app.toggle("Peek at the smallest and largest value, age")
    (warning,) = app.messages("warning")
    assert "13 … 200" in warning
    assert "give these two values away" in warning


@pytest.mark.parametrize(("lower", "upper"), [("100", "0"), ("5", "5")])
def test_swapped_or_equal_bounds_are_refused_and_nothing_is_lost(lower: str, upper: str) -> None:
    app = opened().choose(CHOICE, [1]).bounds(2, lower, upper)
    assert f"lower below upper: {lower} does not lie below {upper}" in app.messages("error")[0]
    assert "Release" not in app.labels("button")
    app.bounds(2, "0", "20")
    assert not app.messages("error")
    assert "Release" in app.labels("button")


@pytest.mark.parametrize("text", ["abc", "nan", "inf", "-inf", "1e999", "1,2,3", "--1"])
def test_what_is_no_finite_number_is_refused_and_kept_to_be_corrected(text: str) -> None:
    app = opened().choose(CHOICE, [1]).text("Lower bound, age", text)
    assert "is not a finite number" in app.messages("error")[0]
    assert app.written("Lower bound, age") == text


# Privacy


def test_no_epsilon_out_of_range_gets_through() -> None:
    app = ready()
    for text in ("0", "-1", "nan", "inf", "abc", "", "1e-320", "1000"):
        app.text(EPSILON, text)
        assert "Until then 1 stays in force" in app.messages("error")[0], text
    app.text(EPSILON, "0,73")
    assert app.at.select_slider[0].value == Decimal("0.7")
    app.at.select_slider[0].set_value(Decimal("2.5"))
    app.run()
    assert app.written(EPSILON) == "2.5"
    app.press("Release").awaited()
    assert app.releases[0].epsilon == Decimal("2.5")


def test_the_budget_is_split_exactly_over_the_columns() -> None:
    app = Driven(PAGE).press(SCHOOL).choose(CHOICE, [2, 3, 4])
    app.press("Fill in the sample's public bounds").text(EPSILON, "0.1")
    # What a row gives away beside what one column does: 1 / (1 + e^-0.1).
    assert any("ε = 0.1, a guess is right at most **52.5 %**" in c for c in app.messages("caption"))
    app.press("Release").awaited()
    (done,) = app.releases
    assert [column.plan.epsilon for column in done.columns] == [Fraction(1, 30)] * 3
    assert done.epsilon == Fraction(1, 10)


def test_epsilon_by_hand_adds_up() -> None:
    app = Driven(PAGE).press(SCHOOL).choose(CHOICE, [2, 3])
    app.press("Fill in the sample's public bounds")
    app.set("radio", SPLIT, "by hand")
    app.text("ε of age (years)", "0.2").text("ε of height (cm)", "0.1").press("Release").awaited()
    assert app.releases[0].epsilon == Fraction(3, 10)


def test_an_error_wish_sets_the_budget_or_says_what_to_do() -> None:
    app = ready().text("I need a typical error below (in the column's unit)", "5")
    app.press("Find the ε")
    assert float(app.written(EPSILON)) > 1
    assert "for this column" in app.messages("success")[0]
    assert float(next(m.value.split()[0] for m in app.at.metric if "typically" in m.label)) <= 5
    found = app.written(EPSILON)
    assert not app.text(EPSILON, "0.05").messages("success")
    assert app.text(EPSILON, found).messages("success")
    assert not app.select("Function pair", "A3B1").messages("success")
    wish = "I need a typical error below (in the column's unit)"
    app.select("What this column holds, age", "number").text(wish, "1e-9").press("Find the ε")
    assert "ask for a larger error" in app.messages("error")[0]
    app.text(wish, "-1")
    said = "The error must be above 0, such as 10. Until then 0.000000001 stays in force."
    assert said in app.messages("error")


def test_hard_bounds_that_cannot_be_kept_name_the_three_ways_out() -> None:
    app = ready().toggle("Set hard output bounds myself")
    app.text("Smallest released value", "-1").text("Largest released value", "21")
    (message,) = app.messages("error")
    for way in ("raise epsilon", "widen the outputs", "narrow the inputs"):
        assert way in message
    app.text("Smallest released value", "-60").text("Largest released value", "80")
    app.press("Release").awaited()
    (done,) = app.releases
    assert done.columns[0].values.min() >= -60
    assert done.columns[0].values.max() <= 80


def test_every_pair_can_be_released() -> None:
    for pair in ("A1B1", "A2B1", "A3B2"):
        app = ready().select("Function pair", pair).press("Release").awaited()
        assert app.releases[0].columns[0].composite.pair == pair


# See and compare


def unfolded(app: Driven) -> Driven:
    """The steps that a release has folded, opened again."""
    app.kept.update({is_open("privatize.see"): True, is_open("privatize.compare"): True})
    return app.run()


def test_what_was_looked_at_folds_once_it_is_passed_and_its_step_stays_a_link() -> None:
    app = opened(TABLE)
    bar = app.bar()
    assert bar["● Columns (now)"] == "#step-2"
    assert bar["○ Compare (not yet)"] is None
    assert [said for said, link in bar.items() if link is None] == [
        "○ Privacy (not yet)", "○ See it (not yet)", "○ Compare (not yet)"
    ]  # fmt: skip
    app = ready()
    assert set(app.charts) >= {"see", "compare"}
    assert "Inputs lie in 0 … 20 units" in app.chart("see").alt
    assert app.bar()["● Release (now)"] == "#step-6"
    app.press("Release").awaited()
    assert not {"see", "compare"} & set(app.charts)
    assert app.bar()["✓ Compare (done)"] == "#step-5"
    # What was opened by hand stays open.
    unfolded(app).go("pages/budget.py").go(PAGE)
    assert set(app.charts) >= {"see", "compare"}


def test_charts_hold_bins_and_no_single_values() -> None:
    rng = np.random.default_rng(1)
    values = rng.uniform(0, 100, 5000)
    app = opened(b"x\n" + "\n".join(f"{value:.9f}" for value in values).encode())
    unfolded(app.choose(CHOICE, [0]).bounds(1, "0", "100").press("Release").awaited())
    for key in ("see", "compare", "outcome-0"):
        spec = json.loads(app.chart(key).spec)
        assert all(len(trace["x"]) <= 300 for trace in spec["data"] if isinstance(trace["x"], list))
        assert f"{values[17]:.6f}" not in app.chart(key).spec


# Release


def test_noise_is_drawn_once_and_reruns_and_downloads_draw_none() -> None:
    app = ready().press("Release").awaited()
    (before,) = app.releases
    file = before.csv()
    # It keeps what was not privatized.
    rows, was = ([line.split(b",") for line in data.splitlines()] for data in (file, TABLE))
    assert [row[::2] for row in rows] == [row[::2] for row in was]
    low, high = before.columns[0].composite.outputs
    assert all(low <= float(row[1]) <= high and float(row[1]).is_integer() for row in rows[1:])
    app.toggle("Peek at the smallest and largest value, age")
    app.text(EPSILON, "2")
    (after,) = app.releases
    assert after is before
    assert after.csv() == file
    assert any("changed since" in text for text in app.messages("info"))
    assert len(app.kept["ledger"].entries) == 1


def test_a_second_release_is_a_second_spend_and_says_so_before() -> None:
    app = ready().text(EPSILON, "0.1").press("Release").awaited()
    (warning,) = app.messages("warning")
    assert "after this release it is ε = 0.2" in warning
    first = app.releases[0].csv()
    app.press("Release once more").awaited()
    assert app.releases[0].csv() != first
    assert app.spent == Fraction(1, 5)
    assert any("release 2 of this table" in text for text in app.messages("success"))


@pytest.mark.parametrize(("policy", "rows", "empty"), [("fill", 5, 0), ("keep", 5, 1),
                                                       ("drop", 4, 0)])  # fmt: skip
def test_missing_values_follow_the_chosen_policy(policy: str, rows: int, empty: int) -> None:
    app = ready().select("Missing values, age", policy).press("Release").awaited()
    cells = [line.split(b",")[1] for line in app.releases[0].csv().splitlines()[1:]]
    assert len(cells) == rows
    assert cells.count(b"") == empty


def test_leaving_and_returning_loses_nothing() -> None:
    app = ready().text(EPSILON, "0.7").select("What this column holds, age", "number")
    app.press("Release").awaited()
    (before,) = app.releases
    app.go("app.py").go(PAGE)
    assert app.written(EPSILON) == "0.7"
    assert app.written("Lower bound, age") == "0"
    assert app._of("multiselect", CHOICE).value == [1]
    assert app.releases == [before]
    assert app.chart("outcome-1")


def test_another_table_starts_afresh_and_the_ledger_stays() -> None:
    app = ready().press("Release").awaited().press("Another table")
    app.upload("u.csv", TABLE + b"06,3,4\n")
    assert app._of("multiselect", CHOICE).value == []
    assert len(app.kept["ledger"].entries) == 1
    app.press("Another table").upload("t.csv", TABLE)
    assert app.written("Upper bound, age") == "20"
    assert any("Released at" in text for text in app.messages("success"))


def test_names_are_shown_exactly_as_typed() -> None:
    name = "cost $USD *b* <i>x</i>"
    app = opened(f"{name},:red[g]\n1,2\n3,4\n".encode()).choose(CHOICE, [0])
    assert app.options(CHOICE) == [name, ":red[g]"]
    unfolded(app.bounds(1, "0", "10").press("Release").awaited())
    axis = json.loads(app.chart("see").spec)["layout"]["xaxis"]
    assert axis["title"]["text"] == "released cost $USD *b* &lt;i&gt;x&lt;/i&gt;"
    assert all(name not in label for kind in ("text_input", "toggle") for label in app.labels(kind))


def test_two_sessions_with_different_tables_do_not_mix() -> None:
    one, two = ready(), opened(TABLE.replace(b"200", b"99")).choose(CHOICE, [1])
    two.bounds(2, "0", "20")
    assert any("−45" in text for text in one.messages("markdown"))
    assert not any("−45" in text for text in two.messages("markdown"))


def test_a_column_that_gives_a_private_one_away_is_named_to_the_owner_before_a_release() -> None:
    rows = [(i % 17, i * i % 29, i % 17 + i * i % 29, i * 7 % 11) for i in range(40)]
    data = "math,art,total,age\n" + "\n".join(",".join(map(str, row)) for row in rows)
    app = Driven(PAGE).upload("t.csv", data.encode()).choose(CHOICE, [0]).bounds(1, "0", "20")
    (warning,) = [text for text in app.messages("warning") if "worked out" in text]
    assert "**total** is the sum of **math** and **art**" in warning
    assert "true values of **math**" in warning
    app.press("Release").awaited()
    (release,) = app.releases
    assert "worked out" not in settings_json(release, {0: Statement()})
    assert "worked out" not in card_of_table(release, {0: Statement()}).to_html()
    unrelated = app.choose(CHOICE, [3]).bounds(4, "0", "20")
    assert not [text for text in unrelated.messages("warning") if "worked out" in text]
