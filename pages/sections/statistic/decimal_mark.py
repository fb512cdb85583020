"""The decimal mark of all cells that a question reads as numbers."""

from __future__ import annotations

from compdp_core.tables import Table
from pages.inputs.options import select
from pages.sections.shared.cells import MARKS, Mark
from pages.sections.statistic import settings as said
from pages.sections.statistic.settings import value


def decimal(table: Table, column: int | None) -> Mark:
    """The mark that numbers are read with: a setting from here on, whatever the cells become."""
    names: dict[str, str] = {
        said.AS_IN_THE_TABLE: f"as found in the table: {MARKS[_found(table, column)]}"
    }
    names |= {str(mark): word for mark, word in MARKS.items()}
    select("Decimal mark of the numbers", names, said.DECIMAL)
    return mark_of(table, column)


def mark_of(table: Table, column: int | None) -> Mark:
    """The same, as it is set by now."""
    chosen: str = value(said.DECIMAL)
    if chosen == said.AS_IN_THE_TABLE:
        return _found(table, column)
    return "," if chosen == "," else "."


def _found(table: Table, column: int | None) -> Mark:
    own = table.format.decimal if column is None else table.columns[column].decimal
    return "," if own == "," else "."
