"""The page of figures: whatever a file is called is text on it, and it needs nothing but itself."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from compdp_core.estimates.summary.picture import LEFT, WIDTH, picture
from compdp_core.estimates.summary.report_html import NOT_THESE, report_html
from compdp_core.estimates.summary.rows import summary
from compdp_core.estimates.summary.sentences import sentence
from tests.unit.estimates.stand_in import ASKED, CATEGORY, NO, NUMBER, YES, StandIn
from tests.unit.report.test_page import ATTRIBUTES, TAGS, Read

OWN_TAGS = {"figure", "figcaption", "svg", "text", "rect", "line"}
OWN_ATTRIBUTES = {
    "viewbox", "x", "y", "width", "height", "x1", "x2", "y1", "y2", "text-anchor", "colspan",
}  # fmt: skip


def page(*, told: bool = True, title: str = "") -> str:
    return report_html(StandIn(told=told), ASKED, title)


def test_it_is_well_formed_made_of_known_parts_and_fetches_nothing() -> None:
    seen = Read(page())
    assert {tag for tag, _ in seen.tags} <= TAGS | OWN_TAGS
    assert {name for _, given in seen.tags for name in given} <= ATTRIBUTES | OWN_ATTRIBUTES
    assert not re.search(r"(?i)<script|<link|<img|@import|url\(|\bsrc=|\bhref=|https?:", page())
    policy = next(given for _, given in seen.tags if given.get("http-equiv"))
    assert policy["content"] == "default-src 'none'; style-src 'unsafe-inline'"
    assert "prefers-color-scheme: dark" in page()
    assert "@media print" in page()


def test_headings_go_down_step_by_step_and_tables_have_names() -> None:
    seen = Read(page())
    levels = [int(tag[1]) for tag, _ in seen.tags if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))
    tables = sum(tag == "table" for tag, _ in seen.tags)
    named = sum(tag == "caption" for tag, _ in seen.tags)
    regions = sum(given.get("role") == "region" for _, given in seen.tags)
    assert tables == named + regions
    pictures = [given for tag, given in seen.tags if tag == "svg"]
    assert all(given["role"] == "img" and given["aria-label"] for given in pictures)


def test_names_are_text_on_it() -> None:
    said = Read(page(title="<b>mine</b> \u202e")).all_text()
    assert "<b>mine</b> [U+202E]" in said
    for name in (NUMBER, CATEGORY, YES, NO):
        assert name in said
    for each in summary(StandIn(), ASKED):
        assert sentence(each) in said
        assert each.figure in said


def test_what_was_asked_for_and_where_it_comes_from_is_said() -> None:
    said, card = Read(page()).all_text(), StandIn().received.card
    for words in (card.identifier, card.released_at, *NOT_THESE, "What was asked besides"):
        assert words in said
    assert "What was asked besides" not in Read(report_html(StandIn())).all_text()
    assert "300 rows at ε = 4 tell no mean" in said


def test_a_distribution_is_drawn_only_where_it_can_be_told() -> None:
    drawn, plain = Read(page()), Read(page(told=False))
    bars = [given for tag, given in drawn.tags if tag == "rect"]
    assert len(bars) == 6  # of the numbers and the dates
    heights = [float(given["height"] or "") for given in bars[:3]]
    assert heights[1] == max(heights)
    assert abs(heights[0] / heights[1] - 1 / 6) < 1e-3
    assert not [tag for tag, _ in plain.tags if tag == "svg"]
    assert plain.all_text().count("Too few rows for a <picture>.") == 2
    titles = drawn.all_text("title").splitlines()
    assert any(each.startswith("2024-03-01 … 2024-03-11: 10 %") for each in titles)
    said = drawn.all_text("text")
    assert "2024-03-01" in said
    # The label has the unit; the bounds are no place to come from.
    assert "(cm) (cm)" not in said
    assert "whole numbers, bounds 100 … 220" in drawn.all_text()


@pytest.mark.parametrize(
    ("said", "marks"), [("1", 5), ("2024-03-01", 3), ("2024-03-01 12:00:00", 2)]
)
def test_no_mark_along_the_values_lies_on_another(said: str, marks: int) -> None:
    found = picture(StandIn().distribution(0), lambda _: said, whole=False).marks
    assert len(found) == marks
    assert [round(place) for place, _ in (found[0], found[-1])] == [LEFT, WIDTH]
