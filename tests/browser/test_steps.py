"""The bar of steps of a long page, and what folds once it is passed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser import looks
from tests.browser.driver import AppPage
from tests.browser.keys import enter, stands_at, where
from tests.browser.sights import ask_for_a_mean, open_the_survey, release_the_answer

LINE = 50
"""Pixels of a bar of one line."""
BACK = 25
"""Presses of Shift and Tab, from the end of the page up past a table, fields and charts."""

_BELOW = """
() => {
  let e = document.activeElement;
  while (e.shadowRoot?.activeElement) e = e.shadowRoot.activeElement;
  // What is too small to be seen is shown by what it lies in.
  while (e.parentElement && Math.min(e.offsetWidth, e.parentElement.offsetWidth) < 8)
    e = e.parentElement;
  const bar = document.querySelector('.st-key-stepbar');
  if (bar.contains(e) || !e.closest('.stMain')) return 0;
  return e.getBoundingClientRect().top - bar.getBoundingClientRect().bottom;
}
"""
"""How far below the bar that begins which has the focus."""


def to_the_end(app: AppPage) -> None:
    app.page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, main.scrollHeight)")


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_the_bar_leads_to_every_step_hides_nothing_and_a_release_comes_into_sight(
    width: int, scheme: str, app: AppPage
) -> None:
    app.open("/statistic")
    looks.Look(scheme, width).take(app)
    page, bar = app.page, app.page.get_by_role("navigation", name="Steps of this page")
    expect(bar.get_by_role("link")).to_have_text(["● Data (now)"])
    open_the_survey(app)
    ask_for_a_mean(app)
    expect(bar.get_by_role("link")).to_have_count(6)
    expect(bar.locator("[aria-current=step]")).to_have_text("● Release (now)")
    # In a moment the page above it is hundreds of pixels shorter.
    release_the_answer(app)
    expect(page.get_by_text("Released at")).to_be_in_viewport(ratio=1)
    stands_at(page, "5 · Release and download")
    made_up = page.get_by_role("group", name="A true answer, made up")
    expect(made_up).to_have_count(0)

    to_the_end(app)
    expect(bar).to_be_in_viewport(ratio=1)
    box = bar.bounding_box()
    assert box is not None
    assert box["height"] < LINE
    # It is on top of all: a press there reaches it.
    bar.get_by_role("link", name="Privacy (done)").click()
    heading = page.get_by_role("heading", name="3 · Privacy")
    expect(heading).to_be_in_viewport(ratio=1)
    assert page.evaluate(_BELOW) >= 0

    bar.get_by_role("link", name="See it (done)").focus()
    enter(page)
    expect(made_up).to_be_visible()
    app.settle()
    stands_at(page, "4 · See it")
    assert page.evaluate(_BELOW) >= 0

    assert not looks.barred(app)
    assert not looks.sticking_out(app)

    to_the_end(app)
    page.get_by_role("link", name="Row by row? (done)").focus()
    enter(page)
    for _ in range(BACK):
        page.keyboard.press("Shift+Tab")
        assert page.evaluate(_BELOW) >= 0, where(page).name
