"""Hard output bounds: whether they can be met, the best design within them, and the ways out."""

from __future__ import annotations

import math
from collections.abc import Callable

from compdp_core.design.design import Design
from compdp_core.design.optimize.exact import Objective, largest_fraction, optimize
from compdp_core.design.optimize.staircase import largest_staircase_fraction, optimize_staircase
from compdp_core.errors import BoundsError, InfeasibleOutputsError
from compdp_core.intervals import Interval
from compdp_core.numerics import bracket
from compdp_core.parameters import EPSILON
from compdp_core.shapes import Pair
from compdp_core.shapes.staircase import check_steps

MARGIN = 1e-7
"""Share of the input width added, so that the integer lattice fits too."""

STAIRCASE_MARGIN = 1e-6
"""The same for a staircase, whose levels are rounded up to whole points each."""


def inputs_in_outputs(inputs: Interval, outputs: Interval) -> Interval:
    """The outputs, refused where they do not contain the inputs strictly."""
    if not (outputs.lower < inputs.lower and inputs.upper < outputs.upper):
        raise BoundsError(
            "outputs",
            outputs.lower,
            outputs.upper,
            f"must reach beyond the inputs {inputs.as_tuple()!r} on both sides: a mean at the "
            "very end of the outputs leaves no room for noise",
        )
    return outputs


Largest = Callable[[float, float], float]
"""The largest input fraction for an ε and a half-width of the outputs (data units)."""


def fitted(
    epsilon: float, pair: Pair, objective: Objective, inputs: Interval, outputs: Interval
) -> Design:
    """The design of least variance whose outputs are exactly ``outputs``.

    The inputs need the fraction ``r* = 2 w / (u - l)`` with ``w`` the distance of their farther end
    from the middle of the outputs. Feasible iff ``r* <= r_max(ε)``.

    Raises :class:`InfeasibleOutputsError` with the three ways out in numbers.
    """
    fixed = _checked(epsilon, inputs, outputs, lambda e, half: _largest_of_pair(e, pair))
    return optimize(epsilon, pair, objective, fixed=fixed)


def fitted_staircase(
    epsilon: float,
    sensitivity: float,
    objective: Objective,
    inputs: Interval,
    outputs: Interval,
    steps: int | None = None,
) -> Design:
    """As :func:`fitted`, for the staircase with neighbours ``sensitivity`` apart."""
    if steps is not None:
        check_steps(steps, epsilon)
    fixed = _checked(
        epsilon,
        inputs,
        outputs,
        lambda e, half: largest_staircase_fraction(e, sensitivity / half, steps),
        STAIRCASE_MARGIN,
    )
    ratio = sensitivity / (0.5 * outputs.width)
    return optimize_staircase(epsilon, ratio, objective, steps=steps, fixed=fixed)


def _largest_of_pair(epsilon: float, pair: Pair) -> float:
    """Zero where the tail ratio of the base alone needs more than ε."""
    return largest_fraction(epsilon, pair) if pair.largest_height(epsilon) > 0.0 else 0.0


def _checked(
    epsilon: float, inputs: Interval, outputs: Interval, largest: Largest, margin: float = MARGIN
) -> tuple[float, float]:
    """``(c, w)``: the inputs at ``c ± w`` of the outputs, in units of their half-width."""
    half = 0.5 * outputs.width
    middle = outputs.midpoint
    farther = max(abs(inputs.lower - middle), abs(inputs.upper - middle)) * (1.0 + margin)
    if not farther / half <= largest(epsilon, half):
        raise _ways_out(epsilon, inputs, outputs, farther / half, largest, margin)
    centre = (inputs.midpoint - middle) / half
    return centre, farther / half - abs(centre)


def _ways_out(
    epsilon: float,
    inputs: Interval,
    outputs: Interval,
    needed: float,
    largest: Largest,
    margin: float,
) -> InfeasibleOutputsError:
    """The refusal, with each way out searched to the side on which it works."""
    half = 0.5 * outputs.width
    enough = None
    if largest(EPSILON.upper, half) >= needed:
        enough = _smallest(lambda e: largest(e, half) >= needed, epsilon, EPSILON.upper)
    # Outputs around the middle of the inputs: wider ones let a larger share of them be inputs.
    need = 0.5 * inputs.width * (1.0 + margin)
    wide = math.inf
    if largest(epsilon, need) > 0.0:
        works = need / largest(epsilon, need) * (1.0 + 1e-9)
        while not works * largest(epsilon, works) >= need:
            works *= 2.0  # of few levels wider outputs allow a smaller share
        wide = _smallest(lambda h: h * largest(epsilon, h) >= need, need, works)
    narrowest = (inputs.midpoint - wide, inputs.midpoint + wide)
    reach = half * largest(epsilon, half) / (1.0 + margin) * (1.0 - 1e-9)
    widest = (
        max(inputs.lower, outputs.midpoint - reach),
        min(inputs.upper, outputs.midpoint + reach),
    )
    return InfeasibleOutputsError(
        epsilon=epsilon,
        inputs=inputs.as_tuple(),
        outputs=outputs.as_tuple(),
        needed_fraction=needed,
        largest_fraction=largest(epsilon, half),
        smallest_epsilon=enough,
        narrowest_outputs=narrowest if math.isfinite(wide) else None,
        widest_inputs=widest if widest[0] < widest[1] else None,
    )


def _smallest(works: Callable[[float], bool], fails: float, enough: float) -> float:
    """The smallest argument that works, to one part in 10^9 and on the side that works."""
    return bracket(fails, enough * (1.0 + 1e-9), works, lambda _, high: 1e-9 * high)[1]
