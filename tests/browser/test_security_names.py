"""Hostile words as names, cells, units and file names: shown as typed, and nothing else happens."""

from __future__ import annotations

import ast
import csv
import io
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from compdp_core.report.settings import FORMAT, VERSION
from tests.browser.driver import AppPage
from tests.browser.effects import Effects, nothing_happened
from tests.browser.hostile import CODE, HOSTILE, MARKDOWN, MARKUP, as_shown
from tests.browser.server import ROOT, Server, serving

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def showing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Shows every word through what all pages share."""
    with serving(HERE / "every_word.py", tmp_path_factory.mktemp("server")) as server:
        yield server


def test_all_words_stay_words(showing: Server, open_window: Callable[..., AppPage]) -> None:
    app = open_window(showing)
    effects = Effects(app.page)
    app.open()
    expect(app.page.get_by_text("That is all.")).to_be_visible()
    expect(app.page.locator(".js-plotly-plot")).to_have_count(len(HOSTILE[::10]))
    nothing_happened(effects)
    shown = app.page.evaluate(
        """() => [...document.querySelectorAll('[class*=st-key-word-]')].map(word => ({
            words: [...word.querySelectorAll('p')].map(p => p.textContent),
            text: word.querySelector('[data-testid=stText]').textContent,
            option: word.querySelector('[data-testid=stSelectbox] input').value,
        }))"""
    )
    for words, place in zip(HOSTILE, shown, strict=True):
        seen = as_shown(words)
        assert [p for p in place["words"] if p != "Choose"] == [
            seen, seen, seen, f"of {seen}", f"1 {seen}",
        ], words  # fmt: skip
        assert place["text"].strip() == words.strip()


def test_what_does_something_is_found(browser: Browser, showing: Server) -> None:
    """The broken twins: the same words on a page that takes no care, and as a page."""
    with browser.new_context() as context:
        careless = AppPage(context, showing.url)
        effects = Effects(careless.page)
        careless.open("/?raw")
        expect(careless.page.get_by_text("That is all.")).to_be_visible()
        kinds = {each.split(":")[0] for each in effects.found()}
        assert kinds >= {
            "element",
            "address",
            "formula",
            "icon",
            "coloured",
            "inside",
            "block",
            "list",
        }
        careless.page.set_content("</svg>".join(word for word in MARKUP if "refresh" not in word))
        careless.page.wait_for_function(
            "['script', 'img', 'svg', 'frame'].every(each => effects.includes(each))"
        )
        assert "request: http://evil.example/x.css" in effects.found()


UPLOAD = "Your table: CSV, Excel, OpenDocument, Parquet, JSON lines, Stata or SPSS, also zipped"
LONGEST = 150


def names() -> list[str]:
    """All words as few names, each short enough to be shown whole."""
    packed: list[str] = []
    for word in (*MARKUP, *MARKDOWN, *CODE):
        if packed and len(packed[-1]) + len(word) < LONGEST:
            packed[-1] += f" {word}"
        else:
            packed.append(word)
    return packed


CHOSEN = (
    "Zq chosen <img src=x data-injected onerror=effect('name')> :red[x] :material/skull: $x^2$ "
    "www.evil.example a -> b **b** {0}%s"
)
NAMES = [CHOSEN, *names()]
FILE = (
    "Zq<img src=x data-injected onerror=effect('file')> :red[x] $x^2$ www.evil.example \u202e.csv"
)
WORDS = [word for word in HOSTILE if not word.startswith("\ufeff")]
"""Also the cells of a column of text. A sign that marks the order of bytes is never a cell's."""


def hostile_table() -> bytes:
    """Columns of numbers and one of text, whose names and cells are the hostile words."""
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow([*NAMES, "Zq words"])
    for i in range(2 * len(WORDS)):
        writer.writerow(
            [*((i * k) % 90 - 20 for k in range(1, 1 + len(NAMES))), WORDS[i % len(WORDS)]]
        )
    return written.getvalue().encode()


def choose(app: AppPage, label: str, name: str, *, several: bool = False) -> None:
    """Take the option of that name, which the list has to show as it is."""
    box = app.page.get_by_role("combobox", name=label, exact=True)
    box.click()
    box.fill(name[:20])
    option = app.page.get_by_role("option").filter(has_text=name[:20])
    assert (option.text_content() or "").split(" · looks")[0] == name
    option.click()
    if several:
        box.press("Escape")
    app.settle()


def opened(browser: Browser, file: Path) -> list[str]:
    """What a downloaded page does and does not show when it is opened."""
    with browser.new_context() as context:
        page = context.new_page()
        effects = Effects(page)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(file.as_uri())
        # The card sets words of its own beside them, smaller.
        return [*(f for f in effects.found() if not f.startswith("look")), *asked[1:]]


def calls_only_the_library(script: bytes) -> None:
    """No call in the script is of the words' making."""
    calls = [node for node in ast.walk(ast.parse(script)) if isinstance(node, ast.Call)]
    called = {ast.unparse(node.func) for node in calls}
    assert len(called) > 5
    assert not [each for each in called if re.search(r"import|eval|exec|^open$|os\.|effect", each)]


