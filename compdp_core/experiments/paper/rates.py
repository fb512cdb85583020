"""The paper's table of H1, H2 and variance, cell by cell: printed, ours, and why they differ."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from compdp_core.design.density import Density
from compdp_core.design.design import Design
from compdp_core.design.optimize import optimize
from compdp_core.experiments.frames import frame
from compdp_core.experiments.paper.printed import H1, H2, STANDARD_ERRORS, VARIANCE, Printed
from compdp_core.experiments.paper.reconstruction import (
    authors_design,
    estimate_error,
    free_optimum,
    implied_design,
)
from compdp_core.experiments.progress import Task
from compdp_core.shapes import pair_named

if TYPE_CHECKING:
    import pandas as pd

FLAT = 1.01
"""An H1 counts as reproduced where the design that has it is within 1 % of the least variance."""


def rates_table(task: Task | None = None) -> pd.DataFrame:
    """One row a quantity (H1, H2, variance), pair and ε: 90 rows.

    ``printed``; ``authors_grid``: the design that the paper's Algorithm 1 finds; ``exact``: the
    optimum with the base's edge left free, as in the paper; ``kept_tail``: on B2 the optimum at
    this library's default tail ratio. ``difference`` is printed minus authors_grid. ``error`` is
    half a printed digit, for the variance one standard error of an estimate from 1,000 draws, and
    ``within`` whether the difference is explained by it (``reason`` names the explanation).

    On B2, ``implied_tail_ratio`` and ``implied`` belong to the design that has the printed H1 and
    H2 and comes nearest to the printed variance, and ``implied_within`` says whether all three
    printed numbers fit that one design. Variances are in units of Δ².
    """
    task, rows = task or Task(), []
    for index, (h1, h2, variance) in enumerate(zip(H1, H2, VARIANCE, strict=True)):
        task.tell(index / len(H1), f"H1, H2, variance of {h1.pair} at epsilon {h1.epsilon:g}")
        rows += _cell(h1, h2, variance)
    return frame(rows)


def _cell(h1: Printed, h2: Printed, variance: Printed) -> list[dict[str, Any]]:
    epsilon, pair = h1.epsilon, h1.pair
    on_b2 = pair.endswith("B2")
    grid, exact = authors_design(epsilon, pair), free_optimum(epsilon, pair)
    kept = optimize(epsilon, pair_named(pair, epsilon))
    implied = implied_design(h1, h2, variance) if on_b2 else None
    spread = estimate_error(grid, 2)
    rows = []
    for printed, error in ((h1, 0.5 * h1.digit), (h2, 0.5 * h2.digit), (variance, spread)):
        ours = _figure(printed, grid)
        within, reason = _verdict(printed, ours, error, exact)
        there = math.nan if implied is None else _figure(printed, implied)
        rows.append(
            {
                "quantity": printed.quantity,
                "pair": pair,
                "epsilon": epsilon,
                "printed": printed.value,
                "authors_grid": ours,
                "exact": _figure(printed, exact),
                "kept_tail": _figure(printed, kept),
                "difference": printed.value - ours,
                "error": error,
                "within": within,
                "reason": reason,
                "implied_tail_ratio": math.nan if implied is None else implied.tau,
                "implied": there,
                "implied_within": implied is not None and _fits(printed, there, implied),
                "source": printed.source,
            }
        )
    return rows


def _figure(printed: Printed, design: Design) -> float:
    if printed.quantity == "H1":
        return design.h1
    if printed.quantity == "H2":
        return Density(design).h2(of="base")
    return design.relative_variance()


def _verdict(printed: Printed, ours: float, error: float, exact: Design) -> tuple[bool, str]:
    """Whether the printed number is reproduced, and the explanation to read."""
    if printed.quantity == "variance":
        within = abs(printed.value - ours) <= STANDARD_ERRORS * error
        return within, "monte-carlo" if within else "b2-printed"
    if printed.rounds_to(ours):
        return True, "same" if printed.quantity == "H1" else "h2-base"
    if printed.pair.endswith("B2"):
        return False, "b2-printed"
    # The optimum is flat: a neighbouring design has another H1 and hardly more variance.
    share = printed.value / exact.h1
    near = Design(exact.epsilon, exact.pair, exact.mu / share, exact.kappa)
    within = near.relative_variance() <= FLAT * exact.relative_variance()
    return within, "flat-optimum"


def _fits(printed: Printed, value: float, implied: Design) -> bool:
    if printed.quantity == "variance":
        allowed = STANDARD_ERRORS * estimate_error(implied, 2)
        return abs(printed.value - value) <= allowed
    return printed.rounds_to(value)
