"""Calibration by bisection that ends on the private side."""

from __future__ import annotations

import math
from collections.abc import Callable

from compdp_core.errors import ParameterError

# Rounding up by this much covers the error with which the losses here are computed.
MARGIN = 1e-9
_DOUBLINGS = 1100
_BISECTIONS = 200


def smallest_scale(loss: Callable[[float], float], target: float, start: float = 1.0) -> float:
    """The smallest scale with ``loss(scale) <= target``, rounded up by a relative 1e-9.

    ``loss`` falls as the scale grows. The upper end of the bracket always satisfies the target,
    and that end is returned; 1e-9 more than it, since the loss is computed in floats.

    >>> smallest_scale(lambda scale: 1.0 / scale, 0.25)
    4.0
    """
    lower, upper = _bracket(loss, target, start)
    for _ in range(_BISECTIONS):
        middle = 0.5 * (lower + upper)
        if not lower < middle < upper or upper - lower <= 1e-3 * MARGIN * upper:
            break
        if loss(middle) <= target:
            upper = middle
        else:
            lower = middle
    return upper * (1.0 + MARGIN)


def _bracket(loss: Callable[[float], float], target: float, start: float) -> tuple[float, float]:
    lower = upper = start
    for _ in range(_DOUBLINGS):
        if loss(upper) <= target:
            break
        lower, upper = upper, 2.0 * upper
        if not math.isfinite(upper):
            raise ParameterError("target", target, "is not reached at any finite scale")
    for _ in range(_DOUBLINGS):
        if not loss(lower) <= target:
            return lower, upper
        lower, upper = 0.5 * lower, lower
    return lower, upper
