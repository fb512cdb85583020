"""What each way to divide a budget among columns costs a mean, and how long a page waits for it.

    python -m tests.benchmarks.bench_splitting [--quick]

Releases tables of values with two humps (variance 456, mean 30, within 0 and 100) once with equal
parts and once with sampled columns, and prints the standard deviation of a mean times the root of
its rows, beside what the formula of ``compdp_core.release.splitting`` says and the figures of the
design. Stops where a figure is missed by more than 5 %.
"""

from __future__ import annotations

import argparse
import math
import sys
from functools import partial

import numpy as np

from compdp_core.release import ColumnPlan, release
from compdp_core.release.splitting import Split, equal_parts, sampled, ways
from tests.benchmarks.timing import fastest
from tests.unit.release.test_sampled import table_of, two_humps

FIGURES = {
    (4, 1): (448, 208), (4, 4): (102, 50), (4, 8): (45, 32), (10, 1): (1141, 329),
}  # fmt: skip
"""Standard deviations with equal parts and sampled, by columns and ε."""
GROUP = 500
"""Rows of a mean."""
SPREAD = math.sqrt(456.0) / 100.0


def deviation(split: Split, groups: int) -> float:
    """Of the means of groups of rows from those of their true values, times the root of rows."""
    values = two_humps(groups * GROUP)
    means = values.reshape(groups, GROUP).mean(axis=1)
    made = release(table_of(values, len(split.columns)), split.plan())
    off = [np.nanmean(c.values.reshape(groups, GROUP), axis=1) - means for c in made.columns]
    return float(np.sqrt(GROUP * np.mean(np.square(off))))


def errors(means: int, limit: float) -> list[str]:
    """Prints the table, each line of so many means; what is off by more than the limit."""
    print("Standard deviation of a mean, times the root of its rows")
    heads = ("measured", "formula", "figure")
    print(f"{'columns':>8}{'ε':>4}  {'way':14}{'answers':>8}" + "".join(f"{h:>10}" for h in heads))
    wrong = []
    for many in (4, 10):
        plans = [ColumnPlan(place, (0, 100), 1) for place in range(many)]
        for epsilon in (1, 4, 8):
            figures = FIGURES.get((many, epsilon), (None, None))
            made = equal_parts(plans, epsilon, 1), sampled(plans, epsilon, 1, spread=SPREAD)
            for split, figure in zip(made, figures, strict=True):
                found, said = deviation(split, means // many), split.costs[0].mean_error
                answers = split.answered or many
                print(
                    f"{many:8}{epsilon:4}  {split.way:14}{answers:8}{found:10.1f}{said:10.1f}"
                    f"{figure or '':>10}"
                )
                known = [each for each in (said, figure) if each is not None]
                if not all(abs(found / each - 1.0) < limit for each in known):
                    wrong.append(f"{many} columns, ε = {epsilon}, {split.way}: {found:.1f}")
    return wrong


def times() -> None:
    """All ways for ten columns of different bounds, at a first ε and, with what is kept, a next."""
    kinds: dict[str, tuple[str | None, ...]] = {
        "A1B1": (None,),
        "four pairs": (None, "A2B2", "A3B1", "A2B1"),
    }
    for name, pairs in kinds.items():
        plans = [ColumnPlan(p, (0, 10.0 + p), 1, pair=pairs[p % len(pairs)]) for p in range(10)]
        wishes = [each.inputs.width * (1 + place) for place, each in enumerate(plans)]
        first, later = (
            1e3 * fastest(partial(ways, plans, epsilon, 1000, wishes), repeats=1)
            for epsilon in (6, 7)
        )
        print(f"All ways for 10 columns, {name}: {first:.0f} ms, at another ε {later:.0f} ms")
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    times()
    quick = parser.parse_args().quick
    if wrong := errors(1000, 0.15) if quick else errors(8000, 0.05):
        sys.exit("\n".join(wrong))


if __name__ == "__main__":
    main()
