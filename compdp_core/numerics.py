"""From an exact fraction to a float, on the side that is safe; where something begins to hold.

What is spent must not be more than what is charged: :func:`not_above`. What a change is bounded by
must not be less than the change: :func:`not_below`. The nearest float, which ``float`` gives, is
neither; it is for pictures and for values that are private anyway.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction


def not_above(value: Fraction) -> float:
    """The largest float that is not above ``value``: for every ε that a mechanism is given.

    >>> Fraction(not_above(Fraction(1, 10))) <= Fraction(1, 10) < Fraction(0.1)
    True

    Raises :class:`OverflowError` where there is no such float.
    """
    nearest = float(value)
    if Fraction(nearest) <= value:
        return nearest
    return _finite(math.nextafter(nearest, -math.inf))


def not_below(value: Fraction) -> float:
    """The smallest float that is not below ``value``: for sensitivities and ends of ranges.

    >>> Fraction(not_below(Fraction(1, 3))) >= Fraction(1, 3) > Fraction(1 / 3)
    True

    Raises :class:`OverflowError` where there is no such float.
    """
    nearest = float(value)
    if Fraction(nearest) >= value:
        return nearest
    return _finite(math.nextafter(nearest, math.inf))


def first_above(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """The place above ``low`` from which on something holds; taken to hold at ``high``.

    >>> first_above(0, 100, lambda n: n * n >= 50)
    8
    """
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def bracket(
    low: float,
    high: float,
    holds: Callable[[float], bool],
    gap: Callable[[float, float], float] | None = None,
) -> tuple[float, float]:
    """The two sides of where something begins to hold: not at the first, but at the second.

    Taken not to hold at ``low`` and to hold at ``high``. Halved until they are neighbouring floats,
    or no more than ``gap(low, high)`` apart.

    >>> bracket(0.0, 4.0, lambda x: x * x >= 2.0, lambda low, high: 0.5)
    (1.0, 1.5)
    """
    while gap is None or high - low > gap(low, high):
        middle = 0.5 * low + 0.5 * high
        if not low < middle < high:
            break
        low, high = (low, middle) if holds(middle) else (middle, high)
    return low, high


def _finite(number: float) -> float:
    if math.isinf(number):
        raise OverflowError("no float lies on that side")
    return number
