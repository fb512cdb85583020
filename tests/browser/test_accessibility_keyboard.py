"""The main job without a mouse, and where the keyboard is after every step of it."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.driver import AppPage
from tests.browser.keys import Sighting, enter, sightings, stands_at, tab_to, where, write
from tests.browser.server import Server
from tests.browser.sights import ask_for_a_mean, open_the_survey

TABLE = "name,points,age (years)\n" + "\n".join(f"p{i},{i % 21},{10 + i % 9}" for i in range(60))

PATIENCE = 20.0
"""Seconds until the keyboard has arrived; a busy machine needs more than a moment."""


def test_the_whole_job_by_keyboard_alone(app: AppPage, tmp_path: Path) -> None:
    page = app.page
    app.expect_console_error("404")
    table = tmp_path / "class.csv"
    table.write_text(TABLE, encoding="utf-8")
    # Listening from the start: a chooser that opens while the listener is set up is missed.
    page.on("filechooser", lambda chooser: chooser.set_files(table))
    app.open()

    tab_to(page, "Upload a table")
    enter(page)
    expect(page).to_have_title("Privatize · CompDP")
    app.settle()
    stands_at(page, "Privatize")

    tab_to(page, "Upload")
    enter(page)
    expect(page.get_by_text("class.csv")).to_be_visible()
    app.settle()
    stands_at(page, "1 · Data")

    tab_to(page, "Columns to privatize")
    page.keyboard.type("points")
    expect(page.get_by_role("option", name="points")).to_be_visible()
    page.keyboard.press("ArrowDown")
    enter(page)
    page.keyboard.press("Escape")
    app.settle()
    stands_at(page, "Columns to privatize")

    tab_to(page, "Lower bound, points")
    write(page, "0")
    tab_to(page, "Upper bound, points")
    write(page, "20")
    enter(page)
    app.settle()
    stands_at(page, "Upper bound, points")

    tab_to(page, "Privacy budget ε for one row")
    page.keyboard.press("ArrowRight")
    app.settle()
    stands_at(page, "Privacy budget ε for one row")
    tab_to(page, "ε, exactly")
    write(page, "2.5")
    enter(page)
    app.settle()
    stands_at(page, "ε, exactly")

    tab_to(page, "Shape of the noise: function pair and objective")
    enter(page)
    app.settle()
    tab_to(page, "Function pair")
    page.keyboard.type("A2B1")
    expect(page.get_by_role("option", name="A2B1")).to_be_visible()
    enter(page)
    app.settle()
    stands_at(page, "Function pair")
    expect(page.get_by_role("combobox", name="Function pair")).to_have_value(
        "A2B1: sine on a constant base"
    )

    tab_to(page, "Release")
    enter(page)
    expect(page.get_by_text("Released at")).to_be_visible(timeout=30_000)
    app.settle()
    stands_at(page, "6 · Release and download")

    passed = tab_to(page, "Download the table")
    # A second release costs privacy: it never lies on the way to the file.
    assert not [place for place in passed if "once more" in place.name]
    with page.expect_download() as started:
        enter(page)
    rows = started.value.path().read_text(encoding="utf-8").splitlines()
    assert len(rows) == 61
    assert rows[1].startswith("p0,")
    app.settle()
    stands_at(page, "Download the table")

    tab_to(page, "Run it on a larger file")
    enter(page)
    expect(page.get_by_text("compdp privatize class.csv")).to_be_visible()
    app.settle()
    tab_to(page, "Name of the larger file")
    write(page, "whole school.csv")
    enter(page)
    expect(page.get_by_text("compdp privatize 'whole school.csv'")).to_be_visible()
    app.settle()
    passed = tab_to(page, "Read this release")
    # The command and the button that copies it.
    assert any("code-larger-privatize" in place.keys for place in passed)
    expect(page.get_by_test_id("stSidebar")).to_contain_text("ε = 2.5")


def press(app: AppPage, name: str, role: str = "button", *, then: str) -> None:
    """Put the keyboard on it and press Enter; `then` begins the name of what has it afterwards."""
    app.page.get_by_role(role, name=name, exact=True).focus()  # type: ignore[arg-type]
    enter(app.page)
    app.settle()
    until = time.monotonic() + PATIENCE
    while not (here := where(app.page).name).startswith(then) and time.monotonic() < until:
        app.settle()
    assert here.startswith(then)


def test_what_makes_room_hands_the_keyboard_to_its_step(app: AppPage) -> None:
    app.open("/statistic?colour=red")
    press(app, "Dismiss", then="Release a statistic")
    press(app, "School health survey", then="1 · Data")
    ask_for_a_mean(app)
    press(app, "Privacy (done)", "link", then="3 · Privacy")
    # The way to the other steps stays in sight.
    expect(app.page.locator(".st-key-stepbar")).to_be_in_viewport(ratio=1)
    app.text("I want 95 % of answers within ± this of the truth (unit of the answer)", "2")
    press(app, "Find the ε", then="Find the ε")
    press(app, "Release the answer", then="5 · Release and download")
    app.page.keyboard.press("Tab")
    assert "once more" not in where(app.page).name
    press(app, "Another table", then="1 · Data")
    press(app, "Home", "link", then="Noise with hard bounds")
    press(app, "Open the sample", then="Privatize")


def test_a_slow_browser_leaves_nobody_in_the_menu(app: AppPage) -> None:
    # So slow, it draws the new page within the old one, and the link that was pressed stays.
    app.open("/statistic")
    slow = app.page.context.new_cdp_session(app.page)
    slow.send("Emulation.setCPUThrottlingRate", {"rate": 15})
    press(app, "Home", "link", then="Noise with hard bounds")


def test_the_mouse_sees_no_ring_and_is_not_taken_anywhere(app: AppPage) -> None:
    app.open("/privatize")
    open_the_survey(app)
    stands_at(app.page, "1 · Data")
    assert not where(app.page).ring
    app.page.get_by_role("heading", name="1 · Data").click()
    app.page.get_by_text("600 rows and 9 columns").click()
    assert where(app.page).tag == "MAIN"


ENOUGH = 60
"""Pixels of a ring. The smallest things, of 16 to 24 pixels, have some 80; a faint one has none."""


def test_the_focus_is_seen_on_every_kind_of_thing(
    server: Server, open_window: Callable[..., AppPage]
) -> None:
    known: set[str] = set()
    seen: list[Sighting] = []
    for link, scheme, presses in (("/statistic", "light", 45), ("/optimizer", "dark", 70)):
        app = open_window(server, scheme=scheme)
        app.open(link)
        if link == "/statistic":
            open_the_survey(app)
            ask_for_a_mean(app)
        seen += sightings(app.page, presses, known)
    assert not [sighting for sighting in seen if sighting.pixels < ENOUGH]
    kinds = " ".join(sighting.kind for sighting in seen)
    for part in (
        "stPageLink", "stTextInput", "stSelectbox", "stMultiSelect", "stSlider", "stCheckbox",
        "stRadio", "stExpander", "stPopover", "stButtonGroup", "elementToolbar", "grid stDataFrame",
        "stPlotlyChart", "primary", "secondary", "tertiary", "stTooltip", "SELECT", "group",
    ):  # fmt: skip
        assert part in kinds, f"no {part} was looked at"
