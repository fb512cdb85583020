"""The course in a browser: every step answered, with the keyboard, from a link, away and back."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import expect

from pages.sections.learn.settings import LESSONS
from tests.browser import sights
from tests.browser.driver import AppPage
from tests.browser.server import Server


def heading(place: int) -> str:
    return f"{place} · {LESSONS[place - 1].title}"


def focused(app: AppPage) -> str:
    return str(app.page.evaluate("document.activeElement.innerText"))


# The address waits that long for a slider to rest (milliseconds, pages/shell/address.py).
PATIENCE = 400
_WITHOUT_PATIENCE = """
ms => {
  const real = window.setTimeout;
  window.setTimeout = (call, after, ...rest) => after === ms ? 0 : real(call, after, ...rest);
  window.patientAgain = () => { window.setTimeout = real; };
}
"""


def score(app: AppPage) -> str:
    return app.page.get_by_test_id("stMetricValue").first.inner_text()


def test_the_whole_course(
    start_server: Callable[..., Server], open_window: Callable[..., AppPage]
) -> None:
    app = open_window(start_server())

    # A teacher's link on a fresh server opens a step as it was set.
    app.open("/learn?step=clamping&clamping_value=70&clamping_epsilon=2")
    place = [lesson.key for lesson in LESSONS].index("clamping") + 1
    expect(app.page.get_by_role("heading", name=heading(place))).to_be_visible()
    value = app.page.get_by_role("slider", name="True value, in points")
    expect(value).to_have_value("70")
    expect(app.page.locator(".js-plotly-plot")).to_contain_text("Composite")

    # A move redraws the picture, and the address follows.
    value.press("ArrowRight")
    expect(app.page.get_by_role("figure", name="For the true value 71 points")).to_be_visible()
    app.page.wait_for_function("location.search.includes('clamping_value=71')")

    # Every step is answered, every other one wrongly at first, without the mouse.
    app.select("Step of the course", heading(1))
    for place, lesson in enumerate(LESSONS, start=1):
        expect(app.page.get_by_role("heading", name=heading(place), exact=True)).to_be_visible()
        right = lesson.question().right
        if place % 2 == 0:
            sights.answer(app, 1 if right == 0 else 0)
            expect(app.page.get_by_text("Not right: ")).to_be_visible()
        sights.answer(app, right)
        expect(app.page.get_by_text("Right: ", exact=False).last).to_be_visible()
        assert focused(app) == "Check the answer"
        assert not app.exceptions()
        if place < len(LESSONS):
            following = app.page.get_by_role("button", name=f"Next: {LESSONS[place].title}")
            if place == 1:
                app.page.evaluate(_WITHOUT_PATIENCE, PATIENCE)
            following.press("Enter")
            app.settle()
            if place == 1:
                # In the address at once: whoever loads the page anew opens the step that is seen.
                assert dict(parse_qsl(urlsplit(app.page.url).query))["step"] == LESSONS[1].key
                app.page.evaluate("window.patientAgain()")
            # One reads on from the new heading, which is in sight.
            expect(app.page.get_by_role("heading", name=heading(place + 1))).to_be_focused()
            expect(app.page.get_by_role("heading", name=heading(place + 1))).to_be_in_viewport()
    at_once = (len(LESSONS) + 1) // 2
    assert score(app) == f"{at_once} of {len(LESSONS)}"
    expect(app.page.get_by_text(f"All {len(LESSONS)} questions answered.")).to_be_visible()
    app.page.wait_for_function("key => location.search.includes(key)", arg=LESSONS[-1].key)
    assert dict(parse_qsl(urlsplit(app.page.url).query))["step"] == LESSONS[-1].key

    # Away through the menu and back by the door on Home: nothing is lost.
    app.go("Home")
    app.press("Open the course")
    expect(app.page).to_have_title("Learn · CompDP")
    app.settle()
    expect(app.page.get_by_role("heading", name=heading(len(LESSONS)))).to_be_visible()
    assert score(app) == f"{at_once} of {len(LESSONS)}"
    app.select("Step of the course", heading([each.key for each in LESSONS].index("clamping") + 1))
    expect(value).to_have_value("71")

    app.press("Clear my answers")
    assert score(app) == f"0 of {len(LESSONS)}"
    assert not app.exceptions()
