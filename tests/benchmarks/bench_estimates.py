"""How fast a released column is read, on one core.

    python -m tests.benchmarks.bench_estimates [--quick]

Seconds to read file and card, and then for each question, at 10^5 and 10^6 rows. A page that asks
all of them of 10^5 rows is to answer in a second, a distribution of 10^6 rows in two.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

import numpy as np
import pandas as pd

from compdp_core import ColumnPlan, Estimates, privatize
from tests.benchmarks.bench_release import pin_to_one_core
from tests.benchmarks.timing import fastest

KINDS = {
    "A1B1, ε = 1": ColumnPlan(inputs=(0, 100), epsilon=1),
    "A2B2, ε = 4": ColumnPlan(inputs=(0, 100), epsilon=4, pair="A2B2"),
    "whole, ε = 1": ColumnPlan(inputs=(0, 20), epsilon=1, kind="whole"),
}


def questions(read: Estimates) -> dict[str, Callable[[], object]]:
    return {
        "mean": partial(read.mean, "x"),
        "distribution": partial(read.distribution, "x"),
        "share": partial(read.share, "x", above=12),
        "median": partial(read.quantile, "x", 0.5),
    }


def row(rows: int, plan: ColumnPlan) -> list[float]:
    """Seconds to read, and of each question."""
    true = np.random.default_rng(1).uniform(*plan.inputs.as_tuple(), rows)
    release = privatize(pd.DataFrame({"x": np.rint(true) if plan.whole else true}), {"x": plan})
    content, card = release.csv(), release.card
    read = Estimates(content, card)
    asked = questions(read).values()
    return [fastest(partial(Estimates, content, card)), *(fastest(each) for each in asked)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows")
    sizes = [10**4, 10**5] if parser.parse_args().quick else [10**5, 10**6]
    pin_to_one_core()
    names = ["read", "mean", "distribution", "share", "median"]
    print(f"Seconds{'':25}{''.join(f'{name:>14}' for name in names)}")
    for rows in sizes:
        for name, plan in KINDS.items():
            seconds = "".join(f"{each:14.3f}" for each in row(rows, plan))
            print(f"{rows:>10,} {name:21}{seconds}")


if __name__ == "__main__":
    main()
