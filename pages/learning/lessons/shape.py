"""Activation and base: what each of the two parts does, and what other shapes cost."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import pandas as pd
import streamlit as st

from compdp_core.density import Density
from compdp_core.design import Design
from compdp_core.mechanism import CompositeMechanism
from compdp_core.optimize import optimize
from compdp_core.shapes import ACTIVATIONS, PAIR_NAMES, pair_named
from pages.furniture import links
from pages.furniture.chart import Chart
from pages.furniture.density_chart import Scene, scene_chart
from pages.furniture.state import edits
from pages.furniture.theme import RELEASED
from pages.furniture.wording import number, percent, quantity, span
from pages.learning.dial import dial
from pages.learning.lesson import Lesson, Option, Question
from pages.learning.noise import INPUTS, UNIT

EPSILON = 2.0
MIDDLE = 50.0
"""The true value of the pictures (points)."""
BASES = {"B1": "flat", "B2": "sinking"}

ACTIVATION = links.choice("learn.shape_activation", "shape_activation", tuple(ACTIVATIONS), "A2")
BASE = links.choice("learn.shape_base", "shape_base", tuple(BASES), "B1")
TAIL = dial(
    "shape_tau",
    "Edge of the base, as a share τ of its middle",
    0.2,
    0.98,
    0.95,
    step=0.01,
)


@dataclass(frozen=True)
class Cost:
    """A pair at its best width."""

    design: Design
    mechanism: CompositeMechanism

    @property
    def error(self) -> float:
        """Root mean square error in the middle of the results (points)."""
        return math.sqrt(self.mechanism.variance(MIDDLE))


# Of public settings alone: no data reaches these.
@lru_cache(maxsize=256)
def cost(name: str, tau: float | None = None) -> Cost:
    """The pair of that name, on B2 at that tail ratio or the usual one."""
    tail = tau if name.endswith("B2") else None
    design = optimize(EPSILON, pair_named(name, EPSILON, tail))
    return Cost(design, CompositeMechanism.from_design(design, INPUTS))


def _attempt() -> None:
    left, right = st.columns(2)
    with left:
        activation = st.segmented_control(
            "Activation: the hill",
            list(ACTIVATIONS),
            format_func=lambda key: f"{key} {ACTIVATIONS[key].title}",
            required=True,
            **edits(ACTIVATION.name, ACTIVATION.default, allowed=ACTIVATIONS),
        )
    with right:
        base = st.segmented_control(
            "Base: the floor",
            list(BASES),
            format_func=lambda key: f"{key} {BASES[key]}",
            required=True,
            **edits(BASE.name, BASE.default, allowed=BASES),
        )
    tau = TAIL.draw() if base == "B2" else TAIL.value
    name = f"{activation}{base}"
    now = cost(name, tau)
    _tiles(now)
    seen, ranked = st.columns([7, 5], gap="large")
    with seen:
        scene_chart(
            "shape",
            Scene.of(now.mechanism, MIDDLE),
            axis=f"released value ({UNIT})",
            unit=UNIT,
            title=f"Releases of {quantity(MIDDLE, UNIT)} by the pair {name}",
            height=430,
        ).draw()
    with ranked:
        _ranking(name, tau).draw()


def _tiles(now: Cost) -> None:
    design = now.design
    with st.container(key="tiles"):
        tiles = st.columns(4)
    for tile, label, value, words in zip(
        tiles,
        ("From the hill", "H₁", "H₂", "Typical error"),
        (
            percent(design.S1),
            number(design.h1),
            number(Density(design).h2()),
            quantity(now.error, UNIT),
        ),
        (
            "Share of all releases that come from the activation. The others come from the base.",
            "Share from the base over the share from the activation: smaller is better.",
            "Of the releases in the nearer three quarters of the way to the edge, the share in the "
            "nearest quarter: larger is better.",
            f"Root mean square error of a result of {quantity(MIDDLE, UNIT)}.",
        ),
        strict=True,
    ):
        tile.metric(label, value, help=words, border=True, height="stretch")


def _ranking(chosen: str, tau: float) -> Chart:
    """All six pairs; the chosen one is filled."""
    errors = {name: cost(name, tau).error for name in PAIR_NAMES}
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "x": [errors[name] for name in names],
            "y": names,
            "name": title,
            "marker": marker,
            "text": [f" {number(errors[name])}" for name in names],
            "textposition": "outside",
            "cliponaxis": False,
            "hovertemplate": "%{x:.3g}",
        }
        for title, names, marker in (
            ("chosen", [chosen], {"color": RELEASED.colour}),
            (
                "others",
                [name for name in PAIR_NAMES if name != chosen],
                {
                    "color": "rgba(0, 0, 0, 0)",
                    "line": {"color": RELEASED.colour, "width": 1.5},
                },
            ),
        )
    ]
    return Chart(
        "shape-ranking",
        "What each pair costs",
        f"typical error ({UNIT})",
        "pair",
        {
            "data": data,
            "layout": {
                "hovermode": "closest",
                "barmode": "overlay",
                "bargap": 0.4,
                "xaxis": {"range": [0, 1.2 * max(errors.values())]},
                "yaxis": {
                    "type": "category",
                    "categoryorder": "array",
                    "categoryarray": list(PAIR_NAMES[::-1]),
                    "title": {"text": ""},
                    "showgrid": False,
                },
            },
        },
        f"Typical errors in {UNIT}: "
        + ", ".join(f"{name} {number(error)}" for name, error in errors.items())
        + f". {chosen} is chosen.",
        lambda: pd.DataFrame({"pair": list(errors), f"typical error ({UNIT})": errors.values()}),
        height=430,
    )


def _question() -> Question:
    flat, sharp = cost("A1B1"), cost("A3B1")
    ratio = number(math.exp(EPSILON))
    return Question(
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
    "hill? Then let the floor sink (B2) and lower its edge: what happens to the hill? (The scale "
    "above the picture is the one in which the noise is computed: leave it aside.)",
    attempt=_attempt,
    question=_question,
    settings=(ACTIVATION, BASE, TAIL.setting),
    more=("function_lab", "Draw a shape of your own in the Function lab"),
)
