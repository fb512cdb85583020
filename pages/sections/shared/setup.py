"""What the user has set for the table at hand: columns, bounds, and the plan of each."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from compdp_core.design.optimize import Objective
from compdp_core.intervals import Interval
from compdp_core.release import ColumnPlan, Missing
from compdp_core.release.column_plan import Kind
from compdp_core.report import Statement
from compdp_core.tables import Table
from compdp_core.tables.affix import Affix
from compdp_core.tables.categories import Categories
from compdp_core.tables.value_formats import ValueFormat
from pages.inputs.custom_shapes import chosen_pair, has_tail_ratio, pair_choices
from pages.session.state import recall


@dataclass(frozen=True)
class Shape:
    pair: str
    objective: Objective
    tail_ratio: float | None


def chosen_shape() -> Shape:
    pair = recall("privatize.pair", "A1B1")
    if pair not in pair_choices():  # a shape of the user's that was taken away since
        pair = "A1B1"
    tail = recall("privatize.tail_ratio") if has_tail_ratio(pair) else None
    return Shape(
        pair, recall("privatize.objective", "center"), None if tail is None else float(tail)
    )


EPSILON_NAME = "privatize.epsilon"
SPLIT = "privatize.split"
"""How a row's budget is split over its columns."""


@dataclass(frozen=True)
class ChosenColumn:
    """One column chosen for privatizing, with everything public that was said about it."""

    file: str
    """Fingerprint of the file, so that another file's settings are never taken for this one's."""
    position: int
    label: str
    unit: str
    inputs: Interval | None
    """Public bounds, in steps of the format where there is one; None for categories."""
    whole: bool
    missing: Missing
    strip: Affix | None
    decimal: Literal[".", ","]
    """The mark that its cells are read and written with."""
    missing_as: str = ""
    """What missing cells that are kept are written as."""
    source: str = ""
    """Where the bounds, or the list, come from, in the owner's public words."""
    kind: Kind = "number"
    categories: Categories | None = None
    """The public list of a category or a scale."""
    format: ValueFormat | None = None
    """How dates, times and durations are written, or how limits and classes are read."""
    digits: str | None = None
    """The zero of the digits that released numbers are written with; None for the usual ones."""

    @property
    def is_category(self) -> bool:
        return self.kind == "category"

    @property
    def statement(self) -> Statement:
        return Statement(self.source, self.unit)

    def setting(self, name: str) -> str:
        return setting(self.file, self.position, name)


def chosen_columns(table: Table) -> str:
    return f"columns.{table.fingerprint[:16]}"


def setting(file: str, position: int, name: str) -> str:
    return f"column.{file[:16]}.{position}.{name}"


def plan_for(column: ChosenColumn, epsilon: Fraction) -> ColumnPlan:
    """The column's entry in the plan; refuses what cannot be done, with the ways out."""
    if column.is_category:  # the shape of noise has no say in it
        return ColumnPlan(
            position=column.position,
            epsilon=epsilon,
            missing=column.missing,
            decimal=column.decimal,
            missing_as=column.missing_as,
            kind=column.kind,
            categories=column.categories,
        )
    shape = chosen_shape()
    return ColumnPlan(
        position=column.position,
        inputs=None if column.kind == "scale" else column.inputs,
        epsilon=epsilon,
        pair=chosen_pair(shape.pair),
        tail_ratio=shape.tail_ratio,
        objective=shape.objective,
        outputs=_hard_outputs(column),
        whole=column.whole,
        missing=column.missing,
        strip=column.strip,
        decimal=column.decimal,
        missing_as=column.missing_as,
        kind="whole" if column.whole and column.kind == "number" else column.kind,
        categories=column.categories,
        format=column.format,
        digits=column.digits,
    )


def _hard_outputs(column: ChosenColumn) -> Interval | None:
    """The output bounds the user insists on, or None for derived ones."""
    if not recall(column.setting("hard"), False):
        return None
    ends: list[Any] = [recall(column.setting(end)) for end in ("out.lower", "out.upper")]
    return None if None in ends else Interval.checked("outputs", ends)
