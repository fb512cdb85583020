"""SciPy's differential evolution (Storn and Price 1997) over the paper's ``(k, m, y)``.

The population lives in the whole box, feasible or not: infeasible points are ranked behind all
feasible ones, by how far they are from feasible.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from compdp_core.design.optimize.problem import WIDEST, Problem
from compdp_core.design.optimize.trace import Batch
from compdp_core.parameters import count
from compdp_core.validation import Array

POPULATION = count(
    "population",
    "N",
    "Members of the population for each of the three parameters.",
    lower=5,
    upper=200,
    usual=(5, 50),
    default=20,
)
GENERATIONS = count(
    "generations",
    "T",
    "Most generations.",
    "generations",
    lower=1,
    upper=5000,
    usual=(20, 1000),
    default=300,
)

ROUND = 20
"""Generations between two batches. Each round looks at its first population once more."""
TOLERANCE = 1e-8
"""Spread of ``ln V`` over the population at which the search has converged."""
BEHIND = 1e3
"""``ln V`` of every feasible point is smaller."""


def evolution(
    problem: Problem, rng: np.random.Generator, *, population: float = 20, generations: float = 300
) -> Generator[Batch, None, str]:
    """Yields a batch for every 20 generations. One member starts at a feasible point."""
    from scipy.optimize import Bounds, differential_evolution

    upper = np.array([1.0, max(WIDEST, 1.0 / problem.pair.activation.area), 1.0])
    members: Array | None = None
    seen: list[Array] = []

    def energy(points: Array, /) -> Any:
        k, m, y = points
        variance = problem.variance(k, m, y)
        seen.append(np.array([k, m, y, variance]))
        with np.errstate(invalid="ignore"):
            behind = BEHIND + problem.violation(k, m, y)
            return np.where(np.isfinite(variance), np.log(variance), behind)

    # A narrower activation is always feasible too.
    start = np.minimum(problem.start(rng), upper)
    most, done = int(generations), 0
    while done < most:
        result = differential_evolution(
            energy,
            Bounds(np.zeros(3), upper),
            init="latinhypercube" if members is None else members,
            popsize=int(population),
            x0=start if members is None else None,
            maxiter=min(ROUND, most - done),
            tol=0.0,
            atol=TOLERANCE,
            polish=False,
            updating="deferred",
            vectorized=True,
            rng=rng,
        )
        done += int(result.nit)
        members = result.population
        k, m, y, variance = np.concatenate(seen, axis=1)
        yield Batch(k, m, y, variance, done / most)
        seen.clear()
        if result.success:
            return f"converged after {done} generations: the population has become one point"
    return f"{most} generations are done"
