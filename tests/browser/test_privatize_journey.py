"""The main job in a browser: from an upload to the bytes of the download."""

from __future__ import annotations

import csv
import io
import json

from playwright.sync_api import expect

from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.report.settings import TableSettings
from compdp_core.report.settings_reading import from_json
from tests.benchmarks.moves import received
from tests.browser.driver import AppPage

UPLOAD = "Your table: CSV, Excel, OpenDocument, Parquet, JSON lines, Stata or SPSS, also zipped"
EPSILON = "ε, exactly"
ROWS = 120
LARGEST = 60_000
"""Bytes the server may send for a move of a slider. The whole page, rather than the fragment, is
several times that."""


def table() -> bytes:
    """Semicolons, decimal commas, ids with leading zeros, quotes, CR LF, missing values."""
    lines = ["nr;Größe (cm);Punkte;Notiz"]
    for i in range(ROWS):
        height = "" if i == 7 else f"{150 + i % 40},{i % 10}"
        lines.append(f'{i:04d};{height};{i % 21};"a;b {i}"')
    return ("\r\n".join(lines) + "\r\n").encode("cp1252")


def prepared(app: AppPage) -> AppPage:
    app.open("/privatize")
    app.upload(UPLOAD, "klasse.csv", table())
    app.select_many("Columns to privatize", ["Größe (cm)", "Punkte"])
    for label, value in (
        ("Lower bound, Größe (cm)", "100"),
        ("Upper bound, Größe (cm)", "220"),
        ("Lower bound, Punkte", "0"),
        ("Upper bound, Punkte", "20"),
        (EPSILON, "3"),
    ):
        app.text(label, value)
    return app


def release(app: AppPage) -> None:
    app.page.locator(".st-key-release button").click()
    expect(app.page.get_by_text("Released at")).to_be_visible(timeout=30_000)
    app.settle()


def cells(data: bytes, encoding: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode(encoding), newline=""), delimiter=";"))


def on_lattice(text: str, mechanism: CompositeMechanism) -> bool:
    """Whether a cell is a possible output, written with just the decimals of its spacing."""
    whole, _, decimals = text.partition(",")
    low, high = mechanism.outputs
    inside = low <= float(text.replace(",", ".")) <= high
    return inside and len(decimals) == mechanism.decimals and whole.lstrip("-").isdigit()


def test_every_cell_is_checked_and_no_download_or_rerun_draws_new_noise(app: AppPage) -> None:
    prepared(app)
    release(app)
    name, data = app.download("Download the table")
    assert name == "klasse_privatized.csv"
    before, after = cells(table(), "cp1252"), cells(data, "cp1252")
    assert len(after) == ROWS + 1
    assert [(r[0], r[3]) for r in after] == [(r[0], r[3]) for r in before]
    assert data.count(b"\r\n") == ROWS + 1
    assert b'"a;b 7"' in data

    height = CompositeMechanism(1.5, (100, 220))
    points = CompositeMechanism(1.5, (0, 20), spacing=1)
    for row in after[1:]:
        assert on_lattice(row[1], height), row
        assert on_lattice(row[2], points), row
    # 240 releases that all equal the true value would be no noise at all.
    assert sum(a[1:3] == b[1:3] for a, b in zip(after, before, strict=True)) < ROWS / 2

    _, excel = app.download("Download for Excel")
    assert excel.startswith(b"\xef\xbb\xbf")
    assert cells(excel, "utf-8-sig") == after
    _, settings = app.download("Settings")
    reading = from_json(settings)
    assert not reading.notices
    assert isinstance(reading.settings, TableSettings)
    assert reading.settings.plan.epsilon == 3
    assert reading.settings.labels == ("Größe (cm)", "Punkte")
    name, card = app.download("Privacy card")
    assert name == "klasse_card.html"
    assert "Größe (cm)" in card.decode()
    name, script = app.download("Python script")
    assert name == "klasse_release.py"
    compile(script, name, "exec")
    name, notebook = app.download("Notebook")
    assert name == "klasse_release.ipynb"
    assert json.loads(notebook)["nbformat"] == 4

    _, again = app.download("Download the table")
    app.check("Peek at the smallest and largest value, Punkte")
    app.text(EPSILON, "1")
    _, later = app.download("Download the table")
    assert data == again == later
    expect(app.page.get_by_test_id("stSidebar")).to_contain_text("ε = 3")


def test_moves_wrong_entries_leaving_and_returning_lose_nothing(app: AppPage) -> None:
    sizes = received(app)
    prepared(app)
    value = app.page.get_by_role("group", name="True value, between your bounds")
    legend = app.page.locator("[class*='st-key-chart-see'] .legend").first
    for _ in range(3):
        shown = legend.text_content() or ""
        sizes.clear()
        value.get_by_role("slider").press("ArrowRight")
        expect(legend).not_to_have_text(shown)
        app.settle()
        assert 1000 < sum(sizes) < LARGEST

    # Slider and entry agree, however fast the keys.
    app.slider("Privacy budget ε for one row", "3.5")
    box = app.page.get_by_role("textbox", name=EPSILON, exact=True)
    expect(box).to_have_value("3.5")
    app.text(EPSILON, "0.33")
    group = app.page.get_by_role("group", name="Privacy budget ε for one row", exact=True)
    expect(group.get_by_role("slider")).to_have_attribute("aria-valuetext", "0.3")
    expect(box).to_have_value("0.33")

    for text in ("0", "-1", "nan", "abc", ""):
        app.text(EPSILON, text)
        expect(app.page.get_by_text("Until then 0.33 stays in force")).to_be_visible()
    app.text(EPSILON, "0,7")
    app.text("Upper bound, Punkte", "-5")
    expect(app.page.get_by_text("lower below upper")).to_be_visible()
    app.text("Upper bound, Punkte", "20")
    expect(app.page.get_by_text("lower below upper")).not_to_be_visible()
    assert not app.exceptions()

    app.select("What this column holds, Punkte", "Numbers")
    release(app)
    _, before = app.download("Download the table")
    app.go("Home")
    app.go("Privatize")
    for label, text in (
        (EPSILON, "0,7"),
        ("Lower bound, Größe (cm)", "100"),
        ("Upper bound, Punkte", "20"),
        ("Unit, Größe (cm)", "cm"),
    ):
        expect(app.page.get_by_role("textbox", name=label, exact=True)).to_have_value(text)
    expect(app.page.get_by_text("klasse.csv")).to_be_visible()
    kind = app.page.get_by_role("combobox", name="What this column holds, Punkte", exact=True)
    expect(kind).to_have_value("Numbers")
    _, after = app.download("Download the table")
    assert after == before
