"""The inequalities of a staircase, as data like those of the paper's pairs.

A staircase has no height, width and base of its own: they follow from ``K``, ``γ`` and ``Δ/R``
(:mod:`compdp_core.shapes.staircase`). So its constraints are on those, and on the input.

>>> all(row.met for row in evaluate_staircase(1.0, 5, 0.4, 0.1))
True
>>> [row.name for row in evaluate_staircase(1.0, 5, 0.4, 1.5) if row.margin < 0.0]
['distance']
"""

from __future__ import annotations

from compdp_core.design.constraints import NAN, ROUNDING, Constraint, number_or_nan
from compdp_core.design.design import Design
from compdp_core.design.optimize.staircase import staircase_design
from compdp_core.errors import CompdpError
from compdp_core.parameters import EPSILON
from compdp_core.shapes.staircase import GAMMA, check_steps


def evaluate_staircase(
    epsilon: object, steps: object, gamma: object, ratio: object, c_p: object = 0.0
) -> tuple[Constraint, ...]:
    """The constraints of raw numbers; ``ratio`` is ``Δ/R``, ``c_p`` in domain units.

    What is not a real number counts as NaN. Never raises.
    """
    budget, count, top, distance, place = map(number_or_nan, (epsilon, steps, gamma, ratio, c_p))
    design = _design(budget, count, top, distance)
    return (
        _steps(budget, count),
        Constraint.judged(
            "top",
            "gamma > 0",
            top,
            GAMMA.contains(top),
            f"the top level is {2.0 * top:.6g} sensitivities wide",
            "gamma must be a positive, finite number",
        ),
        Constraint.judged(
            "distance",
            "0 < Delta/R <= 1",
            min(distance, 1.0 - distance),
            0.0 < distance <= 1.0,
            f"the inputs are {1.0 / distance:.6g} sensitivities wide" if distance > 0.0 else "",
            "neighbours are closer than the inputs are wide: choose above 0 and up to 1",
        ),
        _mass(design),
        _input(design, place),
        _privacy(budget, design),
    )


def _design(epsilon: float, steps: float, gamma: float, ratio: float) -> Design | None:
    if not 0.0 < ratio <= 1.0:
        return None
    try:
        return staircase_design(epsilon, ratio, check_steps(steps, EPSILON.check(epsilon)), gamma)
    except CompdpError:
        return None


def _steps(epsilon: float, steps: float) -> Constraint:
    margin, met = steps - 1.0, False
    broken = "K must be a whole number of at least 1"
    if not EPSILON.contains(epsilon):
        margin, broken = NAN, f"epsilon {EPSILON.requirement}"
    elif steps >= 1.0:
        try:
            check_steps(steps, epsilon)
            met = True
        except CompdpError as refusal:
            margin, broken = min(margin, -0.0), str(refusal)
    return Constraint.judged(
        "steps", "K >= 1, a whole number", margin, met, f"{steps:g} levels above the base", broken
    )


def _mass(design: Design | None) -> Constraint:
    margin = NAN if design is None else design.S2
    return Constraint.judged(
        "mass",
        "S1 < 1",
        margin,
        margin > 0.0,
        f"mass {margin:.6g} is left for the base",
        "epsilon, K, gamma and Delta/R must make a density first"
        if design is None
        else "nothing that floats can hold is left for the base: lower K or epsilon",
    )


def _input(design: Design | None, c_p: float) -> Constraint:
    limit = NAN if design is None else design.C
    margin = limit - abs(c_p)
    broken = f"C_p must lie within [{-limit:.6g}, {limit:.6g}]"
    if design is None:
        broken = "epsilon, K, gamma and Delta/R must make a density first"
    return Constraint.judged(
        "input",
        "|C_p| <= C = S1 (L - m/2)",
        margin,
        design is not None and margin >= -ROUNDING * design.L,
        f"the staircase stays inside for every input up to {limit:.6g} from the middle",
        broken,
    )


def _privacy(epsilon: float, design: Design | None) -> Constraint:
    """Levels are e^ε apart by construction: what is left to fail is that there is no staircase."""
    margin, broken = 0.0, ""
    if not EPSILON.contains(epsilon):
        margin, broken = NAN, f"epsilon {EPSILON.requirement}"
    elif design is None:
        margin, broken = NAN, "epsilon, K, gamma and Delta/R must make a density first"
    return Constraint.judged(
        "privacy",
        "one shift by Delta crosses one step of e^epsilon",
        margin,
        margin == 0.0,
        f"spends {epsilon:.6g}, all of epsilon",
        broken,
    )
