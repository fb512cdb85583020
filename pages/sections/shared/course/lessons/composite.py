"""The composite idea: a base that hides, an activation that steers the average."""

from __future__ import annotations

import streamlit as st

from pages.inputs import links
from pages.sections.shared.course.controls import dial
from pages.sections.shared.course.examples.noise import UNIT, composite
from pages.sections.shared.course.lesson import Lesson, LessonQuestion, Option
from pages.sections.shared.course.pictures.composite import (
    EPSILON,
    average,
    base_and_activation,
    centre_for,
)
from pages.session.state import edits
from pages.text.wording import number, percent, quantity

ASKED = 90.0
"""The true value of the question (points)."""
CLOSE = 0.5
"""From here on the average counts as right (points)."""

VALUE = dial("composite_value", "True value, in points", 10, 90, 80)
ACTIVE = links.switch("learn.composite_activation", "composite_activation", False)
CENTRE = dial("composite_centre", "Centre of the activation, in points", -70, 170, 50)


def _attempt() -> None:
    value = VALUE.draw()
    active = st.toggle("Add the activation", **edits(ACTIVE.name, ACTIVE.default))
    centre = CENTRE.draw() if active else None
    _verdict(value, centre)
    base_and_activation(value, centre).draw()


def _verdict(value: float, centre: float | None) -> None:
    middle = sum(composite(EPSILON).outputs) / 2
    if centre is None:
        st.markdown(
            f"The average is **{number(middle)}**, whatever Ada has. Nothing is given away, and "
            "nothing is learned."
        )
        return
    mean = average(centre)
    share = composite(EPSILON).design.S1
    said = (
        f"The average is **{number(mean)}**: the base, around {number(middle)}, has a weight of "
        f"{percent(1 - share)}, and the activation, around {number(centre)}, one of "
        f"{percent(share)}."
    )
    if abs(mean - value) <= CLOSE:
        st.success(f"{said} It is right.", icon=":material/my_location:")
    else:
        way = "right" if mean < value else "left"
        st.markdown(f"{said} Move the activation further to the {way}.")


def _question() -> LessonQuestion:
    mechanism = composite(EPSILON)
    middle, share = sum(mechanism.outputs) / 2, mechanism.design.S1
    where = centre_for(ASKED)
    end = mechanism.inputs[1]
    beyond = mechanism.outputs[1]
    return LessonQuestion(
        f"Ada has {quantity(ASKED, UNIT)}. The activation holds {percent(share)} of the chance, "
        f"the base the rest. Where must the centre of the activation stand?",
        (
            Option(
                f"at {number(ASKED)}",
                f"Then the average is {number(average(ASKED))}: the base pulls it towards "
                f"{number(middle)}.",
            ),
            Option(
                f"at {number(end)}",
                f"Then the average is {number(average(end))}. The centre has to leave the bounds, "
                "and that is why numbers beyond them can come out.",
            ),
            Option(
                f"at {number(where)}",
                f"From {number(middle)} that is {number(where - middle)} to the right, of which "
                f"{percent(share)} count: {number(ASKED - middle)}. The average is "
                f"{number(average(where))}.",
                right=True,
            ),
            Option(
                f"at {number(beyond)}",
                f"That is the very end. Half of the activation would be cut off, and an average of "
                f"{number(average(beyond))} would be asked for.",
            ),
        ),
    )


COMPOSITE = Lesson(
    key="composite",
    title="The composite idea",
    text="""
Noise that ends somewhere and is right on average: the composite noise reaches both with two parts.

The **base** covers everything that can come out, and is the same for every result: it hides. The
**activation** is put on top of it, and moves with the true value: it brings the average where it
belongs. How much higher the activation may be than the base is what ε allows.
""",
    task="First the base alone: move the true value and watch the average. Add the activation, "
    "and move it until the average is the true value. How far out must it stand?",
    attempt=_attempt,
    question=_question,
    settings=(VALUE.setting, ACTIVE, CENTRE.setting),
    more=("function_lab", "Set height and width of both parts in the Function lab"),
)
