"""A run as frames for the player: each look, the best so far, and the density that goes with it.

Lengths are in units of the input width Δ = 2C, in which every design has the same inputs, -½ … ½.
The factor back to domain units travels along.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.design.constraints import evaluate, unmet_first
from compdp_core.design.density import Density
from compdp_core.design.design import Design
from compdp_core.errors import CompdpError
from pages.sections.optimizer.runs import Run
from pages.text.wording import lettered

Array = NDArray[np.float64]
ACROSS = 24
"""Points across the activation, and again across the domain."""
CLOSE = 1e-9
FAITHFUL = 0.01
"""How far the objective of a picture may be off that of the point it shows."""


def frames(run: Run) -> dict[str, Any]:
    trace = run.trace
    distinct, which = _designs(run)
    return {
        "look": run.looks.tolist(),
        "variance": _listed(trace.variance),
        "best": _listed(trace.best),
        "excess": _listed(100.0 * run.excess),
        "share": _listed(100.0 * run.feasible),
        "broken": _broken(run),
        "k": _listed(run.path[0]),
        "m": _listed(run.path[1]),
        "y": _listed(run.path[2]),
        "design": which,
        "curves": [curve(design, run.problem.objective) for design in distinct],
        "optimum": curve(run.optimum, run.problem.objective),
        "floor": run.problem.floor,
    }


def curve(design: Design, objective: str) -> dict[str, Any]:
    """Base and density for the input that the objective looks at: the end one for the worst."""
    density = Density(design)
    c_p = design.C if objective == "worst" else 0.0
    start, half, unit = density.start(c_p), design.L, 2.0 * design.C
    jumps = np.array(density.breakpoints(c_p))
    grid = np.concatenate(
        [
            np.linspace(start, start + design.m, ACROSS),
            np.linspace(-half, half, ACROSS),
            jumps - CLOSE * half,
            jumps + CLOSE * half,
        ]
    )
    x = np.unique(np.clip(grid, -half, half))
    base = density.base_pdf(x)
    return {
        "x": _listed(x / unit, 6),
        "base": _listed(base * unit),
        "density": _listed((base + density.activation_pdf(x, c_p)) * unit),
        "half": _short(half / unit),
        "unit": _short(unit),
        "input": 0.5 if c_p else 0.0,
    }


def _designs(run: Run) -> tuple[list[Design], list[int]]:
    """The different best designs, and which one each row shows; -1 before there is one."""
    distinct: list[Design] = []
    seen: dict[tuple[float, ...], int] = {}
    which = []
    # With the objective: where the base is lost in rounding, different points look the same.
    for *point, best in np.vstack([run.path, run.trace.best]).T.tolist():
        mark = (*point, best)
        if mark not in seen:
            design = _design(run, point, best)
            seen[mark] = -1 if design is None else len(distinct)
            distinct += [] if design is None else [design]
        which.append(seen[mark])
    return distinct, which


def _design(run: Run, point: list[float], best: float) -> Design | None:
    """The design of a point, or None where there is none or floats have lost it.

    At a large ε the base holds so little mass that 1 - k α m has no digit of it left: the point is
    then no picture of what was found there. What was found last is known from the search itself.
    """
    if not math.isfinite(best):
        return None
    if best == run.trace.best[-1] and run.trace.design is not None:
        return run.trace.design
    try:
        design = run.problem.design(*point)
    except CompdpError:
        return None
    return design if math.isclose(run.problem.value(design), best, rel_tol=FAITHFUL) else None


def _broken(run: Run) -> list[str]:
    """For each look the first constraint it breaks; empty where it keeps them all."""
    problem, trace = run.problem, run.trace
    base = "B2" if problem.free_tail else problem.pair.base
    texts = []
    for row in np.arange(len(trace)):
        if np.isfinite(trace.variance[row]):
            texts.append("")
            continue
        point = (float(each[row]) for each in (trace.k, trace.m, trace.y))
        rows = evaluate(problem.epsilon, problem.pair.activation, base, *point)
        first = unmet_first(rows)[0]
        texts.append("" if first.met else lettered(first.formula))
    return texts


def _listed(values: Array, digits: int = 4) -> list[float | None]:
    """Rounded to significant digits; None where there is no finite number."""
    known = np.isfinite(values)
    size = np.where(known & (values != 0.0), np.abs(values), 1.0)
    scale = 10.0 ** (digits - 1 - np.floor(np.log10(size)))
    rounded = np.where(known, np.round(np.where(known, values, 0.0) * scale) / scale, 0.0)
    return [v if ok else None for v, ok in zip(rounded.tolist(), known.tolist(), strict=True)]


def _short(value: float) -> float:
    return float(f"{value:.6g}")
