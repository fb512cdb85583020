"""The mean pocket money of a class: what an upper bound cuts off, and the noise that it costs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache

import numpy as np

from compdp_core.intervals import Interval
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.statistics import Mean, PublicFacts
from compdp_core.statistics.describe import Clamping

MONEY = (0, 5, 5, 10, 10, 10, 15, 15, 15, 20, 20, 20, 25, 25, 30, 30, 35, 40, 60, 130)
"""What each of twenty invented pupils gets in a month (€)."""
UNIT = "€"
EPSILON = 1.0
BOUNDS = range(10, 201, 10)
"""Upper bounds that can be set (€)."""


@dataclass(frozen=True)
class BoundCost:
    """What an upper bound does to the mean of the class."""

    clamped: int
    """How many pupils get more."""
    shift: float
    """By how much clamping moves the mean (€)."""
    noise: float
    """Typical size of the noise (€)."""

    @property
    def both(self) -> float:
        """Root of the mean squared error: noise is right on average, so squares add up."""
        return math.hypot(self.shift, self.noise)


@cache
def cost(upper: float) -> BoundCost:
    """Of the mean released with the bounds 0 and that."""
    interval = Interval(0.0, upper)
    facts = PublicFacts(rows=len(MONEY), bounds=interval)
    mechanism = CompositeMechanism(
        EPSILON, interval, sensitivity=Mean().plan(facts).float_sensitivity
    )
    clamping = Clamping.of(MONEY, interval)
    mean = float(np.mean(MONEY)) + clamping.shift
    return BoundCost(clamping.above, clamping.shift, math.sqrt(float(mechanism.variance(mean))))
