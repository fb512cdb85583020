"""People with several rows: asked first on both pages, with a keyboard alone; then all says it."""

from __future__ import annotations

import json
from collections import Counter

from playwright.sync_api import expect

from pages.sections.shared.person import WHO
from pages.sections.shared.person_answer import PERSON, ROWS
from tests.app.test_person import AT_MOST, COUNTS, E06
from tests.browser.driver import AppPage
from tests.browser.keys import enter, stands_at, tab_to, write
from tests.browser.looks import Look, barred, cut, sticking_out

UPLOAD = "Your table: CSV, Excel, OpenDocument, Parquet, JSON lines, Stata or SPSS, also zipped"
ASKED = "Say whose privacy it is to go on."


def answer_by_keys(app: AppPage, at_most: str) -> None:
    """Say that patients are the persons; nothing of a budget is to be seen before."""
    app.upload(UPLOAD, "visits.csv", E06)
    page = app.page
    expect(page.get_by_text(ASKED)).to_be_visible()
    expect(page.get_by_text("patient_id repeats")).to_be_visible()
    expect(page.get_by_text("ε", exact=False)).to_have_count(0)
    tab_to(page, WHO[ROWS])
    page.keyboard.press("ArrowDown")
    app.settle()
    stands_at(page, WHO[PERSON])
    tab_to(page, AT_MOST)
    write(page, at_most)
    enter(page)
    app.settle()
    stands_at(page, AT_MOST)
    expect(page.get_by_text(ASKED)).not_to_be_visible()


def wrong(app: AppPage) -> list[str]:
    """In both themes, wide and narrow."""
    found = []
    for look in (Look("light", 1280), Look("dark", 390)):
        look.take(app)
        app.fit_height()
        found += [text for check in (barred, sticking_out, cut) for text in check(app)]
    Look("light", 1280).take(app)
    return found


def released(app: AppPage, button: str) -> None:
    app.page.locator(button).click()
    expect(app.page.get_by_text("Released at")).to_be_visible(timeout=30_000)
    app.settle()


def test_a_table_of_persons_from_the_question_to_its_file_and_its_card(app: AppPage) -> None:
    app.open("/privatize")
    answer_by_keys(app, "2")
    app.select_many("Columns to privatize", ["bp"])
    app.text("Lower bound, bp", "60")
    app.text("Upper bound, bp", "220")
    assert not wrong(app)
    expect(app.page.get_by_text("1 row will be left out, drawn at random")).to_be_visible()
    released(app, ".st-key-release button")
    expect(app.page.get_by_text("ε = 1 for one person")).to_be_visible()
    _, data = app.download("Download the table")
    rows = [line.split(",") for line in data.decode().splitlines()[1:]]
    assert Counter(row[0] for row in rows) == {"P1": 2, "P2": 2, "P3": 1}
    _, card = app.download("Card as data")
    privacy = json.loads(card)["privacy"]
    assert (privacy["epsilon"], privacy["person"]["at_most"]) == ("1", 2)
    _, settings = app.download("Settings")
    assert json.loads(settings)["columns"][0]["epsilon"] == "0.5"
    app.go("Budget")
    expect(app.page.get_by_text("any one person with at most 2 rows")).to_be_visible()
    # The other page asks no more: there is one answer for the table.
    app.go("Release a statistic")
    expect(app.page.get_by_role("textbox", name=AT_MOST, exact=True)).to_have_value("2")


def test_a_statistic_of_persons_from_the_question_to_its_card(app: AppPage) -> None:
    app.open("/statistic")
    answer_by_keys(app, "3")
    app.select("Of which column", "bp")
    app.text("Lower bound", "60")
    app.text("Upper bound", "220")
    app.select(COUNTS, "One value of each person: the mean of all rows")
    expect(app.page.get_by_text("One person can change it by")).to_be_visible()
    assert not wrong(app)
    released(app, ".st-key-release-answer button")
    app.check("Show the exact answer")
    _, card = app.download("Card as data")
    found = json.loads(card)
    assert found["privacy"]["person"]["by"] == ["patient_id"]
    assert "replace one person" in card.decode()
    expect(app.page.get_by_test_id("stSidebar")).to_contain_text("ε = 1")
