"""Hard output bounds: whether they can be met, the best design within them, and the ways out."""

from __future__ import annotations

import math

from compdp_core.design import Design
from compdp_core.errors import BoundsError, InfeasibleOutputsError
from compdp_core.intervals import Interval
from compdp_core.optimize.exact import Objective, largest_fraction, optimize, smallest_epsilon
from compdp_core.parameters import EPSILON
from compdp_core.shapes import Pair

MARGIN = 1e-7
"""Share of the output width kept free, so that the integer lattice fits too."""


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


def fitted(
    epsilon: float, pair: Pair, objective: Objective, inputs: Interval, outputs: Interval
) -> Design:
    """The design of least variance whose outputs are exactly ``outputs``.

    The inputs need the fraction ``r* = 2 w / (u - l)`` with ``w`` the distance of their farther end
    from the middle of the outputs. Feasible iff ``r* <= r_max(ε)``.

    Raises :class:`InfeasibleOutputsError` with the three ways out in numbers.
    """
    half = 0.5 * outputs.width
    needed = _needed(inputs, outputs) * (1.0 + MARGIN)
    largest = largest_fraction(epsilon, pair)
    if not needed <= largest:
        raise _ways_out(epsilon, pair, inputs, outputs, needed, largest)
    centre = (inputs.midpoint - outputs.midpoint) / half
    return optimize(epsilon, pair, objective, fixed=(centre, needed - abs(centre)))


def _needed(inputs: Interval, outputs: Interval) -> float:
    """``r*``: the farther end of the inputs from the middle of the outputs, over the half-width."""
    middle = outputs.midpoint
    return max(abs(inputs.lower - middle), abs(inputs.upper - middle)) / (0.5 * outputs.width)


def _ways_out(
    epsilon: float,
    pair: Pair,
    inputs: Interval,
    outputs: Interval,
    needed: float,
    largest: float,
) -> InfeasibleOutputsError:
    """The refusal, with each way out rounded to the side on which it works."""
    enough: float | None = None
    if needed < 1.0:
        enough = smallest_epsilon(pair, needed) * (1.0 + 1e-9)
        if not EPSILON.contains(enough):
            enough = None
    half = 0.5 * inputs.width * (1.0 + MARGIN) / largest * (1.0 + 1e-9)
    narrowest = (inputs.midpoint - half, inputs.midpoint + half)
    reach = 0.5 * outputs.width * largest / (1.0 + MARGIN) * (1.0 - 1e-9)
    widest = (
        max(inputs.lower, outputs.midpoint - reach),
        min(inputs.upper, outputs.midpoint + reach),
    )
    return InfeasibleOutputsError(
        epsilon=epsilon,
        inputs=inputs.as_tuple(),
        outputs=outputs.as_tuple(),
        needed_fraction=needed,
        largest_fraction=largest,
        smallest_epsilon=enough,
        narrowest_outputs=narrowest if math.isfinite(half) else None,
        widest_inputs=widest if widest[0] < widest[1] else None,
    )
