"""Time, evaluations and gap to the exact optimum of every search algorithm.

    python -m tests.benchmarks.bench_optimizers

Ends with an error where a full enumeration takes more than 0.2 s or the exact solver more than
10 ms (the best of three runs each).
"""

from __future__ import annotations

import sys

from compdp_core.design.optimize import ALGORITHMS, Problem, Search, optimize
from compdp_core.shapes import PAIR_NAMES, pair_named
from tests.benchmarks.timing import fastest

EPSILONS = (0.2, 1.0, 5.0)
LIMITS = {"exact": 0.01, "enumeration": 0.2}


def main() -> int:
    slow = []
    print(f"{'algorithm':12} {'pair':5} {'epsilon':>7} {'ms':>8} {'looks':>8} {'over exact':>11}")
    for name in ALGORITHMS:
        for pair in PAIR_NAMES:
            for epsilon in EPSILONS:
                problem = Problem(epsilon, pair_named(pair, epsilon))
                seconds = fastest(lambda: Search(name, problem, seed=1).run())  # noqa: B023
                trace = Search(name, problem, seed=1).run()
                over = trace.best[-1] / problem.floor - 1.0
                print(
                    f"{name:12} {pair:5} {epsilon:7g} {1e3 * seconds:8.2f} "
                    f"{trace.evaluations:8d} {over:11.2e}"
                )
                if seconds > LIMITS.get(name, float("inf")):
                    slow.append((name, pair, epsilon))
    alone = fastest(lambda: optimize(1.0, pair_named("A1B1", 1.0)), 1000)
    print(f"optimize() alone: {1e3 * alone:.3f} ms")
    print(f"over their limit: {slow}" if slow else "all within their limits")
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
