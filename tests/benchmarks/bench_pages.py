"""How soon pages follow a slider, and how heavy they are.

    python -m tests.benchmarks.bench_pages [page ...]

Server: processor time of one redraw of all that follows the controls of the Function lab and of
Compare mechanisms, best of ten, for each view. Browser: from the key press to the last change
within the part that follows, median of twenty moves, and bytes received up to the first move and
in all. Ends with an error above 50 ms on the server of the Function lab, above 300 ms in the
browser, or above 2 MB. The browser's times are those of the clock: on a machine that works on
something else as well they say little.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import ModuleType

from playwright.sync_api import expect

from pages.sections.compare_mechanisms import live as compare
from pages.sections.compare_mechanisms import settings as compare_settings
from pages.sections.function_lab import live as lab
from pages.sections.function_lab import settings as lab_settings
from pages.sections.function_lab.certify import certified, enough
from pages.sections.function_lab.shape_links import make
from pages.sections.learn.settings import LESSONS
from tests.app.driving import Driven
from tests.benchmarks.moves import LONGEST_MS, MOVES, moves, pages, received
from tests.browser import sights
from tests.browser.driver import AppPage

SERVER_MS, LARGEST, RUNS = 50.0, 2_000_000, 10
PAIRS = (("A1", "B1"), ("A3", "B2"), ("A4", "B1"), ("F1", "B1"), ("A1", "G1"), ("F1", "G1"))
EPSILON = "Privacy budget ε"
SEARCHES = (
    "target.looks=2000000&target.ratio=1&target.step=0.01&enumeration.rounds=5"
    "&algorithms=exact,enumeration,target,gradient,evolution"
)
"""Two million points, and every algorithm beside them."""


@dataclass(frozen=True)
class Case:
    """A page with what is done on it first, its slider, and the part that follows."""

    link: str
    slider: str
    """Its name, or that of the group it stands in; empty for the first one within the part."""
    part: str
    first: Callable[[AppPage], None] = lambda app: None
    at_once: int = 1
    """Changes that count come in so many at once: drawing a chart, but not its frame."""
    limited: bool = False
    """Whether the bytes have a limit."""


def _set_two_columns(app: AppPage) -> None:
    sights.open_the_survey(app)
    sights.set_two_columns(app)


def _ask_for_a_mean(app: AppPage) -> None:
    sights.open_the_survey(app)
    sights.ask_for_a_mean(app)


def _search(app: AppPage) -> None:
    app.page.get_by_role("button", name="Search", exact=True).click()
    expect(app.page.get_by_text("5 · Differential evolution").first).to_be_visible(timeout=120_000)
    app.settle(timeout=120)


CASES = (
    Case("/function_lab", "Height of the activation k", ".st-key-chart-lab", at_once=101),
    *(
        Case(f"/compare_mechanisms?view={view}", EPSILON, ".st-key-step-3", limited=True)
        for view in compare_settings.VIEWS
    ),
    Case(f"/optimizer?{SEARCHES}", EPSILON, ".st-key-chart-landscape", _search, limited=True),
    Case(
        "/privatize",
        "True value, between your bounds",
        "[class*=st-key-chart-see]",
        _set_two_columns,
    ),
    Case("/statistic", "A true answer, made up", "[class*=st-key-chart-answer]", _ask_for_a_mean),
    *(Case(f"/learn?step={lesson.key}", "", ".st-key-lesson-try") for lesson in LESSONS),
)


def redraws(module: ModuleType, function: str) -> list[float]:
    """Milliseconds of every further redraw of this part of a page, as they come."""
    times: list[float] = []
    inner = getattr(module, function).__wrapped__

    def timed() -> None:
        begun = time.thread_time()
        inner()
        times.append(1e3 * (time.thread_time() - begun))

    setattr(module, function, timed)
    return times


def measured(app: Driven, times: list[float], name: str, label: str, start: int) -> float:
    """Milliseconds of the best of some redraws, each at another ε."""
    del times[:]
    for run in range(RUNS):
        app.text(label, f"{start + run / 100:g}")
    print(f"{name:16} best {min(times):5.1f} ms, median {statistics.median(times):5.1f} ms")
    return min(times)


def function_lab_on_the_server() -> Iterator[float]:
    times, app = redraws(lab, "live"), Driven("pages/function_lab.py")
    bell = make("exp(-20*(v-0.5)^2)", "activation", symmetrise=False, name="F1")
    wave = make("1 + cos(pi*v)/4", "base", symmetrise=False, name="G1")
    for shape in (bell, wave):
        certified(shape, enough(shape))
    for activation, base in PAIRS:
        for view in lab_settings.VIEWS:
            app.kept.update(
                {lab_settings.ACTIVATION.name: activation, lab_settings.BASE.name: base}
                | {lab_settings.VIEW.name: view, "own_shapes": {"F1": bell, "G1": wave}}
            )
            app.press("Center")
            yield measured(app, times, f"{activation}{base}, {view}", "ε =", 2)


def compare_on_the_server() -> None:
    times, app = redraws(compare, "_live"), Driven("pages/compare_mechanisms.py")
    for view in compare_settings.VIEWS:
        app._of("button_group", "Look at").set_value(view)
        app.run()
        measured(app, times, view, "ε, exactly", 1 + len(view))


def quick_and_light(case: Case, app: AppPage) -> bool:
    """Print what a move takes and what the page weighs; whether both may be."""
    sizes = received(app)
    app.open(case.link)
    case.first(app)
    weight = sum(sizes)
    sliders = app.page.locator(case.part).get_by_role("slider")
    if case.slider:
        group = app.page.get_by_role("group", name=case.slider).get_by_role("slider")
        sliders = group.or_(app.page.get_by_role("slider", name=case.slider))
    name = case.link.partition("&")[0]
    if not sliders.count():
        print(f"{name:38} no slider")
        return True
    times = moves(app, sliders.first, case.part, case.at_once)
    median, more = statistics.median(times), sum(sizes) - weight
    print(
        f"{name:38} a move: median {median:4.0f} ms, {min(times):.0f} to {max(times):.0f} ms, "
        f"{more / MOVES / 1e3:.0f} kB; before it {weight / 1e3:.0f} kB"
    )
    return median <= LONGEST_MS and not (case.limited and weight + more > LARGEST)


def main(*asked: str) -> int:
    good = True
    if not asked or "function_lab" in asked:
        good &= max(function_lab_on_the_server()) <= SERVER_MS
    if not asked or "compare_mechanisms" in asked:
        compare_on_the_server()
    with pages() as opened:
        for case in CASES:
            if not asked or case.link.partition("?")[0].strip("/") in asked:
                app = opened()
                good &= quick_and_light(case, app)
                app.page.context.close()
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
