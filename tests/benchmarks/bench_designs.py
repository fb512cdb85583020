"""Time of every search algorithm, and of a staircase from its question to its certificate.

    python -m tests.benchmarks.bench_designs

The best of three runs each. Searches with what they evaluate and their gap to the exact optimum; an
error where a full enumeration takes more than 0.2 s or the exact solver more than 10 ms.
Staircases in milliseconds of the processor, with what whole points cost of variance: at the middle
input over that of the design and that of Laplace noise; an error above 50 ms, but for ε below 0.01
with more than a thousand levels, where half a second is allowed.
"""

from __future__ import annotations

import itertools
import sys
import time
from functools import partial

import numpy as np

from compdp_core.design.optimize import ALGORITHMS, Problem, Search, optimize
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.planning import blueprint
from compdp_core.shapes import PAIR_NAMES, pair_named
from tests.benchmarks.timing import fastest

SEARCHED = (0.2, 1.0, 5.0)
LIMITS = {"exact": 0.01, "enumeration": 0.2}
LIMIT, LIMIT_DEEP = 0.05, 0.5
EPSILONS = (0.001, 0.01, 0.1, 1.0, 4.0, 10.0, 50.0)
RATIOS = (0.5, 0.1, 0.01, 1e-4, 1e-6)
WHOLE = ((2, 1), (4, 3), (10, 3), (10, 1), (100, 7), (1000, 30), (1000, 100), (10**6, 1))
DRAWS = 1_000_000


def measured(
    epsilon: float, width: float, sensitivity: float, spacing: float | None
) -> tuple[float, float, CompositeMechanism]:
    """Seconds of the design alone and of everything, and the mechanism."""
    design = partial(blueprint, epsilon, (0, width), pair="A4B1", sensitivity=sensitivity)
    whole = partial(
        CompositeMechanism, epsilon, (0, width),
        pair="A4B1", sensitivity=sensitivity, spacing=spacing,
    )  # fmt: skip
    clock = time.process_time
    return fastest(design, clock=clock), fastest(whole, clock=clock), whole()


def line(epsilon: float, width: float, sensitivity: float, spacing: float | None) -> bool:
    """Print one case; whether it took no longer than it may."""
    design, whole, mechanism = measured(epsilon, width, sensitivity, spacing)
    # A whole input where outputs are whole; any other pays for being rounded at random.
    variance = mechanism.variance(width // 2 if spacing else 0.5 * width)
    levels = len(mechanism.lattice.activation.lengths) // 2 + 1
    print(
        f"{epsilon:7g} {width:9g} {sensitivity:7g} {spacing or 0:7g} {levels:7d} "
        f"{1e3 * design:8.1f} {1e3 * whole:8.1f} "
        f"{variance / (mechanism.design.relative_variance() * width**2):10.4f} "
        f"{variance / (2.0 * (sensitivity / epsilon) ** 2):10.4f}"
    )
    return whole <= (LIMIT_DEEP if epsilon <= 0.01 and levels > 1000 else LIMIT)


def searched(name: str, pair: str, epsilon: float) -> bool:
    """Print one search; whether it took no longer than it may."""
    problem = Problem(epsilon, pair_named(pair, epsilon))
    seconds = fastest(lambda: Search(name, problem, seed=1).run())
    trace = Search(name, problem, seed=1).run()
    print(
        f"{name:12} {pair:5} {epsilon:7g} {1e3 * seconds:8.2f} "
        f"{trace.evaluations:8d} {trace.best[-1] / problem.floor - 1.0:11.2e}"
    )
    return seconds <= LIMITS.get(name, float("inf"))


def main() -> int:
    """Print all cases; whether some were too slow."""
    print(f"{'algorithm':12} {'pair':5} {'epsilon':>7} {'ms':>8} {'looks':>8} {'over exact':>11}")
    searches = itertools.product(ALGORITHMS, PAIR_NAMES, SEARCHED)
    slow = sum(not searched(*case) for case in searches)
    alone = fastest(lambda: optimize(1.0, pair_named("A1B1", 1.0)), 1000)
    print(f"optimize() alone: {1e3 * alone:.3f} ms\n")
    measured(1.0, 1.0, 0.1, None)  # what is imported at the first use does not count
    print("epsilon     width   delta spacing   steps   design      all    /design   /Laplace")
    cases: list[tuple[float, float, float, float | None]] = [
        (e, 1.0, r, None) for e in EPSILONS for r in RATIOS
    ]
    cases += [(e, float(w), float(d), 1.0) for e in EPSILONS for w, d in WHOLE]
    slow += sum(not line(*case) for case in cases)
    mechanism = CompositeMechanism(1.0, (0, 10_000), sensitivity=1, spacing=1)
    draws = partial(mechanism.simulate, np.full(DRAWS, 1000.0), seed=1)
    print(f"draws: {DRAWS / fastest(draws, 1, time.process_time) / 1e6:.1f} M/s")
    print(f"{slow} over their limit" if slow else "all within their limits")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
