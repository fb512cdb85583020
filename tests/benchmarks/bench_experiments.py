"""Seconds of a comparison of all mechanisms, of its views, and of the whole reproduction.

    python -m tests.benchmarks.bench_experiments [repetitions]

Prints a table; one run each, as on a page. One thread.
"""

from __future__ import annotations

import sys

import numpy as np

from compdp_core.experiments import (
    BoundedColumn,
    bias_curve,
    compare,
    error_curve,
    factories,
    histograms,
    quantile_dots,
    rank,
    reproduce,
    roster,
    running_mean,
)
from compdp_core.experiments.paper.reconstruction import authors_design, unit_mechanism
from tests.benchmarks.timing import fastest

EPSILONS = (0.2, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0)
PROMISE = 15.0
"""Seconds within which the whole reproduction is to end."""


def main(repetitions: int) -> None:
    """Print one line for each piece of work."""
    rng = np.random.default_rng(1)
    values = rng.uniform(0.0, 100.0, 2000)
    column = BoundedColumn.of("score", np.round(values, 1), (0, 100))
    field = roster(1.0, (0, 100))
    made = factories((0, 100), sensitivity=10.0)
    authors_design.cache_clear()
    unit_mechanism.cache_clear()
    whole = fastest(lambda: reproduce(column, repetitions=repetitions), 1)
    lines = {
        "build all mechanisms": lambda: roster(1.0, (0, 100), sensitivity=10.0),
        "compare, 2,000 values 50 times": lambda: compare(field, values, repetitions=50, seed=1),
        "compare means, 2,000 values 50 times": lambda: compare(
            field, values, repetitions=50, seed=1, statistic=np.mean
        ),
        "histograms of 100,000 values": lambda: histograms(field, np.tile(values, 50), seed=1),
        f"error curve, {len(EPSILONS)} budgets": lambda: error_curve(
            made, EPSILONS, repetitions=repetitions, seed=1
        ),
        "bias curve, closed form": lambda: bias_curve(field),
        "running means of 1,000 draws": lambda: running_mean(field, 30.0, draws=1000, seed=1),
        "50 quantile dots each": lambda: quantile_dots(field, 30.0),
        "one ranking": lambda: rank(field, "unbiased"),
    }
    for name, work in lines.items():
        print(f"{name:<40}{fastest(work, 1):>8.2f} s")
    kept = "kept" if whole <= PROMISE else "NOT KEPT"
    print(f"{'the whole reproduction':<40}{whole:>8.2f} s  (promise {PROMISE:g} s: {kept})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
