"""From the ε that a cell of one column is to get to what a row spends, by the way it is split."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from compdp_core.errors import CompdpError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.numerics import not_above
from compdp_core.release.accuracy import epsilon_for_error, epsilon_for_share
from compdp_core.validation import of
from pages.inputs.custom_shapes import chosen_pair
from pages.sections.privatize.split import EQUAL, cells_of, way_of, wishes_of
from pages.sections.shared.setup import ChosenColumn, chosen_shape

A_LITTLE = Fraction(1002, 1000)


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
        wishes = [1.0 if each.is_category else _bounds(each).width for each in columns]
    if column.categories is not None and column.is_category:  # as ways to split count it
        error = RandomizedResponse(not_above(epsilon), len(column.categories)).typical_error
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


def _bounds(column: ChosenColumn) -> Interval:
    return of("inputs", column.inputs, Interval, "must be there for errors in proportion")


def _epsilon_for(column: ChosenColumn, error: float) -> Fraction:
    if column.categories is not None and column.is_category:
        return Fraction(epsilon_for_share(error, len(column.categories), 1))
    shape = chosen_shape()
    return Fraction(
        epsilon_for_error(
            error,
            _bounds(column).as_tuple(),
            pair=chosen_pair(shape.pair),
            objective=shape.objective,
            tail_ratio=shape.tail_ratio,
            spacing=1 if column.whole else None,
        )
    )
