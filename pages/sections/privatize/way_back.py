"""The way back: from the error that one can bear to the ε that it takes."""

from __future__ import annotations

from decimal import Decimal

from compdp_core.release.accuracy import epsilon_for_error, epsilon_for_share
from pages.inputs.custom_shapes import chosen_pair
from pages.sections.privatize.budget import Unit, put_epsilon, set_now
from pages.sections.shared.budget import target_epsilon
from pages.sections.shared.ready import ReadyRelease
from pages.sections.shared.setup import chosen_shape
from pages.sections.shared.words import words_of


def from_error(ready: ReadyRelease, valued: int) -> None:
    column, unit, ends = ready.focus, Unit(ready.person), ready.focus.inputs
    words = words_of(column)
    measured, steps = words.measure(0.0 if ends is None else ends.width)
    measured = "the column's unit" if words.format is None else measured

    def solve(wanted: Decimal) -> str:
        assert ends is not None
        chosen, error = chosen_shape(), wanted * Decimal(steps)
        epsilon = epsilon_for_error(
            float(error),
            ends.as_tuple(),
            pair=chosen_pair(chosen.pair),
            objective=chosen.objective,
            tail_ratio=chosen.tail_ratio,
            spacing=1 if column.whole else None,
        )
        put_epsilon(ready.columns, column, error, epsilon, unit)
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
