"""Activation and base: what each of the two parts does, and what other shapes cost."""

from __future__ import annotations

import math

import streamlit as st

from compdp_core.design.density import Density
from compdp_core.shapes import ACTIVATIONS
from pages.charts.density import Scene, scene_chart
from pages.sections.shared.course.controls import choice, dial
from pages.sections.shared.course.examples.noise import UNIT
from pages.sections.shared.course.lesson import Lesson, LessonQuestion, Option
from pages.sections.shared.course.pictures.shape import EPSILON, MIDDLE, PairCost, cost, ranking
from pages.sections.shared.figures import figure_row, figures
from pages.text.wording import number, percent, quantity, span

ACTIVATION = choice(
    "shape_activation",
    "Activation: the hill",
    {key: f"{key} {each.title}" for key, each in ACTIVATIONS.items()},
    "A2",
)
BASE = choice("shape_base", "Base: the floor", {"B1": "B1 flat", "B2": "B2 sinking"}, "B1")
TAIL = dial("shape_tau", "Edge of the base, as a share τ of its middle", 0.2, 0.98, 0.95, step=0.01)


def _attempt() -> None:
    left, right = st.columns(2)
    activation, base = ACTIVATION.draw(left), BASE.draw(right)
    tau = TAIL.draw() if base == "B2" else TAIL.value
    name = f"{activation}{base}"
    now = cost(name, tau)
    _tiles(now)
    seen, ranked = st.columns([7, 5], gap="large")
    with seen:
        scene_chart(
            "shape",
            Scene.of(now.mechanism, MIDDLE),
            unit=UNIT,
            title=f"Releases of {quantity(MIDDLE, UNIT)} by the pair {name}",
            height=430,
            domain=False,
        ).draw()
    with ranked:
        ranking(name, tau).draw()


def _tiles(now: PairCost) -> None:
    design = now.design
    figures(
        figure_row(4),
        (
            "From the hill",
            percent(design.S1),
            "Share of all releases that come from the activation. The others come from the base.",
        ),
        (
            "H₁",
            number(design.h1),
            "Share from the base over the share from the activation: smaller is better.",
        ),
        (
            "H₂",
            number(Density(design).h2()),
            "Of the releases in the nearer three quarters of the way to the edge, the share in the "
            "nearest quarter: larger is better.",
        ),
        (
            "Typical error",
            quantity(now.error, UNIT),
            f"Root mean square error of a result of {quantity(MIDDLE, UNIT)}.",
        ),
    )


def _question() -> LessonQuestion:
    flat, sharp = cost("A1B1"), cost("A3B1")
    ratio = number(math.exp(EPSILON))
    return LessonQuestion(
        f"All pairs keep the same promise, ε = {number(EPSILON)}. Why is the typical error "
        f"{quantity(sharp.error, UNIT)} with a triangle (A3B1), but {quantity(flat.error, UNIT)} "
        "with a rectangle (A1B1)?",
        (
            Option(
                "Under the same limit of height, a triangle holds less: fewer releases come from "
                "the hill.",
                f"{percent(sharp.design.S1)} come from the triangle and {percent(flat.design.S1)} "
                "from the rectangle. Only those tell where the true value is. A rectangle is at "
                "the limit everywhere, so no other hill on a flat floor has a smaller error.",
                right=True,
            ),
            Option(
                "A triangle has a higher peak over the floor, so more noise is needed to keep the "
                "same promise.",
                f"Both peaks are {ratio} times as high as the floor: ε allows that and no more.",
            ),
            Option(
                "A triangle is not right on average, since its two sides slope.",
                "It is: the hill is symmetric about its middle, as all three are, and the floor is "
                "the same on both sides.",
            ),
            Option(
                "With a triangle, some releases leave the outputs, and those are far off.",
                f"None does. They lie in {span(*sharp.mechanism.outputs, UNIT)}, and with the "
                f"rectangle in {span(*flat.mechanism.outputs, UNIT)}: always.",
            ),
        ),
    )


SHAPE = Lesson(
    key="shape",
    title="Activation and base",
    text="""
The two parts have shapes, too. Think of a **floor**, the base, and of a **hill** on it, the
activation. A release that comes from the floor says nothing about the true value: the floor
**hides**. One that comes from the hill lies where the hill is: the hill **tells**.

ε limits only how high the top of the hill may stand over the lowest place of the floor. The shapes
are free. The paper behind this app (Zhang et al., 2024) has three hills (rectangle, sine, triangle)
and two floors (flat, or sinking towards both edges): six pairs, A1B1 to A3B2.
""",
    task="Try the three hills, each at its best width. Which one puts most releases under the "
    "hill? Then let the floor sink (B2) and lower its edge: what happens to the hill?",
    attempt=_attempt,
    question=_question,
    settings=(ACTIVATION.setting, BASE.setting, TAIL.setting),
    more=("function_lab", "Draw a shape of your own in the Function lab"),
)
