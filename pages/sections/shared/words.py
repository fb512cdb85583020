"""The words that a column's values are said in, on the steps of Privatize."""

from __future__ import annotations

from compdp_core.release import ColumnPlan
from pages.sections.shared.setup import ChosenColumn
from pages.text.values import ValueWords


def words_of(column: ChosenColumn | ColumnPlan, unit: str = "") -> ValueWords:
    """Of a column as it is chosen, or as it was released, whose unit is to be said."""
    own = column.unit if isinstance(column, ChosenColumn) else unit
    return ValueWords.of(own, column.kind, column.format, column.categories)
