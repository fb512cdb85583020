"""Whose privacy it is: asked on both release pages before any budget, and kept for both."""

from __future__ import annotations

import json

import pytest

from compdp_core.report import Statement, card_of_table
from pages.sections.privatize.files import settings_json
from pages.sections.privatize.split_choice import QUESTION as SPLIT_QUESTION
from pages.sections.shared.person import QUESTION, WHO
from pages.sections.shared.person_answer import PERSON, ROWS
from pages.sections.statistic.files import settings_json as statistic_json
from pages.sections.statistic.settings import SETTINGS
from pages.shell.panels import is_open
from pages.text.wording import OF_PERSONS
from tests.app.driving import Driven

PRIVATIZE, STATISTIC = "pages/privatize.py", "pages/statistic.py"
BOTH = pytest.mark.parametrize("page", [PRIVATIZE, STATISTIC])
E06 = (
    b"patient_id,visit,bp\nP1,1,120\nP1,2,125\nP1,3,118\nP2,1,140\nP2,2,138\nP3,1,110\n"
)  # fmt: skip
PLAIN = b"name,visit,bp\nAna,1,120\nBo,1,125\nCy,2,118\nDi,1,140\nEm,2,138\nFi,1,110\n"
COLUMNS = "Columns that are the same in all rows of a person"
AT_MOST = "Rows of one person at most, k (public)"
BEYOND = "Further rows of a person"
NO_SENSE = "What it says of persons makes no sense"
PEEK = "Peek at who has the most rows"


def opened(page: str, data: bytes = E06) -> Driven:
    return Driven(page).upload("visits.csv", data)


def answered(page: str, at_most: str = "3") -> Driven:
    return opened(page).set("radio", QUESTION, PERSON).text(AT_MOST, at_most)


def beyond_the_data(app: Driven) -> list[str]:
    """Steps that can be seen below the first."""
    return [step for step, link in app.bar().items() if link][1:]


@BOTH
def test_no_step_can_be_seen_before_it_is_said_whose_privacy_it_is(page: str) -> None:
    app = opened(page)
    assert "**patient_id** repeats: 3 values in 6 rows" in app.said("warning")
    assert not beyond_the_data(app)
    assert not any("ε" in label for label in app.labels("text_input"))
    app.set("radio", QUESTION, PERSON)
    assert "at most how many rows" in app.said("info")
    assert not beyond_the_data(app)
    app.text(AT_MOST, "0")
    assert "must be a whole number from 1" in app.said("error")
    app.text(AT_MOST, "3")
    assert beyond_the_data(app)
    assert "all rows with the same patient_id, 3 rows at most" in app.said("caption")
    app.choose(COLUMNS, [])
    assert "which rows are one person's" in app.said("info")
    assert not beyond_the_data(app)
    app.set("radio", QUESTION, ROWS)
    assert beyond_the_data(app)


@BOTH
def test_where_nothing_repeats_the_block_is_closed_and_can_be_opened(page: str) -> None:
    app = opened(page, PLAIN)
    assert beyond_the_data(app)
    assert "Every row counts as another person" in app.said("caption")
    assert QUESTION not in app.labels("radio")
    app.kept[is_open("whose-privacy")] = True
    app.run().set("radio", QUESTION, PERSON)
    assert "which rows are one person's" in app.said("info")
    assert not beyond_the_data(app)
    app.choose(COLUMNS, [1]).text(AT_MOST, "4")
    assert "all rows with the same visit, 4 rows at most" in app.said("caption")
    assert beyond_the_data(app)


def test_the_most_rows_are_typed_by_the_owner_and_shown_on_demand_alone() -> None:
    app = opened(PRIVATIZE).set("radio", QUESTION, PERSON)
    assert app.written(AT_MOST) == ""
    assert "has 3" not in app.said()
    app.toggle(PEEK)
    assert "Of 3 persons, the one with the most rows has 3" in app.said("warning")


