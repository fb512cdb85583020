"""Columns together, groups and truth in a browser, by the keyboard alone."""

from __future__ import annotations

import json

from playwright.sync_api import expect

from tests.browser.driver import AppPage
from tests.browser.keys import pick, stands_at, tab_to
from tests.browser.looks import Look, barred, cut, sticking_out
from tests.browser.sights import open_the_survey, release_the_table, set_two_columns

LINK = "/read_release?ask=regression&outcome=2&on=1,4.1&mean_of=2&by=1&against=1"
SWITCH = "Lay the true values beside the estimates"
LONG = 60_000


def pick_by_keys(app: AppPage, label: str, option: str) -> None:
    pick(app.page, label, option)
    app.settle()


def test_columns_are_put_together_with_the_keyboard_and_looks_hold(app: AppPage) -> None:
    page = app.open("/read_release").page
    app.press("Try it on an example")
    pick_by_keys(app, "One column", "sleep (h)")
    pick_by_keys(app, "Another column", "screen time (h)")
    expect(page.get_by_text("The correlation of sleep (h) with screen time (h)")).to_be_visible(
        timeout=LONG
    )
    pick_by_keys(app, "Mean of", "sleep (h)")
    expect(page.get_by_text("Means of the groups, with their intervals")).to_be_visible(
        timeout=LONG
    )
    pick_by_keys(app, "Compared with", "7")
    expect(page.get_by_text("less that where it is 7").first).to_be_visible(timeout=LONG)
    found = []
    for look in (Look("light", 1280), Look("dark", 390)):
        look.take(app)
        app.fit_height()
        found += [text for check in (barred, sticking_out, cut) for text in check(app)]
    assert not found
    assert not app.accessibility_violations()


def test_a_link_asks_the_same_and_files_hold_it(app: AppPage) -> None:
    page = app.open(LINK).page
    app.press("Try it on an example")
    expect(page.get_by_text("Where school year is 1 more")).to_be_visible(timeout=LONG)
    name, script = app.download("Python script")
    assert name == "example_privatized_figures.py"
    assert (
        b"estimates.regression('screen time (h)', ['school year', ('copied in a test', 'yes')])"
        in script
    )


def test_the_truth_is_laid_beside_the_estimates_by_its_owner_alone(app: AppPage) -> None:
    page = app.open("/privatize").page
    open_the_survey(app)
    set_two_columns(app)
    release_the_table(app)
    app.press("Read this release")
    app.settle(timeout=90)
    expect(page.get_by_text("Private, for the owner only")).to_have_count(1, timeout=LONG)
    # Tables are drawn on canvases: what is sent for them is looked at by the tests of the page.
    tables = page.locator(".st-key-step-7").get_by_test_id("stDataFrame")
    expect(tables).to_have_count(0)
    tab_to(page, SWITCH)
    page.keyboard.press("Space")
    app.settle(timeout=90)
    expect(tables).to_have_count(1)
    stands_at(page, SWITCH)
    assert "truth" not in json.dumps(page.evaluate("location.href"))
