"""The shape of the noise, as it was chosen for all columns."""

from __future__ import annotations

from dataclasses import dataclass

from compdp_core.design.optimize import Objective
from pages.inputs.custom_shapes import has_tail_ratio, pair_choices
from pages.session.state import recall


@dataclass(frozen=True)
class Shape:
    """Choices that hold for all columns."""

    pair: str
    objective: Objective
    tail_ratio: float | None


def chosen_shape() -> Shape:
    """The function pair and what it is optimised for, as set on the page."""
    pair = recall("privatize.pair", "A1B1")
    if pair not in pair_choices():  # a shape of the user's that was taken away since
        pair = "A1B1"
    tail = recall("privatize.tail_ratio") if has_tail_ratio(pair) else None
    return Shape(
        pair, recall("privatize.objective", "center"), None if tail is None else float(tail)
    )
