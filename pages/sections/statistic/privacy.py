"""Step 3: the budget, the noise, and what to expect of the answer before anything is spent."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import streamlit as st

from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.release.statistic import epsilon_for_accuracy, mechanism_for
from compdp_core.shapes import PAIR_NAMES
from pages.inputs.entry import exact, set_exact, within
from pages.inputs.options import segments, select
from pages.inputs.slider import epsilon_slider
from pages.sections.shared.budget import LADDER, target_epsilon
from pages.sections.statistic import settings as said
from pages.sections.statistic.cost import cost
from pages.sections.statistic.expect import expect, rivals
from pages.sections.statistic.query import Asked, ReadyQuery
from pages.session import faults
from pages.session.state import memo
from pages.shell.panels import step
from pages.text.typed_numbers import as_decimal
from pages.text.wording import quantity


def privacy_step(asked: Asked) -> ReadyQuery | None:
    with step(3, "Privacy", f"How much may the answer say about any one {asked.one}?"):
        each = ""
        if asked.inquiry.grouping is not None:
            each = f" {said.BUDGET_IS[segments('The budget is', said.BUDGET_IS, said.BUDGET_OF)]}"
        typed = epsilon_slider(
            said.BUDGET.name, f"Privacy budget ε{each}", LADDER, said.BUDGET.default
        )
        epsilon = Fraction(typed) / _parts(asked)
        pair, steps = _noise(asked)
        mechanism = faults.attempt(lambda: _mechanism(asked, epsilon, pair, steps))
        if mechanism is None:
            return None
        ready = ReadyQuery(asked, epsilon, pair, steps, mechanism)
        expect(ready)
        epsilon_of_accuracy(asked, pair)
        cost(ready)
        rivals(ready)
        return ready


def _parts(asked: Asked) -> Fraction:
    """Into how many equal parts the budget is split: one for each answer that may change."""
    if asked.inquiry.grouping is None or said.value(said.BUDGET_OF) == "group":
        return Fraction(1)
    return asked.inquiry.cost(1)


def _noise(asked: Asked) -> tuple[str | None, int | None]:
    """The function pair and the steps that were asked for; None for the best."""
    below = asked.plan.sensitivity < asked.plan.range.width
    best = "the best one: a staircase" if below else "the best one: A1B1"
    titles = {said.BEST: best, said.STAIRCASE: "A4B1: staircase"}
    titles |= {
        name: f"{name}: as if any two answers were neighbours (Δ = R)" for name in PAIR_NAMES
    }
    with st.expander("Shape of the noise", icon=":material/tune:"):
        chosen = select(
            "Function pair",
            titles,
            said.PAIR,
            help="The paper's six pairs hide the whole range. A staircase hides what one "
            f"{asked.one} can change, which is all that privacy asks for here.",
        )
        staircase = chosen == said.STAIRCASE or (chosen == said.BEST and below)
        if staircase:
            exact(
                said.STAIRS.name,
                "Steps of the staircase (empty: the best number)",
                check=within(said.STEPS),
                optional=True,
                help="Fewer steps keep released answers closer to the range and cost accuracy.",
            )
    steps = said.number(said.STAIRS) if staircase else None
    return (None if chosen == said.BEST and steps is None else _named(chosen)), steps


def _named(chosen: str) -> str:
    return said.STAIRCASE if chosen == said.BEST else chosen


def _mechanism(
    asked: Asked, epsilon: Fraction, pair: str | None, steps: int | None
) -> CompositeMechanism:
    return memo(
        "statistic.mechanism",
        (asked.plan, epsilon, pair, steps),
        lambda: mechanism_for(asked.plan, epsilon, pair=pair, steps=steps),
    )


def epsilon_of_accuracy(asked: Asked, pair: str | None) -> None:
    def solve(wanted: Decimal) -> str:
        epsilon = epsilon_for_accuracy(asked.plan, float(wanted), pair=pair)
        set_exact(said.BUDGET.name, as_decimal(Fraction(epsilon) * _parts(asked)))
        # Another number of steps than the best would need another ε.
        set_exact(said.STAIRS.name, None)
        within = quantity(float(wanted), asked.plan.unit)
        return f"ε = {epsilon} puts 95 % of answers within ±{within}; it is set above."

    target_epsilon(
        said.PAGE,
        "I want 95 % of answers within ± this of the truth (unit of the answer)",
        "2",
        "It",
        (asked.plan, pair),
        solve,
        lambda: (said.value(said.BUDGET), said.value(said.STAIRS)),
    )