def test_one_answer_for_both_pages_and_none_for_another_table() -> None:
    app = answered(PRIVATIZE).go(STATISTIC)
    assert app.written(AT_MOST) == "3"
    assert beyond_the_data(app)
    app.set("radio", BEYOND, "refuse").go(PRIVATIZE)
    assert "more are refused" in app.said("caption")
    app.press("Another table").upload("other.csv", E06.replace(b"110", b"111"))
    assert not beyond_the_data(app)
    app.press("Another table").upload("visits.csv", E06)
    assert app.written(AT_MOST) == "3"


def test_both_answers_say_what_they_protect() -> None:
    (asked,) = [each for each in opened(PRIVATIZE).every("radio") if each.label == QUESTION]
    assert asked.value is None
    assert list(asked.options) == list(WHO.values())


# Privatize

CHOICE, EPSILON = "Columns to privatize", "ε, exactly"
THIRD = "ε = 1/3 ≈ 0.333333"


def planned(per: str = "person", at_most: str = "3", columns: tuple[int, ...] = (2,)) -> Driven:
    app = answered(PRIVATIZE, at_most).choose(CHOICE, columns)
    for column in columns:
        app.bounds(column + 1, "0", "200")
    return app.pick("The budget is set for", per)


@pytest.mark.parametrize(
    ("per", "person", "row"), [("row", "ε = 3", "ε = 1"), ("person", "ε = 1", THIRD)]
)
def test_a_person_with_three_rows_spends_three_or_each_row_a_third(
    per: str, person: str, row: str
) -> None:
    app = planned(per)
    assert f"Privacy budget ε for one {per}" in app.labels("select_slider")
    assert f"One row spends {row}, one person with 3 rows {person}." in app.said().replace(
        "*", ""
    ).replace("\u00a0", " ")
    assert f"This spends {person} for every person: 3 rows at most, {row} each" in (
        app.said("markdown").replace("*", "")
    )
    app.press("Release").awaited()
    (done,) = app.releases
    assert f"6 rows, {person} for one person" in app.said("success").replace("\u00a0", " ")
    assert done.plan.epsilon == 3 * done.plan.row_epsilon == app.spent == int(person[4:])
    (entry,) = app.kept["ledger"].entries
    assert entry.person.at_most == 3
    card = card_of_table(done, {2: Statement("", "")}).as_dict()
    assert f"ε = {card['privacy']['epsilon']}" == person
    assert card["privacy"]["person"]["at_most"] == 3
    assert f"ε = {card['items'][0]['epsilon']}" == row.partition(" ≈")[0]
    app.go("pages/budget.py")
    assert app.metric("Spent on every person") == person


def test_columns_that_say_whose_a_row_is_cannot_be_privatized() -> None:
    data = E06.replace(b"P", b"")
    app = opened(PRIVATIZE, data).set("radio", QUESTION, ROWS)
    assert app.options(CHOICE) == ["patient_id", "visit", "bp"]
    app.set("radio", QUESTION, PERSON).text(AT_MOST, "3")
    assert app.options(CHOICE) == ["visit", "bp"]
    # Also once columns are chosen, and where one of them becomes the person's.
    app.choose(CHOICE, [2])
    assert "patient_id says whose a row is" in app.said("caption")
    app.choose(COLUMNS, [0, 2])
    assert app.options(CHOICE) == ["visit"]
    assert "patient_id and bp say whose a row is" in app.said("caption")


def test_rows_beyond_are_left_out_at_random_and_only_the_owner_is_told_how_many() -> None:
    app = planned(at_most="2")
    assert "Of 6 rows of 3 persons, 1 row will be left out" in app.said("markdown")
    app.press("Release").awaited()
    (done,) = app.releases
    lines = done.csv().decode().splitlines()
    assert [line[:2] for line in lines] == ["pa", "P1", "P1", "P2", "P2", "P3"]
    assert app.spent == 1


def test_where_rows_beyond_are_refused_nothing_is_released() -> None:
    app = planned(at_most="2").set("radio", BEYOND, "refuse")
    assert "Somebody has more than 2 rows" in app.said("error")
    assert "Release" not in app.labels("button")
    app.text(AT_MOST, "3")
    assert "Release" in app.labels("button")


def test_a_share_that_is_too_small_is_refused_with_the_ways_out() -> None:
    app = planned().text(AT_MOST, "2000")
    (refusal,) = app.messages("error")
    assert refusal.startswith("A value would get ε = 0.0005, and 0.001 is the least")
    assert "fewer rows" in refusal
    assert "Release" not in app.labels("button")


