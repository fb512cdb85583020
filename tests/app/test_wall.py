"""The wall of a room, without a browser: what it says, and that it says nothing else.

Answers are drawn under fixed seeds, so no verdict depends on chance: false alarm below 1e-9.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, t
from streamlit.testing.v1 import AppTest

from compdp_core.estimates.estimates import Estimates
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.release import ColumnPlan
from compdp_core.survey.answers import LABEL, SurveyAnswers
from compdp_core.survey.clamped import InventedClass, clamped_mean
from compdp_core.survey.means import numeric
from compdp_core.survey.question import Question
from compdp_core.survey.templates import TEMPLATES
from pages.rooms.room import Room
from pages.sections.classroom.answers_chart import MOST, bins_of
from pages.sections.classroom.clamped_view import ANOTHER, SWITCH, WITHOUT
from pages.sections.classroom.result_words import BEYOND, FEWEST_FOR_A_PICTURE, NONE
from pages.sections.classroom.results import OPENED, STILL_OPEN
from pages.sections.classroom.told import Told
from pages.sections.classroom.wall import WAITING
from pages.text.wording import percent
from tests.app.driving import TIMEOUT, Driven, listed
from tests.app.test_read_release import all_there, handed_in

ID = "0123456789abcdef"
SCRIPT = """
import streamlit as st
from pages.sections.classroom.clamped_view import clamped_view
from pages.sections.classroom.results import answers_of, results
from pages.sections.classroom.wall import wall

