"""How a row's budget is split over the columns: the ways there are, and what each cell gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from compdp_core.accounting import split
from compdp_core.errors import CompdpError
from compdp_core.release import Plan
from compdp_core.release.accuracy import epsilon_for_error
from compdp_core.release.plan import row_epsilon
from compdp_core.release.splitting import Split, Way, sampled, ways
from pages.inputs.custom_shapes import chosen_pair, pair_fingerprint
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
A_LITTLE = Fraction(1002, 1000)


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


def way_of(columns: Sequence[ChosenColumn]) -> str:
    way: str = recall(SPLIT, EQUAL) if len(columns) > 1 else EQUAL
    return way


def wishes_of(columns: Sequence[ChosenColumn]) -> list[float] | None:
    """The errors that are wished, one a column; None while one is missing."""
    typed = [recall(column.setting("wish")) for column in columns]
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
        typed = [recall(column.setting("epsilon")) for column in columns]
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


def row_for(
    columns: Sequence[ChosenColumn], column: ChosenColumn, error: float, epsilon: Fraction
) -> Fraction:
    """What a row spends where a cell of the column gets that ε, at which its error is that one."""
    way, wishes = way_of(columns), wishes_of(columns)
    if way == EQUAL:
        return epsilon * len(columns)
    if way == "sampled":
        fits = (n for n in range(1, len(columns) + 1) if _answered(columns, epsilon * n) == n)
        return epsilon * next(fits, len(columns))
    if way == "equal errors" or wishes is None:
        wishes = [each.inputs.width for each in columns]
    at = columns.index(column)
    wanted = [error * wish / wishes[at] for wish in wishes]
    row = sum(map(_epsilon_for, columns, wanted), Fraction(0))
    # Parts of a total are rounded down.
    while cells_of(columns, row, 1).epsilons[at] < epsilon:
        row *= A_LITTLE
    return row


def _answered(columns: Sequence[ChosenColumn], row: Fraction) -> int:
    try:
        return cells_of(columns, row, 1).answered or len(columns)
    except CompdpError:
        return 0


def _epsilon_for(column: ChosenColumn, error: float) -> Fraction:
    shape = chosen_shape()
    return Fraction(
        epsilon_for_error(
            error,
            column.inputs.as_tuple(),
            pair=chosen_pair(shape.pair),
            objective=shape.objective,
            tail_ratio=shape.tail_ratio,
            spacing=1 if column.whole else None,
        )
    )


def way_that_gives(plan: Plan) -> str:
    """The way whose parts are those of a plan."""
    if plan.answered is not None:
        return "sampled"
    parts = tuple(column.epsilon for column in plan.columns)
    return EQUAL if parts == split(plan.row_epsilon, len(parts)) else HAND
