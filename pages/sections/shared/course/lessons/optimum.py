"""Optimisation: at a given ε one number is left to choose, and one choice is the best."""

from __future__ import annotations

import streamlit as st

from compdp_core.design.optimize import ALGORITHMS
from pages.charts.density import Scene, scene_chart
from pages.sections.shared.course.controls import choice, dial
from pages.sections.shared.course.examples.noise import EPSILONS, UNIT
from pages.sections.shared.course.lesson import Lesson, LessonQuestion, Option
from pages.sections.shared.course.pictures.optimum import (
    LEAST,
    MOST,
    Width,
    at,
    best,
    descent,
    found,
    mechanism,
)
from pages.text.wording import count, number, percent, quantity, span

MIDDLE = 50.0
ASKED, WIDE = 1.0, 80
"""ε of the question, and a width that is too wide (percent)."""
NOBODY = "nobody"

BUDGET = choice("optimum_epsilon", "Privacy budget ε", EPSILONS, "1")
WIDTH = dial(
    "optimum_width", "Width of the activation, in % of all outputs", LEAST, MOST, 10, step=1
)
SEARCH = choice(
    "optimum_search",
    "Who searches",
    {NOBODY: "You alone", "enumeration": "The paper's grid", "evolution": "Evolution"},
    NOBODY,
)


def _attempt() -> None:
    left, right = st.columns(2)
    epsilon, search = float(BUDGET.draw(left)), SEARCH.draw(right)
    width = WIDTH.draw()
    now = at(epsilon, width)
    searched = None if search == NOBODY else found(epsilon, search)
    st.markdown(_verdict(now, best(epsilon)))
    seen, drawn = st.columns([6, 6], gap="large")
    with seen:
        descent(epsilon, now, searched).draw()
    with drawn:
        scene_chart(
            "optimum-density",
            Scene.of(mechanism(epsilon, width), MIDDLE),
            unit=UNIT,
            title=f"Your noise on {quantity(MIDDLE, UNIT)}",
            height=430,
            domain=False,
        ).draw()
    if searched is not None:
        st.markdown(
            f"**{ALGORITHMS[search].title}** tried {count(searched.looked, 'choice')} of heights "
            f"and width and ended with a variance {_gap(searched.excess)} above the least. Each "
            "diamond was its best so far. Those above the curve had not used up ε yet."
        )


def _gap(excess: float) -> str:
    return "less than 0.001 %" if excess < 1e-5 else percent(excess, 2)


def _verdict(now: Width, least: Width) -> str:
    times = now.error / least.error
    if times < 1.001:
        away = "as little as can be, to within a thousandth"
    else:
        more = f"{percent(times - 1.0, 2)} more than" if times < 2.0 else f"{number(times)} times"
        away = f"{more} the least possible, {quantity(least.error, UNIT)}"
    return (
        f"A width of **{number(now.percent)} %** has a typical error of "
        f"**{quantity(now.error, UNIT)}**, {away}. {percent(now.design.S1)} of releases come from "
        f"the hill, and the results take up {percent(now.design.input_fraction)} of the outputs."
    )


def _question() -> LessonQuestion:
    least, wide = best(ASKED), at(ASKED, WIDE)
    outputs = [mechanism(ASKED, each).outputs for each in (least.percent, WIDE)]
    return LessonQuestion(
        f"At ε = {number(ASKED)} the best width is {number(least.percent)} % of the outputs. What "
        f"is wrong with {WIDE} %?",
        (
            Option(
                "The promise is broken: so wide a hill tells more about the true value than ε "
                "allows.",
                "The hill is as high over the floor as before, and only that counts for ε. Width "
                "is free.",
            ),
            Option(
                "The hill has too little room to move, so the outputs must be far wider than the "
                "results.",
                f"From 0 to 100 {UNIT} it has to move, and stay inside. At {WIDE} % that takes "
                f"outputs of {span(*outputs[1], UNIT)}; at the best width, "
                f"{span(*outputs[0], UNIT)}. So the error is {quantity(wide.error, UNIT)} instead "
                f"of {quantity(least.error, UNIT)}.",
                right=True,
            ),
            Option(
                "Too few releases come from the hill, and those from the floor say nothing.",
                f"More do: {percent(wide.design.S1)}, and at the best width "
                f"{percent(least.design.S1)}. That is the mistake of a hill too narrow.",
            ),
            Option(
                "Releases are no longer right on average, as the hill cannot stand far enough out.",
                "They are, at every width: the hill is moved so far that the mean is the true "
                "value.",
            ),
        ),
    )


OPTIMUM = Lesson(
    key="optimum",
    title="The best noise",
    text="""
Take the rectangle on the flat floor. The parts have heights and a width. For the least noise the
whole budget should be used: then ε says how high the hill stands over the floor, and only its
**width** is left to choose.

A narrow hill holds few releases, so most come from the floor and say nothing. A wide hill has
little room to move, so the outputs must be made wider. Between them lies one best width. It can be
computed exactly, and no choice of heights and width does better.
""",
    task="Move the width along the curve. What gets worse to the left of the star, and what to its "
    "right? Then take another ε, and let an algorithm search.",
    attempt=_attempt,
    question=_question,
    settings=(BUDGET.setting, WIDTH.setting, SEARCH.setting),
    more=("optimizer", "Watch five algorithms search in the Optimizer"),
)
