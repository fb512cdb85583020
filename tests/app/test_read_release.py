"""Read a release, without a browser."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from compdp_core.estimates.estimate import Estimate, EstimateError
from compdp_core.intervals import Interval
from compdp_core.randomness import SeededSource
from compdp_core.release import ColumnPlan, Plan, release
from compdp_core.report import Statement, card_of_table
from compdp_core.tables import read
from compdp_core.tables.categories import Categories
from pages.sections.read_release.naive import ReadFigure, verdict
from pages.sections.read_release.sentences import sentence
from pages.session.jobs import Job
from pages.shell.panels import is_open
from pages.text.values import ValueWords
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
    app = Driven(PAGE).press(EXAMPLE)
    assert "An example, not a release" in app.said("info")
    assert "600 rows" in app.said()
    assert "2,400 released cells" in app.said("success")
    # The same for everyone, and no release: nothing was spent.
    assert rows_of(app) == rows_of(Driven(PAGE).press(EXAMPLE))
    assert "ledger" not in app.kept or not app.kept["ledger"].entries


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
        ("answer", "of the true values of these 2,000 rows are yes; 95 of 100 intervals"),
        ("day", "The mean of the true values of these 2,000 rows lies between 2024-"),
        ("time", "The mean of the true values of these 2,000 rows lies between 1"),
        ("size", "The mean of the true values of these 2,000 rows lies between 2."),
        ("score", " points; 95 of 100 intervals made so are right"),
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
    assert "The mean of the true values in the population" in app.said()
    assert "80 of 100 intervals made so are right" in app.said()
    assert "80 % interval" in rows_of(app)["mean"]
    app.pick("Say it of", "rows").pick("Intervals that are right in", "99")
    assert "The mean of the true values of these 2,000 rows" in app.said()
    assert "99 % interval" in rows_of(app)["mean"]


def test_a_share_above_a_limit_goes_with_its_column_and_comes_with_a_link() -> None:
    app = all_there(opened(column="5").text(LIMIT, "12"))
    assert "share above 12 points" in rows_of(app)
    assert "lie above 12 points" in app.said()
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


# Where little or nothing can be said


def test_few_rows_get_words_and_no_picture() -> None:
    app = opened(rows=40, epsilon=1, column="5")
    assert not [key for key in app.charts if key.startswith("density")]
    assert app.messages("info")
    assert not app.messages("error")


def estimate(low: float, value: float, high: float) -> Estimate:
    return Estimate(value, 1.0, low, high, 0.95, 10, "", "", "rows")


@pytest.mark.parametrize(
    ("measured", "naive", "said"),
    [
        ("amount", 10.0, "within the interval"),
        ("amount", 50.0, "4.2 times too large"),
        ("share", 3.0, "4 times too small"),
        ("share", 0.0, "off by −1,200 percentage points"),
        ("amount", 15.1, "1.3 times too large"),
        ("value", 50.0, "off by 38 kg"),
        ("value", 12.0, "the same, without its error"),
    ],
)
def test_by_how_much_a_naive_reading_is_wrong(measured: Any, naive: float, said: str) -> None:
    figure = ReadFigure("f", measured, estimate(9.0, 12.0, 15.0), naive)
    assert verdict(figure, ValueWords("kg")) == said


def test_where_nothing_can_be_said_the_way_out_is() -> None:
    figure = ReadFigure("mean", "value", EstimateError("too few rows: ask for 300 or more"), 1.0)
    assert sentence(figure, ValueWords("kg"), 10) == (
        "Mean: Too few rows\\: ask for 300 or more\\."
    )
    assert verdict(figure, ValueWords("kg")) == "–"