@pytest.mark.parametrize("at_most", ["2", "1000"])
def test_a_mean_by_itself_is_as_far_off_as_its_own_page_says(at_most: str) -> None:
    app = planned(at_most=at_most)
    alone = app.metric("A mean released by itself is off by about")
    app.go(STATISTIC).select("Of which column", 2)
    assert app.metric("It is typically off by") == alone.removesuffix(" units")


# Settings files


def settings_of(app: Driven) -> str:
    (done,) = app.releases
    return settings_json(done, {c.plan.position: Statement("", "") for c in done.columns})


def document_of(page: str) -> str:
    if page == PRIVATIZE:
        return settings_of(planned().press("Release").awaited())
    app = asked().press(RELEASE)
    kept = next(v for name, v in app.kept.items() if name.startswith("answers."))[0]
    return statistic_json(kept.ready)


def given(app: Driven, document: str, page: str = PRIVATIZE) -> Driven:
    app.kept[is_open("statistic.settings" if page == STATISTIC else "privatize.settings")] = True
    return app.run().set(
        "file_uploader", "Settings file", ("s.json", document.encode(), "application/json")
    )


@pytest.mark.parametrize("per", ["person", "row"])
def test_whose_privacy_comes_back_from_a_settings_file_with_the_same_plan(per: str) -> None:
    first = planned(per, "2", (1, 2)).set("radio", BEYOND, "leave out").press("Release").awaited()
    app = given(opened(PRIVATIZE).set("radio", QUESTION, ROWS), settings_of(first))
    assert app.written(AT_MOST) == "2"
    app.press("Release").awaited()
    (before,), (after,) = first.releases, app.releases
    assert after.plan == before.plan


@BOTH
@pytest.mark.parametrize(
    ("nonsense", "why"),
    [
        ({"by": ["gone"], "at_most": 3}, "By it, rows with the same gone are one person's"),
        ({"by": ["bp", "gone"], "at_most": 3}, "gone is no column of this table"),
        ({"by": ["patient_id"], "at_most": 0}, NO_SENSE),
        ("me", NO_SENSE),
        (3, NO_SENSE),
    ],
)
def test_a_file_whose_person_makes_no_sense_makes_the_page_ask_again_and_say_why(
    page: str, nonsense: object, why: str
) -> None:
    document = json.loads(document_of(page))
    document["person"] = nonsense
    app = given(answered(page), json.dumps(document), page)
    assert not beyond_the_data(app)
    assert why in app.said("warning")
    app.set("radio", QUESTION, ROWS)
    assert beyond_the_data(app)
    assert "whose" not in app.said("warning")
    app = given(opened(page, PLAIN), json.dumps(document), page)
    assert not beyond_the_data(app)


def test_a_file_from_before_says_nothing_of_it_and_one_of_rows_is_taken_at_its_word() -> None:
    document = json.loads(settings_of(planned().press("Release").awaited()))
    del document["person"]
    app = given(answered(PRIVATIZE), json.dumps(document))
    assert beyond_the_data(app)
    assert app.written(AT_MOST) == "3"
    document["person"] = None
    given(app, json.dumps(document))
    assert "Every row counts as another person" in app.said("caption")


# Release a statistic

COUNTS = "What of a person counts"
TABLES = "Two tables that must look alike differ in this:"
RELEASE = "Release the answer"


def asked(kind: str = "mean", at_most: str = "3", data: bytes = E06) -> Driven:
    app = Driven(STATISTIC, statistic=kind, column="3").upload("visits.csv", data)
    app.set("radio", QUESTION, PERSON).text(AT_MOST, at_most)
    return app if kind == "count" else app.bounds(3, "60", "220")


def test_the_question_speaks_of_persons_and_so_do_cost_and_ledger() -> None:
    app = asked()
    (notion,) = [each for each in app.every("radio") if each.label.startswith("Two tables")]
    assert list(notion.options) == list(OF_PERSONS.values())
    # k (b - a) / (N + k - 1)
    assert app.metric("One person can change it by") == "96"
    assert "This spends **ε = 1** for every person" in app.said("markdown")
    assert "any one person" in app.said("caption")
    app.press(RELEASE)
    assert "ε = 1 for one person" in app.said("success").replace("\u00a0", " ")
    (entry,) = app.kept["ledger"].entries
    assert entry.person.by == ("patient_id",)


