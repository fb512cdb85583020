"""Interval arithmetic: bounds of an operation over all real arguments between bounds.

A bound is a pair of arrays ``(lower, upper)``. Every operation returns bounds that hold for the
exact result at every real argument, because they are moved outward by at least the rounding error
(Moore, Kearfott and Cloud, *Introduction to Interval Analysis*, SIAM 2009), down to underflow.
Where an operation has no value at some argument, the bounds speak of the other arguments; where it
has none anywhere, they are infinite.

Meant to run inside ``np.errstate(all="ignore")``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Bounds = tuple[Array, Array]

_UNIT = 2.0**-52
_LARGEST = np.finfo(np.float64).max
_ELEMENTARY = 4.0
"""Units in the last place that NumPy's elementary functions are trusted to; it states 4 at most."""


def exactly(value: float) -> Bounds:
    """The bounds of one number."""
    number = np.asarray(value, dtype=np.float64)
    return number, number


def _tidy(lower: Any, upper: Any) -> Bounds:
    """Undefined bounds become infinite; an overflow is no bound from the inside."""
    lower = np.where(np.isnan(lower), -np.inf, np.minimum(lower, _LARGEST))
    upper = np.where(np.isnan(upper), np.inf, np.maximum(upper, -_LARGEST))
    return lower, upper


def _outward(lower: Any, upper: Any, units: float = _ELEMENTARY) -> Bounds:
    """Relative widening; an exact zero stays one."""
    slack = units * _UNIT
    return _tidy(lower - slack * np.abs(lower), upper + slack * np.abs(upper))


def _down(value: Any, error: Any) -> Any:
    """Rounded down, where ``error`` = exact - value is negative or unknown."""
    return np.where(error >= 0.0, value, np.nextafter(value, -np.inf))


def _up(value: Any, error: Any) -> Any:
    return np.where(error <= 0.0, value, np.nextafter(value, np.inf))


def _sum(a: Any, b: Any) -> tuple[Any, Any]:
    """Sum and its exact rounding error (Knuth's two-sum)."""
    total = a + b
    part = total - a
    return total, (a - (total - part)) + (b - part)


def _split(a: Any) -> tuple[Any, Any]:
    high = a * 134217729.0  # 2^27 + 1
    high = high - (high - a)
    return high, a - high


def _product(a: Any, b: Any) -> tuple[Any, Any]:
    """Product and its exact rounding error (Dekker); 0 times an infinite bound is 0."""
    product = a * b
    zero = (a == 0.0) | (b == 0.0)
    (ah, al), (bh, bl) = _split(a), _split(b)
    error = al * bl - (((product - ah * bh) - al * bh) - ah * bl)
    return np.where(zero, 0.0, product), np.where(zero, 0.0, error)


def _add(a: Bounds, b: Bounds) -> Bounds:
    return _tidy(_down(*_sum(a[0], b[0])), _up(*_sum(a[1], b[1])))


def _negative(a: Bounds) -> Bounds:
    return -a[1], -a[0]


def _subtract(a: Bounds, b: Bounds) -> Bounds:
    return _add(a, _negative(b))


def _multiply(a: Bounds, b: Bounds) -> Bounds:
    corners = [_product(x, y) for x in a for y in b]
    lowest = [_down(*corner) for corner in corners]
    highest = [_up(*corner) for corner in corners]
    lower, upper = np.minimum.reduce(lowest), np.maximum.reduce(highest)
    return _tidy(lower, upper)


def _reciprocal(a: Bounds) -> Bounds:
    lower, upper = a
    # A zero at one end leaves one side of infinity, zeros within leave both.
    at_lower = np.where(upper == 0.0, -np.inf, 1.0 / upper)
    at_upper = np.where(lower == 0.0, np.inf, 1.0 / lower)
    whole = (lower < 0.0) & (upper > 0.0) | (lower == 0.0) & (upper == 0.0)
    low, high = _outward(at_lower, at_upper, 1.0)
    return np.where(whole, -np.inf, low), np.where(whole, np.inf, high)


def _divide(a: Bounds, b: Bounds) -> Bounds:
    return _multiply(a, _reciprocal(b))


def _absolute(a: Bounds) -> Bounds:
    lower, upper = a
    inner = np.where(lower > 0.0, lower, np.where(upper < 0.0, -upper, 0.0))
    return inner, np.maximum(np.abs(lower), np.abs(upper))


