"""How a row's budget is split over the columns: the ways there are, and what each cell gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from compdp_core.accounting import split
from compdp_core.errors import CompdpError
from compdp_core.release import Plan
from compdp_core.release.plan import row_epsilon
from compdp_core.release.splitting import Split, Way, sampled, ways
from pages.inputs.custom_shapes import pair_fingerprint
from pages.sections.shared.setup import SPLIT, ChosenColumn, chosen_shape, plan_for
from pages.session.state import memo, recall

HAND = "by hand"
WAYS: dict[Way | str, str] = {
    "equal parts": "Equal parts of ε",
    "equal errors": "Equal errors in relation to the ranges",
    "wished errors": "Errors in the proportion that I wish",
    "sampled": "Each row answers some of the columns",
    HAND: "By hand",
}
EQUAL: Way = "equal parts"
ANSWERED = "privatize.answered"


@dataclass(frozen=True)
class Cells:
    """What a row's cells get."""

    epsilons: tuple[Fraction, ...]
    """ε of a cell of each column."""
    answered: int | None = None
    """In how many of the columns a row has a cell; None: in all."""

    @property
    def row(self) -> Fraction:
        """What a row spends at most."""
        return row_epsilon(self.epsilons, self.answered)


def offered(columns: Sequence[ChosenColumn]) -> dict[Way | str, str]:
    """The ways that make sense for these columns, and what each is called."""
    if not any(column.is_category for column in columns):
        return WAYS
    return {way: title for way, title in WAYS.items() if way != "wished errors"}


def way_of(columns: Sequence[ChosenColumn]) -> str:
    way: str = recall(SPLIT, EQUAL) if len(columns) > 1 else EQUAL
    return way if way in offered(columns) else EQUAL


def wishes_of(columns: Sequence[ChosenColumn]) -> list[float] | None:
    """The errors that are wished, one a column; None while one is missing, or for an answer."""
    typed: list[Any] = [
        None if column.is_category else recall(column.setting("wish")) for column in columns
    ]
    return None if None in typed else [float(each) for each in typed]


def splits_of(columns: Sequence[ChosenColumn], row: Fraction) -> dict[Way, Split | CompdpError]:
    """Every way to split what a row spends, or why it cannot be taken. Means are of one row."""
    wishes, answered = wishes_of(columns), recall(ANSWERED)
    asked = (tuple(columns), row, wishes, answered, chosen_shape(), pair_fingerprint())

    def made() -> dict[Way, Split | CompdpError]:
        plans = [plan_for(column, Fraction(1)) for column in columns]
        found = ways(plans, row, 1, wishes)
        if answered is not None and not isinstance(found["sampled"], CompdpError):
            most = min(int(answered), len(columns))
            found["sampled"] = sampled(plans, row, 1, answered=most)
        return found

    return memo("privatize.splits", asked, made)


def cells_of(columns: Sequence[ChosenColumn], row: Fraction, among: int) -> Cells:
    """Raises :class:`CompdpError` where the chosen way cannot be taken."""
    way = way_of(columns)
    if way == HAND:
        typed: list[Any] = [recall(column.setting("epsilon")) for column in columns]
        parts = split(row, len(columns))
        return Cells(
            tuple(
                part if value is None else Fraction(value) / among
                for value, part in zip(typed, parts, strict=True)
            )
        )
    if way == EQUAL:
        return Cells(split(row, len(columns)))
    found = next((each for name, each in splits_of(columns, row).items() if name == way), None)
    if found is None:
        raise CompdpError("the error that you wish is missing for a column: type one for each")
    if isinstance(found, CompdpError):
        raise found
    return Cells(tuple(each.epsilon for each in found.columns), found.answered)


def way_that_gives(plan: Plan) -> str:
    """The way whose parts are those of a plan."""
    if plan.answered is not None:
        return "sampled"
    parts = tuple(column.epsilon for column in plan.columns)
    return EQUAL if parts == split(plan.row_epsilon, len(parts)) else HAND
