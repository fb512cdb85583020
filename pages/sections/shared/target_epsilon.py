"""The way back: from an accuracy that is needed to the ε that gives it."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import streamlit as st

from compdp_core.errors import CompdpError
from pages.inputs.entry import exact
from pages.session import faults
from pages.session.state import keep, recall
from pages.text.wording import literal


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
