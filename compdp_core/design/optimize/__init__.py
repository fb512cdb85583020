"""Search for the parameters with the least variance."""

from __future__ import annotations

from compdp_core.design.optimize.algorithms import ALGORITHMS, Algorithm, Search
from compdp_core.design.optimize.exact import (
    Objective,
    largest_fraction,
    optimize,
    smallest_epsilon,
)
from compdp_core.design.optimize.problem import Problem
from compdp_core.design.optimize.trace import Batch, Step, Trace

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "Batch",
    "Objective",
    "Problem",
    "Search",
    "Step",
    "Trace",
    "largest_fraction",
    "optimize",
    "smallest_epsilon",
]
