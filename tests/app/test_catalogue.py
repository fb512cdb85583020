"""The one table of pages, the scripts it names, and the first of them: Home."""

from __future__ import annotations

import pytest

from compdp_core.mechanisms.composite import CompositeMechanism
from pages.shell.page_list import PAGES, Page
from pages.text.wording import span
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


def outputs(epsilon: float) -> str:
    return span(*CompositeMechanism(epsilon, (0, 100)).outputs)


def test_home_draws_its_picture_with_words_and_its_controls_move_it() -> None:
    app = Driven()
    before = app.chart("home")
    assert f"lie in {outputs(2)} points" in before.alt
    assert "mean is the true value" in before.alt
    # No axis that nobody has heard of yet.
    assert "mapped domain" not in before.spec
    assert "image" not in before.spec
    app.at.slider[0].set_value(70)
    app.run()
    assert app.chart("home").spec != before.spec
    assert "The true value is 70 points." in app.chart("home").alt
    app.at.button_group[0].set_value(0.5)
    app.run()
    assert f"lie in {outputs(0.5)}" in app.chart("home").alt


def test_the_door_to_the_sample_opens_it() -> None:
    app = Driven().press("Open the sample")
    app.go("pages/privatize.py")
    assert "height (cm)" in app.options("Columns to privatize")
