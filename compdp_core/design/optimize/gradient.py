"""Stochastic gradient, the alternative that the paper names for its Algorithm 1.

Two unknowns without bounds, ``logit(κ/κ_max)`` and ``logit μ``, so that every point is feasible;
the scale stays at ``k + y = 1``. The slope of ``ln V`` is estimated along one random direction at a
time (simultaneous perturbation, Spall, IEEE TAC 1992), which costs two evaluations whatever the
number of unknowns. The step shrinks like ``1/n^0.3``.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

import numpy as np

from compdp_core.design.design import Design
from compdp_core.design.optimize.problem import Problem
from compdp_core.design.optimize.trace import Batch
from compdp_core.parameters import count, positive
from compdp_core.validation import Array

RATE = positive(
    "rate",
    "η",
    "How far the first steps follow the slope.",
    upper=10.0,
    usual=(0.1, 5.0),
    default=2.0,
)
UPDATES = count(
    "updates",
    "T",
    "Most steps taken.",
    "steps",
    lower=1,
    upper=100_000,
    usual=(100, 10_000),
    default=3000,
)

DECAY = 0.3
PROBE = 1e-3
"""Distance of the two evaluations from the point, in logits."""
BATCH = 50
PATIENCE = 10
"""Batches in which the best must improve."""
TOLERANCE = 1e-5
"""By how much at least, relative."""
FARTHEST = 30.0
"""Largest logit: 1e-13 from the limit."""
LONGEST = 1.0
"""Longest step, in logits."""


def gradient(
    problem: Problem, rng: np.random.Generator, *, rate: float = 2.0, updates: float = 3000
) -> Generator[Batch, None, str]:
    """Yields a batch for every 50 steps; stops where ten batches gain less than 1e-5."""
    point = rng.uniform(-2.0, 2.0, size=2)
    most, done = int(updates), 0
    best, history = _design(problem, point), [np.inf]
    while done < most:
        designs = []
        for _ in range(min(BATCH, most - done)):
            designs.append(_design(problem, point))
            direction = rng.choice((-PROBE, PROBE), size=2)
            ahead, behind = (
                np.log(problem.value(_design(problem, point + side * direction)))
                for side in (1.0, -1.0)
            )
            done += 1
            move = rate / done**DECAY * (ahead - behind) / (2.0 * direction)
            point = np.clip(point - np.clip(move, -LONGEST, LONGEST), -FARTHEST, FARTHEST)
        batch = Batch.of(designs, problem, done / most)
        best = min((best, designs[int(batch.variance.argmin())]), key=problem.value)
        history.append(problem.value(best))
        yield replace(batch, evaluations=3 * len(designs), design=best)
        if len(history) > PATIENCE and history[-1] > history[-1 - PATIENCE] * (1.0 - TOLERANCE):
            return f"converged: {PATIENCE * BATCH} steps gained less than {TOLERANCE:g}"
    return f"{most:,} steps are done"


def _design(problem: Problem, point: Array) -> Design:
    share, mu = 1.0 / (1.0 + np.exp(-point))
    return problem.design_of(problem.tallest * float(share), float(mu))
