"""The way back: from what one can bear, or what a receiver is to be able to say, to the ε that it
takes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction

from compdp_core.errors import CompdpError
from compdp_core.estimates.forecast.wished import Wish, epsilon_for, rows_for
from compdp_core.release.accuracy import Meaning, epsilon_for_error, epsilon_for_share
from pages.inputs.custom_shapes import chosen_pair
from pages.inputs.options import segments
from pages.sections.privatize.budget import Unit, put_epsilon, set_now
from pages.sections.privatize.receiver import foretold
from pages.sections.shared.budget import target_epsilon
from pages.sections.shared.ready import ReadyRelease
from pages.sections.shared.setup import chosen_shape
from pages.sections.shared.words import words_of
from pages.session import faults
from pages.text.wording import budget

OF_NUMBERS = {"error": "a small error", "mean": "a mean", "correlation": "a correlation"}
OF_ANSWERS = {"error": "a small error", "share": "a share", "correlation": "a correlation"}


@dataclass(frozen=True)
class _Asked:
    label: str
    example: str
    parts: Decimal
    """How many of what is asked make one of what is solved for."""


def way_back(ready: ReadyRelease, rows: int) -> None:
    """What one needs, then the ε for it; the budget is set to it."""
    answers = ready.focus.is_category
    titles, name = (OF_ANSWERS, "answers") if answers else (OF_NUMBERS, "numbers")
    wish = segments("What I need", titles, f"privatize.need.{name}", "error")
    if wish == "error":
        (_from_share if answers else _from_error)(ready, rows)
    else:
        _for_receiver(ready, rows, wish)


def _measured(ready: ReadyRelease) -> tuple[str, Decimal]:
    """What an error is asked in, and how many steps that is."""
    column, words = ready.focus, words_of(ready.focus)
    measured, steps = words.measure(0.0 if column.inputs is None else column.inputs.width)
    return ("the column's unit" if words.format is None else measured), Decimal(steps)


def _for_receiver(ready: ReadyRelease, rows: int, wish: Wish) -> None:
    column, entry, unit = ready.focus, ready.entries[ready.at], Unit(ready.person)
    found, (measured, steps) = foretold(ready, rows), _measured(ready)
    asked = {
        "mean": _Asked(f"I need the mean within ± (in {measured})", "2", 1 / steps),
        "share": _Asked("I need a share within ± (in percentage points)", "5", Decimal(100)),
        "correlation": _Asked(
            "I need to find correlations from (with a column as it came)", "0.2", Decimal(1)
        ),
    }[wish]

    def solve(wanted: Decimal) -> str:
        aim = float(wanted / asked.parts)
        more = _by_rows(ready, wish, aim, rows)
        try:
            epsilon = epsilon_for(entry.plan, wish, aim, found)
            there = replace(entry.plan, epsilon=Fraction(epsilon))
            error = (
                wanted if column.is_category else Decimal(Meaning(there.composite()).typical_error)
            )
            put_epsilon(ready.columns, column, error, epsilon, unit)
        except CompdpError as refusal:
            raise CompdpError(f"{refusal}. {more}") from None
        return f"ε = {epsilon} for this column; the budget is set to it. {more}"

    target_epsilon(
        f"privatize.need.{wish}",
        asked.label,
        asked.example,
        "It",
        (column, len(ready.columns), ready.person, ready.answered, chosen_shape(), rows),
        solve,
        lambda: set_now(column),
    )


def _by_rows(ready: ReadyRelease, wish: Wish, aim: float, rows: int) -> str:
    """With how many rows the ε that was set would do, too."""
    plan = ready.entries[ready.at].plan
    try:
        needed = rows_for(plan, wish, aim, foretold(ready, rows))
    except CompdpError as refusal:
        return faults.sentence(f"at {budget(plan.epsilon)}: {refusal}")
    return f"At {budget(plan.epsilon)}, as it was, it would take {needed:,} rows."


def _from_error(ready: ReadyRelease, rows: int) -> None:
    column, unit, ends = ready.focus, Unit(ready.person), ready.focus.inputs
    measured, steps = _measured(ready)

    def solve(wanted: Decimal) -> str:
        assert ends is not None
        chosen, error = chosen_shape(), wanted * steps
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


def _from_share(ready: ReadyRelease, rows: int) -> None:
    column, unit, listed = ready.focus, Unit(ready.person), ready.focus.categories
    valued = foretold(ready, rows).rows

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
