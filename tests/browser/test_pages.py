"""The frame in a browser: each page's own link, the menu, both themes, phones, the keyboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from pages.shell.page_list import PAGES, Page
from tests.browser.driver import AppPage
from tests.browser.server import Server

NAMES = [row.title for row in PAGES]
OPENED_FIRST = {"audit", "compare_mechanisms", "function_lab", "learn", "paper"}
"""Pages that the tests of their own open on a fresh server."""


def menu(app: AppPage) -> list[str]:
    links = app.page.get_by_test_id("stSidebar").get_by_role("link").all()
    # The icon's name comes first, on a line of its own.
    return [link.inner_text().split("\n")[-1] for link in links]


@pytest.mark.parametrize("row", PAGES, ids=lambda row: row.key)
def test_own_link_on_a_fresh_server_opens_the_page(
    row: Page,
    server: Server,
    start_server: Callable[..., Server],
    open_window: Callable[..., AppPage],
) -> None:
    app = open_window(server if row.key in OPENED_FIRST else start_server())
    app.open(row.link)
    expect(app.page.get_by_role("heading", level=1)).to_be_visible()
    expect(app.page).to_have_title(f"{row.title} · CompDP")
    assert menu(app) == NAMES
    assert app.page.get_by_role("dialog").count() == 0
    assert not app.exceptions()


def test_the_menu_leads_to_every_page(app: AppPage) -> None:
    app.open()
    for row in PAGES[1:] + PAGES[:1]:
        app.go(row.title)
        assert menu(app) == NAMES
        assert not app.exceptions()


def test_on_a_phone_the_menu_makes_room_for_the_page_that_it_opened(
    server: Server, open_window: Callable[..., AppPage]
) -> None:
    app = open_window(server, width=390, height=844)
    app.open()
    app.page.get_by_test_id("stExpandSidebarButton").click()
    side = app.page.get_by_test_id("stSidebar")
    expect(side).to_be_in_viewport()
    side.get_by_role("link", name="Budget").click()
    expect(app.page).to_have_title("Budget · CompDP")
    expect(side).not_to_be_in_viewport()


def test_a_chart_gives_its_numbers_and_files_and_follows_the_keyboard(app: AppPage) -> None:
    app.open()
    app.page.get_by_role("button", name="Numbers and files").click()
    name, numbers = app.download("CSV")
    assert name == "home.csv"
    assert numbers.decode("utf-8-sig").splitlines()[0].startswith("output,")
    name, page = app.download("HTML")
    assert name == "home.html"
    assert b"cloud" not in page.split(b"Plotly.newPlot")[-1].replace(b'"showSendToCloud"', b"")
    assert b'src="http' not in page

    # The keyboard moves the picture.
    app.page.keyboard.press("Escape")
    slider = app.page.get_by_role("slider").first
    slider.focus()
    slider.press("ArrowRight")
    legend = app.page.locator(".legendtext", has_text="true value 31 points")
    expect(legend.first).to_be_visible()
