"""Draws a second of every baseline, and what a bias, a variance and a release cost.

    python -m tests.benchmarks.bench_baselines [draws]

Prints a table; the best of three runs counts. One thread.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial

import numpy as np

from compdp_core.mechanisms.baselines import BASELINES, BaselineEntry
from tests.benchmarks.timing import fastest

ROUNDS = 3
RELEASED = 20_000


def _build(entry: BaselineEntry, deltas: Iterator[float]) -> object:
    return entry.build(1.0, (0, 100), delta=next(deltas), sensitivity=10.0)


def main(draws: int) -> None:
    """Print one line for each baseline."""
    values = np.random.default_rng(1).uniform(0.0, 100.0, draws)
    header = ("baseline", "build", "simulate", "variance", "outside", "release")
    print("{:<28}{:>10}{:>13}{:>13}{:>13}{:>13}".format(*header))
    for key, entry in BASELINES.items():
        mechanism = entry.build(1.0, (0, 100), delta=1e-6, sensitivity=10.0)
        # A δ of its own each time: the search for the discrete Gaussian is remembered.
        deltas = iter(np.linspace(1.1e-6, 2e-6, ROUNDS).tolist())
        build = fastest(partial(_build, entry, deltas), ROUNDS)
        rates = [
            draws / fastest(work)
            for work in (
                lambda m=mechanism: m.simulate(values, seed=1),
                lambda m=mechanism: m.variance(values),
                lambda m=mechanism: m.probability_outside((0, 100), values),
            )
        ]
        release = getattr(mechanism, "release", None)
        released = (
            f"{RELEASED / fastest(partial(release, values[:RELEASED])) / 1e3:.0f} k/s"
            if release
            else "-"
        )
        columns = "".join(f"{rate / 1e6:>9.1f} M/s" for rate in rates)
        print(f"{key:<28}{1e3 * build:>7.2f} ms{columns}{released:>13}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