def run_alone(script: bytes, table: bytes, folder: Path) -> str:
    """What the script prints; it must read its input, write its output and do nothing else."""
    calls_only_the_library(script)
    (folder / "script.py").write_bytes(script)
    (folder / "in.csv").write_bytes(table)
    done = subprocess.run(
        [sys.executable, "script.py", "in.csv", "out"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert {path.name for path in folder.iterdir()} == {"script.py", "in.csv", "out"}
    return done.stdout


def test_a_hostile_table_through_the_main_job(
    app: AppPage, browser: Browser, tmp_path: Path
) -> None:
    effects = Effects(app.page)
    app.open("/privatize")
    app.upload(UPLOAD, FILE, hostile_table())
    expect(app.page.get_by_text(as_shown(FILE), exact=True)).to_be_visible()
    nothing_happened(effects)
    # Settings that speak of other columns: their names are quoted.
    app.page.get_by_text("Open the settings of an earlier release").click()
    columns = [{"position": i, "inputs": [0, 1], "label": w} for i, w in enumerate(HOSTILE[:40])]
    document = json.dumps({"format": FORMAT, "version": VERSION, "columns": columns})
    app.upload("Settings file", f"{MARKUP[2]}.json", document.encode(), kind="application/json")
    expect(app.page.get_by_text("No column of this table has a name")).to_be_visible()
    nothing_happened(effects)
    choose(app, "Columns to privatize", CHOSEN, several=True)
    title = app.page.locator(".st-key-column-0 strong").first
    assert title.text_content() == as_shown(CHOSEN)
    app.text("Lower bound, column 1", "-100")
    app.text("Upper bound, column 1", "100")
    app.text("Unit, column 1", FILE[:60])
    app.text("Where these bounds come from, column 1 (public, optional)", FILE)
    nothing_happened(effects)
    app.page.locator(".st-key-release button").click()
    expect(app.page.get_by_text("Released at")).to_be_visible(timeout=60_000)
    app.settle()
    expect(app.page.locator(".js-plotly-plot .ytitle").first).to_be_attached()
    nothing_happened(effects)

    name, card = app.download("Privacy card")
    assert not set(name) & set('/\\<>:"|?*')
    (tmp_path / "card.html").write_bytes(card)
    assert not opened(browser, tmp_path / "card.html")
    _, data = app.download("Card as data")
    assert [item["name"] for item in json.loads(data)["items"]] == [CHOSEN]
    _, script = app.download("Python script")
    folder = tmp_path / "run"
    folder.mkdir()
    said = run_alone(script, hostile_table(), folder).splitlines()
    assert len(said) == 2
    assert said[1].endswith("was spent once more.")

    _, released = app.download("Download the table")
    header, *rows = csv.reader(io.StringIO(released.decode(), newline=""))
    assert header == [f"'{n}" if n.startswith("=") else n for n in [*NAMES, "Zq words"]]
    risky = ("=", "+", "-", "@")
    kept = [f"'{word}" if word.startswith(risky) else word for word in WORDS]
    assert [row[-1] for row in rows] == [*kept, *kept]
    numbers = [cell for row in rows for cell in row[:-1]]
    assert sum(map(float, numbers)) != 0
    assert sum(cell.startswith("-") for cell in numbers) > len(rows)
    app.check("Make cells harmless that a spreadsheet would run as a formula", False)
    _, released = app.download("Download the table")
    rows = list(csv.reader(io.StringIO(released.decode(), newline="")))[1:]
    assert [row[-1] for row in rows] == [*WORDS, *WORDS]
    and_for_one_statistic(app, effects, browser, tmp_path)


def and_for_one_statistic(app: AppPage, effects: Effects, browser: Browser, tmp_path: Path) -> None:
    """The same table on the page for one answer, and what the budget remembers of it."""
    app.go("Release a statistic")
    choose(app, "Of which column", CHOSEN)
    app.check("Only rows that meet a condition")
    app.select("Column of the condition", "Zq words")
    app.select("Comparison", "≠")
    app.text("Compared with", MARKUP[0])
    app.check("One answer for each group")
    app.select("Grouped by", "Zq words")
    box = app.page.get_by_role("textbox", name="Categories, one a line")
    groups = [*MARKUP[2:6], *MARKDOWN[:6], "=1+1+Zq", "@Zq"]
    box.fill("\n".join(groups))
    box.press("Control+Enter")
    app.settle()
    app.text("Rows that are surely read (public)", "1")
    nothing_happened(effects)
    app.page.locator(".st-key-release-answer button").click()
    expect(app.page.get_by_text("Released at")).to_be_visible(timeout=60_000)
    app.settle()
    ticks = app.page.locator("[class*=st-key-chart-groups] .ytick text").all_text_contents()
    assert [tick.rstrip("…") for tick in ticks] == [
        as_shown(group)[: len(tick.rstrip("…"))] for group, tick in zip(groups, ticks, strict=True)
    ]
    nothing_happened(effects)
    _, card = app.download("Privacy card")
    (tmp_path / "answers.html").write_bytes(card)
    assert not opened(browser, tmp_path / "answers.html")
    _, script = app.download("Python script")
    calls_only_the_library(script)
    _, answers = app.download("Answer as CSV")
    rows = list(csv.DictReader(io.StringIO(answers.decode("utf-8-sig"), newline="")))
    assert [row["group"] for row in rows] == [*groups[:-2], "'=1+1+Zq", "'@Zq"]
    assert all(math.isfinite(float(row["answer"])) for row in rows)

    app.go("Budget")
    expect(app.page.get_by_text(as_shown(FILE)).first).to_be_visible()
    expect(app.page.locator("[class*=st-key-chart-spent] .ytick").first).to_be_attached()
    nothing_happened(effects)
    _, saved = app.download("Ledger as CSV")
    spent = list(csv.DictReader(io.StringIO(saved.decode("utf-8-sig"), newline="")))
    assert [row["group"] for row in spent[1:]] == [row["group"] for row in rows]
    assert not app.exceptions()
