"""Every page in the states a person meets: nobody barred, nothing cut, nothing too faint.

A page is loaded once; theme and window change while it stands, as they do on a real machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import expect

from pages.sections.learn.settings import LESSONS
from pages.shell.page_list import PAGES
from tests.browser import looks, sights
from tests.browser.driver import AppPage
from tests.browser.looks import ENDS, EVERY, Look

Step = tuple[Callable[[AppPage], None], Sequence[Look]]
"""What to do, and in which looks to examine what it brings."""


def popover(app: AppPage, name: str = "Numbers and files") -> None:
    app.page.get_by_role("button", name=name).first.click()
    app.settle()


def expander(app: AppPage, name: str) -> None:
    app.page.get_by_text(name, exact=True).first.click()
    app.settle()


def stay(app: AppPage) -> None:
    """The page as it opens."""


def two_columns_and_a_refusal(app: AppPage) -> None:
    sights.set_two_columns(app)
    expander(app, "Shape of the noise: function pair and objective")
    app.text("ε, exactly", "-1")
    expect(app.page.get_by_text("Until then 1 stays in force")).to_be_visible()


def release_with_a_good_budget(app: AppPage) -> None:
    app.text("ε, exactly", "1")
    sights.release_the_table(app)


def break_a_constraint(app: AppPage) -> None:
    app.text("k =", "0.9")
    expander(app, "Make a shape of your own")


def answer_twice(app: AppPage) -> None:
    right = LESSONS[0].question().right
    sights.answer(app, 1 - min(right, 1))
    sights.answer(app, right)


def next_step(app: AppPage) -> None:
    app.page.get_by_role("button", name="Next: ").click()
    app.settle()


def view(name: str) -> Callable[[AppPage], None]:
    def choose(app: AppPage) -> None:
        app.page.get_by_role("radio", name=name, exact=True).click()
        app.settle()

    return choose


JOURNEYS: dict[str, tuple[str, Sequence[Step]]] = {
    "home": ("/", [(stay, EVERY), (popover, ENDS)]),
    "privatize": (
        "/privatize",
        [
            (stay, EVERY),
            (sights.open_the_survey, ENDS),
            (two_columns_and_a_refusal, ENDS),
            (release_with_a_good_budget, EVERY),
        ],
    ),
    "statistic, then budget": (
        "/statistic",
        [
            (stay, EVERY),
            (sights.open_the_survey, ()),
            (sights.ask_for_a_mean, ()),
            (sights.release_the_answer, EVERY),
            (sights.look_at_the_budget, EVERY),
        ],
    ),
    "budget": ("/budget", [(stay, EVERY)]),
    "optimizer": (
        "/optimizer?algorithms=exact,evolution&colour=red",
        [(stay, EVERY), (sights.search, ENDS)],
    ),
    "learn": (
        "/learn",
        [(stay, EVERY), (answer_twice, ENDS)] + [(next_step, ENDS[-1:])] * (len(LESSONS) - 1),
    ),
    "function lab": ("/function_lab", [(stay, EVERY), (break_a_constraint, ENDS)]),
    "compare": (
        "/compare_mechanisms",
        [
            (stay, EVERY),
            (view("Bias over the inputs"), ENDS),
            (view("Where outputs land"), ENDS),
            (view("Draw by draw"), ENDS),
            (view("All figures"), ENDS),
            (view("Many rows"), ENDS),
        ],
    ),
    "paper": ("/paper?repetitions=100", [(stay, EVERY), (sights.run_the_paper, EVERY)]),
    "audit": (
        "/audit",
        [
            (stay, EVERY),
            (sights.audit_a_broken_one, ENDS),
            (view("Repeats averaged"), ENDS),
            (view("Low-order bits"), ENDS),
            (view("Input outside"), ENDS),
        ],
    ),
}


def test_every_page_is_looked_at() -> None:
    looked = {link.partition("?")[0] for link, steps in JOURNEYS.values() if steps[0][1] == EVERY}
    assert {row.link for row in PAGES} <= looked


@pytest.mark.parametrize("name", JOURNEYS)
def test_nobody_is_barred_and_nothing_is_cut_or_faint(name: str, app: AppPage) -> None:
    link, steps = JOURNEYS[name]
    app.expect_console_error("404")
    app.open(link)
    found = []
    for step, taken in steps:
        step(app)
        at = getattr(step, "__name__", str(step))
        # axe-core is slow: once in each theme, and in each width.
        found += [
            f"{at}, {text}" for look in taken for text in looks.faults(app, look, axe=look in ENDS)
        ]
        # At 200 % a window of 1280 pixels has 640.
        looks.Look("light", looks.ZOOMED).take(app)
        found += [f"{at}, zoomed: {text}" for text in looks.sticking_out(app) + looks.cut(app)]
        looks.Look("light", 1280).take(app)
        assert not app.exceptions()
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
    app.expect_console_error("404")
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
