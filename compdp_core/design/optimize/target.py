"""The paper's Algorithm 2: one grid, walked through until a variance is good enough.

Zhang et al., IEEE S&P 2024, Algorithm 2: start at a random setting, change it by one step at a
time, stop when the least variance is below a target ``V_t``.
"""

from __future__ import annotations

from collections.abc import Generator

import numpy as np

from compdp_core.design.optimize.problem import WIDEST, Problem
from compdp_core.design.optimize.trace import Batch
from compdp_core.parameters import Parameter, count
from compdp_core.validation import Array

TARGET = Parameter(
    name="ratio",
    symbol="V_t/V*",
    meaning="The variance that is good enough, over the exact optimum.",
    lower=1.0,
    upper=1e6,
    usual=(1.01, 2.0),
    default=1.1,
)
STEP = Parameter(
    name="step",
    symbol="w",
    meaning="Distance of neighbouring values of k, m and y.",
    lower=0.01,
    upper=0.25,
    usual=(0.01, 0.1),
    default=0.02,
)
LOOKS = count(
    "looks",
    "T",
    "Most points looked at.",
    "points",
    lower=1,
    upper=2e6,
    usual=(1000, 1_000_000),
    default=500_000,
)


def target(
    problem: Problem,
    rng: np.random.Generator,
    *,
    ratio: float = 1.1,
    step: float = 0.02,
    looks: float = 500_000,
) -> Generator[Batch, None, str]:
    """Yields one batch for every value of ``y``, which is the slowest of the three to change.

    The starting point is feasible, so the search never ends without a design.
    """
    goal = ratio * problem.floor
    k0, m0, y0 = problem.start(rng)
    ks, ms, ys = _around(k0, step, 1.0), _around(m0, step, max(WIDEST, m0)), _around(y0, step, 1.0)
    total = len(ks) * len(ms) * len(ys)
    limit = min(int(looks), total)
    plane = np.array([np.repeat(ks, len(ms)), np.tile(ms, len(ks))])
    seen = 0
    for y in ys:
        k, m = plane[:, : limit - seen]
        variance = problem.variance(k, m, y)
        good = np.flatnonzero(variance < goal)
        end = int(good[0]) + 1 if len(good) else len(variance)
        seen += end
        yield Batch(k[:end], m[:end], np.full(end, y), variance[:end], progress=seen / limit)
        if len(good):
            return f"the variance is below the target {goal:.6g}"
        if seen >= limit:
            break
    if seen < total:
        return f"given up after {seen} points: none is below the target {goal:.6g}"
    return f"the whole grid, step {step:g}, holds nothing below the target {goal:.6g}"


def _around(start: float, step: float, upper: float) -> Array:
    """All values of a grid through ``start`` within ``(0, upper]``, from it on and round again."""
    offset = start % step
    number = int(np.ceil((upper - offset) / step))
    values: Array = offset + step * np.arange(number, dtype=np.float64)
    first = round((start - offset) / step)
    values = np.roll(values, -first)
    values[0] = start
    return values[values > 0.0]
