"""How fast values are released on all cores, beside numpy's Laplace noise, which takes one.

    python -m tests.benchmarks.bench_release [--quick]

Prints releases of 10^6 values with the ratio to numpy's of each pair, memory beyond values and
result for 10^7 values, the work before a first release, whole tables of 10^6 rows from file to
file, and what it takes to leave columns out.
"""

from __future__ import annotations

import argparse
import math
import os
import tracemalloc
from functools import partial
from typing import Any
from unittest.mock import patch

import numpy as np

from compdp_core import ColumnPlan, CompositeMechanism, privatize, read_csv
from compdp_core.design.optimize.exact import optimize
from compdp_core.mechanisms import threads
from compdp_core.mechanisms.lattice import Certificate
from compdp_core.mechanisms.planning import ALL_PAIRS
from compdp_core.shapes import PAIR_NAMES, pair_named
from tests.benchmarks.timing import fastest

POINTS = 65_536
ROUNDS = 15


def pin_to_one_core() -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def sensitivity_of(pair: str) -> float | None:
    """1 for the staircase; None stands for the whole range."""
    return 1.0 if pair == "A4B1" else None


def made(pair: str) -> CompositeMechanism:
    """At ε = 1 on [0, 100]."""
    return CompositeMechanism(1.0, (0, 100), pair=pair, sensitivity=sensitivity_of(pair))


def mechanisms() -> dict[str, CompositeMechanism]:
    found = {pair: made(pair) for pair in ALL_PAIRS}
    found["A1B1, whole numbers"] = CompositeMechanism(1.0, (0, 100), spacing=1)
    found["A1B1, ε = 8"] = CompositeMechanism(8.0, (0, 100))
    found["A2B2, ε = 0.1"] = CompositeMechanism(0.1, (0, 100), pair="A2B2")
    return found


def throughput(count: int) -> None:
    """Draws of both in turn, so that what else runs on the machine slows both."""
    values = np.random.default_rng(1).uniform(0, 100, count)
    noise, made = np.random.default_rng(), mechanisms()
    for mechanism in made.values():
        mechanism.release(values)  # tables made at first use
    best = dict.fromkeys(made, math.inf)
    one, laplace = dict.fromkeys(made, math.inf), math.inf
    for _ in range(ROUNDS):
        laplace = min(laplace, fastest(partial(noise.laplace, size=count), repeats=1))
        for name, mechanism in made.items():
            best[name] = min(best[name], fastest(partial(mechanism.release, values), repeats=1))
            with patch.object(threads, "cores", return_value=1):
                alone = fastest(partial(mechanism.release, values), repeats=1)
            one[name] = min(one[name], alone)
    print(f"Release of {count:,} values on {threads.cores()} cores, million values a second")
    print(f"{'':24}{'M/s':>8}{'over Laplace':>14}{'one thread':>12}{'points':>12}{'runs':>8}")
    print(f"{'numpy laplace':24}{count / laplace / 1e6:8.1f}")
    for name, mechanism in made.items():
        lattice = mechanism.lattice
        runs = len(lattice.base.lengths) + len(lattice.activation.lengths)
        print(
            f"{name:24}{count / best[name] / 1e6:8.1f}{laplace / best[name]:12.2f} ×"
            f"{laplace / one[name]:10.2f} ×{lattice.points:12,}{runs:8,}"
        )
    print()


def _beyond(mechanism: CompositeMechanism, values: np.ndarray) -> int:
    """Bytes beyond the values and the result, by tracemalloc (numpy reports to it)."""
    tracemalloc.start()
    released = mechanism.release(values)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak - released.nbytes


def memory(count: int) -> None:
    values = np.full(count, 50.0)
    print(f"Memory for {count:,} values ({8 * count / 2**20:.0f} MiB in, as much out)")
    print(f"{'':24}{'beyond both, MiB':>18}{'share of the values':>22}")
    for pair in ("A1B1", "A2B2", "A4B1"):
        mechanism = made(pair)
        mechanism.release(values[:10])
        extra = _beyond(mechanism, values)
        print(f"{pair:24}{extra / 2**20:18.1f}{extra / values.nbytes:21.1%}")
    extra = _beyond(CompositeMechanism(1.0, (0, 100)), np.full(count, 50))
    print(f"{'A1B1, int64 values':24}{extra / 2**20:18.1f}\n")


