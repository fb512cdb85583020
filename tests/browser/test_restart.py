"""The connection, the session or the whole program ends in the middle of the work."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.app.test_load import uploaded_bytes
from tests.browser.driver import AppPage
from tests.browser.server import ROOT, Server, serving
from tests.browser.test_privatize_journey import UPLOAD, release, table

SOON = 30_000
"""Milliseconds; the browser looks after the server in growing pauses of up to some seconds."""
DOWN = r"404|not responding|No response|ERR_|WebSocket|when disconnected from server"
"""What a browser's console says of a cut. The last: the framework drops a message of the moment in
which it notices; the page sends it again."""


def lost(app: AppPage) -> Locator:
    return app.page.locator("#lifeline-lost")


def ended(app: AppPage) -> Locator:
    return app.page.locator("#lifeline-ended")


def spent(app: AppPage) -> Locator:
    return app.page.get_by_test_id("stSidebar").get_by_text("Spent on")


def cut(app: AppPage) -> None:
    """No network for this window: what is open breaks, and nothing new can be opened."""
    app.page.context.set_offline(True)
    app.page.evaluate("sockets.forEach(socket => socket.close())")


def prepare(app: AppPage) -> None:
    app.upload(UPLOAD, "klasse.csv", table())
    app.select_many("Columns to privatize", ["Punkte"])
    app.text("Lower bound, Punkte", "0")
    app.text("Upper bound, Punkte", "20")


def released(app: AppPage) -> AppPage:
    """Up to a release, in a window whose connections can be cut."""
    app.expect_console_error(DOWN)
    app.page.add_init_script(
        "window.sockets = []; window.WebSocket = class extends window.WebSocket {"
        " constructor(...all) { super(...all); window.sockets.push(this); } };"
    )
    prepare(app.open("/privatize"))
    release(app)
    return app


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    with ExitStack() as stack:
        yield lambda *options, port=None: stack.enter_context(
            serving(ROOT / "app.py", tmp_path, *options, port=port)
        )


def test_a_short_loss_of_the_network_loses_nothing(app: AppPage) -> None:
    released(app)
    _, before = app.download("Download the table")
    cut(app)
    expect(lost(app)).to_contain_text("connection to the program is lost", timeout=SOON)
    time.sleep(1)
    app.page.context.set_offline(False)
    expect(lost(app)).to_have_count(0, timeout=SOON)
    app.settle()
    _, after = app.download("Download the table")
    assert after == before
    expect(spent(app)).to_contain_text("ε = 1")
    expect(ended(app)).to_have_count(0)


def test_after_a_long_absence_the_page_says_what_is_gone_and_what_counts(
    start: Callable[..., Server], open_window: Callable[..., AppPage]
) -> None:
    app = released(open_window(start("--server.disconnectedSessionTTL", "1")))
    cut(app)
    expect(lost(app)).to_be_visible(timeout=SOON)
    time.sleep(1.5)
    app.page.context.set_offline(False)
    note = ended(app)
    expect(note).to_contain_text("away for too long", timeout=SOON)
    expect(note).to_contain_text("open the table again")
    expect(note).to_contain_text("still counted: 1 release, ε = 1")
    expect(note).to_have_role("status")
    expect(app.page.get_by_text(UPLOAD)).to_be_visible()
    expect(spent(app)).to_contain_text("ε = 1")
    note.get_by_role("button", name="Understood").click()
    expect(note).to_have_count(0)
    # A new session of the same tab, but nothing was lost with the last one.
    app.page.reload()
    app.settle()
    expect(note).to_have_count(0)


def test_a_program_started_anew_gets_the_ledger_back_from_the_page(
    start: Callable[..., Server], open_window: Callable[..., AppPage]
) -> None:
    first = start()
    port = int(first.url.rpartition(":")[2])
    app = released(open_window(first))
    app.page.evaluate(
        """new MutationObserver(() => {
             window.sawTheirs ||= document.querySelector('[data-testid="stDialog"]') !== null;
           }).observe(document.body, { childList: true, subtree: true })"""
    )
    first.process.kill()
    expect(lost(app)).to_contain_text("Leave this page open", timeout=SOON)
    expect(lost(app)).to_have_role("alert")
    # What is there can still be read, and the notice is not hidden by anything.
    assert lost(app).evaluate(
        "note => { const box = note.getBoundingClientRect(); return note.contains("
        "document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)); }"
    )
    # Nor does the framework's own dialog bar it for long; it asks for the internet.
    app.page.wait_for_function("window.sawTheirs", timeout=SOON)
    expect(app.page.get_by_test_id("stDialog")).to_have_count(0)
    second = start(port=port)
    note = ended(app)
    expect(note).to_contain_text("The program was started anew", timeout=SOON)
    expect(note).to_contain_text("open the table again")
    expect(note).to_contain_text("still counted: 1 release, ε = 1")
    expect(lost(app)).to_have_count(0)
    app.settle()
    expect(spent(app)).to_contain_text("ε = 1")
    note.get_by_role("button", name="Understood").click()
    # The same file does not begin at 0.
    prepare(app)
    expect(app.page.get_by_text("ε = 1 was already spent on this table")).to_be_visible()

    # Loaded anew, the page gives its old session up at once, and keeps no name of the table.
    assert "Punkte" in app.page.evaluate("window.compdpLife.now.ledger")
    assert "Punkte" not in app.page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})")
    assert uploaded_bytes(second)
    app.page.reload()
    expect(note).to_contain_text("loaded anew", timeout=SOON)
    expect(note).to_contain_text("still counted: 1 release, ε = 1")
    app.settle()
    give_up = time.monotonic() + 10
    while uploaded_bytes(second) and time.monotonic() < give_up:
        time.sleep(0.1)
    assert not uploaded_bytes(second)

    # Loaded anew after another start, the page knows numbers only, and says what is missing.
    second.process.kill()
    expect(lost(app)).to_be_visible(timeout=SOON)
    app.page.goto("about:blank")
    start(port=port)
    app.open("/privatize")
    expect(note).to_contain_text("The ledger is gone, too. It counted 1 release, ε = 1")
    expect(note).to_have_role("alert")
    app.page.reload()
    app.settle()
    expect(note).to_contain_text("It counted 1 release, ε = 1")
    note.get_by_role("button", name="Understood").click()
    app.page.reload()
    app.settle()
    expect(note).to_have_count(0)
