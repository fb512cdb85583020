"""What each algorithm does and why it stopped, in plain sentences."""

from __future__ import annotations

from compdp_core.design.design import Design
from compdp_core.design.optimize import Problem
from pages.sections.optimizer import settings
from pages.sections.optimizer.runs import UNIT, Run
from pages.session import faults
from pages.session.faults import sentence
from pages.text.wording import brief, count, lettered, number, percent

DOES = {
    "exact": "At the optimum the whole budget is used, so one unknown is left. Each look halves "
    "the interval that holds it, until two neighbouring floating-point numbers are left.",
    "enumeration": "Looks at every point of a coarse grid, then of a grid ten times finer around "
    "the best point, and so on. It is thorough, but sees nothing between its points.",
    "target": "Walks through one grid from a random point and stops at the first variance that "
    "is good enough. It never asks whether something better lies ahead.",
    "gradient": "Starts at a random point and follows the slope downhill, along one random "
    "direction at a time. Its steps become shorter as it goes.",
    "evolution": "Lets a random population of points mix, and keeps a child where it beats its "
    "parent. It needs no slope, but many evaluations.",
}
B2_IS_B1 = (
    "**B2 optimised freely is B1.** The variance falls all the way as its edge rises to the "
    "height of its middle (τ → 1), and a flat base is B1. So τ is a shape that you choose, and "
    "the search works at your τ. Let it go free to watch the drift."
)
GRIDS = ("enumeration", "target")
COARSE_FROM = 8
"""The ε from which the paper's grids miss the optimum by more than its own size."""

NEAR_ONE = 0.9
"""From this tail ratio on B2 looks like B1."""


def asked() -> Problem | None:
    """The problem as set, or None after showing why there is none."""
    found = faults.attempted(settings.problem)
    if isinstance(found, Problem):
        return found
    faults.tell(faults.sentence(lettered(str(found))))
    return None


def too_coarse(best: Design) -> str:
    """Why the paper's grids miss the optimum here; nothing where they do not."""
    if best.y >= 0.001:
        return ""
    return (
        f"The best base height, y = {number(best.y)}, lies below the finest step of the paper's "
        f"grids, 0.001. From about ε = {COARSE_FROM} on they are too coarse: enumeration and "
        "search to a target end with a point that keeps every constraint, far above the optimum. "
        "Give enumeration more grids, or take another algorithm."
    )


def why(run: Run) -> str:
    reason = sentence(stopped(run))
    found = (
        f"It had found {number(run.best, 4)} {UNIT}, {above(run)}, after looking at "
        f"{count(run.points, 'point')}."
        if run.trace.design is not None
        else "It had found no point that keeps every constraint."
    )
    return " ".join(part for part in (reason, found, _grid(run), _drift(run)) if part)


def stopped(run: Run) -> str:
    """The algorithm's own reason, as one writes it."""
    return lettered(run.trace.stop)


def above(run: Run) -> str:
    return f"{gap(float(run.excess[-1]))} above the exact optimum"


def gap(excess: float) -> str:
    """A relative distance to the optimum, down to where floating point ends."""
    if excess != excess or excess == float("inf"):
        return "–"
    return "less than 10⁻⁹ %" if excess < 1e-11 else percent(excess)


def _grid(run: Run) -> str:
    if run.plan.algorithm not in GRIDS or run.excess[-1] < 0.05:
        return ""
    said = dict(run.plan.options)
    enumerated = run.plan.algorithm == "enumeration"
    step = 0.1 ** said.get("rounds", 3) if enumerated else said.get("step", 0.02)
    if run.optimum.y >= 3 * step:
        return ""
    return (
        f"Its grid is too coarse here: the best y is {number(run.optimum.y)}, and its finest "
        f"step is {brief(step)}."
    )


def _drift(run: Run) -> str:
    if not run.problem.free_tail or run.trace.design is None:
        return ""
    tau = run.trace.design.tau
    if tau < NEAR_ONE:
        return f"The tail ratio it chose is τ = {number(tau)}; the nearer to 1, the better."
    return f"The tail ratio has drifted to τ = {number(tau, 6)}: B2 is becoming B1."
