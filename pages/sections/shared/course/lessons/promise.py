"""What differential privacy promises: what comes out says little about which value went in."""

from __future__ import annotations

import streamlit as st

from compdp_core.release.accuracy import odds_factor
from pages.sections.shared.course.controls import dial
from pages.sections.shared.course.examples.noise import INPUTS, UNIT, composite
from pages.sections.shared.course.lesson import Lesson, LessonQuestion, Option
from pages.sections.shared.course.pictures.promise import (
    EPSILON,
    ONE,
    OTHER,
    both_densities,
    heights,
    likelier,
)
from pages.text.wording import number, quantity, span

SEEN = 0
"""What came out in the question (points)."""
OUTCOME = dial("promise_outcome", "The number that comes out, in points", -150, 250, 50, step=5)


def _attempt() -> None:
    outcome = OUTCOME.draw()
    _verdict(outcome)
    both_densities(outcome).draw()


def _verdict(outcome: float) -> None:
    limit = number(odds_factor(EPSILON))
    value, factor = likelier(heights(outcome))
    if factor == 1.0:
        said = (
            f"**{number(outcome)}** comes out equally often for both, and does not tell these two "
            "apart."
        )
    else:
        said = (
            f"**{number(outcome)}** comes out **{number(factor)} times** as often if Ada has "
            f"{quantity(value, UNIT)}."
        )
    st.markdown(f"{said} The limit is {limit} times, whatever comes out.")


def _question() -> LessonQuestion:
    mechanism = composite(EPSILON)
    low, high = heights(SEEN)
    limit = number(odds_factor(EPSILON))
    apart = f"{number(low / high)} times"
    return LessonQuestion(
        f"The number {number(SEEN)} came out for Ada. What do you know about her result?",
        (
            Option(
                f"It is about {quantity(SEEN, UNIT)}, for noise is right on average.",
                f"Only the average of many such numbers is right. This one can come out for every "
                f"result from "
                f"{span(*mechanism.inputs, UNIT)}.",
            ),
            Option(
                f"It is not {quantity(OTHER, UNIT)}, for {number(SEEN)} lies too far from that.",
                f"{number(SEEN)} comes out for {number(OTHER)}, too, only less often: {apart} less "
                f"than for {number(ONE)}. It could have been that chance.",
            ),
            Option(
                "Nothing at all: noise hides every result completely, whatever it is.",
                f"A little: {number(SEEN)} comes out {apart} as often for {number(ONE)} as for "
                f"{number(OTHER)}. Noise that says nothing would be of no use.",
            ),
            Option(
                f"The odds between any two results moved by at most {limit} times.",
                f"That is the promise, and here it is used up: {number(SEEN)} comes out {apart} as "
                f"often for {number(ONE)} as for {number(OTHER)}. What you believed before still "
                "counts.",
                right=True,
            ),
        ),
    )


PROMISE = Lesson(
    key="promise",
    title="What is promised",
    text=f"""
Ada took a test, with {number(INPUTS[0])} to {number(INPUTS[1])} points. Her result is private. What
is published instead is a number drawn by chance: her result with **noise**.

**Differential privacy** promises that whatever comes out would have come out almost as often for
any other result. “Almost” is a fixed number: no more than {number(odds_factor(EPSILON))} times as
often, in this step. So the **odds** of two results, which say how likely one is against the other,
move by no more than that when the number is seen, and nobody can be sure of Ada's result by it.
""",
    task=f"The two shapes say how often each number comes out if Ada has {number(ONE)} points, and "
    f"if she has {number(OTHER)}. Move the number that came out. Where do the heights differ, and "
    "by how much at most?",
    attempt=_attempt,
    question=_question,
    settings=(OUTCOME.setting,),
    more=("audit", "Put any mechanism's promise to the test in Audit"),
)
