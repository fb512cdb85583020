"""One number released in a browser, and the budget that it is charged to."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.benchmarks.moves import received
from tests.browser.driver import AppPage
from tests.browser.server import Server

UPLOAD = "Your table: CSV, Excel, OpenDocument, Parquet, JSON lines, Stata or SPSS, also zipped"
TABLE = "name,age (years)\n" + "\n".join(f"p{i},{10 + i % 9}" for i in range(80))
EPSILON = "ε, exactly"
LARGEST = 30_000
"""Bytes the server may send for a move of a slider. The whole page is twice that and more."""


def asked(app: AppPage, table: str = TABLE) -> AppPage:
    app.open("/statistic")
    app.upload(UPLOAD, "class.csv", table.encode())
    app.select("Of which column", "age (years)")
    app.text("Lower bound", "0")
    app.text("Upper bound", "20")
    return app


def release(app: AppPage) -> None:
    app.page.locator(".st-key-release-answer button").click()
    expect(app.page.get_by_text("Released at")).to_be_visible(timeout=30_000)
    app.settle()


def spent(app: AppPage) -> str:
    return app.page.get_by_test_id("stSidebar").inner_text().splitlines()[-1]


def released(app: AppPage) -> str:
    tiles = app.page.locator(".st-key-tiles-answer").get_by_test_id("stMetricValue")
    return tiles.first.inner_text()


def test_from_a_question_to_its_picture_and_files(app: AppPage) -> None:
    sizes = received(app)
    asked(app)
    # The picture follows the slider by a small message.
    slider = app.page.get_by_role("group", name="A true answer, made up").get_by_role("slider")
    legend = app.page.locator("[class*='st-key-chart-answer'] .legend").first
    for _ in range(3):
        before = legend.text_content() or ""
        sizes.clear()
        slider.press("ArrowRight")
        expect(legend).not_to_have_text(before)
        app.settle()
        assert 1000 < sum(sizes) < LARGEST

    app.text(EPSILON, "0,7")
    release(app)
    name, card = app.download("Card as data")
    assert name == "class_mean_card.json"
    item = json.loads(card)["items"][0]
    assert f"{item['answer']['value']}" in released(app)
    assert item["epsilon"] == "0.7"
    _, page = app.download("Privacy card")
    assert "mean of age (years)" in page.decode()
    _, script = app.download("Python script")
    compile(script, "script", "exec")
    _, numbers = app.download("Answer as CSV")
    assert f",{item['answer']['value']}," in numbers.decode("utf-8-sig")

    app.go("Home")
    app.go("Release a statistic")
    expect(app.page.get_by_role("textbox", name=EPSILON, exact=True)).to_have_value("0,7")
    expect(app.page.get_by_role("textbox", name="Upper bound")).to_have_value("20")
    assert app.download("Card as data")[1] == card
    assert spent(app).endswith("ε = 0.7")


def test_the_budget_outlives_a_reload_and_is_nobody_elses(
    app: AppPage, server: Server, open_window: Callable[..., AppPage]
) -> None:
    asked(app)
    app.text(EPSILON, "0.3")
    release(app)
    # A reload is a new session; a second window of the same browser is one, too.
    app.page.reload()
    app.settle()
    assert spent(app).endswith("ε = 0.3")
    second = app.page.context.new_page()
    second.goto(f"{app.url}/budget")
    expect(
        second.get_by_text("mean of age (years)").or_(second.get_by_text("ε = 0.3")).first
    ).to_be_visible(timeout=30_000)
    # Known by the name of its file, though this session never saw the file.
    expect(second.get_by_text("class.csv").first).to_be_visible()
    second.close()
    other = open_window(server)
    other.open("/budget")
    assert spent(other) == "Nothing released yet."

    # The same file finds its spent budget, and the limit holds for it.
    app.go("Budget")
    app.text("Limit for each table (empty: none)", "0.5")
    app.go("Release a statistic")
    asked_again = asked(app)
    asked_again.text(EPSILON, "0.3")
    expect(app.page.get_by_text("0.2 is left")).to_be_visible()
    expect(app.page.locator(".st-key-release-answer button")).to_have_count(0)
    app.text(EPSILON, "0.2")
    release(app)
    assert re.search(r"ε = 0\.5 · limit 0\.5$", spent(app))


def test_a_link_restores_the_question_and_a_lost_connection_or_saved_ledger_loses_nothing(
    app: AppPage,
) -> None:
    app.page.add_init_script(
        "window.sockets = []; window.WebSocket = class extends window.WebSocket {"
        " constructor(...all) { super(...all); window.sockets.push(this); } };"
    )
    app.open("/statistic?statistic=sum&column=2&lower=1&upper=30&epsilon=0.25&missing=perhaps")
    expect(app.page.get_by_text("missing=perhaps")).to_be_visible()
    app.upload(UPLOAD, "class.csv", TABLE.encode())
    for label, value in ((EPSILON, "0.25"), ("Lower bound", "1"), ("Upper bound", "30")):
        expect(app.page.get_by_role("textbox", name=label, exact=True)).to_have_value(value)
    expect(app.page.get_by_text("sum of age (years)").first).to_be_visible()
    release(app)
    before, opened = released(app), app.page.evaluate("sockets.length")
    app.page.evaluate("sockets.forEach(socket => socket.close())")
    app.page.wait_for_function(f"sockets.length > {opened}")
    app.settle()
    assert released(app) == before
    assert spent(app).endswith("ε = 0.25")

    app.go("Budget")
    name, data = app.download("Ledger as JSON")
    assert name == "budget_keep_to_yourself.json"
    (entry,) = json.loads(data)["entries"]
    assert (entry["what"], entry["epsilon"]) == ("sum of age (years)", "0.25")
    _, table = app.download("Ledger as CSV")
    assert "sum of age (years)" in table.decode("utf-8-sig")
    app.upload("Open a saved ledger", "budget.json", data)
    expect(app.page.get_by_text("known already")).to_be_visible()
