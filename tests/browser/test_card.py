"""The privacy card in a real browser: on a phone, in the dark, on paper, for screen readers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

from compdp_core.report import card_of_answer, card_of_table
from tests.unit.report.examples import PLANS, asked, drawn_table

NAMES = ["three columns", "groups"]
BACKGROUND = "getComputedStyle(document.body).backgroundColor"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


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


def test_it_fits_and_is_readable_in_every_look_and_prints(browser: Browser, file: Path) -> None:
    asked_for: list[str] = []
    complaints: list[str] = []
    with browser.new_context() as context:
        page = context.new_page()
        page.on("request", lambda request: asked_for.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        brightness = {}
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            for width in (320, 1280):
                page.set_viewport_size({"width": width, "height": 900})
                page.goto(file.as_uri())
                assert page.evaluate("document.documentElement.scrollWidth") <= width
                found = Axe().run(page)
                assert found.violations_count == 0, found.generate_report()
            colour = re.findall(r"\d+", page.evaluate(BACKGROUND))[:3]
            brightness[scheme] = sum(map(int, colour))
        assert brightness["dark"] < 120 < 700 < brightness["light"]
        # Printed from the dark page.
        page.emulate_media(media="print")
        assert page.evaluate(BACKGROUND) == "rgb(255, 255, 255)"
        paper = page.pdf(format="A4")
        assert paper.startswith(b"%PDF")
        pages = len(re.findall(rb"/Type\s*/Page\b", paper))
        assert pages <= 2 + 2 * page.locator("section.item").count()
    assert asked_for == [file.as_uri()] * 4
    assert complaints == []
