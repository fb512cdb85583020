"""Hostile links, settings files, formulas and ledgers: taken as words, or refused with them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from urllib.parse import urlencode

from playwright.sync_api import expect

from compdp_core.accounting import Group, Ledger, Spend
from pages.inputs.links import Setting
from pages.sections.audit import settings as audit
from pages.sections.compare_mechanisms import settings as compare
from pages.sections.function_lab import settings as lab
from pages.sections.learn import settings as learn
from pages.sections.optimizer import settings as optimizer
from pages.sections.paper import settings as paper
from pages.sections.read_release import asked
from pages.sections.read_release import settings as read_release
from pages.sections.statistic import settings as statistic
from tests.browser.driver import AppPage
from tests.browser.effects import Effects, nothing_happened
from tests.browser.hostile import HOSTILE, MARKDOWN, MARKUP, as_shown

SETTINGS: dict[str, tuple[Setting, ...]] = {
    "statistic": tuple(statistic.SETTINGS),
    "read_release": (*read_release.SETTINGS, *asked.ASKED),
    "function_lab": tuple(lab.SETTINGS),
    "learn": tuple(learn.SETTINGS),
    "optimizer": tuple(optimizer.SETTINGS),
    "compare_mechanisms": tuple(compare.SETTINGS),
    "paper": tuple(paper.SETTINGS),
    "audit": tuple(audit.SETTINGS),
}
"""Every page whose address carries settings."""


def hostile_link(page: str) -> str:
    """Every setting of the page, and some that it has not, said in hostile words."""
    said = {setting.key: HOSTILE[i % len(HOSTILE)] for i, setting in enumerate(SETTINGS[page])} | {
        word: word for word in (*MARKUP[:2], *MARKDOWN[:2], "__proto__", "constructor")
    }
    return f"/{page}?{urlencode(said)}"


def test_a_hostile_link_or_ledger_is_a_list_of_words(app: AppPage) -> None:
    effects = Effects(app.page)
    app.expect_console_error("404")
    for page in SETTINGS:
        app.page.goto(app.url + hostile_link(page))
        notice = app.page.get_by_test_id("stAlert").filter(has_text="Not a setting of this page")
        expect(notice).to_be_visible(timeout=30_000)
        assert as_shown(MARKDOWN[0])[:39] in (notice.text_content() or "")
        nothing_happened(effects)
        assert not app.exceptions()
    a_hostile_ledger(app, effects)


def a_hostile_ledger(app: AppPage, effects: Effects) -> None:
    entries = [
        Spend(
            word,
            word,
            f"one beginning of two names {place % 2}",
            [word, "_index", "__index_level_0__"],
            "1/7",
            group=Group(word, word) if place % 3 == 0 else None,
            when=datetime(2024, 5, 1, tzinfo=UTC),
            id=f"{place}{word}",
        )
        for place, word in enumerate(HOSTILE)
    ]
    app.open("/budget")
    saved = Ledger(entries).to_json().encode()
    app.upload("Open a saved ledger", "budget.json", saved, kind="application/json")
    expect(app.page.get_by_text(f"{len(HOSTILE)} releases joined the ledger.")).to_be_visible()
    expect(app.page.locator("[class*=st-key-chart-spent] .ytick").first).to_be_attached()
    nothing_happened(effects)
    assert not app.exceptions()
    for content in (b"[" * 100_000, saved.replace(b'"1/7"', b'"9e999999999"'), b"\xff\xfe\x00"):
        app.upload("Open a saved ledger", "budget.json", content, kind="application/json")
        expect(app.page.get_by_text("Not a budget file of this program")).to_be_visible()
        nothing_happened(effects)
    assert not app.exceptions()


def test_hostile_files_and_formulas(app: AppPage) -> None:
    effects = Effects(app.page)
    app.open("/function_lab")
    app.press("Link and file")
    settings = {each.key: MARKUP[2] for each in lab.SETTINGS} | {MARKDOWN[1]: MARKDOWN[5]}
    files = (
        json.dumps({"page": "function_lab", "settings": settings}).encode(),
        b'{"page": "function_lab", "settings": ' + b"[" * 90_000 + b"]" * 90_000 + b"}",
        b'{"page":"function_lab","settings":{"epsilon":"1e999999999","k":"0e-999999999","m":"9e99"}}',
    )
    for content in files:
        app.upload("Open settings", f"{MARKUP[2]}.json", content, kind="application/json")
        expect(app.page.get_by_test_id("stAlert").first).to_be_visible()
        nothing_happened(effects)
        assert not app.exceptions()
    app.page.keyboard.press("Escape")
    app.page.get_by_text("Make a shape of your own", exact=True).click()
    field = app.page.get_by_role("textbox", name="Formula in v", exact=False)
    for formula in (MARKUP[2], MARKDOWN[1], "v**9**9**9", "(" * 400 + "v" + ")" * 90):
        field.fill(formula)
        field.press("Enter")
        expect(app.page.get_by_text("Formula, character").first).to_be_visible()
        app.settle()
        nothing_happened(effects)
    assert not app.exceptions()
