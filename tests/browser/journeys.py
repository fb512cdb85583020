"""Each page through the states a person meets, in the looks that show what each step brings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from playwright.sync_api import expect

from pages.sections.learn.settings import LESSONS
from tests.browser import looks, rooms, sights
from tests.browser.driver import AppPage
from tests.browser.looks import Look

WIDE, NARROW = 1280, 390
BOTH = (WIDE, NARROW)
Step = tuple[Callable[[AppPage], None], Sequence[int]]
"""What to do, and in which widths to examine what it brings."""


def popover(app: AppPage, name: str = "Numbers and files") -> None:
    app.page.get_by_role("button", name=name).first.click()
    app.settle()


def expander(app: AppPage, name: str) -> None:
    app.page.get_by_text(name, exact=True).first.click()
    app.settle()


def stay(app: AppPage) -> None:
    """The page as it opens."""


def a_table_too_large(app: AppPage) -> None:
    expander(app, "A table of more than 200 MB")


def two_columns_and_a_refusal(app: AppPage) -> None:
    sights.set_two_columns(app)
    expander(app, "Shape of the noise: function pair and objective")
    app.text("ε, exactly", "-1")
    expect(app.page.get_by_text("Until then 1 stays in force")).to_be_visible()


def release_with_a_good_budget(app: AppPage) -> None:
    app.text("ε, exactly", "1")
    sights.release_the_table(app)
    expander(app, "Run it on a larger file")


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


def read_a_scale(app: AppPage) -> None:
    app.select("Column", "likes school (1–5)")
    expander(app, "What limits this, and how it is worked out")


def view(name: str) -> Callable[[AppPage], None]:
    def choose(app: AppPage) -> None:
        app.page.get_by_role("radio", name=name, exact=True).click()
        app.settle()

    return choose


Journeys = dict[str, tuple[str, Sequence[Step]]]


def a_wrong_code(app: AppPage) -> None:
    app.text("Code on the wall", "BBB BBB")
    expect(app.page.get_by_text("There is no room with this code now")).to_be_visible()


def a_room_with_answers(app: AppPage) -> None:
    rooms.open_room_with_answers(app, 5)


def all_of_a_room(app: AppPage) -> None:
    app.check("What would clamped Laplace noise have said?")
    for name in ("Next question", "Links and address", "Remove the room"):
        expander(app, name)


def a_class_in_the_course(app: AppPage) -> None:
    app.page.get_by_role("radio", name="Take the course together").click()
    app.settle()
    app.press("Open a class session")


def a_question_with_a_list(app: AppPage) -> None:
    app.press("An embarrassing yes or no")


def an_answer_that_left(app: AppPage) -> None:
    """From the way in to a rehearsal: a room of the same server, opened in another tab."""
    rooms.join_and_answer(app)


RELEASES: Journeys = {
    "home": ("/", [(stay, BOTH), (popover, BOTH)]),
    "privatize": (
        "/privatize",
        [
            (stay, BOTH),
            (a_table_too_large, BOTH),
            (sights.open_the_survey, BOTH),
            (two_columns_and_a_refusal, BOTH),
            (release_with_a_good_budget, BOTH),
        ],
    ),
    "statistic, then budget": (
        "/statistic",
        [
            (stay, BOTH),
            (sights.open_the_survey, ()),
            (sights.ask_for_a_mean, ()),
            (sights.release_the_answer, BOTH),
            (sights.look_at_the_budget, BOTH),
        ],
    ),
    "read a release": (
        "/read_release?limit=170",
        [(stay, BOTH), (sights.read_the_example, BOTH), (read_a_scale, BOTH)],
    ),
    "budget": ("/budget", [(stay, BOTH)]),
}
CLASS: Journeys = {
    "class": (
        "/classroom",
        [
            (stay, BOTH),
            (a_question_with_a_list, BOTH),
            (a_room_with_answers, BOTH),
            (all_of_a_room, BOTH),
        ],
    ),
    "course in class": ("/classroom", [(a_class_in_the_course, BOTH)]),
    "room": ("/room", [(stay, BOTH), (a_wrong_code, BOTH), (an_answer_that_left, BOTH)]),
    "lesson plan": ("/lesson_plan", [(stay, BOTH)]),
}
COURSE: Journeys = {
    "learn": (
        "/learn",
        [(stay, BOTH), (answer_twice, BOTH)] + [(next_step, (NARROW,))] * (len(LESSONS) - 1),
    ),
    "function lab": ("/function_lab", [(stay, BOTH), (break_a_constraint, BOTH)]),
    "paper": ("/paper?repetitions=100", [(stay, BOTH), (sights.run_the_paper, BOTH)]),
}
WORKSHOP: Journeys = {
    "optimizer": (
        "/optimizer?algorithms=exact,evolution&colour=red",
        [(stay, BOTH), (sights.search, BOTH)],
    ),
    "compare": (
        "/compare_mechanisms",
        [
            (stay, BOTH),
            (view("Bias"), BOTH),
            (view("Where outputs land"), BOTH),
            (view("Draw by draw"), BOTH),
            (view("All figures"), BOTH),
            (view("Many rows"), BOTH),
            (view("What is recovered"), BOTH),
        ],
    ),
    "audit": (
        "/audit",
        [
            (stay, BOTH),
            (sights.audit_a_broken_one, BOTH),
            (view("Repeats averaged"), BOTH),
            (view("Low-order bits"), BOTH),
            (view("Input outside"), BOTH),
        ],
    ),
}


def walk(app: AppPage, journey: tuple[str, Sequence[Step]]) -> list[str]:
    """What is wrong on the way; the page is loaded once, theme and window change while it stands,
    as they do on a real machine.

    Where words stand depends on the width alone, and how strong they are on the theme alone: so a
    step is seen wide in the theme that it found and narrow in the other, the next one crosswise.
    """
    link, steps = journey
    app.open(link)
    found, scheme, other = [], "light", "dark"
    for step, widths in steps:
        step(app)
        at = getattr(step, "__name__", str(step))
        if WIDE in widths:
            found += [f"{at}, {text}" for text in looks.faults(app, Look(scheme, WIDE))]
        # At 200 % a window of 1280 pixels has 640.
        Look(scheme, looks.ZOOMED).take(app)
        found += [f"{at}, zoomed: {text}" for text in looks.sticking_out(app) + looks.cut(app)]
        if NARROW in widths:
            scheme, other = other, scheme
            found += [f"{at}, {text}" for text in looks.faults(app, Look(scheme, NARROW))]
        Look(scheme, WIDE).take(app)
        assert not app.exceptions()
    return found
