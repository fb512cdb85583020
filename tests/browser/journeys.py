"""Each page through the states a person meets, in the looks that show what each step brings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from playwright.sync_api import expect

from pages.sections.learn.settings import LESSONS
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


Journeys = dict[str, tuple[str, Sequence[Step]]]

RELEASES: Journeys = {
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
}
COURSE: Journeys = {
    "learn": (
        "/learn",
        [(stay, EVERY), (answer_twice, ENDS)] + [(next_step, ENDS[-1:])] * (len(LESSONS) - 1),
    ),
    "function lab": ("/function_lab", [(stay, EVERY), (break_a_constraint, ENDS)]),
    "paper": ("/paper?repetitions=100", [(stay, EVERY), (sights.run_the_paper, EVERY)]),
}
WORKSHOP: Journeys = {
    "optimizer": (
        "/optimizer?algorithms=exact,evolution&colour=red",
        [(stay, EVERY), (sights.search, ENDS)],
    ),
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


def walk(app: AppPage, journey: tuple[str, Sequence[Step]]) -> list[str]:
    """What is wrong on the way; the page is loaded once, theme and window change while it stands,
    as they do on a real machine.
    """
    link, steps = journey
    app.open(link)
    found, scheme = [], "light"
    for step, taken in steps:
        step(app)
        at = getattr(step, "__name__", str(step))
        # A theme takes a page long to change, so the one that it has comes first. axe-core is
        # slow: once in each theme, and in each width.
        for look in sorted(taken, key=lambda look: look.scheme != scheme):
            found += [f"{at}, {text}" for text in looks.faults(app, look, axe=look in ENDS)]
            scheme = look.scheme
        # At 200 % a window of 1280 pixels has 640.
        Look(scheme, looks.ZOOMED).take(app)
        found += [f"{at}, zoomed: {text}" for text in looks.sticking_out(app) + looks.cut(app)]
        Look(scheme, 1280).take(app)
        assert not app.exceptions()
    return found
