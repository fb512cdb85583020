"""Bounds: what they cut off against the noise that they cost."""

from __future__ import annotations

import streamlit as st

from pages.sections.shared.course.controls import dial
from pages.sections.shared.course.lesson import Lesson, LessonQuestion, Option
from pages.sections.shared.course.pictures import bounds as pocket_money
from pages.sections.shared.course.pictures.bounds import (
    EPSILON,
    MONEY,
    UNIT,
    class_and_errors,
    cost,
)
from pages.text.wording import count, number, quantity

TEACHER = 130
"""The upper bound of the question: the largest value of the class."""

_EVERY = pocket_money.BOUNDS
BOUND = dial(
    "bounds_upper", "Upper bound, in €", _EVERY[0], _EVERY[-1], _EVERY[-1], step=_EVERY.step
)


def _attempt() -> None:
    upper = BOUND.draw()
    now = cost(upper)
    moved = (
        "Nobody gets more than that, so clamping costs nothing."
        if not now.clamped
        else f"**{count(now.clamped, 'pupil')}** clamped to {quantity(upper, UNIT)}: that lowers "
        f"the mean by **{quantity(-now.shift, UNIT)}**."
    )
    st.markdown(
        f"{moved} The noise is typically **{quantity(now.noise, UNIT)}**. Both together: "
        f"**{quantity(now.both, UNIT)}**."
    )
    class_and_errors(upper).draw()


def _question() -> LessonQuestion:
    here = cost(TEACHER)
    return LessonQuestion(
        f"A teacher takes the largest value of the class, {quantity(TEACHER, UNIT)}, as upper "
        "bound, so that nobody is clamped. What is wrong?",
        (
            Option(
                "The bound itself tells everyone what one pupil gets.",
                "Bounds are public, so they must come from what is public: a law, a scale, last "
                "year's release. Never from the values they protect. The curve above is computed "
                "from the true values, so to choose by it would leak, too.",
                right=True,
            ),
            Option(
                "Nothing: the bound fits this class, and the noise fits the bound.",
                "Bounds are published with the release. Whoever knows how this one was chosen "
                f"knows that somebody gets {quantity(TEACHER, UNIT)}, exactly and without noise.",
            ),
            Option(
                "There will be too little noise to hide one pupil.",
                f"The noise follows from the bound: typically {quantity(here.noise, UNIT)} on the "
                "mean. That is as much as ε asks for, with these bounds as with any others.",
            ),
            Option(
                "The mean comes out too small on average.",
                f"Nobody is clamped, so clamping moves the mean by {quantity(here.shift, UNIT)}.",
            ),
        ),
    )


BOUNDS = Lesson(
    key="bounds",
    title="Bounds",
    text=f"""
Noise must hide the largest change that one person can make. So somebody has to say how small and
how large a value can be: the **bounds**. Values beyond a bound are moved to it, which is called
**clamping**.

Here the mean pocket money of {len(MONEY)} pupils is released at ε = {number(EPSILON)}. The lower
bound is 0. A high upper bound leaves every value alone and needs much noise. A low one needs little
noise and cuts off the largest values.
""",
    task="Move the upper bound. Watch the two parts of the error, and find the bound at which both "
    "together are smallest.",
    attempt=_attempt,
    question=_question,
    settings=(BOUND.setting,),
    more=("statistic", "Release the mean of a sample in Release a statistic"),
)
