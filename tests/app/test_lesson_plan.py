"""The lesson plan: its minutes, its numbers by a second route, its file, its links."""

from __future__ import annotations

import math
import re
from html import unescape
from itertools import pairwise

import numpy as np
import pytest
from scipy.special import ndtri, stdtrit

from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.survey.templates import TEMPLATES
from pages.rooms.codes import LENGTH
from pages.sections.lesson_plan.file import as_html
from pages.sections.lesson_plan.plan import ADDRESS, COMMAND, LENGTHS, lesson_sheet
from pages.sections.lesson_plan.sheet import LessonSheet
from pages.sections.shared.course.contents import LESSONS
from tests.app.driving import ROOT, Driven
from tests.architecture.test_commands import block

PAGE = "pages/lesson_plan.py"
CLASS, FEW, FEWER = 30, 5, 12
BOUNDS, EPSILON = (0.0, 20.0), 4.0
"""Of the question about points that the lesson is built on."""


def words(sheet: LessonSheet) -> list[str]:
    """All that a sheet says."""
    lines = [sheet.title, sheet.aim, *sheet.before, sheet.command_note, *sheet.homework]
    for part in sheet.parts:
        lines += [part.title, *part.does, *part.asks, *part.sees]
    for trouble in sheet.troubles:
        lines += [trouble.sign, trouble.remedy]
    for point in sheet.points:
        lines += [point.question, point.answer]
    return lines


def plain(text: str) -> str:
    return text.replace("\u00a0", " ")


@pytest.fixture(scope="module")
def longer() -> str:
    return "\n".join(words(lesson_sheet(90)))


@pytest.mark.parametrize("minutes", LENGTHS)
def test_the_parts_fill_the_lesson_to_the_minute(minutes: int) -> None:
    sheet = lesson_sheet(minutes)
    assert sum(part.minutes for part in sheet.parts) == sheet.minutes == minutes
    ends = [tuple(map(int, sheet.time(place).split("–"))) for place in range(len(sheet.parts))]
    assert ends[0][0] == 0
    assert ends[-1][1] == minutes
    assert all(before[1] == after[0] for before, after in pairwise(ends))
    assert all(part.minutes >= 2 and part.does and part.asks and part.sees for part in sheet.parts)
    assert len({part.title for part in sheet.parts}) == len(sheet.parts)


@pytest.mark.parametrize("minutes", LENGTHS)
def test_the_page_shows_the_whole_sheet(minutes: int) -> None:
    app, sheet = Driven(PAGE, minutes=str(minutes)), lesson_sheet(minutes)
    headers = "\n".join(each.value for each in app.at.header)
    said = plain(app.said("markdown")) + headers
    assert not [line for line in words(sheet) if line.replace("\\", "") not in said]
    assert [each.value for each in app.every("code")] == [COMMAND]
    assert app.said().count(f"Minutes {sheet.time(1)}") == 1


def test_each_length_has_its_link_and_45_minutes_come_first() -> None:
    app = Driven(PAGE)
    assert "A lesson of 45 minutes" in app.said("markdown")
    app.pick("Length of the lesson", "90")
    assert "A lesson of 90 minutes" in app.said("markdown")
    app.go("pages/audit.py").go(PAGE)
    assert "A lesson of 90 minutes" in app.said("markdown")
    refused = Driven(PAGE, minutes="60")
    assert "it must be one of 45, 90" in refused.said("warning")


class Route:
    """The numbers of the lesson worked out from the mechanisms themselves."""

    def __init__(self, epsilon: float = EPSILON) -> None:
        self.composite = CompositeMechanism(epsilon, BOUNDS)
        self.scale = (BOUNDS[1] - BOUNDS[0]) / epsilon
        # The middle quantiles of a class around 17.5 points, where nobody has more than all.
        places = (np.arange(401) + 0.5) / 401
        self.given = np.minimum(17.5 + 2.0 * ndtri(places), BOUNDS[1])

    def reach(self, answers: int) -> float:
        noise = float(np.mean(self.composite.variance(self.given)))
        return float(stdtrit(answers - 1, 0.975)) * math.sqrt(noise / answers)

    @property
    def bias(self) -> float:
        """Of Laplace noise that is clamped, in closed form: what is cut off above and below."""
        low, high = BOUNDS
        below, above = (
            np.exp(-away / self.scale) for away in (self.given - low, high - self.given)
        )
        return float(np.mean(self.scale / 2 * (below - above)))

    def first(self, reach: float) -> int:
        return next(n for n in range(3, 10_000) if self.reach(n) <= reach)


