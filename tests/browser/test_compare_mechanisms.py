"""The Compare mechanisms page in a browser: the player, the journey away and back, the job."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

from playwright.sync_api import expect

from tests.browser.driver import AppPage
from tests.browser.server import Server


def take(app: AppPage, option: str) -> None:
    app.page.get_by_role("radio", name=option, exact=True).click()
    app.settle()


def test_own_link_on_a_fresh_server_then_away_and_back(
    start_server: Callable[..., Server], open_window: Callable[..., AppPage]
) -> None:
    names = quote("A1B1,laplace")
    app = open_window(start_server())
    app.open(f"/compare_mechanisms?mechanisms={names}&epsilon=0.7&view=range")
    chart = app.page.locator(".js-plotly-plot")
    expect(chart).to_contain_text("outside")
    app.text("ε, exactly", "2.5")
    app.go("Home")
    app.go("Compare mechanisms")
    expect(app.page.get_by_role("textbox", name="ε, exactly", exact=True)).to_have_value("2.5")
    expect(app.page.get_by_role("radio", name="Where outputs land", exact=True)).to_be_checked()
    expect(chart).to_contain_text("Composite A1B1")
    assert not app.exceptions()


def test_draws_play_without_the_server_and_simulating_more_of_them_can_be_stopped(
    app: AppPage,
) -> None:
    # At five budgets each: long enough not to be over before the button is reached.
    many = "A1B1,A2B1,A3B1,laplace,discrete_gaussian,piecewise"
    app.open(f"/compare_mechanisms?view=draws&mechanisms={many}")
    shown = app.page.get_by_role("region", name="Player of draws one by one")
    expect(shown).to_have_attribute("data-state", "ended")
    expect(shown).to_contain_text("draw 300 of 300")
    sent: list[str] = []
    app.page.on("websocket", lambda socket: sent.append(socket.url))
    app.page.on("request", lambda request: sent.append(request.url))
    runs = app.page.get_by_test_id("stApp").get_attribute("data-test-script-state")
    shown.get_by_role("button", name="To the start").click()
    expect(shown).to_contain_text("draw 1 of 300")
    expect(shown).to_contain_text("would have spent ε = 1 by now")
    shown.locator("select[data-set=speed]").select_option("60")
    shown.get_by_role("button", name="Play").click()
    expect(shown).to_have_attribute("data-frame", re.compile(r"^[1-9]\d"))
    shown.get_by_role("button", name="Pause").click()
    expect(shown).to_have_attribute("data-state", "paused")
    at = int(shown.get_attribute("data-frame") or 0)
    shown.get_by_role("button", name="Step forward").click()
    expect(shown).to_have_attribute("data-frame", str(at + 1))
    shown.get_by_role("group").press("End")
    expect(shown).to_have_attribute("data-state", "ended")
    assert runs == "notRunning"
    assert not sent

    # A mechanism is found by typing.
    take(app, "Error against ε")
    app.select_many("Mechanisms", ["Duchi et al."])
    expect(app.page.locator(".js-plotly-plot .legend")).to_contain_text("Duchi et al.")
    take(app, "1,000,000")
    app.page.get_by_role("button", name="Simulate more draws").click()
    app.page.get_by_role("button", name="Cancel", exact=True).click()
    expect(app.page.get_by_text("Stopped on request")).to_be_visible(timeout=20_000)
    expect(app.page.get_by_text("Simulated from 400 draws")).to_be_visible()