def before_a_release() -> None:
    print("Before the first release, milliseconds")
    print(f"{'':24}{'optimum':>10}{'mechanism':>12}{'certificate':>13}{'points':>12}")
    for pair in ALL_PAIRS:
        optimum = float("nan")
        if pair in PAIR_NAMES:
            optimum = fastest(partial(optimize, 1.0, pair_named(pair, 1.0)))
        lattice, whole = made(pair).lattice, fastest(partial(made, pair))
        certificate = fastest(partial(Certificate.of, lattice, 1.0, sensitivity_of(pair)))
        print(
            f"{pair:24}{optimum * 1e3:10.2f}{whole * 1e3:12.1f}{certificate * 1e3:13.2f}"
            f"{lattice.points:12,}"
        )
    # A certificate at Δ < R compares every run of the activation with all within reach.
    print(f"\nCertificate on {POINTS:,} points at Δ = R/10, milliseconds")
    for pair in PAIR_NAMES:
        mechanism = on_points(pair, POINTS)
        reach = mechanism.inputs[1] / 10.0
        seconds = fastest(partial(Certificate.of, mechanism.lattice, 1.0, reach))
        print(f"{pair:24}{seconds * 1e3:10.2f}{mechanism.lattice.points:12,}")


MIXED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("answer", {"kind": "category", "categories": ["yes", "no", "rather not, thank you"]}),
    ("level", {"kind": "category", "categories": ["low", "mid", "high"]}),
    ("born", {"kind": "date", "inputs": ("1950-01-01", "2020-12-31")}),
    ("weight", {"inputs": (0, 100)}),
)
"""Labels of columns with what their plans hold beside ε."""


def columns_of(count: int) -> dict[str, list[str]]:
    draws = np.random.default_rng(3)
    lists = {name: plan["categories"] for name, plan in MIXED if "categories" in plan}
    found = {name: np.array(texts)[draws.integers(0, 3, count)] for name, texts in lists.items()}
    days = np.datetime64("1950-01-01") + draws.integers(0, 25_900, count)
    found |= {"born": days.astype(str), "weight": (draws.integers(0, 1000, count) / 10).astype(str)}
    return {name: found[name].tolist() for name, _ in MIXED}


def file_of(columns: dict[str, list[str]]) -> bytes:
    rows = map(";".join, zip(*columns.values(), strict=True))
    return "\n".join([";".join(columns), *rows, ""]).encode()


def whole_tables(count: int) -> None:
    mixed = columns_of(count)
    draws = np.random.default_rng(4).integers(0, 1000, (4, count)) / 10
    four = {name: each.astype(str).tolist() for name, each in zip("abcd", draws, strict=True)}
    plans = {
        "four numbers": (four, {name: ColumnPlan(inputs=(0, 100), epsilon=1) for name in four}),
        "two categories, a date and a number": (
            mixed,
            {name: ColumnPlan(epsilon=1, **plan) for name, plan in MIXED},
        ),
    }
    print(f"\nA table of {count:,} rows, seconds")
    print(f"{'':44}{'read':>8}{'draw':>8}{'write':>8}{'all':>8}")
    base = 0.0
    for name, (columns, plan) in plans.items():
        data = file_of(columns)
        table = read_csv(data)
        release = privatize(table, plan)
        parts = [
            fastest(partial(read_csv, data)),
            fastest(partial(privatize, table, plan)),
            fastest(release.csv),
        ]
        base = base or sum(parts)
        figures = "".join(f"{each:8.2f}" for each in [*parts, sum(parts)])
        print(f"{name:44}{figures}{sum(parts) / base:8.2f} ×")


def left_out(count: int) -> None:
    """A file without two of its columns, beside the whole one."""
    draws = np.random.default_rng(5).integers(0, 1000, (6, count)) / 10
    columns = {name: each.astype(str).tolist() for name, each in zip("abcdef", draws, strict=True)}
    table = read_csv(file_of(columns))
    release = privatize(table, {"c": ColumnPlan(inputs=(0, 100), epsilon=1)})
    whole, less = fastest(release.csv), fastest(partial(release.csv, omit=[0, 4]))
    print(f"\nWritten: {whole:.2f} s; without two of six columns: {less / whole:.2f} ×")


def on_points(pair: str, points: int) -> CompositeMechanism:
    """A mechanism whose outputs are about so many whole numbers."""
    fraction = CompositeMechanism(1.0, (0, 1), pair=pair).design.input_fraction
    return CompositeMechanism(1.0, (0, round(points * fraction)), pair=pair, spacing=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the values")
    count = 10**5 if parser.parse_args().quick else 10**6
    throughput(count)
    memory(10 * count)
    before_a_release()
    whole_tables(count)
    left_out(count)


if __name__ == "__main__":
    main()
