"""Hostile words as names, cells, units and file names: shown as typed, and nothing else happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.driver import AppPage
from tests.browser.effects import Effects
from tests.browser.hostile import HOSTILE, MARKUP, as_shown
from tests.browser.server import Server, serving

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def showing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Shows every word through the furniture of the pages."""
    with serving(HERE / "every_word.py", tmp_path_factory.mktemp("server")) as server:
        yield server


def test_all_words_stay_words(showing: Server, open_window: Callable[..., AppPage]) -> None:
    app = open_window(showing)
    effects = Effects(app.page)
    app.open()
    expect(app.page.get_by_text("That is all.")).to_be_visible()
    expect(app.page.locator(".js-plotly-plot")).to_have_count(len(HOSTILE[::10]))
    assert not (found := effects.found()), "\n".join(found)
    shown = app.page.evaluate(
        """() => [...document.querySelectorAll('[class*=st-key-word-]')].map(word => ({
            words: [...word.querySelectorAll('p')].map(p => p.textContent),
            text: word.querySelector('[data-testid=stText]').textContent,
            option: word.querySelector('[data-testid=stSelectbox] input').value,
        }))"""
    )
    for words, place in zip(HOSTILE, shown, strict=True):
        seen = as_shown(words)
        assert [p for p in place["words"] if p != "Choose"] == [
            seen, seen, seen, f"of {seen}", f"1 {seen}",
        ], words  # fmt: skip
        assert place["text"].strip() == words.strip()


def test_what_does_something_is_found(browser: Browser, showing: Server) -> None:
    """The broken twins: the same words on a page that takes no care, and as a page."""
    with browser.new_context() as context:
        careless = AppPage(context, showing.url)
        effects = Effects(careless.page)
        careless.open("/?raw")
        expect(careless.page.get_by_text("That is all.")).to_be_visible()
        kinds = {each.split(":")[0] for each in effects.found()}
        assert kinds >= {"element", "address", "formula", "icon", "coloured", "inside", "block"}
        careless.page.set_content("</svg>".join(word for word in MARKUP if "refresh" not in word))
        careless.page.wait_for_function(
            "['script', 'img', 'svg', 'frame'].every(each => effects.includes(each))"
        )
        assert "request: http://evil.example/x.css" in effects.found()
