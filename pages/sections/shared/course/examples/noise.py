"""The mechanisms of the lessons, all on the same example: points of a test, from 0 to 100."""

from __future__ import annotations

from functools import lru_cache

from compdp_core.mechanisms.baselines import ClampedLaplace, Laplace
from compdp_core.mechanisms.composite import CompositeMechanism

INPUTS = (0.0, 100.0)
UNIT = "points"
EPSILONS = ("0.5", "1", "2", "4")
"""Budgets for a row of buttons."""


# Of public settings alone: no data reaches these.
@lru_cache(maxsize=256)
def composite(epsilon: float) -> CompositeMechanism:
    return CompositeMechanism(epsilon, INPUTS)


@lru_cache(maxsize=64)
def laplace(epsilon: float) -> Laplace:
    return Laplace(epsilon, INPUTS)


@lru_cache(maxsize=64)
def clamped_laplace(epsilon: float) -> ClampedLaplace:
    return ClampedLaplace(epsilon, INPUTS)
