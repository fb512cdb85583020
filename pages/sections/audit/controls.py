"""Step 1: the mechanism, its settings, and the two neighbours that it is audited for."""

from __future__ import annotations

from decimal import Decimal

import streamlit as st

from compdp_core.auditing.attacks import Faulty
from compdp_core.mechanisms.baselines import BASELINES, DELTA
from compdp_core.parameters import INPUT_BOUND
from compdp_core.text import plain
from pages.inputs.entry import within
from pages.inputs.mechanisms import mechanism_note
from pages.inputs.options import select
from pages.inputs.range_fields import range_fields
from pages.inputs.slider import BUDGETS, epsilon_slider, with_slider
from pages.sections.audit import settings as to
from pages.sections.audit.settings import broken, name_of
from pages.text.wording import literal, number

RUNGS = 40


def controls() -> None:
    key = select(
        "Mechanism",
        {each: name_of(each) for each in to.subjects()},
        to.SUBJECT,
        help="Those at the end of the list are broken on purpose: each makes a mistake that was "
        "made in practice. Nothing can be released from them.",
    )
    if key.startswith(to.BROKEN):
        _mistake(broken(key))
        return
    st.caption(literal(mechanism_note(key)))
    epsilon_slider(
        to.BUDGET.name,
        "Claimed privacy budget ε",
        BUDGETS,
        to.BUDGET.default,
        help="What the mechanism promises: no output is more than e^ε times as likely under one "
        "input as under a neighbouring one.",
    )
    with st.expander("Inputs, sensitivity and neighbours", icon=":material/tune:"):
        _rest("delta" in BASELINES[key].needs if key in BASELINES else False)


def beside(attack: str, fix: str) -> None:
    left, right = st.columns(2)
    left.error(attack, icon=":material/bug_report:")
    right.success(fix, icon=":material/build:")


def _mistake(faulty: Faulty) -> None:
    beside(f"**The mistake.** {literal(faulty.fault)}", f"**The fix.** {literal(faulty.remedy)}")
    first, second = (number(x) for x in faulty.neighbours)
    st.caption(
        f"It claims ε = {number(faulty.claimed)}. Its settings are fixed; the neighbours that it "
        f"fails to protect are {first} and {second}."
    )


def _rest(with_delta: bool) -> None:
    below = st.container()
    fields = st.columns(4 if with_delta else 3, vertical_alignment="bottom")
    range_fields(to.LOWER, to.UPPER, to.DISTANCE, to.PLACE, places=fields, faults_in=below)
    if with_delta:
        with fields[3]:
            to.field(to.CHANCE, "δ", check=within(DELTA), help=DELTA.meaning, faults_in=below)
    _neighbours()


def _neighbours() -> None:
    low, high, distance = (to.value(each) for each in (to.LOWER, to.UPPER, to.DISTANCE))
    room = Decimal(0) if distance is None else high - low - distance
    if not room > 0:
        st.caption("Any two inputs are neighbours: the ends of the inputs are compared.")
        return
    with_slider(
        to.PLACE.name,
        f"Lower neighbour; the other is Δ = {plain(distance)} above it",
        tuple(low + room * step / RUNGS for step in range(RUNGS + 1)),
        default=to.PLACE.default,
        check=within(INPUT_BOUND),
        entry_label="Lower neighbour, exactly",
    )
