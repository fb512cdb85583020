"""What is compared: mechanisms, ε, inputs, sensitivity and the true value."""

from __future__ import annotations

import math

import streamlit as st

from compdp_core.mechanisms.baselines import DELTA, Mechanism
from compdp_core.parameters import INPUT_BOUND, SEED
from compdp_core.release.accuracy import best_guess
from pages.inputs.entry import within
from pages.inputs.mechanisms import mechanism_choices, mechanism_label
from pages.inputs.options import several
from pages.inputs.range_fields import range_fields
from pages.inputs.slider import BUDGETS, epsilon_slider, with_slider
from pages.sections.compare_mechanisms import settings as to
from pages.shell.panels import drawer
from pages.text.wording import beyond_half, brief, literal, quantity

RUNGS = 40
"""Steps of the slider over the inputs."""
MORE = f"{to.PAGE}.more"
"""The box of what is set once."""


def controls() -> None:
    several(
        "Mechanisms",
        {key: mechanism_label(key) for key in mechanism_choices()},
        to.CHOSEN,
        placeholder="Type to search",
        help="Type a part of a name to find it. Own shapes appear here once they are certified in "
        "the Function lab.",
    )
    left, right = st.columns(2, gap="large")
    with left:
        epsilon_slider(
            to.BUDGET.name,
            "Privacy budget ε",
            BUDGETS,
            to.BUDGET.default,
            help="ε bounds how much one release can tell an attacker. Doubling it about halves the "
            "noise and squares the attacker's odds.",
        )
    with right:
        _true_value()
    drawer(MORE, "Inputs, sensitivity, δ and seed", ":material/tune:", _rest)


def _true_value() -> None:
    low, high = to.value(to.LOWER), to.value(to.UPPER)
    if low < high:
        with_slider(
            to.VALUE.name,
            f"True value, in {to.UNIT}",
            tuple(low + (high - low) * step / RUNGS for step in range(RUNGS + 1)),
            default=to.VALUE.default,
            check=within(INPUT_BOUND),
            entry_label="Value, exactly",
            help="Known here only because this page explores. No mechanism gives it away.",
        )
        if not low <= to.value(to.VALUE) <= high:
            st.caption("It lies outside the inputs, so every mechanism moves it to the nearer end.")


def _rest() -> None:
    below = st.container()
    fields = st.columns(5, vertical_alignment="bottom")
    range_fields(to.LOWER, to.UPPER, to.DISTANCE, to.VALUE, places=fields, faults_in=below)
    with fields[3]:
        to.field(
            to.CHANCE,
            "δ of the Gaussians",
            check=within(DELTA),
            help=f"{DELTA.meaning} All other mechanisms here need none.",
            faults_in=below,
        )
    with fields[4]:
        to.field(to.START, "Seed", check=within(SEED), help=SEED.meaning, faults_in=below)


def meaning(asked: to.ComparedSettings, made: dict[str, Mechanism]) -> None:
    name, first = next(iter(made.items()))
    error = math.sqrt(float(first.variance(asked.value)) + float(first.bias(asked.value)) ** 2)
    st.caption(
        f"Smaller ε: more noise and more privacy. At ε = {brief(asked.epsilon)}, {literal(name)} "
        f"is typically off by {quantity(error, to.UNIT)}, and an attacker who wavers between two "
        f"values can then be right {beyond_half(best_guess(asked.epsilon))} of the time at most, "
        "instead of half of it."
    )
