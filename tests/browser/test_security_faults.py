"""What goes wrong is told in one plain sentence; no word of a cell is in it, nor in the log."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.driver import AppPage
from tests.browser.server import ROOT, Server, serving

HERE = Path(__file__).parent
CELL = "Quokkavalue 4711"
"""What faulty_page.py fails on."""
PLAIN = "Something went wrong that this page did not expect."


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    # In the place of the front door, with the other pages beside it, as the menu needs them.
    folder = tmp_path_factory.mktemp("app")
    shutil.copy(HERE / "faulty_page.py", folder / "app.py")
    (folder / "pages").symlink_to(ROOT / "pages")
    with serving(folder / "app.py", tmp_path_factory.mktemp("server")) as server:
        yield server


def test_every_fault_is_one_plain_sentence(
    faulty: Server, open_window: Callable[..., AppPage]
) -> None:
    app = open_window(faulty)
    app.open()
    for press, goes_on in (
        ("Fail in a part", True),
        ("Fail in a callback of the part", True),
        ("Fail in a job", True),
        ("Fail in a callback", True),
        ("Fail in the page", False),
    ):
        before = faulty.log().count("ValueError")
        app.press(press)
        expect(app.page.get_by_text(PLAIN)).to_be_visible()
        assert not app.exceptions()
        if goes_on:
            expect(app.page.get_by_text("The rest of the page.")).to_be_visible()
        assert CELL not in app.page.content()
        shown = app.page.locator("body").inner_text()
        assert not re.search(r"Traceback|\bFile \"|\.py\b", shown), shown
        # Where it went wrong is in the log, once; what was in the cell is not.
        assert faulty.log().count("ValueError") == before + 1
        app.open()
    app.check("Fail in a part of the whole page")
    expect(app.page.get_by_text(PLAIN)).to_be_visible()
    expect(app.page.get_by_text("The rest of the page.")).to_be_visible()
    assert CELL not in faulty.log()
    assert "in fail" in faulty.log()
