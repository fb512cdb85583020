"""The way back: from the error that one can bear to the ε that it takes."""

from __future__ import annotations

from decimal import Decimal

from compdp_core.release.accuracy import epsilon_for_error, epsilon_for_share
from pages.inputs.custom_shapes import chosen_pair
from pages.sections.privatize.budget import Unit, put_epsilon, set_now
from pages.sections.shared.budget import target_epsilon
from pages.sections.shared.setup import ReadyRelease, chosen_shape
from pages.sections.shared.words import words_of


def from_error(ready: ReadyRelease, valued: int) -> None:
    column, unit, ends = ready.focus, Unit(ready.person), ready.focus.inputs
    form = words_of(column).format
    measured = "the column's unit" if form is None else form.unit

    def solve(wanted: Decimal) -> str:
        assert ends is not None
        chosen = chosen_shape()
        epsilon = epsilon_for_error(
            float(wanted),
            ends.as_tuple(),
            pair=chosen_pair(chosen.pair),
            objective=chosen.objective,
            tail_ratio=chosen.tail_ratio,
            spacing=1 if column.whole else None,
        )
        put_epsilon(ready.columns, column, wanted, epsilon, unit)
        return f"ε = {epsilon} for this column; the budget is set to it."

    target_epsilon(
        "privatize",
        f"I need a typical error below (in {measured})",
        "10",
        "The error",
        (column, len(ready.columns), ready.person, ready.answered, chosen_shape()),
        solve,
        lambda: set_now(column),
    )


def from_share(ready: ReadyRelease, valued: int) -> None:
    column, unit, listed = ready.focus, Unit(ready.person), ready.focus.categories

    def solve(wanted: Decimal) -> str:
        assert listed is not None
        epsilon = epsilon_for_share(float(wanted) / 100, len(listed), valued)
        put_epsilon(ready.columns, column, wanted, epsilon, unit)
        return f"ε = {epsilon} for this column; the budget is set to it."

    target_epsilon(
        "privatize.share",
        "I need an error of a share below (in percentage points)",
        "5",
        "The error",
        (column, len(ready.columns), ready.person, ready.answered, valued),
        solve,
        lambda: set_now(column),
    )
