"""Shapes: the paper's activations and bases, the staircase, and those that a user makes."""

from __future__ import annotations

from compdp_core.shapes.custom import from_formula as from_formula
from compdp_core.shapes.custom import from_points as from_points
from compdp_core.shapes.kinds import Activation as Activation
from compdp_core.shapes.kinds import Base as Base
from compdp_core.shapes.paper import ACTIVATIONS as ACTIVATIONS
from compdp_core.shapes.paper import PAIR_NAMES as PAIR_NAMES
from compdp_core.shapes.paper import Constant as Constant
from compdp_core.shapes.paper import Pair as Pair
from compdp_core.shapes.paper import Quartic as Quartic
from compdp_core.shapes.paper import Rectangle as Rectangle
from compdp_core.shapes.paper import Sine as Sine
from compdp_core.shapes.paper import Triangle as Triangle
from compdp_core.shapes.paper import base_named as base_named
from compdp_core.shapes.paper import default_tail_ratio as default_tail_ratio
from compdp_core.shapes.paper import pair_named as pair_named
from compdp_core.shapes.staircase import Staircase as Staircase