room, asked = st.session_state["room"], st.session_state["asked"]
wall(room, asked, join=lambda: st.text("the way in"))
clamped_view(asked, st.session_state["expected"])
results(room, asked)
st.session_state["made"] = answers_of(room, asked)
"""
QUESTIONS = {each.key: each.question for each in TEMPLATES} | {
    "whole": Question("How many?", ColumnPlan(inputs=(0, 10), epsilon=4, kind="whole"), "*pets*"),
    "many": Question(
        "Which <b>one</b>?",
        ColumnPlan(epsilon=1, kind="category", categories=[f"_{n}_ $x$" for n in range(12)]),
    ),
}
NUMBERS = [key for key, question in QUESTIONS.items() if not question.categories]
LISTS = [key for key, question in QUESTIONS.items() if question.categories]


@cache
def drawn(key: str, seed: int = 1) -> tuple[str, ...]:
    """Noisy answers as they arrive: of true ones near a quarter of the bounds, or mostly first."""
    question, random = QUESTIONS[key], np.random.default_rng(seed)
    if isinstance(question.mechanism, RandomizedResponse):
        places = random.integers(0, len(question.categories), 240) * (random.random(240) < 0.5)
        return tuple(str(int(each)) for each in question.mechanism.simulate(places, seed=seed))
    mechanism = numeric(question)
    low, high = mechanism.inputs
    true = np.clip(random.normal(0.75 * low + 0.25 * high, 0.1 * (high - low), 240), low, high)
    true = np.rint(true) if question.plan.kind == "whole" else true
    decimals = max(0, mechanism.decimals)
    return tuple(f"{each:.{decimals}f}" for each in mechanism.simulate(true, seed=seed).tolist())


class Wall(Driven):
    """A wall by itself, with all that belongs to it."""

    def __init__(self, folder: Path, room: Room, expected: InventedClass | None = None) -> None:
        (folder / "pages").mkdir(exist_ok=True)
        (folder / "pages" / "read_release.py").touch()
        (folder / "wall.py").write_text(SCRIPT, encoding="utf-8")
        self.at = AppTest.from_file(str(folder / "wall.py"), default_timeout=TIMEOUT)
        for name, value in (("room", room), ("asked", room.now), ("expected", expected)):
            self.at.session_state[name] = value
        self.run()

    @property
    def made(self) -> SurveyAnswers:
        """What the files are made of."""
        found: SurveyAnswers = self.at.session_state["made"]
        return found

    @property
    def told(self) -> Told:
        """What was worked out of the answers."""
        found: Told = self.at.session_state["asked"].made["told"][1]
        return found

    @property
    def sent(self) -> list[bytes]:
        """All that went to the browser, but for where files lie."""
        every = [each for each in self.at._tree if getattr(each, "proto", None) is not None]
        return [each.proto.SerializeToString() for each in every if each.type != "download_button"]


def room_of(key: str, answers: Sequence[str], most: int = 240) -> Room:
    room = Room("KTRPMX", QUESTIONS[key], minutes=5, most=most)
    room.now.id = ID
    arrive(room, answers)
    return room


def arrive(room: Room, answers: Sequence[str]) -> None:
    first = len(room.now.answers)
    for place, answer in enumerate(answers):
        receipt = room.answer(ID, f"{first + place:032x}", answer)
        assert receipt.state == "received", receipt


def numbers(text: str) -> list[float]:
    return [float(each.replace("−", "-")) for each in re.findall(r"−?\d+(?:\.\d+)?", text)]


def told(app: Driven) -> str:
    (found,) = [each for each in app.messages("markdown") if "confidence" in each]
    return found


# --- What it shows --------------------------------------------------------------------------------


@pytest.mark.parametrize("key", QUESTIONS)
def test_every_number_of_answers_is_shown(key: str, tmp_path: Path) -> None:
    room = room_of(key, [])
    app = Wall(tmp_path, room)
    assert WAITING in app.said()
    assert not app.charts
    assert not app.every("download_button")
    for n in (1, 2, 5, 30, 200):
        arrive(room, drawn(key)[len(room.now.answers) : n])
        app.run()
        assert not app.messages("error")
        assert app.metric("Answers, at most 240") == str(n)
        assert WAITING not in app.said()
        shown = set(app.charts)
        if key in LISTS:
            assert shown == ({"wall-shares"} if n >= 3 else set())
        else:
            assert {"wall-mean", "wall-answers"} <= shown
            enough = "wall-distribution" in shown
            assert not enough or n >= FEWEST_FOR_A_PICTURE
            assert enough != ("cannot be told yet" in app.said())
    assert len(app.every("text")) == 1


def test_words_of_the_teacher_are_shown_as_typed(tmp_path: Path) -> None:
    app = Wall(tmp_path, room_of("whole", drawn("whole")[:30]))
    assert "*pets*" in told(app)
    axis = app.spec("wall-mean")["layout"]["yaxis"]
    assert axis["title"]["text"] == "mean (*pets*)"
    many = Wall(tmp_path, room_of("many", drawn("many")[:30]))
    assert "“_0_ $x$”" in told(many)
    assert many.every("header")[0].value == r"Which \<b\>one\</b\>?"


@pytest.mark.parametrize("key", NUMBERS)
@pytest.mark.parametrize("n", [3, 30, 200])
def test_the_sentence_on_the_mean_is_true(key: str, n: int, tmp_path: Path) -> None:
    """By another way: the variance of the noise as a parabola through three of its points."""
    app = Wall(tmp_path, room_of(key, drawn(key)[:n]))
    mechanism, u = numeric(QUESTIONS[key]), np.array(drawn(key)[:n], dtype=float)
    low, high = mechanism.inputs
    at = np.array([low, 0.5 * (low + high), high])
    curve = np.polyfit(at, mechanism.variance(at), 2)
    noise = np.polyval(curve, u).mean() / (1.0 + curve[0])
    within = np.polyval(curve, np.linspace(low, high, 10_001))
    noise = min(max(noise, within.min()), within.max())
    half = t.ppf(0.975, n - 1) * np.sqrt(noise / n)
    ends = np.clip([u.mean() - half, u.mean() + half], low, high)
    near = 0.06 * (ends[1] - ends[0])
    level, *said = numbers(told(app))
    assert level == 95
    assert said == pytest.approx(ends, abs=near)
    assert numbers(app.metric("Interval"))[-2:] == pytest.approx(ends, abs=near)
    assert numbers(app.metric("Mean"))[0] == pytest.approx(u.mean(), abs=near)
    line = next(each for each in app.traces("wall-mean") if each["name"] == "mean so far")
    assert line["y"] == pytest.approx([u[: k + 1].mean() for k in range(n)])


def test_fewer_than_three_answers_have_no_mean(tmp_path: Path) -> None:
    for n in (1, 2):
        app = Wall(tmp_path, room_of("marks", drawn("marks")[:n]))
        assert app.metric("Mean") == app.metric("Interval") == NONE
        assert "it takes 3 for a mean" in app.said()


@pytest.mark.parametrize("key", LISTS)
@pytest.mark.parametrize("n", [1, 5, 200])
def test_the_sentence_on_a_share_is_true(key: str, n: int, tmp_path: Path) -> None:
    """Within the ends what was counted is not unlikely, one answer beyond them it is."""
    app = Wall(tmp_path, room_of(key, drawn(key)[:n]))
    if n < 3:
        assert app.metric("Interval") == NONE
        assert "it takes 3 for a share" in app.said()
        return
    response = QUESTIONS[key].mechanism
    assert isinstance(response, RandomizedResponse)
    p, q = response.probability_kept, response.probability_other
    counts = [drawn(key)[:n].count(str(k)) for k in range(response.categories)]
    table = app.told.charts[0].numbers()
    seen, found, low, high = (table[name].to_numpy() / 100 for name in list(table)[1:])
    assert seen == pytest.approx(np.array(counts) / n)
    assert found == pytest.approx((seen - q) / (p - q))
    for count, first, last in zip(counts, np.rint(n * low), np.rint(n * high), strict=True):
        if min(binom(n, p).sf(count - 1), binom(n, q).cdf(count)) <= 0.025:
            # No share is likely: those nearest to an end are left.
            assert first == 0 or last == n
            continue
        for m, inside in ((first - 1, False), (first, True), (last, True), (last + 1, False)):
            if 0 <= m <= n:
                kept, turned = binom(int(m), p), binom(int(n - m), q)
                chances = np.convolve(
                    kept.pmf(range(int(m) + 1)), turned.pmf(range(int(n - m) + 1))
                )
                least = min(chances[: count + 1].sum(), chances[count:].sum())
                assert (least > 0.025) == inside
    near = 6 * (high[0] - low[0])
    assert numbers(told(app))[-2:] == pytest.approx([100 * low[0], 100 * high[0]], abs=near)
    assert numbers(app.metric("Share of"))[0] == pytest.approx(100 * found[0], abs=near)
    assert f"Counted as it arrived: {percent(seen[0], 2)} “" in app.said()
    assert (BEYOND in app.said()) == bool(((found < 0) | (found > 1)).any())
    bars = app.traces("wall-shares")
    assert bars[0]["x"] == pytest.approx(100 * seen)
    assert bars[1]["x"] == pytest.approx(100 * found)


# --- The bins -------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", NUMBERS)
def test_bars_do_not_move_when_answers_arrive(key: str, tmp_path: Path) -> None:
    room = room_of(key, drawn(key)[:3])
    app = Wall(tmp_path, room)
    first, before = app.traces("wall-answers")[0], app.spec("wall-answers")["layout"]["xaxis"]
    for n in (4, 200):
        arrive(room, drawn(key)[len(room.now.answers) : n])
        app.run()
        now = app.traces("wall-answers")[0]
        assert now["x"] == first["x"]
        assert listed(now["width"]) == listed(first["width"])
        assert app.spec("wall-answers")["layout"]["xaxis"]["range"] == before["range"]
        assert sum(now["y"]) == n


@pytest.mark.parametrize("kind", ["number", "whole"])
@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1, 2, 4, 5])
@pytest.mark.parametrize("inputs", [(0, 20), (-3, 7), (100, 100_000), (0, 1)])
def test_bins_cover_all_that_can_be_drawn(kind: Any, epsilon: float, inputs: Any) -> None:
    question = Question("?", ColumnPlan(inputs=inputs, epsilon=epsilon, kind=kind))
    edges, (low, high) = bins_of(question).edges, numeric(question).outputs
    assert len(edges) - 1 <= MOST + 1
    assert edges[0] <= low + 1e-9 * (high - low)
    assert edges[-1] >= high - 1e-9 * (high - low)
    assert np.diff(edges) == pytest.approx(edges[1] - edges[0])
    if kind == "whole":
        assert edges % 1 == pytest.approx(0.5)
    elif (high - low) / (inputs[1] - inputs[0]) < MOST - 2:
        for end in inputs:
            assert np.abs(edges - end).min() < 1e-9 * (high - low)


# --- What it keeps --------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["marks", "yes_no"])
def test_nothing_is_worked_out_anew_for_the_same_answers(key: str, tmp_path: Path) -> None:
    room = room_of(key, drawn(key)[:30])
    app = Wall(tmp_path, room)
    told_before, sent, made = app.told, app.sent, app.made
    figures = [chart.drawn["light"] for chart in told_before.charts]
    app.run()
    assert app.told is told_before
    assert [chart.drawn["light"] for chart in told_before.charts] == figures
    assert app.sent == sent
    assert app.made is made
    arrive(room, drawn(key)[30:31])
    app.run()
    assert app.told is not told_before
    assert app.made.identifier != made.identifier


# --- Frozen ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["marks", "whole", "yes_no"])
@pytest.mark.parametrize("shown", [0, 5, 30])
def test_a_frozen_wall_tells_nothing_of_later_answers(key: str, shown: int, tmp_path: Path) -> None:
    sent = []
    for later in (drawn(key)[40:44], drawn(key, seed=2)[50:54]):
        room = room_of(key, drawn(key)[:shown])
        room.freeze(room.now)
        arrive(room, later)
        app = Wall(tmp_path, room)
        if key not in LISTS:
            app.toggle(SWITCH)
        assert "4 more have arrived since." in app.said()
        assert f"Frozen at {shown} answers; " in app.said()
        assert not shown or len(app.made.array) == shown
        assert STILL_OPEN not in app.said()
        sent.append(app.sent)
    assert sent[0] == sent[1]


def test_a_wall_that_goes_on_shows_all(tmp_path: Path) -> None:
    room = room_of("marks", drawn("marks")[:5])
    room.freeze(room.now)
    app = Wall(tmp_path, room)
    assert "none has arrived since" in app.said()
    arrive(room, drawn("marks")[5:6])
    assert "1 more has arrived since." in app.run().said()
    room.go_on(room.now)
    app.run()
    assert "Frozen" not in app.said()
    assert app.metric("Answers") == "6"


# --- Files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["marks", "whole", "yes_no"])
def test_file_and_card_read_back(key: str, tmp_path: Path) -> None:
    room = room_of(key, drawn(key)[:30])
    app = Wall(tmp_path, room)
    assert app.labels("download_button") == ["Answers (CSV)", "Card (HTML)", "Card (JSON)"]
    assert OPENED in app.said()
    assert STILL_OPEN in app.said()
    made = app.made
    question = QUESTIONS[key]
    values = sorted(map(float, drawn(key)[:30]))
    assert made.array.tolist() == values
    cells = made.csv().decode().split()[1:]
    named = question.categories
    assert cells == ([named[int(each)] for each in values] if named else cells)
    if not named:
        assert list(map(float, cells)) == values
        found = Estimates(made.csv(), made.made_card.to_json()).mean(LABEL)
        assert found.value == pytest.approx(np.mean(values))
    page = handed_in(
        Driven("pages/read_release.py"), file=made.csv(), card=made.made_card.to_json().encode()
    )
    assert not all_there(page).messages("error")
    assert page.charts


def test_another_question_changes_the_card_but_not_the_release(tmp_path: Path) -> None:
    room = room_of("marks", drawn("marks")[:5])
    app = Wall(tmp_path, room)
    alone = app.made
    room.ask(QUESTIONS["sleep"])
    app.run()
    several = app.made
    assert (several.identifier, several.when) == (alone.identifier, alone.when)
    assert several.csv() == alone.csv()
    assert len(several.made_card.not_covered) == len(alone.made_card.not_covered) + 1


# --- The simulated class --------------------------------------------------------------------------


def test_the_simulated_class_is_made_of_settings_alone(tmp_path: Path) -> None:
    sent = []
    for seed in (1, 2):
        room = room_of("marks", drawn("marks", seed)[:30])
        app = Wall(tmp_path, room, InventedClass(17.5, 2.0)).toggle(SWITCH)
        assert "Nobody’s true answer is used" in app.said()
        said = [each for each in app.messages("markdown") if "Clamped noise is" in each]
        sent.append((app.chart("wall-clamped").spec, said))
    assert sent[0] == sent[1]


def test_the_simulated_class_stays_until_another_one_is_asked_for(tmp_path: Path) -> None:
    app = Wall(tmp_path, room_of("marks", drawn("marks")[:30]), InventedClass(17.5, 2.0))
    assert "wall-clamped" not in app.charts
    app.toggle(SWITCH)
    first = [each["x"][0] for each in app.traces("wall-clamped")]
    assert [each["x"][0] for each in app.run().traces("wall-clamped")] == first
    app.press(ANOTHER)
    true, composite, clamped, expected = (each["x"][0] for each in app.traces("wall-clamped"))
    assert [true, expected] == [first[0], first[3]]
    assert composite != first[1]
    assert clamped != first[2]
    other = clamped_mean(QUESTIONS["marks"], InventedClass(17.5, 2.0), 30, seed=5)
    assert (true, expected) == pytest.approx((other.true, other.expected))
    off = numbers(next(each for each in app.messages("markdown") if "too low" in each))[0]
    assert off == pytest.approx(true - expected, abs=0.01)


def test_the_simulated_class_follows_its_sliders(tmp_path: Path) -> None:
    app = Wall(tmp_path, room_of("sleep", [])).toggle(SWITCH)
    assert f"{WITHOUT} answers" in app.said()
    app.slide("Mean of the simulated class (h)", 6.0)
    app.slide("Spread of the simulated class (h)", 1.0)
    assert app.traces("wall-clamped")[0]["x"][0] == pytest.approx(6.0)
    assert "right on average, too" in app.said()


@pytest.mark.parametrize("key", LISTS)
def test_a_list_of_answers_has_no_clamped_noise(key: str, tmp_path: Path) -> None:
    app = Wall(tmp_path, room_of(key, drawn(key)[:5]))
    assert SWITCH not in app.labels("toggle")
