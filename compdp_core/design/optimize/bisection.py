"""The exact solver, watched: the points at which its bisection asks for the slope.

Every look halves the interval of ``logit μ`` that holds the optimum; see
:mod:`compdp_core.design.optimize.exact` for the equation.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from compdp_core.design.design import Design
from compdp_core.design.optimize.exact import optimize
from compdp_core.design.optimize.problem import Problem
from compdp_core.design.optimize.trace import Batch
from compdp_core.shapes import Pair, Quartic

NEAREST_TAIL = 1.0 - 1e-9
"""Where the tail ratio of B2 is free, its variance falls all the way to the excluded 1."""


def bisection(problem: Problem, rng: np.random.Generator) -> Generator[Batch, None, str]:
    """Yields one batch; takes nothing from ``rng``."""
    looks: list[float] = []
    pair = problem.pair
    if problem.free_tail:
        pair = Pair(pair.activation, Quartic(NEAREST_TAIL))
    best = optimize(problem.epsilon, pair, problem.objective, watch=looks.append)
    designs = [Design(best.epsilon, best.pair, mu, best.kappa) for mu in looks] + [best]
    yield replace(Batch.of(designs, problem, 1.0), design=best)
    reason = "the slope is zero to the last digit"
    if problem.free_tail:
        reason += f", at the tail ratio {NEAREST_TAIL:.10g}: the nearer to 1, the better"
    return reason
