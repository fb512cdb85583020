"""The Paper page in a browser: stopped, run, left and found again; with a table of one's own."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.driver import AppPage
from tests.browser.server import Server

RUN = "Run the paper again"
LONG = 180_000
"""Milliseconds for a run on a busy machine."""
UPLOAD = "Your table: CSV, Excel, OpenDocument, Parquet, JSON lines, Stata or SPSS, also zipped"
CSV = b"age,name\n" + b"".join(b"%d,x\n" % age for age in range(20, 60))


def run(app: AppPage) -> None:
    app.page.get_by_role("button", name=RUN).click()
    expect(app.page.get_by_text("5 · Where we differ")).to_be_visible(timeout=LONG)
    app.settle(timeout=60)


def test_own_link_on_a_fresh_server_stopped_run_left_found_again_and_a_table_of_mine(
    start_server: Callable[..., Server], open_window: Callable[..., AppPage]
) -> None:
    app = open_window(start_server()).open("/paper?repetitions=200")
    app.page.get_by_role("button", name=RUN).click()
    app.page.get_by_role("button", name="Cancel", exact=True).click()
    expect(app.page.get_by_role("button", name=RUN)).to_be_visible(timeout=LONG)
    expect(app.page.get_by_text("It takes a few seconds")).to_be_visible()
    run(app)
    app.go("Privatize")
    app.upload(UPLOAD, "people.csv", CSV)
    app.go("Paper")
    expect(app.page.get_by_text("5 · Where we differ")).to_be_visible()
    box = app.page.get_by_role("textbox", name="Draws of each query", exact=True)
    expect(box).to_have_value("200")
    name, data = app.download("All tables (ZIP of CSV files)")
    assert name == "paper-reproduced.zip"
    assert data[:2] == b"PK"
    assert not app.exceptions()

    app.radio("Ask the five queries of", "a column of my table")
    expect(app.page.get_by_role("button", name=RUN)).to_be_disabled()
    app.text("Lower bound", "18")
    app.text("Upper bound", "100")
    app.text("Draws of each query", "100")
    run(app)
    expect(app.page.get_by_text("they are private, not a release")).to_be_visible(timeout=LONG)
    name, _ = app.download("All tables (ZIP of CSV files)")
    assert name == "paper-reproduced-private.zip"
