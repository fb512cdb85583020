"""The pairs of the paper, each at its best width."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

from compdp_core.design.design import Design
from compdp_core.design.optimize import optimize
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.shapes import pair_named
from pages.sections.learn.examples.noise import INPUTS

EPSILON = 2.0
MIDDLE = 50.0
"""The true value of the pictures (points)."""


@dataclass(frozen=True)
class PairCost:
    """A pair at its best width."""

    design: Design
    mechanism: CompositeMechanism

    @property
    def error(self) -> float:
        """Root mean square error in the middle of the results (points)."""
        return math.sqrt(self.mechanism.variance(MIDDLE))


# Of public settings alone: no data reaches these.
@lru_cache(maxsize=256)
def cost(name: str, tau: float | None = None) -> PairCost:
    """The pair of that name, on B2 at that tail ratio or the usual one."""
    tail = tau if name.endswith("B2") else None
    design = optimize(EPSILON, pair_named(name, EPSILON, tail))
    return PairCost(design, CompositeMechanism.from_design(design, INPUTS))
