"""The card as a page: whatever a user typed is text on it, and it needs nothing but itself."""

from __future__ import annotations

import dataclasses
import re
from html.parser import HTMLParser
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compdp_core.errors import ParameterError
from compdp_core.report import Card
from compdp_core.report.wording import visible
from compdp_core.text import number, plain
from tests.unit.report.examples import INQUIRIES, PLANS, card_named, of_numbers

TAGS = {
    "html", "head", "meta", "title", "style", "body", "main", "header", "footer", "section", "h1",
    "h2", "h3", "h4", "p", "dl", "dt", "dd", "div", "span", "small", "strong", "em", "ul", "li",
    "table", "caption", "thead", "tbody", "tr", "th", "td", "code", "bdi", "i", "b",
}  # fmt: skip
VOID = {"meta"}
ATTRIBUTES = {
    "lang", "charset", "name", "content", "http-equiv", "class", "scope", "role", "aria-label",
    "aria-hidden", "tabindex", "style",
}  # fmt: skip


class Read(HTMLParser):
    """Tags, attributes and texts of a page; complains about tags that do not close."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.texts.append((self.open[-1], data))

    def all_text(self, tag: str | None = None) -> str:
        return "\n".join(data for inside, data in self.texts if tag in (None, inside))


@pytest.fixture(scope="module", params=[*PLANS, *INQUIRIES])
def card(request: pytest.FixtureRequest) -> Card:
    return card_named(request.param)


def test_the_page_is_well_formed_and_made_of_known_parts(card: Card) -> None:
    page = card.to_html()
    assert page.startswith("<!DOCTYPE html>")
    seen = Read(page)
    assert {tag for tag, _ in seen.tags} <= TAGS
    assert {name for _, attributes in seen.tags for name in attributes} <= ATTRIBUTES
    page.encode("utf-8")


def test_nothing_is_fetched_and_nothing_runs(card: Card) -> None:
    page = card.to_html()
    assert not re.search(
        r"(?i)<script|<link|<img|<iframe|<object|@import|url\(|\bsrc=|\bhref=", page
    )
    assert not re.search(r"(?i)https?:|\son[a-z]+=", page)
    policies = [a for _, a in Read(page).tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert len(policies) == 1
    assert policies[0]["content"] == "default-src 'none'; style-src 'unsafe-inline'"


def test_a_card_is_shown_in_parts_that_make_up_the_whole(card: Card) -> None:
    parts = ("summary", "released", "protected", "open", "items", "about")
    heading = re.compile(r"<h2>.*?</h2>")
    bodies = {part: card.to_html(part).partition("<header>")[2] for part in parts}
    for part, body in bodies.items():
        assert len(heading.findall(body)) == (part not in ("summary", "about"))
        assert ("tiles" in body) == (part == "summary")
    whole = heading.findall(card.to_html())
    assert whole == [each for part in parts for each in heading.findall(bodies[part])]
    assert len(whole) == 4
    assert card.to_html(*parts) == card.to_html(*reversed(parts)) == card.to_html()
    with pytest.raises(ParameterError, match="parts"):
        card.to_html("secrets")


def test_headings_go_down_step_by_step(card: Card) -> None:
    levels = [int(tag[1]) for tag, _ in Read(card.to_html()).tags if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(below <= above + 1 for above, below in pairwise(levels))
    assert levels.count(3) == len(card.items)


def test_every_table_has_a_name_and_every_head_a_direction(card: Card) -> None:
    page = Read(card.to_html())
    tables = sum(tag == "table" for tag, _ in page.tags)
    captions = sum(tag == "caption" for tag, _ in page.tags)
    regions = [a for tag, a in page.tags if a.get("role") == "region"]
    assert tables == captions + len(regions)
    assert all(a["aria-label"] and a["tabindex"] == "0" for a in regions)
    heads = [a.get("scope") for tag, a in page.tags if tag == "th"]
    assert set(heads) == {"row", "col"}


def test_the_page_follows_the_system_and_prints_light(card: Card) -> None:
    page = card.to_html()
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page
    assert 'name="viewport" content="width=device-width, initial-scale=1"' in page


def test_what_the_card_says_is_on_the_page(card: Card) -> None:
    shown = Read(card.to_html()).all_text()
    wanted = [card.identifier, card.released_at, card.made_with, card.privacy.meaning]
    wanted += [card.privacy.composition, card.rows.meaning, *card.not_covered]
    for item in of_numbers(card):
        wanted += [item.name, item.missing.meaning, item.missing.reveals, item.sensitivity.formula]
        wanted += [plain(item.inputs.lower), plain(item.outputs.upper), item.error.typical_meaning]
        wanted += [number(item.error.typical), number(item.error.worst)]
        wanted += [f"{item.certificate.points:,}", plain(item.certificate.epsilon)]
        if item.answer is not None:
            wanted += [plain(item.answer.value)]
    missing = [words for words in wanted if words not in shown]
    assert not missing


def test_bars_lie_where_the_numbers_say() -> None:
    card = card_named("mean of some")
    item = of_numbers(card)[0]
    styles = [a["style"] or "" for _, a in Read(card.to_html()).tags if "style" in a]
    left, width = (float(x) for x in re.findall(r"[\d.]+", styles[0]))
    span = item.outputs.upper - item.outputs.lower
    assert left == pytest.approx(100 * (item.inputs.lower - item.outputs.lower) / span, abs=1e-3)
    assert width == pytest.approx(100 * 24 / span, abs=1e-3)
    assert item.answer is not None
    mark = float(re.findall(r"[\d.]+", styles[-1])[0])
    place = 100 * (item.answer.value - item.outputs.lower) / span
    assert mark == pytest.approx(place, abs=1e-3)


def test_a_missing_source_is_said() -> None:
    assert "no source was given" in Read(card_named("one column").to_html()).all_text("em")


# What a user typed

PAYLOADS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'; DROP TABLE x; --",
    "</title></style><b>bold</b>",
    "a & b &amp; c",
    "{{7*7}} $heading ${body} %s",
    "x\u202egnp.exe",
    "café 身長 \U0001f600",
    "tab\tand\nline",
    "\x00\x07null",
    "\ud800 half a pair",
    "--> <!-- comment",
]


def renamed(card: Card, words: str) -> Card:
    items = tuple(
        dataclasses.replace(
            item,
            name=words,
            unit=words,
            bounds=None
            if item.bounds is None
            else dataclasses.replace(item.bounds, source=words, unit=words),
            parameters=dataclasses.replace(item.parameters, activation=words, base=words),
        )
        for item in of_numbers(card)
    )
    return dataclasses.replace(
        card, title=words, items=items, unchanged_columns=(words,), not_covered=(words,)
    )


def check_payload(card: Card, words: str) -> None:
    """The words change texts only: tags and attributes stay as they are."""
    hostile, tame = (Read(renamed(card, each).to_html()) for each in (words, "tame"))
    assert [tag for tag, _ in hostile.tags] == [tag for tag, _ in tame.tags]
    assert [a.get("style") for _, a in hostile.tags] == [a.get("style") for _, a in tame.tags]
    shown = hostile.all_text("bdi").split("\n") if "\n" not in words else [words]
    invisible = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\ud800]")
    if not invisible.search(words):
        assert words in shown


@pytest.mark.parametrize("words", PAYLOADS, ids=ascii)
@pytest.mark.parametrize("name", ["three columns", "mean of some"])
def test_words_of_a_user_stay_words(name: str, words: str) -> None:
    check_payload(card_named(name), words)


@given(st.text(st.characters(blacklist_categories=["C", "Z"]), min_size=1, max_size=30))
@settings(max_examples=30)
def test_any_visible_words_stay_words(words: str) -> None:
    check_payload(card_named("one column"), words)


def test_what_turns_or_hides_is_named() -> None:
    assert visible("a\u202eb\u200bc\ud800") == "a[U+202E]b[U+200B]c[U+D800]"
    assert visible("a\u202eb") not in ("ab", "a\u202eb")
