"""The Optimizer in a browser: search, play to the end, cancel, leave and return, link and file."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, WebSocket, expect

from tests.browser.driver import AppPage
from tests.browser.server import Server

DEEP_LINK = "404"
LAST = "239"
LIMIT = 2_000_000
SLOW = "gradient.rate=0.001&gradient.updates=100000&algorithms=gradient,exact"


@pytest.fixture
def optimizer(app: AppPage) -> AppPage:
    app.expect_console_error(DEEP_LINK)
    app.open("/optimizer")
    expect(player(app)).to_have_attribute("data-state", "ended", timeout=20_000)
    return app


def player(app: AppPage) -> Locator:
    return app.page.get_by_role("region", name="Player of run")


def button(app: AppPage, name: str) -> Locator:
    return app.page.get_by_role("button", name=name, exact=True)


def traffic(app: AppPage) -> list[int]:
    """Sizes of what the server will send from the next page load on."""
    sizes: list[int] = []

    def opened(socket: WebSocket) -> None:
        socket.on("framereceived", lambda frame: sizes.append(len(frame)))

    app.page.on("websocket", opened)
    return sizes


def test_it_plays_to_the_end_without_asking_the_server(app: AppPage) -> None:
    app.expect_console_error(DEEP_LINK)
    sizes = traffic(app)
    app.open("/optimizer")
    expect(player(app)).to_have_attribute("data-state", "ended", timeout=20_000)
    app.settle()
    before = len(sizes)
    assert before > 0
    shown = player(app).locator(".stage .density")
    jump = player(app).get_by_role("slider", name="Jump to")
    jump.focus()
    app.page.keyboard.press("Home")
    # Nothing is feasible at first: there is no density yet. A few pages on there is, a rough one.
    for _ in range(3):
        app.page.keyboard.press("PageUp")
    expect(player(app)).not_to_have_attribute("data-frame", "0")
    early = shown.get_attribute("d")
    app.page.get_by_label("Speed").select_option("very fast")
    button(app, "Play").click()
    expect(player(app)).to_have_attribute("data-state", "ended", timeout=60_000)
    expect(player(app)).to_have_attribute("data-frame", LAST)
    assert shown.get_attribute("d") != early
    expect(player(app).get_by_text("stopped: the last of 3 grids")).to_be_visible()
    assert len(sizes) == before


def test_the_keyboard_plays_steps_and_jumps(optimizer: AppPage) -> None:
    at, keys = player(optimizer), optimizer.page.keyboard
    at.get_by_role("group").focus()
    keys.press("Home")
    expect(at).to_have_attribute("data-frame", "0")
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    keys.press("ArrowLeft")
    expect(at).to_have_attribute("data-frame", "1")
    keys.press("Space")
    expect(at).to_have_attribute("data-state", "playing")
    keys.press("Space")
    expect(at).to_have_attribute("data-state", "paused")
    jump = at.get_by_role("slider", name="Jump to")
    jump.focus()
    keys.press("End")
    expect(at).to_have_attribute("data-frame", LAST)
    keys.press("ArrowLeft")
    expect(at).to_have_attribute("data-frame", "238")
    assert str(jump.get_attribute("aria-valuetext")).startswith("point ")
    button(optimizer, "Step back").press("Enter")
    expect(at).to_have_attribute("data-frame", "237")


def test_less_motion_shows_a_dozen_stills(optimizer: AppPage) -> None:
    optimizer.page.emulate_media(reduced_motion="reduce")
    expect(optimizer.page.get_by_text("Your system asks for less motion")).to_be_visible()
    button(optimizer, "Play").click()
    seen = set()
    for _ in range(20):
        seen.add(int(player(optimizer).get_attribute("data-frame") or -1))
        optimizer.page.wait_for_timeout(150)
    button(optimizer, "Pause").click()
    # A still is held for a second, and the next one lies a twelfth of the way on.
    assert 2 <= len(seen) <= 6
    assert all(frame % 20 == 0 for frame in seen)


def test_a_frame_is_saved_as_a_picture(optimizer: AppPage) -> None:
    with optimizer.page.expect_download() as started:
        button(optimizer, "SVG").click()
    picture = started.value.path().read_text(encoding="utf-8")
    assert started.value.suggested_filename == "search-2-point-18420.svg"
    assert picture.startswith("<svg")
    assert "var(" not in picture
    with optimizer.page.expect_download() as started:
        button(optimizer, "PNG").click()
    assert started.value.path().read_bytes().startswith(b"\x89PNG")


def test_the_player_s_numbers_are_a_table_and_a_file(optimizer: AppPage) -> None:
    optimizer.page.locator(".st-key-more-player").get_by_role("button").click()
    optimizer.settle()
    name, data = optimizer.download("CSV")
    assert name == "search-2.csv"
    lines = data.decode("utf-8-sig").splitlines()
    assert lines[0].startswith("point,k (1/domain unit),m (domain unit)")
    assert len(lines) == int(LAST) + 2


def test_change_search_leave_and_return_loses_nothing(optimizer: AppPage) -> None:
    optimizer.select("Function pair", "A2B1: sine on a constant base")
    optimizer.slider("Privacy budget ε", "2")
    optimizer.press("Search")
    run = optimizer.page.get_by_text("5 · Stochastic gradient, A2B1, ε = 2").first
    expect(run).to_be_visible(timeout=60_000)
    menu = optimizer.page.get_by_test_id("stSidebar")
    menu.get_by_role("link", name="Privatize").click()
    optimizer.settle()
    menu.get_by_role("link", name="Optimizer").click()
    optimizer.settle()
    expect(run).to_be_visible()
    expect(optimizer.page.get_by_role("textbox", name="ε, exactly")).to_have_value("2")
    expect(optimizer.page.get_by_role("combobox", name="Function pair")).to_have_value(
        "A2B1: sine on a constant base"
    )
    expect(player(optimizer)).to_have_attribute("data-state", "ended")
    assert not optimizer.exceptions()


def test_a_long_search_shows_progress_and_stops_when_cancelled(app: AppPage) -> None:
    app.expect_console_error(DEEP_LINK)
    app.open(f"/optimizer?{SLOW}")
    button(app, "Search").click()
    progress = app.page.get_by_text("Stochastic gradient: ")
    expect(progress).to_contain_text("least variance", timeout=30_000)
    # The page stays usable meanwhile. For a moment the button of the run before is there, too.
    expect(button(app, "Search")).to_have_count(1)
    expect(button(app, "Search")).to_be_disabled()
    slider = app.page.get_by_role("slider", name="Privacy budget ε")
    slider.press("ArrowRight")
    expect(app.page.get_by_role("textbox", name="ε, exactly")).to_have_value("1.2")
    expect(progress).to_be_visible()
    button(app, "Cancel").click()
    expect(progress).to_have_count(0, timeout=30_000)
    app.settle(timeout=90)
    # What it found is kept, at the budget it was asked for; the next one was not begun.
    expect(app.page.get_by_text("Cancelled. It had found").first).to_be_visible()
    expect(app.page.get_by_text("3 · Stochastic gradient, A1B1, ε = 1").first).to_be_visible()
    expect(app.page.get_by_text("4 · Exact")).to_have_count(0)
    expect(button(app, "Search")).to_be_enabled()
    assert not app.exceptions()


def test_a_search_goes_on_while_another_page_is_open(app: AppPage) -> None:
    app.expect_console_error(DEEP_LINK)
    app.open("/optimizer?gradient.rate=0.01&gradient.updates=15000&algorithms=gradient")
    button(app, "Search").click()
    expect(app.page.get_by_text("Stochastic gradient: ")).to_be_visible(timeout=30_000)
    menu = app.page.get_by_test_id("stSidebar")
    menu.get_by_role("link", name="Privatize").click()
    expect(app.page).to_have_title("Privatize · CompDP")
    app.settle()
    menu.get_by_role("link", name="Optimizer").click()
    run = app.page.get_by_text("3 · Stochastic gradient, A1B1, ε = 1").first
    expect(run).to_be_visible(timeout=90_000)


def test_the_page_stays_light_however_much_was_looked_at(app: AppPage) -> None:
    app.expect_console_error(DEEP_LINK)
    sizes = traffic(app)
    app.open(
        "/optimizer?pair=A3B1&target.looks=2000000&target.ratio=1&target.step=0.01"
        "&enumeration.rounds=5&algorithms=enumeration,target"
    )
    button(app, "Search").click()
    expect(app.page.get_by_text("after looking at 2,000,000 points").first).to_be_visible(
        timeout=90_000
    )
    app.settle()
    assert sum(sizes) < LIMIT


def test_settings_travel_as_a_link_and_as_a_file(
    server: Server, open_window: Callable[..., AppPage]
) -> None:
    app = open_window(server)
    app.expect_console_error(DEEP_LINK)
    app.open("/optimizer?epsilon=3.5&pair=A3B2&tau=0.8&algorithms=evolution")
    button(app, "Link and file").click()
    app.settle()
    link = app.page.get_by_test_id("stCode").inner_text()
    assert link.startswith(f"{app.url}/optimizer?")
    name, settings = app.download("Save settings")
    assert name == "optimizer-settings.json"
    said = json.loads(settings)["settings"]
    assert said == {"epsilon": "3.5", "pair": "A3B2", "tau": "0.8", "algorithms": "evolution"}

    other = open_window(server)
    other.expect_console_error(DEEP_LINK)
    other.open("/optimizer")
    for bad, says in ((b"nonsense", "The file is not JSON"), (settings, "")):
        if not other.page.get_by_role("button", name="Save settings").is_visible():
            button(other, "Link and file").click()
            other.settle()
        other.upload("Open settings", "settings.json", bad, kind="application/json")
        if says:
            expect(other.page.get_by_text(says)).to_be_visible()
            other.page.keyboard.press("Escape")
            other.press("Dismiss")
    expect(other.page.get_by_role("textbox", name="ε, exactly")).to_have_value("3.5")
    expect(other.page.get_by_role("combobox", name="Function pair")).to_have_value(
        "A3B2: triangle on a quartic base"
    )
    assert not other.exceptions()


def test_nonsense_in_a_link_is_refused_in_words(app: AppPage) -> None:
    app.expect_console_error(DEEP_LINK)
    app.open("/optimizer?epsilon=<b>x</b>&pair=A9&colour=red")
    expect(app.page.get_by_text("“epsilon=<b>x</b>” is not used, 1 is")).to_be_visible()
    expect(app.page.get_by_role("textbox", name="ε, exactly")).to_have_value("1")
    expect(app.page.get_by_text("Not a setting of this page, so not used: colour.")).to_be_visible()
