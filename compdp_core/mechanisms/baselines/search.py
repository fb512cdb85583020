"""Calibration by bisection that ends on the private side."""

from __future__ import annotations

import math
from collections.abc import Callable

from compdp_core.errors import ParameterError
from compdp_core.numerics import bracket, first_above

# Rounding up by this much covers the error with which the losses here are computed.
MARGIN = 1e-9
_DOUBLINGS = 1100


def smallest_scale(loss: Callable[[float], float], target: float, start: float = 1.0) -> float:
    """The smallest scale with ``loss(scale) <= target``, rounded up by a relative 1e-9.

    ``loss`` falls as the scale grows. The upper end of the bracket always satisfies the target,
    and that end is returned; 1e-9 more than it, since the loss is computed in floats.

    >>> smallest_scale(lambda scale: 1.0 / scale, 0.25)
    4.0
    """
    lower, upper = _bracket(loss, target, start)
    return bisect(loss, target, lower, upper) * (1.0 + MARGIN)


def bisect(loss: Callable[[float], float], target: float, lower: float, upper: float) -> float:
    """A scale in ``(lower, upper]`` with ``loss(scale) <= target``, to a relative 1e-12.

    The loss must be above the target at ``lower`` and not above it at ``upper``; between, the
    side that satisfies it is kept, so that the answer does.
    """
    close = 1e-3 * MARGIN
    return bracket(lower, upper, lambda x: loss(x) <= target, lambda _, high: close * high)[1]


def first_true(holds: Callable[[int], bool], lowest: int, guess: int) -> int:
    """The smallest whole number from ``lowest`` on for which ``holds``, which then stays true.

    >>> first_true(lambda n: n * n >= 50, 0, 100)
    8
    """
    high = max(guess, lowest)
    step = 1
    while not holds(high):
        high += step
        step *= 2
    low = high - 1
    step = 1
    while low >= lowest and holds(low):
        high = low
        low -= step
        step *= 2
    return first_above(max(low, lowest - 1), high, holds)


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