def test_what_of_a_person_counts_comes_with_advice() -> None:
    app = asked()
    assert "The smaller one is that of one value of each person" in app.said("caption")
    assert "They are different questions" in app.said("caption")
    error = float(app.metric("It is typically off by").split()[0])
    app.select(COUNTS, "mean")
    assert float(app.metric("It is typically off by").split()[0]) < error
    assert "the mean of bp of each patient_id" in app.said("markdown")
    app.select("What to release", "sum").select(COUNTS, "total").bounds(3, "60", "660")
    assert "bounds does a person's total lie" in app.said("markdown")
    assert "rows have the smaller error" in app.said("caption")
    app.select(COUNTS, "rows")
    assert "closer bounds than that for a person's total" in app.said("caption")


@pytest.mark.parametrize(
    ("kind", "counts"), [("mean", "total"), ("median", "total"), ("sum", "mean")]
)
def test_ways_that_ask_something_else_between_other_bounds_are_not_compared(
    kind: str, counts: str
) -> None:
    app = asked().select("What to release", kind).select(COUNTS, counts).bounds(3, "60", "220")
    assert "What to expect of the released answer" in app.said("markdown")
    assert "smaller" not in app.said("caption").replace("Smaller ε", "")


@pytest.mark.parametrize(
    ("at_most", "told"),
    [
        ("2", "rows 1.36, persons 1.36. One is a number of rows"),
        ("3", "persons 1.36. The smaller one is that of persons. One"),
    ],
)
def test_errors_of_counts_are_compared_and_equal_ones_are_not_ranked(
    at_most: str, told: str
) -> None:
    assert told in asked("count", at_most).said("caption")


def test_bounds_of_a_total_are_none_of_the_values_there_or_on_the_other_page() -> None:
    app = planned().go(STATISTIC).select("Of which column", 2)
    assert app.written("Upper bound") == "200"
    app.select(COUNTS, "total")
    assert app.written("Upper bound") == ""
    app.bounds(3, "0", "700")
    assert app.select(COUNTS, "mean").written("Upper bound") == "200"
    assert app.select(COUNTS, "total").written("Upper bound") == "700"
    assert app.go(PRIVATIZE).written("Upper bound, bp") == "200"


def test_a_link_of_totals_sets_their_bounds_alone() -> None:
    link = {"statistic": "sum", "counts": "total", "column": "3", "lower": "60", "upper": "700"}
    app = Driven(STATISTIC, **link).upload("visits.csv", E06)
    app.set("radio", QUESTION, PERSON).text(AT_MOST, "3")
    assert app.written("Upper bound") == "700"
    assert app.select(COUNTS, "rows").written("Upper bound") == ""


def test_a_samples_bounds_are_not_offered_for_totals() -> None:
    app = Driven(STATISTIC, column="8").press("Running watch")
    app.set("radio", QUESTION, PERSON).text(AT_MOST, "20")
    assert "Fill in the sample's public bounds" in app.labels("button")
    app.select(COUNTS, "total")
    assert "Fill in the sample's public bounds" not in app.labels("button")


def test_the_exact_answer_is_that_of_the_rows_that_were_drawn() -> None:
    app = asked("sum", "1").text(EPSILON, "50").press(RELEASE)
    app.at.toggle(key="show-exact-answer").set_value(True)
    first = list(app.run().at.dataframe[-1].value["exact"])
    for _ in range(3):
        assert list(app.run().at.dataframe[-1].value["exact"]) == first
    (kept,) = next(value for name, value in app.kept.items() if name.startswith("answers."))
    # One row of each person: 118, 120 or 125, and 138 or 140, and 110.
    assert kept.exact[None].value in {a + b + 110 for a in (118, 120, 125) for b in (138, 140)}
    assert "drawn for this very release" in app.said("caption")


