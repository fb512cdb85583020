"""Budgets and shape of opened settings, put into the controls."""

from __future__ import annotations

from fractions import Fraction

from compdp_core.accounting import split
from compdp_core.release import ColumnPlan
from compdp_core.shapes import Pair
from compdp_core.shapes.custom import OwnActivation, OwnBase
from compdp_core.tables import Table
from pages.inputs.custom_shapes import has_tail_ratio, keep_shape, own_shapes, pair_choices
from pages.inputs.links import put
from pages.sections.shared.setup import BY_HAND, EPSILON_NAME, setting
from pages.text.typed_numbers import as_decimal


def budget(table: Table, parts: dict[int, Fraction]) -> None:
    total = sum(parts.values(), Fraction(0))
    exact = as_decimal(total)
    equal = list(parts.values()) == list(split(exact, len(parts)))
    put(BY_HAND, not equal and len(parts) > 1)
    put(EPSILON_NAME, exact)
    for position, part in parts.items():
        put(setting(table.fingerprint, position, "epsilon"), None if equal else as_decimal(part))


def shape_of(plans: list[ColumnPlan], notices: list[str]) -> None:
    """The page knows one shape for all columns: that of the first."""
    first = plans[0]
    shapes = {(str(plan.pair), plan.objective, plan.tail_ratio) for plan in plans}
    if len(shapes) > 1:
        notices.append("The file gives its columns different shapes: that of the first holds here.")
    name = first.pair.name if isinstance(first.pair, Pair) else first.pair or "A1B1"
    if isinstance(first.pair, Pair):
        for part in (first.pair.activation, first.pair.base):
            if isinstance(part, OwnActivation | OwnBase):
                if own_shapes().setdefault(part.name, part) != part:
                    notices.append(f"Another shape is called {part.name} here: A1B1 is used.")
                    name = "A1B1"
                elif part.name not in own_shapes():
                    keep_shape(part)
    if name not in pair_choices():
        notices.append(f"The function pair {name} is not offered here: A1B1 is used.")
        name = "A1B1"
    put("privatize.pair", name)
    put("privatize.objective", first.objective)
    tail = first.tail_ratio if has_tail_ratio(name) else None
    put("privatize.tail_ratio", None if tail is None else as_decimal(tail))
