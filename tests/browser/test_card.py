"""The privacy card in a real browser: on a phone, in the dark, on paper, for screen readers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from compdp_core.report import card_of_answer, card_of_table
from tests.unit.report.examples import PLANS, asked, drawn_table

NAMES = ["three columns", "groups"]
CONTRAST = "getComputedStyle(document.body)"


@pytest.fixture(scope="module", params=NAMES)
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    name = request.param
    if name in PLANS:
        page = card_of_table(drawn_table(name), title="School health survey").to_html()
    else:
        page = card_of_answer(*asked(name).given, "a day has 24 hours").to_html()
    path = tmp_path_factory.mktemp("card") / "card.html"
    path.write_text(page, encoding="utf-8")
    return path


@pytest.fixture
def shown(browser: Browser, file: Path) -> Iterator[Callable[..., Page]]:
    """Opens the card; afterwards it must have asked for nothing and complained about nothing."""
    requests: list[str] = []
    complaints: list[str] = []
    pages: list[Page] = []

    def opened(width: int = 1280, scheme: str = "light") -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if scheme == "dark" else "light",
        )
        page = context.new_page()
        page.on("request", lambda request: requests.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        page.goto(file.as_uri())
        pages.append(page)
        return page

    yield opened
    for page in pages:
        page.context.close()
    assert requests == [file.as_uri()] * len(pages)
    assert complaints == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 1280])
def test_nothing_sticks_out_and_axe_finds_nothing(
    shown: Callable[..., Page], width: int, scheme: str
) -> None:
    page = shown(width, scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_the_dark_page_is_dark_and_the_light_one_light(shown: Callable[..., Page]) -> None:
    def brightness(scheme: str) -> int:
        colour = shown(scheme=scheme).evaluate(f"{CONTRAST}.backgroundColor")
        return sum(int(part) for part in re.findall(r"\d+", colour)[:3])

    assert brightness("dark") < 120 < 700 < brightness("light")


def test_it_prints_in_the_light_on_few_pages(shown: Callable[..., Page]) -> None:
    page = shown(scheme="dark")
    page.emulate_media(media="print")
    assert page.evaluate(f"{CONTRAST}.backgroundColor") == "rgb(255, 255, 255)"
    paper = page.pdf(format="A4")
    assert paper.startswith(b"%PDF")
    pages = len(re.findall(rb"/Type\s*/Page\b", paper))
    items = page.locator("section.item").count()
    assert pages <= 2 + 2 * items
