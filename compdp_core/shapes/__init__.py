"""Shapes: the paper's activations and bases, the staircase, and those that a user makes."""

from __future__ import annotations

from compdp_core.shapes.custom import from_formula, from_points
from compdp_core.shapes.kinds import Activation, Base
from compdp_core.shapes.paper import (
    ACTIVATIONS,
    PAIR_NAMES,
    Constant,
    Pair,
    Quartic,
    Rectangle,
    Sine,
    Triangle,
    base_named,
    default_tail_ratio,
    pair_named,
)
from compdp_core.shapes.staircase import Staircase

__all__ = [
    "ACTIVATIONS",
    "PAIR_NAMES",
    "Activation",
    "Base",
    "Constant",
    "Pair",
    "Quartic",
    "Rectangle",
    "Sine",
    "Staircase",
    "Triangle",
    "base_named",
    "default_tail_ratio",
    "from_formula",
    "from_points",
    "pair_named",
]
