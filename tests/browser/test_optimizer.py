"""The Optimizer in a browser: search, play to the end, cancel, leave and return, link and file."""

from __future__ import annotations

import json

from playwright.sync_api import Locator, expect

from tests.benchmarks.moves import received
from tests.browser.driver import AppPage

LAST = "239"
LIMIT = 2_000_000
SLOW = "gradient.rate=0.001&gradient.updates=100000&algorithms=gradient,exact"


def player(app: AppPage) -> Locator:
    return app.page.get_by_role("region", name="Player of run")


def button(app: AppPage, name: str) -> Locator:
    return app.page.get_by_role("button", name=name, exact=True)


def test_it_plays_steps_and_jumps_without_asking_the_server(app: AppPage) -> None:
    sizes = received(app)
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
    app.page.get_by_label("Speed").select_option("normal")
    the_keyboard_plays_steps_and_jumps(app, jump)
    less_motion_shows_a_dozen_stills(app)


def the_keyboard_plays_steps_and_jumps(app: AppPage, jump: Locator) -> None:
    at, keys = player(app), app.page.keyboard
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
    jump.focus()
    keys.press("End")
    expect(at).to_have_attribute("data-frame", LAST)
    keys.press("ArrowLeft")
    expect(at).to_have_attribute("data-frame", "238")
    assert str(jump.get_attribute("aria-valuetext")).startswith("point ")
    button(app, "Step back").press("Enter")
    expect(at).to_have_attribute("data-frame", "237")
    at.get_by_role("group").press("End")
    expect(at).to_have_attribute("data-state", "ended")


def less_motion_shows_a_dozen_stills(app: AppPage) -> None:
    app.page.emulate_media(reduced_motion="reduce")
    expect(app.page.get_by_text("Your system asks for less motion")).to_be_visible()
    button(app, "Play").click()
    seen = set()
    for _ in range(20):
        seen.add(int(player(app).get_attribute("data-frame") or -1))
        app.page.wait_for_timeout(150)
    button(app, "Pause").click()
    # A still is held for a second, and the next one lies a twelfth of the way on.
    assert 2 <= len(seen) <= 6
    assert all(frame % 20 == 0 for frame in seen)


def test_a_search_goes_on_elsewhere_and_is_found_again_and_saved(app: AppPage) -> None:
    app.open("/optimizer?gradient.rate=0.01&gradient.updates=15000&algorithms=gradient")
    expect(player(app)).to_have_attribute("data-state", "ended", timeout=20_000)
    with app.page.expect_download() as started:
        button(app, "SVG").click()
    picture = started.value.path().read_text(encoding="utf-8")
    assert started.value.suggested_filename == "search-2-point-18420.svg"
    assert picture.startswith("<svg")
    assert "var(" not in picture
    with app.page.expect_download() as started:
        button(app, "PNG").click()
    assert started.value.path().read_bytes().startswith(b"\x89PNG")
    app.page.locator(".st-key-more-player").get_by_role("button").click()
    app.settle()
    name, data = app.download("CSV")
    assert name == "search-2.csv"
    lines = data.decode("utf-8-sig").splitlines()
    assert lines[0].startswith("point,k (1/domain unit),m (domain unit)")
    assert len(lines) == int(LAST) + 2
    app.page.keyboard.press("Escape")

    app.select("Function pair", "A2B1: sine on a constant base")
    app.slider("Privacy budget ε", "2")
    button(app, "Search").click()
    expect(app.page.get_by_text("Stochastic gradient: ")).to_be_visible(timeout=30_000)
    run = app.page.get_by_text("3 · Stochastic gradient, A2B1, ε = 2").first
    # First while it still searches, then with all of it there.
    for _ in range(2):
        app.go("Privatize")
        app.go("Optimizer")
        expect(run).to_be_visible(timeout=90_000)
    expect(app.page.get_by_role("textbox", name="ε, exactly")).to_have_value("2")
    expect(app.page.get_by_role("combobox", name="Function pair")).to_have_value(
        "A2B1: sine on a constant base"
    )
    expect(player(app)).to_have_attribute("data-state", "ended")
    assert not app.exceptions()


def test_a_long_search_shows_progress_and_stops_when_cancelled(app: AppPage) -> None:
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


def test_the_page_stays_light_however_much_was_looked_at(app: AppPage) -> None:
    sizes = received(app)
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


def test_settings_travel_as_a_link_and_a_file_and_nonsense_is_refused(app: AppPage) -> None:
    app.open("/optimizer?epsilon=3.5&pair=A3B2&tau=0.8&algorithms=evolution")
    button(app, "Link and file").click()
    app.settle()
    link = app.page.get_by_test_id("stCode").inner_text()
    assert link.startswith(f"{app.url}/optimizer?")
    name, settings = app.download("Save settings")
    assert name == "optimizer-settings.json"
    said = json.loads(settings)["settings"]
    assert said == {"epsilon": "3.5", "pair": "A3B2", "tau": "0.8", "algorithms": "evolution"}

    # Loaded anew, the page is in a session of its own.
    app.open("/optimizer?epsilon=<b>x</b>&pair=A9&colour=red")
    expect(app.page.get_by_text("“epsilon=<b>x</b>” is not used, 1 is")).to_be_visible()
    expect(app.page.get_by_role("textbox", name="ε, exactly")).to_have_value("1")
    expect(app.page.get_by_text("Not a setting of this page, so not used: colour.")).to_be_visible()
    app.press("Dismiss")
    for bad, says in ((b"nonsense", "The file is not JSON"), (settings, "")):
        if not button(app, "Save settings").is_visible():
            button(app, "Link and file").click()
            app.settle()
        app.upload("Open settings", "settings.json", bad, kind="application/json")
        if says:
            expect(app.page.get_by_text(says)).to_be_visible()
            app.page.keyboard.press("Escape")
            app.press("Dismiss")
    expect(app.page.get_by_role("textbox", name="ε, exactly")).to_have_value("3.5")
    expect(app.page.get_by_role("combobox", name="Function pair")).to_have_value(
        "A3B2: triangle on a quartic base"
    )
    assert not app.exceptions()
