"""All figures of a release: as rows, as CSV that a spreadsheet may open, and as sentences."""

from __future__ import annotations

import csv
import io
import math
from dataclasses import replace
from functools import cache
from unittest.mock import patch

import numpy as np
import pytest

import compdp_core as cdp
from compdp_core.estimates.estimate import EstimateError
from compdp_core.estimates.likelihood import distribution
from compdp_core.estimates.received.table import ReceivedColumn
from compdp_core.estimates.summary.naive import as_it_stands, naive
from compdp_core.estimates.summary.requests import Request, above, difference, means
from compdp_core.estimates.summary.rows import Summary, SummaryRow, rows, summary
from compdp_core.estimates.summary.sentences import remarks, sentence, texts, verdict
from compdp_core.randomness import SeededSource
from tests.unit.estimates.stand_in import (
    AGE,
    ASKED,
    CATEGORY,
    DATE,
    NO,
    NUMBER,
    TOWN,
    YES,
    StandIn,
    as_received,
    estimate,
    released,
)


def found() -> Summary:
    return summary(StandIn(), ASKED)


def row(column: str, figure: str) -> SummaryRow:
    (only,) = (each for each in found() if (each.column, each.figure) == (column, figure))
    return only


def test_every_column_has_its_figures_and_what_was_asked_follows() -> None:
    moments = ["mean", "mean", "standard deviation", "lower quartile", "median", "upper quartile"]
    named = [(each.column, each.figure) for each in found()]
    assert named == [
        *((NUMBER, each) for each in moments),
        (CATEGORY, f"share of {YES}"),
        (CATEGORY, f"share of {NO}"),
        *((DATE, each) for each in moments),
        (NUMBER, f"correlation with {AGE}"),
        (NUMBER, "intercept"),
        (NUMBER, f"slope for {AGE}"),
        (NUMBER, f"difference where {CATEGORY} is {YES}"),
        (NUMBER, f"mean where {TOWN} is Ulm"),
        (NUMBER, f"mean where {TOWN} is Bonn"),
        (NUMBER, f"mean where {TOWN} is Ulm, less that where it is Bonn"),
    ]
    assert {each.kind for each in found()} == {"whole", "category", "date"}


def test_what_cannot_be_said_is_a_row_with_the_reason() -> None:
    refused = [each for each in found() if each.estimate is None]
    assert [(each.column, each.figure) for each in refused] == [(DATE, "mean")] * 2
    said = refused[0].as_dict()
    assert said["value"] is None
    assert said["not said because"] == "300 rows at ε = 4 tell no mean: 9,000 would"
    assert sentence(refused[0]) == f"The mean of born: {said['not said because']}."
    assert math.isfinite(said["as it stands"])


def test_naive_figures_are_those_of_the_cells_as_they_stand() -> None:
    seen = as_received()
    number, age = as_it_stands(seen, NUMBER), as_it_stands(seen, AGE)
    yes, towns = as_it_stands(seen, (CATEGORY, YES)), np.array(seen.table.texts(3))
    ulm, bonn = number[towns == "Ulm"].mean(), number[towns == "Bonn"].mean()
    design = np.column_stack([np.ones(300), age, yes])
    slopes = np.linalg.solve(design.T @ design, design.T @ number)
    wanted = {
        "mean": number.mean(),
        "standard deviation": number.std(ddof=1),
        "median": np.median(number),
        f"correlation with {AGE}": np.corrcoef(number, age)[0, 1],
        "intercept": slopes[0],
        f"slope for {AGE}": slopes[1],
        f"difference where {CATEGORY} is {YES}": slopes[2],
        f"mean where {TOWN} is Bonn": bonn,
        f"mean where {TOWN} is Ulm, less that where it is Bonn": ulm - bonn,
    }
    got = {each.figure: each.naive for each in found() if each.column == NUMBER}
    assert {name: got[name] for name in wanted} == pytest.approx(wanted)
    assert row(CATEGORY, f"share of {YES}").naive == pytest.approx(yes.mean())


@pytest.mark.parametrize(
    "request_",
    [Request("std", (0,)), Request("quantile", (0, 0.5)), Request("mean", (0,)),
     Request("correlation", (0, 1)), Request("regression", (0, (1,))),
     difference(0, 2, ("a", "b"))],
)  # fmt: skip
def test_cells_without_a_value_say_nothing(request_: Request) -> None:
    seen = replace(as_received(), table=cdp.read_csv(b"x,y,z\nNA,1,a\nNA,2,b\n"), columns=())
    assert all(math.isnan(each) for each in naive(request_, seen).values())


