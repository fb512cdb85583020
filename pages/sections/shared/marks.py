"""Decimal marks of columns: which were said, and where the cells leave open which one it is."""

from __future__ import annotations

from compdp_core.tables import Column, Table
from compdp_core.tables.decimal_marks import both_readings
from pages.sections.shared.setup import setting
from pages.session.state import recall

Stated = tuple[tuple[int, str], ...]


def stated(table: Table) -> Stated:
    """Columns whose mark was said, where it is another than that of their cells, or they are in
    doubt about it.
    """
    said = ((c, recall(setting(table.fingerprint, c.position, "decimal"))) for c in table.columns)
    return tuple(
        (column.position, mark)
        for column, mark in said
        if mark in (".", ",") and (mark != column.decimal or column.doubt is not None)
    )


def marked(table: Table, marks: Stated) -> Table:
    """The table with these marks."""
    for position, mark in marks:
        table = table.marked(position, mark)
    return table


def in_doubt(column: Column) -> str:
    """Both readings of a number of a column that fits either mark, in words; else empty."""
    both = both_readings(column.doubt.text) if column.doubt else None
    if column.doubt is None or both is None:
        return ""
    one, other = (f"{number} with a decimal {mark}" for mark, number in both.items())
    return (
        f"The numbers of {column.label} fit either decimal mark: {column.doubt.text.strip()!r} is "
        f"{one}, or {other}. Say which mark they have."
    )
