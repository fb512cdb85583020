"""Every page in the states a person meets: nobody barred, nothing cut, nothing too faint."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from pages.shell.page_list import PAGES
from tests.browser import looks
from tests.browser.driver import AppPage
from tests.browser.journeys import BOTH, CLASS, COURSE, RELEASES, WORKSHOP, walk
from tests.browser.looks import Look


def test_every_page_is_looked_at() -> None:
    journeys = (RELEASES | CLASS | COURSE | WORKSHOP).values()
    looked = {link.partition("?")[0] for link, steps in journeys if steps[0][1] == BOTH}
    assert {row.link for row in PAGES} <= looked


@pytest.mark.parametrize("name", RELEASES)
def test_nobody_is_barred_and_nothing_is_cut_or_faint(name: str, app: AppPage) -> None:
    found = walk(app, RELEASES[name])
    assert not found, "\n".join(found)


def test_the_checks_find_what_is_wrong(app: AppPage) -> None:
    app.open()
    assert not looks.faults(app, Look("light", 1280))
    # The page is looked at to its end.
    app.page.add_style_tag(content="[class*='st-key-door-'] p { color: #ccc; }")
    assert any(
        "each step has one thing to try" in text for text in looks.faults(app, Look("light", 390))
    )
    Look("light", 1280).take(app)
    app.page.add_style_tag(
        content="""
        .xtick text { fill: #a0a0a0 !important; }
        .trace path { stroke: #d0d0d0 !important; fill: none !important; }
        h1 { width: 200px; overflow: hidden; white-space: nowrap !important; }
        p { color: #ccc; }
        .stMainBlockContainer { width: 1500px; min-width: 1500px; }
        """
    )
    app.page.evaluate(
        "document.querySelectorAll('.stPlotlyChart, .stPlotlyChart *')"
        ".forEach(e => e.removeAttribute('aria-label'))"
    )
    # The page is wider now: a chart that is drawn again later would put its titles back.
    app.page.wait_for_function(
        "() => [...document.querySelectorAll('.stPlotlyChart')].every(chart => Math.abs("
        "chart.querySelector('.main-svg').getBoundingClientRect().width"
        " - chart.getBoundingClientRect().width) < 2)"
    )
    app.settle()
    assert not looks.overlapping(app)
    app.page.evaluate(
        "document.querySelectorAll('.xtitle')"
        ".forEach(title => title.setAttribute('y', title.getAttribute('y') - 14))"
    )
    assert any("released value (points)" in text for text in looks.overlapping(app))
    assert any("color-contrast" in text for text in looks.barred(app))
    assert looks.sticking_out(app)
    assert any(text.startswith("cut: Noise with hard bounds") for text in looks.cut(app))
    assert any("the words −50" in text for text in looks.faint(app))
    assert any("the mark of" in text for text in looks.faint(app))
    assert looks.mute(app)


def test_less_motion_where_the_system_asks_for_it(app: AppPage) -> None:
    app.page.emulate_media(reduced_motion="reduce")
    app.open("/compare_mechanisms?view=draws")
    player = app.page.get_by_role("region", name="Player of draws one by one")
    # It shows the end and waits to be asked.
    expect(player).to_have_attribute("data-state", "ended")
    longest = """
        () => Math.max(...[...document.querySelectorAll('*')].flatMap(e => {
          const s = getComputedStyle(e);
          return `${s.transitionDuration},${s.animationDuration}`.split(',').map(parseFloat);
        }))
    """
    assert app.page.evaluate(longest) <= 0.01
    app.page.emulate_media(reduced_motion="no-preference")
    assert app.page.evaluate(longest) > 0.01
