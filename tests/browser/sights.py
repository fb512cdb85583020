"""Where a visitor gets to on each page: for the pictures of README.md and the looks of the tests.

Each function brings an open page one step further and returns when there is something to see.
"""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser import rooms
from tests.browser.driver import AppPage

SURVEY = "School health survey"
COLUMNS = ["height (cm)", "weight (kg)"]
BOUNDS = "Fill in the sample's public bounds"
LONG = 180_000
"""Milliseconds for what takes seconds even on an idle machine."""


def open_the_survey(app: AppPage) -> None:
    """The school health survey, on Privatize or on Release a statistic."""
    app.press(SURVEY)


def set_two_columns(app: AppPage) -> None:
    """Columns with bounds: every step of Privatize shows something."""
    app.select_many("Columns to privatize", COLUMNS)
    app.press(BOUNDS)


def release_the_table(app: AppPage) -> None:
    _released(app, ".st-key-release button")


def ask_for_a_mean(app: AppPage) -> None:
    app.select("Of which column", COLUMNS[0])
    app.press(BOUNDS)


def release_the_answer(app: AppPage) -> None:
    _released(app, ".st-key-release-answer button")


def _released(app: AppPage, button: str) -> None:
    app.page.locator(button).click()
    expect(app.page.get_by_text("Released at")).to_be_visible(timeout=LONG)
    app.settle()


def read_the_example(app: AppPage) -> None:
    """The example of Read a release, with its distribution."""
    app.page.get_by_role("button", name="Try it on an example", exact=True).click()
    expect(app.page.locator("[class*='st-key-chart-density']")).to_be_visible(timeout=LONG)
    expect(app.page.get_by_role("button", name="Cancel")).to_have_count(0, timeout=LONG)
    app.settle(timeout=LONG)


def look_at_the_budget(app: AppPage) -> None:
    """From the page of a release to the ledger, with a limit."""
    app.go("Budget")
    app.text("Limit for each table (empty: none)", "2")


def answer(app: AppPage, place: int) -> None:
    """Give the answer at that place to the question of an open step of the course."""
    app.page.locator(".st-key-lesson-question").get_by_role("radio").nth(place).press("Space")
    app.settle()
    app.page.get_by_role("button", name="Check the answer", exact=True).press("Enter")
    app.settle()


def search(app: AppPage) -> None:
    """Run the algorithms that are chosen on the Optimizer."""
    app.press("Search")
    expect(app.page.get_by_role("button", name="Search", exact=True)).to_be_enabled(timeout=LONG)
    app.settle(timeout=LONG)


def run_the_paper(app: AppPage) -> None:
    app.page.get_by_role("button", name="Run the paper again").click()
    expect(app.page.get_by_text("5 · Where we differ")).to_be_visible(timeout=LONG)
    app.settle(timeout=LONG)


def fill_a_room(app: AppPage) -> None:
    """A room in which a class of thirty has nearly answered."""
    rooms.open_room_with_answers(app, 28)
    app.check("For the projector: the wall alone")


def answer_in_a_room(app: AppPage) -> None:
    """A student's page after the answer left."""
    rooms.join_and_answer(app)


def audit_a_broken_one(app: AppPage) -> None:
    """A mechanism that is broken on purpose, convicted by its draws."""
    button = app.page.get_by_role("button", name="Draw up to 1,000,000 times")
    app.select("Mechanism", "⚠ Broken on purpose: Half the budget counted")
    button.click()
    expect(app.page.get_by_text("Strongest look")).to_be_visible(timeout=LONG)
    expect(button).to_be_visible(timeout=LONG)
    app.settle(timeout=LONG)
