"""Writes authors_grid.json: what the optimiser released with the paper returns.

The published procedure (github.com/CompositeDP/CompositeDP, Mechanism/Parameter_Optimization.py)
rewritten as plain loops; shares no code with the library. What it does and the paper leaves open:

* values are reached by adding the step again and again, so that nine tenths is 0.8999999999999999
  and "below 1" lets 0.9999999999999999 through;
* the finer rounds scan one previous step either side of the best, and every loop reads the best
  anew when it starts, so the window moves along while it is scanned;
* a later point must be strictly better. Scaling (k, m, y) to (ck, m/c, cy) changes nothing, so
  points tie up to rounding, and rounding then decides between equally good designs.

The table was first obtained from the authors' program itself, run unchanged; this script
reproduces all 42 rows of it to every digit.

    python -m tests.golden.generate_authors_grid
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from tests.golden.writing import write

AREA = {"A1": 1.0, "A2": 2.0 / math.pi, "A3": 0.5}
SPREAD = {"A1": 1.0 / 12.0, "A2": 0.25 - 2.0 / math.pi**2, "A3": 1.0 / 24.0}
EPSILONS = [0.2, 0.3, 0.4, 0.5, 1.0, 2.0, 5.0]
PAIRS = ["A1B1", "A2B1", "A3B1", "A1B2", "A2B2", "A3B2"]


def half_width(epsilon: float, pair: str, k: float, m: float, y: float) -> float:
    """L; for B1 as the case t = y."""
    s1 = k * AREA[pair[:2]] * m
    if pair.endswith("B1"):
        return (1.0 - s1) / (2.0 * y)
    return 5.0 * (1.0 - s1) / (2.0 * ((y + k) / math.exp(epsilon) + 4.0 * y))


def variance(epsilon: float, pair: str, k: float, m: float, y: float) -> float:
    """Variance at C_p = 0 over the squared input width; infinite where a constraint is broken."""
    if not (k > 0.0 and m > 0.0 and y > 0.0) or k > 1.0 - y:
        return math.inf
    s1 = k * AREA[pair[:2]] * m
    edge = y if pair.endswith("B1") else (y + k) / math.exp(epsilon)
    if pair.endswith("B1"):
        private = k <= y * math.expm1(epsilon)
    else:
        private = edge < y
    if not (s1 < 1.0 and private):
        return math.inf
    half = half_width(epsilon, pair, k, m, y)
    if not m < 2.0 * half:
        return math.inf
    spread = s1 * m * m * SPREAD[pair[:2]] + half**3 * 2.0 * (3.0 * edge + 4.0 * y) / 21.0
    return spread / (s1 * (2.0 * half - m)) ** 2


def steps(low: float, high: float, step: float, *, closed: bool = False) -> Iterator[float]:
    value = low
    while value < high or (closed and value <= high):
        yield value
        value += step


def search(epsilon: float, pair: str) -> dict[str, Any]:
    """The row of one cell."""
    best, k_best, m_best, y_best = math.inf, 0.0, 0.0, 0.0
    reach: float | None = None
    for step in (0.1, 0.01, 0.001):
        for y in steps(*window(y_best, reach, 1.0), step):
            for k in steps(*window(k_best, reach, 1.0), step):
                for m in steps(*window(m_best, reach, 2.0), step, closed=reach is None):
                    value = variance(epsilon, pair, k, m, y)
                    if value < best:
                        best, k_best, m_best, y_best = value, k, m, y
        reach = step
    s1 = k_best * AREA[pair[:2]] * m_best
    return {
        "epsilon": epsilon, "pair": pair,
        "k": round(k_best, 3), "m": round(m_best, 3), "y": round(y_best, 3),
        "variance_over_sens2": float(f"{best:.10g}"), "h1": float(f"{(1.0 - s1) / s1:.10g}"),
    }  # fmt: skip


def window(best: float, reach: float | None, limit: float) -> tuple[float, float]:
    if reach is None:
        return 0.0, limit
    if best == 0.0:  # the authors' case of a coordinate that never left 0
        return 0.0, reach
    return best - reach, best + reach


def tables() -> dict[str, Any]:
    return {
        "about": "The paper's enumeration with steps 0.1, 0.01, 0.001. k, m, y are multiples of "
        "the last step; variance at C_p = 0 over the squared input width; h1 = S2/S1.",
        "source": "the authors' released optimiser, run unchanged; also "
        "tests/golden/generate_authors_grid.py",
        "tolerance": "10 significant digits, all of them meant",
        "rows": [search(epsilon, pair) for epsilon in EPSILONS for pair in PAIRS],
    }


if __name__ == "__main__":
    write("authors_grid.json", tables())