def test_a_person_in_several_groups_costs_each_of_them() -> None:
    app = asked("count").toggle("One answer for each group").select("Grouped by", 1)
    app.set("text_area", "Categories, one a line", "1\n2\n3")
    most = "Groups in which one person is read at most (public)"
    assert "cost **ε = 2** together" in app.said("info")
    assert "up to 2 answers change" in app.said("info")
    assert "A release draws anew" in app.said("caption")
    app.text(most, "2")
    assert "read in 2 groups at most" in app.said("info")
    assert "cost **ε = 3** together" in app.said("info")
    assert "any of the answers may change" in app.said("info")
    app.press(RELEASE)
    assert app.spent == 3
    app.set("radio", BEYOND, "refuse").text(AT_MOST, "2")
    assert "Somebody has more than 2 rows" in app.said("error")
    assert "Release once more" not in app.labels("button")


@pytest.mark.parametrize(
    ("counts", "middles"), [("rows", "1 middle"), ("mean", "4 middles"), ("total", "4 middles")]
)
def test_what_a_mean_surely_reads_is_compared_with_rows_or_with_persons(
    counts: str, middles: str
) -> None:
    """Seven are said; six rows of three persons there are."""
    what = "rows" if counts == "rows" else "persons"
    app = asked().select(COUNTS, counts).bounds(3, "60", "220")
    app.set("radio", TABLES, "add or remove one")
    app.text("Rows there could be at most (public)", "50")
    assert f"the number of {what} that the mean reads is protected" in app.said("info")
    app.text(f"{what.capitalize()} that are surely read (public)", "7")
    assert f"7 are surely read: {middles}" in app.said("warning")


@pytest.mark.parametrize(("counts", "what"), [("rows", "Rows"), ("mean", "Persons")])
def test_a_statistic_that_is_refused_says_so_once(counts: str, what: str) -> None:
    app = asked(at_most="2").set("radio", BEYOND, "refuse").select(COUNTS, counts)
    app.set("radio", TABLES, "add or remove one")
    app.text("Rows there could be at most (public)", "50")
    app.text(f"{what} that are surely read (public)", "7")
    (refusal,) = app.messages("error")
    assert refusal.startswith("Somebody has more than 2 rows")
    assert RELEASE not in app.labels("button")


@pytest.mark.parametrize("counts", ["mean", "total"])
def test_settings_of_a_statistic_of_persons_come_back(counts: str) -> None:
    app = asked().select(COUNTS, counts).bounds(3, "60", "220").press(RELEASE)
    (kept,) = next(value for name, value in app.kept.items() if name.startswith("answers."))
    again = opened(STATISTIC).set("radio", QUESTION, ROWS)
    again.kept[is_open("statistic.settings")] = True
    file = ("s.json", statistic_json(kept.ready).encode(), "application/json")
    again.run().set("file_uploader", "Settings file", file).press(RELEASE)
    (other,) = next(value for name, value in again.kept.items() if name.startswith("answers."))
    assert other.ready.asked.inquiry == kept.ready.asked.inquiry


@pytest.mark.parametrize(("answer", "released"), [(PERSON, False), (ROWS, True)])
def test_a_mean_of_all_rows_is_not_compared_with_a_table_of_drawn_ones(
    answer: str, released: bool
) -> None:
    app = planned("row", "2").set("radio", QUESTION, answer).press("Release").awaited()
    app.go(STATISTIC).set("radio", QUESTION, ROWS).select("Of which column", 2)
    assert app.kept["statistic.both_ways"][1].rows.released is released


def test_a_mean_of_all_rows_is_not_compared_with_one_of_sampled_rows() -> None:
    app = opened(PRIVATIZE).set("radio", QUESTION, ROWS).choose(CHOICE, [1, 2])
    app.bounds(2, "0", "9").bounds(3, "0", "200").set("radio", SPLIT_QUESTION, "sampled")
    app.press("Release").awaited()
    assert app.releases[0].plan.answered == 1
    app.go(STATISTIC).select("Of which column", 2)
    assert not app.kept["statistic.both_ways"][1].rows.released


def test_no_link_speaks_of_the_person() -> None:
    assert not [each for each in SETTINGS if each.name.startswith("person.")]
