"""The one table of pages and the scripts it names."""

from __future__ import annotations

import pytest

from pages.shell.page_list import PAGES, Page
from tests.app.driving import ROOT, Driven


def test_every_page_script_is_in_the_table_and_the_other_way_round() -> None:
    scripts = {f"pages/{path.name}" for path in (ROOT / "pages").glob("*.py")}
    assert {row.path for row in PAGES} == (scripts - {"pages/__init__.py"}) | {"app.py"}


def test_keys_and_titles_are_unique_and_a_link_is_its_script() -> None:
    assert len({row.key for row in PAGES}) == len({row.title for row in PAGES}) == len(PAGES)
    for row in PAGES:
        assert row.path in ("app.py", f"pages/{row.key}.py")


@pytest.mark.parametrize("row", PAGES, ids=lambda row: row.key)
def test_every_page_draws_the_whole_menu_and_one_title(row: Page) -> None:
    app = Driven(row.path)
    links = [element.proto.label for element in app.at.sidebar.get("page_link")]
    assert links == [each.title for each in PAGES]
    assert len(app.at.title) == 1
