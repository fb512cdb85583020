"""The Audit page in a browser: a conviction before one's eyes, away and back, every attack."""

from __future__ import annotations

import json
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.driver import AppPage
from tests.browser.server import Server

BUTTON = "Draw up to 1,000,000 times"


def draw(app: AppPage) -> None:
    app.page.get_by_role("button", name=BUTTON).click()
    expect(app.page.get_by_text("Strongest look")).to_be_visible(timeout=60_000)
    expect(app.page.get_by_role("button", name=BUTTON)).to_be_visible(timeout=60_000)
    app.settle()


def test_own_link_on_a_fresh_server_then_away_and_back(
    start_server: Callable[..., Server], open_window: Callable[..., AppPage]
) -> None:
    app = open_window(start_server()).open("/audit?mechanism=A2B1&epsilon=0.7&attack=bits")
    app.text("ε, exactly", "2.5")
    expect(app.page.get_by_text("the claim is 2.5")).to_be_visible()
    draw(app)
    expect(app.page.get_by_text("Not refuted.")).to_be_visible()
    app.go("Home")
    app.go("Audit")
    expect(app.page.get_by_role("textbox", name="ε, exactly", exact=True)).to_have_value("2.5")
    expect(app.page.get_by_text("Not refuted.")).to_be_visible()
    expect(app.page.get_by_role("radio", name="Low-order bits", exact=True)).to_be_checked()
    assert not app.exceptions()


def test_the_top_salary_is_read_off_and_a_broken_mechanism_convicted_as_the_files_say(
    app: AppPage,
) -> None:
    app.open("/audit")
    expect(app.page.get_by_text("68.0", exact=True)).to_be_visible()
    app.press("One more")
    expect(app.page.get_by_text("69.0", exact=True)).to_be_visible()
    app.select("Mechanism", "⚠ Broken on purpose: Half the budget counted")
    draw(app)
    expect(app.page.get_by_text("Refuted with confidence 99.9 %.")).to_be_visible()
    name, data = app.download("Self-check as JSON")
    assert name == "self-check.json"
    checks = {check["name"]: check["met"] for check in json.loads(data)["checks"]}
    assert checks["privacy loss"] == "no"
    name, data = app.download("Self-check as CSV")
    assert name == "self-check.csv"
    assert data.startswith(b"\xef\xbb\xbfname,checked,result,limit,unit,met")
