"""The way back: from an accuracy that is needed to the ε that gives it."""

from __future__ import annotations

import streamlit as st

from compdp_core.errors import CompdpError
from compdp_core.release.statistic import epsilon_for_accuracy
from pages.inputs.entry import exact, set_exact
from pages.sections.statistic import settings as said
from pages.sections.statistic.query import Asked
from pages.session import faults
from pages.session.state import keep, recall
from pages.text.wording import literal, quantity

WISH = "statistic.wish"


def wish(asked: Asked, pair: str | None) -> None:
    entry, button = st.columns([3, 1], vertical_alignment="bottom")
    below = st.container()
    with entry:
        within = exact(
            WISH,
            "I want 95 % of answers within ± this of the truth (unit of the answer)",
            check=lambda v: None if v > 0 else "It must be above 0, such as 2.",
            optional=True,
            placeholder="a number, such as 2",
            faults_in=below,
        )
    with button:
        st.button(
            "Find the ε",
            icon=":material/search:",
            disabled=within is None,
            on_click=_solve,
            args=(asked, pair),
            width="stretch",
        )
    with below:
        if recall(f"{WISH}.answer"):
            asked_then, kind, text = recall(f"{WISH}.answer")
            if asked_then == _about(asked, pair):
                faults.tell(text) if kind == "fault" else st.success(literal(text))


def _solve(asked: Asked, pair: str | None) -> None:
    """Callback: set the budget to the smallest that meets the wish."""
    wanted = recall(WISH)
    if wanted is None:
        return
    try:
        epsilon = epsilon_for_accuracy(asked.plan, float(wanted), pair=pair)
    except CompdpError as refusal:
        answer = ("fault", faults.sentence(str(refusal)))
    else:
        set_exact(said.BUDGET.name, epsilon)
        # Another number of steps than the best would need another ε.
        set_exact(said.STAIRS.name, None)
        within = quantity(float(wanted), asked.plan.unit)
        answer = ("found", f"ε = {epsilon} puts 95 % of answers within ±{within}; it is set above.")
    keep(f"{WISH}.answer", (_about(asked, pair), *answer))


def _about(asked: Asked, pair: str | None) -> tuple[object, ...]:
    """What the words hold for: they leave the screen once any of it is set otherwise."""
    settings = (said.BUDGET, said.STAIRS)
    return (asked.plan, pair, recall(WISH), *(said.value(each) for each in settings))
