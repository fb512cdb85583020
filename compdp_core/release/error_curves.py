"""Typical errors against ε for each kind of column, and the ε at which errors are in proportion.

The errors are those of the continuous designs, on curves through points with more of them where the
ε are that are looked for.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import InfeasibleOutputsError, ParameterError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.categories import share_error
from compdp_core.mechanisms.planning import blueprint
from compdp_core.numerics import bracket
from compdp_core.parameters import EPSILON
from compdp_core.release.column_plan import ColumnPlan
from compdp_core.text import number

Floats = NDArray[np.float64]

_DIGITS = 5
_POINTS, _PARTS, _ROUNDS = 48, 8, 5


def width(plan: ColumnPlan) -> float:
    """How far values can be apart, of shares 1."""
    return 1.0 if plan.is_category else plan.inputs.width


def bare(plan: ColumnPlan) -> ColumnPlan:
    """The plan without what has no say in its noise."""
    if plan.is_category:
        return ColumnPlan(0, None, plan.epsilon, kind="category", categories=plan.categories)
    shape = (plan.pair, plan.tail_ratio, plan.objective, plan.outputs, plan.whole)
    return ColumnPlan(0, plan.inputs, plan.epsilon, *shape)


def designed(plan: ColumnPlan, epsilon: float) -> float:
    """Typical error of the continuous design: Simpson's rule, exact as the variance is quadratic.

    It is that of :attr:`Meaning.typical_error` but for the roundings of the lattice.
    """
    if plan.categories is not None and plan.is_category:
        return share_error(epsilon, len(plan.categories))
    made = blueprint(
        epsilon,
        plan.inputs.as_tuple(),
        pair=plan.pair,
        outputs=None if plan.outputs is None else plan.outputs.as_tuple(),
        objective=plan.objective,
        tail_ratio=plan.tail_ratio,
    )
    unit = made.outputs.width / (2.0 * made.design.L)
    places = (plan.inputs.lower, plan.inputs.midpoint, plan.inputs.upper)
    a, mid, b = (made.design.variance((x - made.outputs.midpoint) / unit) for x in places)
    return unit * math.sqrt((a + 4.0 * mid + b) / 6.0)


def _least(plan: ColumnPlan) -> float:
    """The least ε at which there is a mechanism, to a hair above."""
    tail = plan.pair.base.tau if plan.pair is not None and not isinstance(plan.pair, str) else None
    tail = plan.tail_ratio if tail is None else tail
    least = EPSILON.lower
    if tail is not None and tail < 1.0:  # at -ln(tau) the tail ratio alone uses up epsilon
        least = max(least, -math.log(tail) * (1.0 + 1e-3))
    try:
        designed(plan, least)
    except InfeasibleOutputsError as refusal:
        if refusal.smallest_epsilon is None:
            raise
        least = refusal.smallest_epsilon * (1.0 + 1e-6)
    return least


def in_proportion(
    columns: Sequence[ColumnPlan], total: Fraction, wishes: Sequence[float]
) -> list[Fraction]:
    """The ε of each column at which errors are in the proportion of ``wishes``.

    In sum at most the total, each rounded down to five digits of what is above the least possible
    ε, so that errors are in proportion to four. A column that would need less than that, or more
    than the largest, has that one.
    """
    shapes = [_shape(each) for each in columns]
    curves = [_curve(each) for each in shapes]
    least = np.array([each.least for each in curves])
    if not float(total) >= least.sum():
        what = f"must be at least {number(float(least.sum()), 6)}: the columns need that together"
        raise ParameterError("epsilon", total, what)
    wanted = np.log(wishes) - np.log([_unit(each) for each in columns])
    for _ in range(_ROUNDS):
        found = _solved(curves, wanted, float(total))
        curves = [c.closer(s, e) for c, s, e in zip(curves, shapes, found.tolist(), strict=True)]
    return _rounded(np.exp(_solved(curves, wanted, float(total))), least, total)


def _solved(curves: Sequence[_Curve], wanted: Floats, total: float) -> Floats:
    """Logarithms of the ε that add up to the total, at one level of errors above the wanted."""

    def parts(level: float) -> Floats:
        errors = (level + wanted).tolist()
        return np.array([c.at(each) for c, each in zip(curves, errors, strict=True)])

    def affordable(level: float) -> bool:
        return bool(np.exp(parts(level)).sum() <= total)

    return parts(bracket(-100.0, 100.0, affordable, lambda *_: 1e-11)[1])


@dataclass(frozen=True)
class _Curve:
    """Logarithm of the typical error against that of ε, which it falls with."""

    logs: Floats
    errors: Floats

    @property
    def least(self) -> float:
        """The least ε at which there is a mechanism."""
        return float(np.exp(self.logs[0]))

    @cached_property
    def _rising(self) -> Floats:
        rising: Floats = -np.minimum.accumulate(self.errors)
        return rising

    def at(self, error: float) -> float:
        """The logarithm of ε at which the error is this one, or the nearest end."""
        return float(np.interp(-error, self._rising, self.logs))

    def closer(self, plan: ColumnPlan, log: float) -> _Curve:
        """With more points between those around this logarithm of ε."""
        at = int(np.clip(np.searchsorted(self.logs, log), 1, len(self.logs) - 1))
        more = np.linspace(self.logs[at - 1], self.logs[at], _PARTS + 1)[1:-1]
        errors = np.log([designed(plan, each) for each in np.exp(more).tolist()])
        return _Curve(np.insert(self.logs, at, more), np.insert(self.errors, at, errors))


def _shape(plan: ColumnPlan) -> ColumnPlan:
    """What the curve of a plan depends on: derived outputs are of one shape for all inputs."""
    if plan.is_category:
        return replace(bare(plan), epsilon=Fraction(1))
    usual = replace(bare(plan), epsilon=Fraction(1), whole=False)
    return usual if plan.outputs else replace(usual, inputs=Interval(0.0, 1.0))


def _unit(plan: ColumnPlan) -> float:
    """The unit of the errors of its curve."""
    return 1.0 if plan.outputs else width(plan)


@lru_cache(1024)
def _curve(plan: ColumnPlan) -> _Curve:
    points = np.geomspace(_least(plan), EPSILON.upper, _POINTS).tolist()
    return _Curve(np.log(points), np.log([designed(plan, min(e, EPSILON.upper)) for e in points]))


def _rounded(parts: Floats, least: Floats, total: Fraction) -> list[Fraction]:
    """Down to so many digits, but not below the least; in sum never above the total."""
    found = []
    for part, low in zip((parts * (1.0 + 1e-9)).tolist(), least.tolist(), strict=True):
        # Close to the least ε errors rise steeply: what counts is the distance from it.
        size = math.floor(math.log10(max(part - low, 1e-6 * part)))
        step = Fraction(10) ** (size - _DIGITS + 1)
        down = math.floor(Fraction(part) / step) * step
        found.append(down if down >= low else math.ceil(Fraction(low) / step) * step)
    largest = max(range(len(found)), key=found.__getitem__)
    found[largest] -= max(sum(found, Fraction(0)) - total, Fraction(0))
    return found


def least_epsilon(plan: ColumnPlan) -> float:
    """The least ε at which there is a mechanism for a column."""
    return _curve(_shape(plan)).least