def test_numbers_of_the_mean_are_those_of_the_mechanism(longer: str) -> None:
    route = Route()
    low, high = route.composite.outputs
    mean, needed = float(route.given.mean()), route.first(abs(route.bias))
    assert f"At {FEW} answers the mean is good to ± {route.reach(FEW):.1f} points only" in longer
    assert f"at {CLASS} to ± {route.reach(CLASS):.1f} points (95 % confidence)" in longer
    assert f"with {FEWER} answers the interval is ± {route.reach(FEWER):.1f} points" in longer
    assert f"For ± 0.5 points it would take {route.first(0.5)} answers" in longer
    assert f"lies in −{-low:.1f} … {high:.1f} points" in longer
    assert f"moves the mean by at most {(high - low) / CLASS:.2f} points" in longer
    assert f"In a class whose mean is {mean:.1f} points clamped noise is" in longer
    assert f"{abs(route.bias):.1f} points too low on average" in longer
    assert f"would come out at about {mean + route.bias:.1f} points" in longer
    assert f"From about {needed} answers on, in every second class" in longer
    # Power of the interval: |bias| = (t + z) σ/√n at 80 %.
    surely = next(
        n for n in range(3, 10_000)
        if route.reach(n) * (1 + float(ndtri(0.8)) / float(stdtrit(n - 1, 0.975)))
        <= abs(route.bias)
    )  # fmt: skip
    assert f"in every second class of {needed}, in four of five of {surely}" in longer
    weaker = Route(1.0)
    assert f"take {weaker.first(abs(weaker.bias))} answers to see what clamping does" in longer


def test_the_most_that_one_answer_moves_the_mean_is_attained_and_not_passed(longer: str) -> None:
    low, high = Route().composite.outputs
    answers = np.full(CLASS, low)
    before = answers.mean()
    answers[0] = high
    (told,) = re.findall(r"moves the mean by at most ([\d.]+) points", longer)
    assert float(told) == pytest.approx(answers.mean() - before, abs=0.005)


def test_numbers_of_the_promise_are_those_of_epsilon(longer: str) -> None:
    assert f"by at most {math.exp(4):.1f} times" in longer
    assert f"the odds move by {math.e:.2f} times at most" in longer
    found = (
        r"both together is right in at most ([\d.]+) % of cases, after one in at most ([\d.]+) %"
    )
    ((both, one),) = re.findall(found, longer)
    for told, epsilon in ((one, 4.0), (both, 6.5)):
        guess = 100 / (1 + math.exp(-epsilon))
        assert guess <= float(told) < guess + 0.1


def test_numbers_of_yes_and_no_are_those_of_randomized_response(longer: str) -> None:
    kept, share = math.exp(2.5) / (1 + math.exp(2.5)), 0.3
    other = 1 - kept
    sent = share * kept + (1 - share) * other
    reach = float(ndtri(0.975)) * math.sqrt(sent * (1 - sent) / CLASS) / (kept - other)
    assert f"By chance, {100 * other:.1f} % of the phones send the other answer" in longer
    assert f"{100 * sent:.0f} % of the answers would say yes" in longer
    assert f"Then {100 * share * kept / sent:.0f} % of those who send yes mean it" in longer
    assert f"known to about ± {100 * reach:.0f} percentage points" in longer


@pytest.mark.parametrize("minutes", LENGTHS)
def test_the_file_says_what_the_page_says(minutes: int) -> None:
    sheet = lesson_sheet(minutes)
    text = plain(unescape(re.sub(r"<[^>]+>", "", as_html(sheet))))
    assert not [line for line in words(sheet) if line not in text]
    assert COMMAND in text
    assert "http://" not in as_html(sheet).replace(f"http://{ADDRESS}:8501", "")
    app = Driven(PAGE, minutes=str(minutes))
    assert "Lesson plan as a file" in app.labels("download_button")


@pytest.mark.parametrize("minutes", LENGTHS)
def test_ways_lead_to_templates_and_steps_that_there_are(minutes: int) -> None:
    keys = {"template": {each.key for each in TEMPLATES}, "step": {each.key for each in LESSONS}}
    pages = {"template": "classroom", "step": "learn"}
    ways = [way for part in lesson_sheet(minutes).parts for way in part.ways]
    assert {way.setting[0] for way in ways} == set(keys)
    for way in ways:
        name, value = way.setting
        assert value in keys[name]
        assert way.page == pages[name]
        assert (ROOT / "pages" / f"{way.page}.py").is_file()
    links = [
        each.proto.query_string for each in Driven(PAGE, minutes=str(minutes)).every("page_link")
    ]
    assert [f"{name}={value}" for name, value in (way.setting for way in ways)] == [
        each for each in links if each
    ]


def test_steps_are_called_by_their_numbers(longer: str) -> None:
    place = {each.key: n for n, each in enumerate(LESSONS, start=1)}
    course = [place[key] for key in ("epsilon", "clamping", "composite")]
    alone = [place[key] for key in ("bounds", "shape", "place")]
    assert "steps {}, {} and {}: read, try, answer".format(*course) in longer
    assert "Do the steps {}, {} and {} of the course".format(*alone) in longer


def test_the_command_is_that_of_the_readme_but_for_where_it_is_opened(longer: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert block("class") == COMMAND
    for option in ("--server.headless", "--server.allowedHosts"):
        assert option in readme
    assert "## Serving it to others" in readme
    assert f"It has {LENGTH} letters" in longer


BUTTONS = (
    "Add noise and send", "Forget my answer", "Freeze the wall", "Go on", "End: no more answers",
    "What would clamped Laplace noise have said?", "Take the course together",
    "Show which is right", "End the session",
)  # fmt: skip


@pytest.mark.parametrize("button", BUTTONS)
def test_what_is_to_be_pressed_is_called_so_on_its_page(button: str, longer: str) -> None:
    assert f"“{button}”" in longer
    folders = (ROOT / "pages/sections/classroom", ROOT / "pages/sections/room")
    files = [path for folder in folders for path in folder.iterdir() if path.is_file()]
    assert any(button in path.read_text(encoding="utf-8") for path in files)
