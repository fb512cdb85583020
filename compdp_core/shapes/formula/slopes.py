"""Bounds of derivatives: the chain rule in interval arithmetic.

Where a function bends, its slopes on both sides are covered; where it jumps or its slope is without
limit, the bounds are infinite. So over an interval of width ``w`` a formula varies by at most ``w``
times its largest slope, which is far less than its plain enclosure says where it repeats its
variable (Moore, Kearfott and Cloud, SIAM 2009, Chapter 6).

Each rule takes the bounds of the result, then bounds and slope of each argument.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from compdp_core.shapes.formula.enclosure import ENCLOSED, Bounds, exactly

_ZERO, _ONE, _TWO = exactly(0.0), exactly(1.0), exactly(2.0)
_ANY = exactly(-np.inf)[0], exactly(np.inf)[0]


def _chosen(condition: Any, yes: Bounds, no: Bounds) -> Bounds:
    return np.where(condition, yes[0], no[0]), np.where(condition, yes[1], no[1])


def _do(operation: str, *arguments: Bounds) -> Bounds:
    return ENCLOSED[operation](*arguments)


def _absolute(result: Bounds, a: Bounds, da: Bounds) -> Bounds:
    side = np.where(a[0] > 0.0, 1.0, -1.0), np.where(a[1] < 0.0, -1.0, 1.0)
    return _do("*", side, da)


def _power(result: Bounds, a: Bounds, da: Bounds, b: Bounds, db: Bounds) -> Bounds:
    if np.ndim(b[0]) == 0 and not np.any(db[0]) and not np.any(db[1]):
        return _do("*", _do("*", b, _do("**", a, _do("-", b, _ONE))), da)
    relative = _do("+", _do("*", db, _do("log", a)), _do("*", b, _do("/", da, a)))
    return _do("*", result, relative)


def _jump(result: Bounds, a: Bounds, da: Bounds) -> Bounds:
    return _chosen(result[0] == result[1], _ZERO, _ANY)


def _choice(first: bool) -> Callable[..., Bounds]:
    """The slope of the smaller (larger) of two; of either where they cross."""

    def rule(result: Bounds, a: Bounds, da: Bounds, b: Bounds, db: Bounds) -> Bounds:
        either = np.minimum(da[0], db[0]), np.maximum(da[1], db[1])
        below, above = a[1] <= b[0], b[1] <= a[0]
        takes_a, takes_b = (below, above) if first else (above, below)
        return _chosen(takes_a, da, _chosen(takes_b, db, either))

    return rule


SLOPES: dict[str, Callable[..., Bounds]] = {
    "+": lambda r, a, da, b, db: _do("+", da, db),
    "-": lambda r, a, da, b, db: _do("-", da, db),
    "*": lambda r, a, da, b, db: _do("+", _do("*", a, db), _do("*", b, da)),
    "/": lambda r, a, da, b, db: _do("/", _do("-", da, _do("*", r, db)), b),
    "**": _power,
    "negative": lambda r, a, da: _do("negative", da),
    "abs": _absolute,
    "sqrt": lambda r, a, da: _do("/", da, _do("*", _TWO, r)),
    "exp": lambda r, a, da: _do("*", r, da),
    "log": lambda r, a, da: _do("/", da, a),
    "sin": lambda r, a, da: _do("*", _do("cos", a), da),
    "cos": lambda r, a, da: _do("*", _do("negative", _do("sin", a)), da),
    "tan": lambda r, a, da: _do("*", _do("+", _ONE, _do("**", r, _TWO)), da),
    "tanh": lambda r, a, da: _do("*", _do("-", _ONE, _do("**", r, _TWO)), da),
    "sign": _jump,
    "step": _jump,
    "min": _choice(True),
    "max": _choice(False),
}
"""The derivative of each step of :mod:`compdp_core.shapes.formula.grammar`."""
