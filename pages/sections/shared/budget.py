"""The privacy budget: one total, split over the columns, and the way back from an accuracy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction

import streamlit as st

from compdp_core.accounting import decimal_text, split
from compdp_core.errors import CompdpError
from compdp_core.parameters import EPSILON
from pages.inputs.entry import exact, set_exact, within
from pages.inputs.slider import epsilon_slider
from pages.sections.shared.setup import BY_HAND, EPSILON_NAME, ChosenColumn
from pages.session import faults
from pages.session.state import edits, keep, recall
from pages.text.wording import in_label, literal, number

_TENTHS = (*range(1, 11), 12, 15, 18, *range(20, 55, 5), *range(60, 110, 10))
LADDER = (Decimal("0.05"), *(Decimal(tenths) / 10 for tenths in _TENTHS))
WEAK, FAINT = Decimal(5), Decimal("0.05")


def budget(columns: Sequence[ChosenColumn]) -> None:
    by_hand = len(columns) > 1 and recall(BY_HAND, False)
    if not by_hand:
        total = epsilon_slider(EPSILON_NAME, "Privacy budget ε for one row", LADDER, Decimal(1))
        st.caption("Smaller ε: more noise, more privacy. Larger ε: less of both.")
        _warn(total)
    if len(columns) > 1:
        st.toggle("Set the ε of each column by hand", **edits(BY_HAND, False))
        if by_hand:
            _by_hand(columns)
        else:
            st.caption(
                f"Split evenly: ε = {decimal_text(shares(columns)[0])} for each of "
                f"{len(columns)} columns. What one row gives away adds up over its columns."
            )


def shares(columns: Sequence[ChosenColumn]) -> list[Fraction]:
    """ε of each column, exactly: equal parts of the total, or what was typed for each."""
    total: Decimal = recall(EPSILON_NAME, Decimal(1))
    equal = split(total, len(columns))
    if len(columns) == 1 or not recall(BY_HAND, False):
        return list(equal)
    typed = [recall(column.setting("epsilon")) for column in columns]
    return [
        part if value is None else Fraction(value) for value, part in zip(typed, equal, strict=True)
    ]


def set_total(total: Decimal) -> None:
    """Put a total into slider and entry, from a callback; rounded up so that no wish is missed."""
    rounded = total.quantize(Decimal("1e-12"), rounding=ROUND_CEILING).normalize()
    set_exact(EPSILON_NAME, rounded)


def _by_hand(columns: Sequence[ChosenColumn]) -> None:
    for column, part in zip(columns, shares(columns), strict=True):
        name, entry = st.columns([3, 1], vertical_alignment="bottom")
        below = st.container()
        name.text(column.label)
        with entry:
            exact(
                column.setting("epsilon"),
                "ε of " + in_label(column.label, f"column {column.position + 1}"),
                check=within(EPSILON),
                optional=True,
                placeholder=decimal_text(part),
                faults_in=below,
            )
    total = sum(shares(columns), Fraction(0))
    st.markdown(f"Together one row spends **ε = {decimal_text(total)}**.")
    _warn(total)


def _warn(total: Decimal | Fraction) -> None:
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
