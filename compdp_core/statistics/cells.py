"""Cells as a question reads them, by the label of their column."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from compdp_core.adjacency import Neighbours
from compdp_core.errors import ParameterError
from compdp_core.statistics.conditions import Condition
from compdp_core.tables import Table
from compdp_core.tables.alignment import may_leave_out
from compdp_core.tables.errors import UnevenRowsError


def check_rows(table: Table, neighbours: Neighbours) -> None:
    """Refuse rows of which nothing is known, and rows that may vanish from a public number.

    What a person's cell holds may make a row too long, too short or a comment. Where such rows
    are none, how many there are tells of it, and one replaced row changes a sum by more than
    its bounds.
    """
    if table.uneven:
        raise UnevenRowsError(table.uneven)
    public = neighbours.n_is_public
    if public and may_leave_out(table.format, len(table.columns)):
        raise ParameterError(
            "neighbours",
            neighbours.value,
            f"must be {Neighbours.ADD_OR_REMOVE_ONE.value!r} where lines count as no rows by "
            "how they look (too short, too long, comments): what is in a row then decides "
            "whether it counts, so the number of rows cannot be public. Or have such lines "
            "completed, joined or read as rows",
        )


def compared(
    table: Table, condition: Condition, decimal: Literal[".", ","] | None
) -> dict[str, Any]:
    """The column of a condition, read as the condition says; empty where it is unknown."""
    for column in table.columns:
        if column.label == condition.column:
            if condition.kind == "text":
                return {column.label: texts(table, column.label, "where")}
            return {column.label: table.readings(column.position, None, decimal).values}
    return {}


def texts(table: Table, label: str, argument: str) -> Sequence[str | None]:
    """Cells as typed but for spaces around them; None for a blank one."""
    column = place_of(table, label, argument)
    return [cell.strip() or None for cell in table.texts(column)]


def place_of(table: Table, label: str, argument: str) -> int:
    """The place of the column of that label; :class:`ParameterError` that names the argument."""
    for column in table.columns:
        if column.label == label:
            return column.position
    raise ParameterError(argument, label, "names no column of this table")