def test_the_csv_is_read_back_and_no_text_of_it_runs() -> None:
    table = list(csv.DictReader(io.StringIO(found().csv())))
    assert len(table) == len(found())
    assert table[0]["column"] == f"'{NUMBER}"
    assert float(table[0]["value"]) == 168.2371
    assert table[-1]["value"] == "-10.0"
    cells = [cell for line in csv.reader(io.StringIO(found().csv())) for cell in line]
    texts_ = [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert all(math.isfinite(float(each)) for each in texts_)
    assert found().frame()["column"].tolist() == [each.column for each in found()]
    assert Summary(()).csv() == "\n"


def test_figures_are_written_to_their_error_and_with_their_unit() -> None:
    said = texts(row(CATEGORY, f"share of {YES}"))
    assert (said.value, said.interval, said.error) == (
        "33.3 %",
        "29.3 … 37.3 %",
        "2 percentage points",
    )
    apart = Request("difference", ((CATEGORY, YES),), (("by", TOWN), ("groups", ("Ulm", "Bonn"))))
    (only,) = rows(StandIn(), apart)
    assert texts(only).value.endswith(" percentage points")
    changed = Request("regression", ((CATEGORY, YES), [AGE, (CATEGORY, YES)]))
    units = [texts(each).value.partition(" ")[2] for each in rows(StandIn(), changed)]
    assert units == ["%", "percentage points", "percentage points"]
    said = texts(row(DATE, "median"))
    assert (said.value, said.interval) == ("2024-03-15", "2024-03-11 … 2024-03-21")
    assert said.naive.startswith("20")
    assert said.naive.count("-") == 2
    assert texts(row(DATE, "standard deviation")).naive.endswith(" days")
    assert texts(row(NUMBER, "median")).value == "170"


def test_sentences_can_be_repeated() -> None:
    said = sentence(row(CATEGORY, f"share of {YES}"))
    assert said.startswith(
        f"The share of rows where {CATEGORY} is {YES} in the population that the rows are drawn "
        "from lies between 29.3 % and 37.3 %, and 95 of 100 intervals made so are right."
    )
    said = sentence(row(NUMBER, "standard deviation"))
    assert said.endswith(": that is its noise.")
    about = replace(row(NUMBER, "median"), estimate=estimate(170.0, 3.0, about="rows"), naive=170.0)
    assert " over these 300 rows lies between" in sentence(about)
    assert sentence(about).endswith("right.")
    sure = replace(about, estimate=estimate(170.0, 0.0))
    assert "in the population that the rows are drawn from is 170, and" in sentence(sure)
    assert texts(sure).interval == "170"
    said = sentence(row(NUMBER, f"mean where {TOWN} is Ulm"))
    assert f"mean {NUMBER} where {TOWN} is Ulm, in the population" in said


@pytest.mark.parametrize(
    ("figure", "naive", "said"),
    [
        ("standard deviation", 10.0, "within the interval"),
        ("standard deviation", 50.0, "4.2 times too large"),
        ("standard deviation", 3.0, "4 times too small"),
        ("standard deviation", 0.0, "off by −12 cm"),
        (f"correlation with {AGE}", -1.0, "off by −13 cm"),
        ("median", 50.0, "off by 38 cm"),
        ("mean", 12.0, "the same, without its error"),
        ("median", 12.0, "within the interval"),
        ("median", math.nan, "–"),
    ],
)
def test_by_how_much_a_reading_as_it_stands_is_wrong(figure: str, naive: float, said: str) -> None:
    told = next(each for each in found() if (each.column, each.figure) == (NUMBER, figure))
    told = replace(told, estimate=estimate(12.0, 1.0), naive=naive, unit="cm")
    assert verdict(told) == said


def test_the_naive_reading_is_off_by_percentage_points() -> None:
    told = replace(row(CATEGORY, f"share of {YES}"), estimate=estimate(0.12, 0.01), naive=0.0)
    assert verdict(told) == "off by −12 percentage points"
    assert verdict(replace(told, estimate=None)) == "–"


@cache
def sizes() -> cdp.Estimates:
    """A scale with names, half of whose rows are at each end, and a day, with little noise."""
    lines = [f"{'SL'[n % 2]},2024-01-{n % 28 + 1:02}" for n in range(400)]
    plans = {
        "size": cdp.ColumnPlan(kind="scale", categories=["S", "M", "L"], epsilon=8),
        "day": cdp.ColumnPlan(kind="date", inputs=("2024-01-01", "2024-01-31"), epsilon=8),
    }
    table = cdp.read_csv("\n".join(["size,day", *lines]).encode())
    drawn = cdp.privatize(table, plans, source=SeededSource(5))
    return cdp.Estimates(drawn.csv(), drawn.card)


def test_places_of_a_scale_have_shares_and_names() -> None:
    told = {each.figure: each for each in sizes().summary() if each.column == "size"}
    assert texts(told["lower quartile"]).value == "1 (S)"
    assert "between 1 (S) and " in sentence(told["median"])
    for name, true in (("S", 0.5), ("M", 0.0), ("L", 0.5)):
        row = told[f"share of {name}"]
        assert row.estimate is not None
        assert row.estimate.low <= true <= row.estimate.high < true + 0.1
        assert row.naive == pytest.approx(true, abs=0.05)
    # Days of a month are too many to be asked for one by one, though each may be.
    assert not [each for each in sizes().summary() if each.figure == "share of 2024-01-09"]
    assert sizes().share("day", "2024-01-09").value < 0.1


@pytest.mark.parametrize(
    ("column", "limit", "figure", "true"),
    [("size", 2.0, "share above 2", 0.5), ("day", 19723.0 + 13, "share after 2024-01-14", 0.5)],
)
def test_a_share_beyond_a_limit_is_a_figure_like_others(
    column: str, limit: float, figure: str, true: float
) -> None:
    source = sizes().received.find(column)
    assert isinstance(source, ReceivedColumn)
    asked = above(source, limit, "rows")
    (found,) = rows(sizes(), asked)
    assert found.figure == figure
    assert found.estimate is not None
    assert found.estimate.low <= true <= found.estimate.high
    assert found.naive == pytest.approx(true, abs=0.1)
    assert f"rows where {column} is {figure.removeprefix('share ')}" in sentence(found)
    assert asked.call in sizes().script([asked])
    assert rows(sizes(), asked)[0].estimate is found.estimate


def test_what_takes_its_time_is_worked_out_once_for_each_level() -> None:
    estimates = cdp.Estimates(*released())
    first = estimates.quantile(DATE, 0.5)
    assert estimates.quantile(2, 0.5) is first
    assert estimates.quantile(DATE, 0.25) != first
    wider = estimates.at(0.99).quantile(DATE, 0.5)
    assert wider.high - wider.low > first.high - first.low
    assert estimates.quantile(DATE, 0.5) is first
    with patch.object(distribution, "distribution", side_effect=EstimateError("too few")) as asked:
        for _ in range(2):
            with pytest.raises(EstimateError, match="too few"):
                estimates.distribution(NUMBER)
    assert asked.call_count == 1


def test_what_limits_figures_is_said_once() -> None:
    told = row(NUMBER, "median")
    notes = ["Of all. Clamped.", "Of all. Clamped. Its own."]
    few = [replace(told, estimate=estimate(1.0, 1.0, note=note)) for note in notes]
    assert remarks(few) == ["Of all.", "Clamped.", "Its own."]
    many = [replace(told, estimate=estimate(1.0, 1.0, note=f"Of all. Of {n}.")) for n in "ABCDE"]
    assert remarks(many) == ["Of all."]
    assert remarks(many[:1]) == ["Of all.", "Of A."]


def test_groups_are_read_once_however_many_are_compared() -> None:
    seen = cdp.Estimates(*released())
    with patch.object(type(seen.received.table), "texts", autospec=True) as texts_of:
        texts_of.side_effect = lambda table, place: ["Ulm", "Bonn"] * 150
        for _ in range(3):
            rows(seen, difference(NUMBER, TOWN, ("Ulm", "Bonn")))
    assert texts_of.call_count == 1


def test_blank_cells_are_in_no_category_and_what_nobody_can_ask_is_a_row() -> None:
    lines = "".join(f"{i % 90},{'ab'[i % 2] if i % 3 else ''},{i}\n" for i in range(900))
    table = cdp.read_csv(f"score,group,id\n{lines}".encode())
    release = cdp.privatize(table, {"score": cdp.ColumnPlan(inputs=(0, 100), epsilon=4)})
    estimates = cdp.Estimates(release.csv(), release.card)
    groups = as_it_stands(estimates.received, ("group", "a"))
    assert np.isnan(groups).sum() == 300
    assert np.nanmean(groups) == 0.5
    (refused,) = (each for each in estimates.summary([means("score", "id")]) if each.refusal)
    assert "300 texts" in refused.refusal
    slopes = estimates.regression("score", [("group", "a")])
    assert list(slopes) == ["intercept", "group: a"]
