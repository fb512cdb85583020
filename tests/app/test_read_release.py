"""Read a release, without a browser."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any
from unittest.mock import patch

import pytest

from compdp_core.estimates.likelihood import quantiles
from compdp_core.intervals import Interval
from compdp_core.randomness import SeededSource
from compdp_core.release import ColumnPlan, Plan, release
from compdp_core.report import Statement, card_of_table
from compdp_core.tables import read
from compdp_core.tables.categories import Categories
from pages.sections.read_release.asked import FIRST, GROUPED
from pages.sections.read_release.example import COPIED
from pages.session.jobs import Job
from pages.shell.panels import is_open
from pages.text.wording import STAYS
from tests.app.driving import Driven
from tests.app.kinds import ANSWERS, LABELS, SIZES
from tests.app.kinds import table as of_all_kinds

PAGE, PRIVATIZE = "pages/read_release.py", "pages/privatize.py"
EXAMPLE, COLUMN, LIMIT = "Try it on an example", "Column", "Share of rows above this limit (points)"
TABLE = ("name,age (years)\n" + "".join(f"p{i},{10 + i % 9}\n" for i in range(60))).encode()
KINDS: dict[str, dict[str, Any]] = {
    "answer": {"kind": "category", "categories": Categories.of(ANSWERS)},
    "day": {"kind": "date", "inputs": ("2024-01-01", "2024-12-31")},
    "time": {"kind": "time", "inputs": ("08:00", "18:00")},
    "size": {"kind": "scale", "categories": Categories.of(SIZES)},
    "score": {"kind": "whole", "inputs": Interval(0, 20)},
}


def handed_in(app: Driven, *, file: bytes | None = None, card: bytes | None = None) -> Driven:
    """Hand in a file, a card, or both."""
    for place, (name, data) in enumerate((("f.csv", file), ("f_card.json", card))):
        if data is not None:
            app.every("file_uploader")[place].set_value((name, data, "text/plain"))
    return app.run()


@cache
def made(rows: int = 2000, epsilon: int = 4) -> tuple[bytes, bytes]:
    """File and card of a table with a column of every kind."""
    table = read(of_all_kinds(rows=rows))
    plans = [
        ColumnPlan(epsilon=Fraction(epsilon), **how).placed(table, LABELS.index(name))
        for name, how in KINDS.items()
    ]
    drawn = release(table, Plan(tuple(plans)), source=SeededSource(3))
    card = card_of_table(drawn, {LABELS.index("score"): Statement(unit="points")})
    return drawn.csv(), card.to_json().encode()


def all_there(app: Driven) -> Driven:
    """The page once all is worked out."""
    while any(isinstance(each, Job) for each in app.kept.values()):
        app.awaited()
    return app


def opened(rows: int = 2000, epsilon: int = 4, **link: str) -> Driven:
    file, card = made(rows, epsilon)
    return all_there(handed_in(Driven(PAGE, **link), file=file, card=card))


def at(label: str) -> Driven:
    """The page at a column of the table with all kinds."""
    return opened(column=str(LABELS.index(label) + 1))


def looked_at(app: Driven, label: str) -> Driven:
    return all_there(app.select(COLUMN, LABELS.index(label)))


def words(app: Driven) -> str:
    """All words of the page, without their marks."""
    return app.said().replace("**", "")


def rows_of(app: Driven) -> dict[str, dict[str, str]]:
    """The table of figures, by what each is called."""
    shown = next(each.value for each in app.at.dataframe if "figure" in each.value)
    rows: list[Any] = shown.to_dict("records")
    return {row["figure"]: row for row in rows}


def released() -> Driven:
    """A session that has released a column."""
    app = Driven(PRIVATIZE).upload("t.csv", TABLE).choose("Columns to privatize", [1])
    return app.bounds(2, "0", "20").press("Release").awaited()


# File and card


def test_an_example_is_there_for_whoever_has_no_file_and_says_that_it_is_none() -> None:
    app = all_there(Driven(PAGE).press(EXAMPLE))
    assert "An example, not a release" in app.said("info")
    assert "6,000 rows" in app.said()
    assert "24,000 released cells" in app.said("success")
    # The same for everyone, and no release: nothing was spent.
    assert rows_of(app) == rows_of(all_there(Driven(PAGE).press(EXAMPLE)))
    assert "ledger" not in app.kept or not app.kept["ledger"].entries


def test_the_example_tells_what_the_cells_as_they_stand_hide() -> None:
    """Spread, a relation and groups: its seed is fixed, so is what it shows."""
    app = all_there(Driven(PAGE).press(EXAMPLE))
    assert rows_of(app)["standard deviation"]["which is"] == "3.3 times too large"
    assert {"density-1", "group-means"} <= app.charts.keys()
    said = words(app)
    assert "The correlation of screen time (h) with sleep (h)" in said
    assert "the release says −0.07" in said
    dots = next(each for each in app.traces("group-means") if each["name"] == "estimated mean")
    assert sorted(dots["x"]) == list(dots["x"])


def test_what_the_example_asks_is_not_asked_of_another_file() -> None:
    app = all_there(Driven(PAGE, by="4").press(EXAMPLE))
    assert app.kept[GROUPED.name] == COPIED  # of the link
    all_there(app.press("Another"))
    assert app.kept[FIRST.name] is None
    file, card = made()
    app = all_there(handed_in(app, file=file, card=card))
    assert "The correlation" not in app.said()


def test_the_last_release_is_read_as_its_receiver_would() -> None:
    app = released().press("Read this release").go(PAGE)
    assert "60 rows" in app.said()
    assert "t_privatized.csv" in app.said()
    # The table at hand on Privatize stays, and so does this one.
    assert "t.csv" in app.go(PRIVATIZE).said()
    assert "t_privatized.csv" in app.go(PAGE).said()
    app.press("Another").press("Read the last release")
    assert "t_privatized.csv" in app.said()


def test_file_and_card_are_handed_in_one_after_the_other() -> None:
    file, card = made()
    app = handed_in(Driven(PAGE), file=file)
    assert "Now the card that belongs to it" in app.said("info")
    assert "2,000 rows" in handed_in(app, card=card).said()


@pytest.mark.parametrize(
    ("file", "card", "said"),
    [
        (b"a\n1\n", b"<html>", "_card.json"),
        (b"a\n1\n", None, "take file and card from the same release"),
        (b"", None, "empty"),
    ],
    ids=["no card", "another file", "no file"],
)
def test_what_does_not_fit_is_refused_with_the_way_out(
    file: bytes, card: bytes | None, said: str
) -> None:
    app = handed_in(Driven(PAGE), file=file, card=made()[1] if card is None else card)
    assert said in app.said("error")
    # Both can be handed in again.
    assert len(app.every("file_uploader")) == 2
    assert EXAMPLE in app.press("Start again").labels("button")


def test_a_card_in_the_field_of_the_file_is_said_to_be_there() -> None:
    file, card = made()
    for given in ({"file": card}, {"file": card, "card": file}, {"file": b" " + card}):
        assert "This is the card" in handed_in(Driven(PAGE), **given).said("error")
    app = handed_in(handed_in(Driven(PAGE), file=card), file=file, card=card)
    assert "2,000 rows" in app.said()


# One column


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ("answer", "The share of rows where answer is no over these 2,000 rows lies between"),
        ("day", "The mean of day over these 2,000 rows lies between 2024-"),
        ("time", "The mean of time over these 2,000 rows lies between 1"),
        ("size", "The mean of size over these 2,000 rows lies between 2."),
        ("score", " points, and 95 of 100 intervals made so are right"),
    ],
)
def test_a_column_of_any_kind_is_read_in_its_own_words(label: str, said: str) -> None:
    app = at(label)
    assert said in words(app)
    assert not app.messages("error")
    names = {"answer": {f"share of {each}" for each in ANSWERS}}
    numbers = {"mean", "standard deviation", "lower quartile", "median", "upper quartile"}
    assert set(rows_of(app)) == names.get(label, numbers)
    # A picture of its distribution, on a scale by its places.
    drawn = {"answer": "shares-0", "size": "shares-3"}.get(label, f"density-{LABELS.index(label)}")
    assert drawn in app.charts


def test_the_naive_reading_is_beside_with_its_fault() -> None:
    rows = rows_of(at("score"))
    assert rows["mean"]["which is"] == "the same, without its error"
    assert rows["standard deviation"]["which is"].endswith("times too large")


def test_of_whom_and_how_surely_is_chosen_and_said() -> None:
    app = opened(about="population", level="80", column="5")
    assert "The mean of score in the population" in app.said()
    assert "80 of 100 intervals made so are right" in app.said()
    assert "80 % interval" in rows_of(app)["mean"]
    app.pick("Say it of", "rows").pick("Intervals that are right in", "99")
    assert "The mean of score over these 2,000 rows" in app.said()
    assert "99 % interval" in rows_of(app)["mean"]


def test_a_share_above_a_limit_goes_with_its_column_and_comes_with_a_link() -> None:
    app = all_there(opened(column="5").text(LIMIT, "12"))
    assert "share above 12 points" in rows_of(app)
    assert "within the bounds of the card, 0 … 20 points" in app.text(LIMIT, "21").said("error")
    app.select(COLUMN, LABELS.index("size"))
    assert app.written("Share of rows above this limit") == ""
    all_there(looked_at(app, "day").text("Share of rows after this date", "2024-07-01"))
    assert "share after 2024-07-01" in rows_of(app)
    app.text("Share of rows after this date", "2026-01-01")
    assert "within the bounds of the card, 2024-01-01 … 2024-12-31" in app.said("error")
    assert "Until then 2024-07-01 is in force." in app.said("error")
    assert "share above 7 points" in rows_of(opened(column="5", limit="7"))
    for column, limit in (("5", "-5"), ("5", "20"), ("2", "3")):
        app = opened(column=column, limit=limit)
        assert not any(name.startswith("share") for name in rows_of(app))
        assert "must have true values on both sides" not in app.said()


def test_leaving_and_coming_back_keeps_file_card_and_choices() -> None:
    app = opened(column="5", level="90").go(PRIVATIZE).go(PAGE)
    assert "f.csv" in app.said()
    assert "90 % interval" in rows_of(app)["mean"]
    # A link holds settings alone.
    app.kept["read_release.column"] = LABELS.index("day")
    assert "day" not in str(app.run().at.query_params)


def test_what_limits_a_figure_is_told_on_demand() -> None:
    app = opened(column="5")
    app.kept[is_open("received.method")] = True
    assert "Of the rows at hand" in app.run().said()


def test_sentences_are_told_with_one_press() -> None:
    app = opened(column="5", limit="12")
    assert "rows where score is above 12 points" not in app.said()
    app.kept[is_open("received.sentences")] = True
    assert "rows where score is above 12 points" in app.run().said()
    assert app.said().count("Quartiles are those of the population") == 1
    assert "Quartiles are those" not in app.pick("Say it of", "population").said()


def test_each_place_of_a_scale_has_a_share_with_its_interval() -> None:
    app = opened(column="4", about="population")
    shown = {each["name"]: each for each in app.traces("shares-3")}
    found = shown["estimated from them, with its interval"]
    assert len(found["x"]) == len(SIZES)
    # A quarter of rows has each, and the cells as they stand hide it.
    for at, up, down in zip(
        found["x"], found["error_x"]["array"], found["error_x"]["arrayminus"], strict=True
    ):
        assert at - down <= 25 <= at + up


def test_what_one_statistic_would_have_told_is_said() -> None:
    said = opened(column="5").said("caption")
    assert "Released by itself at the same ε = 4, the mean would be within ±" in said
    assert "times as exact: where it is all you need" in said
    assert "the share of no would be" in opened(column="1").said("caption")


def test_files_are_worked_out_beside_the_page() -> None:
    """Then they take none of the slow parts."""
    app = opened(column="5")
    estimates = app.kept["received.open"][1].estimates
    with patch.object(quantiles, "quantile") as quantile, patch.object(quantiles, "shares") as each:
        assert "score" in estimates.report_html()
        assert "day" in estimates.summary().csv()
    assert not quantile.called
    assert not each.called


def test_what_is_looked_at_comes_before_the_files() -> None:
    app = handed_in(Driven(PAGE, column="5"), file=made()[0], card=made()[1])
    rest: Job[Any] = Job(lambda job: job._cancel.wait(60) and {})
    app.kept["received.rest"] = rest
    app.select(COLUMN, LABELS.index("day"))
    assert rest.cancelled()
    assert "median" in rows_of(all_there(app))


def test_who_holds_the_table_is_said() -> None:
    assert Driven(PAGE).said("caption").count(STAYS) == 1


# Where little or nothing can be said


def test_few_rows_get_words_and_no_picture() -> None:
    app = opened(rows=40, epsilon=1, column="5")
    assert not [key for key in app.charts if key.startswith("density")]
    assert app.messages("info")
    assert not app.messages("error")
