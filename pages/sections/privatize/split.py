"""How a row's budget is split over the columns, and what each way costs before one is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from compdp_core.accounting import split
from compdp_core.release import Plan
from pages.inputs.options import radio
from pages.sections.shared.setup import SPLIT, ChosenColumn
from pages.session.state import recall

EQUAL, RELATIVE, WISHED, HAND, SAMPLED = "equal", "relative", "wished", "hand", "sampled"
WAYS = {
    EQUAL: "Equal parts",
    RELATIVE: "Equal errors in relation to the ranges",
    WISHED: "In proportion to errors that I wish",
    SAMPLED: "Each row answers some of the columns",
    HAND: "By hand",
}


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
        return sum(sorted(self.epsilons, reverse=True)[: self.answered], Fraction(0))


def way_of(columns: Sequence[ChosenColumn]) -> str:
    way: str = recall(SPLIT, EQUAL) if len(columns) > 1 else EQUAL
    return way


def choose_split(columns: Sequence[ChosenColumn], row: Fraction, rows: int) -> None:
    radio("How the budget of a row is split over its columns", WAYS, SPLIT, EQUAL)


def cells_of(columns: Sequence[ChosenColumn], row: Fraction, among: int) -> Cells:
    equal = split(row, len(columns))
    if way_of(columns) != HAND:
        return Cells(equal)
    typed = [recall(column.setting("epsilon")) for column in columns]
    return Cells(
        tuple(
            part if value is None else Fraction(value) / among
            for value, part in zip(typed, equal, strict=True)
        )
    )


def row_for(columns: Sequence[ChosenColumn], column: ChosenColumn, epsilon: Fraction) -> Fraction:
    """What a row spends where a cell of the column gets that ε."""
    return epsilon * len(columns)


def way_that_gives(plan: Plan) -> str:
    """The way whose parts are those of a plan."""
    if plan.answered is not None:
        return SAMPLED
    parts = tuple(column.epsilon for column in plan.columns)
    return EQUAL if parts == split(plan.row_epsilon, len(parts)) else HAND
