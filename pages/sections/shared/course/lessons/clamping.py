"""Noise that is clamped into the bounds afterwards is no longer right on average."""

from __future__ import annotations

import numpy as np
import streamlit as st

from pages.sections.shared.course.controls import dial
from pages.sections.shared.course.examples.noise import INPUTS, UNIT, clamped_laplace, laplace
from pages.sections.shared.course.lesson import Lesson, LessonQuestion, Option
from pages.sections.shared.course.pictures.clamping import average, both_noises, ends
from pages.text.wording import number, percent, quantity, span

ASKED = 1.0
"""The ε of the question."""
PUPILS = 10_000

VALUE = dial("clamping_value", "True value, in points", 0, 100, 90)
BUDGET = dial("clamping_epsilon", "ε", 0.5, 5.0, 1.0, step=0.5)


def _attempt() -> None:
    left, right = st.columns(2, gap="medium")
    value, epsilon = int(VALUE.draw(left)), BUDGET.draw(right)
    mean = average(epsilon, value)
    bias = mean - value
    below, above = ends(epsilon, value)
    direction = "too low" if bias < 0 else "too high"
    st.markdown(
        f"Clamped: {percent(below)} of all releases become {number(INPUTS[0])}, and "
        f"{percent(above)} become {number(INPUTS[1])}. On average **{number(mean)}**"
        + (f", which is {quantity(abs(bias), UNIT)} {direction}." if abs(bias) > 1e-9 else ".")
        + f" Composite: on average **{number(value)}**."
    )
    both_noises(epsilon, value).draw()


def _question() -> LessonQuestion:
    high, middle = INPUTS[1], sum(INPUTS) / 2
    mean = average(ASKED, high)
    less, share = map(percent, ends(ASKED, high))
    return LessonQuestion(
        f"{PUPILS:,} pupils all have {number(high)} points. Each result gets Laplace noise at "
        f"ε = {number(ASKED)} and is clamped to {span(*INPUTS)}. The mean of the {PUPILS:,} "
        "numbers is about",
        (
            Option(
                number(high),
                f"The noise averages out, but clamping does not: {share} of the numbers would lie "
                f"above {number(high)} and are moved down; only {less} would lie below "
                f"{number(INPUTS[0])} and are moved up.",
            ),
            Option(
                number(mean),
                f"Every one of them is {quantity(high - mean, UNIT)} too low on average, so the "
                "mean is, too. More pupils do not help: bias does not average out.",
                right=True,
            ),
            Option(
                number(middle),
                "Only infinite noise, at ε = 0, would bring it to the middle. At this ε "
                f"clamping pulls part of the way, to {number(mean)}.",
            ),
            Option(
                "anything, chance decides",
                f"For one pupil, anything from {span(*INPUTS)}. The mean of {PUPILS:,} is "
                f"steady, to about {quantity(_unsteady(), UNIT)}, and steadily wrong.",
            ),
        ),
    )


def _unsteady() -> float:
    """Standard error of the mean of all pupils of the question."""
    return float(np.sqrt(clamped_laplace(ASKED).variance(INPUTS[1]) / PUPILS))


def _outside() -> str:
    """How much of plain noise leaves the bounds, at the value that the step begins with."""
    return percent(float(laplace(ASKED).probability_outside(INPUTS, VALUE.setting.default)))


CLAMPING = Lesson(
    key="clamping",
    title="Why clamped noise is biased",
    text=f"""
The usual noise, called Laplace noise, has no end. At ε = {number(ASKED)}, {_outside()} of the
numbers that come out for {quantity(VALUE.setting.default, UNIT)} lie outside {span(*INPUTS)}. The
obvious repair is to clamp them. That costs no privacy: it looks at nothing but the number.

It costs accuracy. Near a bound more noise is cut off on one side than on the other, so
what comes out is wrong **on average**. Such an error is called **bias**.
""",
    task="Move the true value to 50, then to an end. Above is clamped noise; below is the noise of "
    "this app, called composite, which the next step takes apart. "
    "The dashed line is the true value, the triangle the average of what comes out.",
    attempt=_attempt,
    question=_question,
    settings=(VALUE.setting, BUDGET.setting),
    more=("compare_mechanisms", "Compare the bias of more mechanisms"),
)
