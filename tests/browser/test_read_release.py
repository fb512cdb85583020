"""A released file and its card read in a browser, with the keyboard where that matters."""

from __future__ import annotations

from playwright.sync_api import expect

from pages.sections.read_release.file_and_card import LABELS
from pages.sections.read_release.source import CARD, FILE
from tests.app.test_read_release import made
from tests.browser.driver import AppPage
from tests.browser.keys import enter, tab_to, write

LIMIT = "Share of rows above this limit (points)"
LONG = 60_000


def test_from_file_and_card_to_figures_and_their_files(app: AppPage) -> None:
    file, card = made()
    app.open("/read_release?column=5")
    app.upload(LABELS[FILE], "survey_privatized.csv", file)
    expect(app.page.get_by_text("Now the card that belongs to it")).to_be_visible(timeout=LONG)
    app.upload(LABELS[CARD], "survey_card.json", card, kind="application/json")
    page = app.page
    expect(page.get_by_text("The mean of score over these 2,000 rows")).to_be_visible(timeout=LONG)

    # The limit by the keyboard alone; its share is one more row, and a sentence with one press.
    tab_to(page, LIMIT)
    write(page, "12")
    enter(page)
    app.settle()
    expect(page.get_by_test_id("stProgress")).to_have_count(0, timeout=LONG)
    app.settle()
    page.get_by_text("Sentences to repeat").click()
    said = page.get_by_text("rows where score is above 12 points")
    expect(said).to_be_visible(timeout=LONG)

    chart = page.locator(".st-key-chart-density-4")
    chart.get_by_role("button", name="Numbers and files").click()
    app.settle()
    name, numbers = app.download("CSV")
    assert name == "density-4.csv"
    assert numbers.decode("utf-8-sig").startswith("from (points),to (points),share of rows (%)")
    page.keyboard.press("Escape")

    # Another page and back: file, card and column are there.
    app.go("Privatize")
    expect(page.get_by_text("survey_privatized.csv")).to_have_count(0)
    app.go("Read a release")
    expect(page.get_by_text("survey_privatized.csv")).to_be_visible(timeout=LONG)
    expect(page.get_by_role("combobox", name="Column", exact=True)).to_have_value("score")
    expect(page.get_by_text("rows where score is above 12 points")).to_be_visible(timeout=LONG)