def _rising(function: Callable[[Any], Any]) -> Callable[[Bounds], Bounds]:
    """An increasing function."""
    return lambda a: _outward(function(a[0]), function(a[1]))


def _root(a: Bounds) -> Bounds:
    return _outward(np.where(a[1] < 0.0, np.nan, np.sqrt(np.maximum(a[0], 0.0))), np.sqrt(a[1]))


def _logarithm(a: Bounds) -> Bounds:
    return _outward(np.log(np.maximum(a[0], 0.0)), np.log(a[1]))


def _exponential(a: Bounds) -> Bounds:
    lower, upper = _outward(np.exp(a[0]), np.exp(a[1]))
    # Below the smallest float the exponential is still above zero.
    return lower, np.where(upper == 0.0, math.ulp(0.0), upper)


def _meets(a: Bounds, place: float, period: float) -> Any:
    """Whether the interval may contain ``place + n·period`` for a whole ``n``."""
    slack = 8.0 * _UNIT * (1.0 + np.maximum(np.abs(a[0]), np.abs(a[1])))
    first = np.ceil((a[0] - slack - place) / period)
    last = np.floor((a[1] + slack - place) / period)
    # Far from zero the multiples of the period are not known well enough; NaN counts as yes.
    return ~(first > last) | ~(slack < 1e-6)


def _wave(function: Callable[[Any], Any], highest: float) -> Callable[[Bounds], Bounds]:
    def wave(a: Bounds) -> Bounds:
        ends = function(a[0]), function(a[1])
        lower, upper = _outward(np.minimum(*ends), np.maximum(*ends))
        lower = np.where(_meets(a, highest - math.pi, 2.0 * math.pi), -1.0, np.maximum(lower, -1.0))
        upper = np.where(_meets(a, highest, 2.0 * math.pi), 1.0, np.minimum(upper, 1.0))
        return lower, upper

    return wave


def _tangent(a: Bounds) -> Bounds:
    lower, upper = _outward(np.tan(a[0]), np.tan(a[1]))
    pole = _meets(a, 0.5 * math.pi, math.pi)
    return np.where(pole, -np.inf, lower), np.where(pole, np.inf, upper)


def _power(a: Bounds, b: Bounds) -> Bounds:
    exponent = b[0]
    if exponent.ndim == 0 and b[1] == exponent and float(exponent).is_integer():
        return _whole_power(a, int(exponent))
    # x^y with x >= 0: y ln x is bilinear in (ln x, y), so the extremes sit at corners.
    base = np.maximum(a[0], 0.0), np.maximum(a[1], 0.0)
    corners = [np.power(x, y) for x in base for y in b]
    lower, upper = _outward(np.minimum.reduce(corners), np.maximum.reduce(corners))
    return np.where(a[1] < 0.0, -np.inf, lower), np.where(a[1] < 0.0, np.inf, upper)


def _whole_power(a: Bounds, n: int) -> Bounds:
    if n < 0:
        return _reciprocal(_whole_power(a, -n))
    if n == 2:
        size = _absolute(a)
        return _multiply(size, size)
    inner = a if n % 2 else _absolute(a)
    return _outward(np.power(inner[0], float(n)), np.power(inner[1], float(n)))


def _stepped(function: Callable[[Any], Any]) -> Callable[[Bounds], Bounds]:
    return lambda a: _tidy(function(a[0]), function(a[1]))


ENCLOSED: dict[str, Callable[..., Bounds]] = {
    "+": _add,
    "-": _subtract,
    "*": _multiply,
    "/": _divide,
    "**": _power,
    "negative": _negative,
    "abs": _absolute,
    "sqrt": _root,
    "exp": _exponential,
    "log": _logarithm,
    "sin": _wave(np.sin, 0.5 * math.pi),
    "cos": _wave(np.cos, 0.0),
    "tan": _tangent,
    "tanh": _rising(np.tanh),
    "sign": _stepped(np.sign),
    "step": _stepped(lambda x: np.heaviside(x, 1.0)),
    "min": lambda a, b: (np.minimum(a[0], b[0]), np.minimum(a[1], b[1])),
    "max": lambda a, b: (np.maximum(a[0], b[0]), np.maximum(a[1], b[1])),
}
"""The operations of :mod:`compdp_core.shapes.formula` on bounds."""
