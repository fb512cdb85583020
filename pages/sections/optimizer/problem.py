"""Step 1: what is searched for. The exact answer is known at once, and stands on the map."""

from __future__ import annotations

from decimal import Decimal

import streamlit as st

from compdp_core.design.design import Design
from compdp_core.design.optimize import Problem
from compdp_core.parameters import TAIL_RATIO
from compdp_core.shapes import default_tail_ratio
from pages.inputs.custom_shapes import pair_choices, pair_title
from pages.inputs.entry import exact, within
from pages.inputs.options import radio, select
from pages.inputs.slider import epsilon_slider
from pages.sections.optimizer import settings
from pages.sections.optimizer.explanations import B2_IS_B1, asked, too_coarse
from pages.sections.optimizer.landscape import landscape
from pages.sections.optimizer.runs import UNIT
from pages.sections.optimizer.stored_runs import runs
from pages.sections.shared.budget import LADDER
from pages.session.fragments import fragment
from pages.session.framework import DeltaGenerator
from pages.shell.panels import step
from pages.text.wording import number, quantity

RUNGS = (*LADDER, Decimal(12), Decimal(15), Decimal(20))
SHOWN = 6
"""Ways drawn on the map at most: the latest."""


def problem_step() -> None:
    with step(
        1,
        "The problem",
        "Which k, m and y give the least noise that the privacy budget allows? "
        f"Variances are in {UNIT}: the squared width of the input interval.",
    ):
        _live()


@fragment
def _live() -> None:
    # Only this part runs again when a control of it moves.
    controls, picture = st.columns([5, 8], gap="large")
    # Below, so that no control moves away under the pointer when a note comes or goes.
    notes = st.container()
    with controls:
        _controls(notes)
        problem = asked()
        if problem is None:
            return
        best = settings.optimum(problem)
        _answer(problem, best)
        coarse = too_coarse(best)
        if coarse:
            notes.warning(coarse, icon=":material/grid_off:")
    with picture:
        same = [run for run in runs() if run.problem == problem][-SHOWN:]
        landscape(problem, best, same).draw()


def _controls(notes: DeltaGenerator) -> None:
    epsilon = epsilon_slider(
        settings.BUDGET.name, "Privacy budget ε", RUNGS, settings.BUDGET.default
    )
    titles = {name: pair_title(name) for name in pair_choices()}
    pair = select("Function pair", titles, settings.SHAPES)
    select("Make the variance smallest", settings.OBJECTIVES, settings.OBJECTIVE)
    if pair.endswith("B2"):
        notes.info(B2_IS_B1, icon=":material/lightbulb:")
        _tail(float(epsilon))


def _tail(epsilon: float) -> None:
    tail = radio("The tail ratio τ of B2", settings.TAILS, settings.TAIL)
    if tail == "fixed":
        exact(
            settings.TAU.name,
            "Tail ratio τ (empty: the usual one)",
            check=within(TAIL_RATIO),
            optional=True,
            placeholder=number(default_tail_ratio(epsilon)),
            help=TAIL_RATIO.meaning,
        )


def _answer(problem: Problem, best: Design) -> None:
    nearly = "approached, never reached: " if problem.free_tail else ""
    st.metric(
        "Least variance possible",
        quantity(problem.floor, UNIT, 4),
        help="Worked out exactly: at the optimum the budget is used up, so one unknown is left.",
    )
    st.caption(
        f"{nearly}k {number(best.k)}, m {number(best.m)}, y {number(best.y)}, at the scale "
        "k + y = 1. All three may be scaled together: k and y divided, m multiplied."
    )
