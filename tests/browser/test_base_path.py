"""The app below a path of its own, as behind a proxy, with a small limit for uploads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from pages.shell.page_list import PAGES
from tests.browser.driver import AppPage
from tests.browser.server import ROOT, Server, serving
from tests.browser.test_privatize_journey import UPLOAD, release, table


@pytest.fixture
def below(tmp_path: Path) -> Iterator[Server]:
    """The app at /dp, with uploads of one megabyte at most."""
    options = ("--server.baseUrlPath", "dp", "--server.maxUploadSize", "1")
    with serving(ROOT / "app.py", tmp_path, *options, path="/dp") as server:
        yield server
        assert "Traceback" not in server.log()


def test_everything_lives_below_the_base_path(
    below: Server, open_window: Callable[..., AppPage]
) -> None:
    app = open_window(below)
    app.expect_console_error("404")
    asked: list[str] = []
    app.page.context.on("request", lambda request: asked.append(request.url))
    app.page.on("websocket", lambda socket: asked.append(socket.url))

    app.open()
    menu = app.page.get_by_test_id("stSidebar")
    expect(menu.get_by_role("link")).to_have_count(len(PAGES))
    menu.get_by_role("link", name="Privatize").click()
    expect(app.page).to_have_title("Privatize · CompDP")
    app.settle()
    assert urlsplit(app.page.url).path == "/dp/privatize"

    # A file over the limit is told so in a sentence; one below it goes through to its files.
    app.upload(UPLOAD, "large.csv", b"a,b\n" + b"1,2\n" * 300_000)
    refusal = app.page.get_by_text("File must be 1.0MB or smaller.")
    expect(refusal).to_be_visible()
    box = refusal.bounding_box()
    assert box is not None
    assert box["width"] > 100  # not for screen readers alone
    app.upload(UPLOAD, "klasse.csv", table())
    app.select_many("Columns to privatize", ["Punkte"])
    app.text("Lower bound, Punkte", "0")
    app.text("Upper bound, Punkte", "20")
    release(app)
    name, data = app.download("Download the table")
    assert name == "klasse_privatized.csv"
    assert len(data.splitlines()) == len(table().splitlines())

    # A page's own link, and the link that it offers for others.
    app.open("/function_lab?epsilon=2.5")
    expect(app.page).to_have_title("Function lab · CompDP")
    app.press("Link and file")
    link = urlsplit(app.page.get_by_test_id("stCode").first.inner_text())
    assert (link.path, link.query) == ("/dp/function_lab", "epsilon=2.5")

    outside = [url for url in asked if url.startswith(("http", "ws")) and "/dp/" not in url]
    assert not outside
