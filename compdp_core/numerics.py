"""From an exact fraction to a float, on the side that is safe; the first whole number that will do.

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


def _finite(number: float) -> float:
    if math.isinf(number):
        raise OverflowError("no float lies on that side")
    return number
