"""The privacy budget: the rungs of its slider, warnings, and the way back from an accuracy."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

import streamlit as st

from compdp_core.errors import CompdpError
from pages.inputs.entry import exact
from pages.session import faults
from pages.session.state import keep, recall
from pages.text.wording import literal, number

_TENTHS = (*range(1, 11), 12, 15, 18, *range(20, 55, 5), *range(60, 110, 10))
LADDER = (Decimal("0.05"), *(Decimal(tenths) / 10 for tenths in _TENTHS))
WEAK, FAINT = Decimal(5), Decimal("0.05")


def warn_of(total: Decimal | Fraction) -> None:
    if total > WEAK:
        st.warning(
            f"ε = {number(float(total))} protects weakly: below {WEAK} is usual, "
            "and 1 or less is called strong.",
            icon=":material/warning:",
        )
    elif total < FAINT:
        st.warning(
            f"ε = {number(float(total))} leaves almost nothing but noise in single values. "
            "It suits averages over very many rows.",
            icon=":material/warning:",
        )


def target_epsilon(
    page: str, label: str, example: str, refused: str, setting: object,
    solve: Callable[[Decimal], str], about: Callable[[], object],
) -> None:  # fmt: skip
    """Ask for the accuracy; a press sets the budget by `solve`, which says so in a sentence.

    The answer leaves the screen once any of what it is about is set otherwise.
    """
    name, refusal = f"{page}.wish", f"{refused} must be above 0, such as {example}."

    def holds_for() -> object:
        return setting, recall(name), about()

    def answer() -> None:
        wanted = recall(name)
        if wanted is None:
            return
        try:
            kind, text = "found", solve(wanted)
        except CompdpError as problem:
            kind, text = "refused", faults.sentence(str(problem))
        keep(f"{name}.answer", (holds_for(), kind, text))

    entry, button = st.columns([3, 1], vertical_alignment="bottom")
    below = st.container()
    with entry:
        typed = exact(
            name,
            label,
            check=lambda value: None if value > 0 else refusal,
            optional=True,
            placeholder=f"a number, such as {example}",
            faults_in=below,
        )
    with button:
        st.button(
            "Find the ε",
            icon=":material/search:",
            disabled=typed is None,
            on_click=answer,
            width="stretch",
        )
    with below:
        if recall(f"{name}.answer"):
            then, kind, text = recall(f"{name}.answer")
            if then == holds_for():
                faults.tell(text) if kind == "refused" else st.success(literal(text))
