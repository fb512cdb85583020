"""Ways to divide what a row may spend among its columns, and what each costs before one is chosen.

Everything follows from public settings; no value of a table is read.

**What a mean costs.** With V the variance of one released value, the mean of n of them has the
variance V/n (the noises are independent). Where each row answers s of d columns, m rows answer a
column, about ns/d, and every set of m rows is equally likely. Given m, the mean of the released
cells is right on average for the mean of all n rows, and its variance is that of the noise, V/m,
plus that of a mean of m of n rows drawn without putting back, σ² (1/m - 1/n) with σ² the variance
of the true values. To first order in 1/n

    n · variance of the mean = (d/s) V + (d/s - 1) σ²,

where V is the noise at ε/s, and at ε/d for all columns (s = d, which leaves V alone). True values
are taken to be spread evenly between the bounds, as everywhere: V is the square of
:attr:`~compdp_core.release.accuracy.Meaning.typical_error` and σ = w/√12 for a width w of the
bounds. Another σ/w may be handed in as ``spread``, up to 1/2.

**Categories** have no mean but shares, whose unit is 1 (so is their w), and the error of one value
is that of the share of a category, estimated from one row: all k are taken to be as frequent, so
that ``σ² = (1 - 1/k)/k``, and V is the square of
:attr:`~compdp_core.mechanisms.categories.RandomizedResponse.typical_error`.

**Errors in proportion.** The typical error of a column falls as its ε grows, so for any factor λ
there is one ε for each column at which its error is λ times the wished one, and their sum falls as
λ grows: one λ spends the total. It is found on curves
through points of the continuous designs, with more points where the ε are; what is reported is of
the lattices that are drawn from. On whole numbers of few steps they differ by some percent, and so
do the errors from their proportion.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from compdp_core.accounting import Amount, exact
from compdp_core.adjacency import Person
from compdp_core.errors import CompdpError, InfeasibleOutputsError, ParameterError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.categories import RandomizedResponse, share_error
from compdp_core.mechanisms.planning import blueprint
from compdp_core.numerics import bracket, not_above
from compdp_core.parameters import EPSILON, Parameter, count, positive
from compdp_core.release.accuracy import Meaning
from compdp_core.release.column_plan import ColumnPlan, PlanError
from compdp_core.release.plan import Plan, column_plans
from compdp_core.text import number
from compdp_core.validation import floats, whole

Way = Literal["equal parts", "equal errors", "wished errors", "sampled"]
"""``equal parts``: of ε; ``equal errors``: in relation to the widths of the bounds; ``wished
errors``: in proportion to wishes; ``sampled``: each row answers some columns only."""

Floats = NDArray[np.float64]

EVEN = 1.0 / math.sqrt(12.0)
"""Standard deviation of values spread evenly between bounds, over the width of the bounds."""

_ROWS = count("rows", lower=1)
_SPREAD = Parameter("spread", upper=0.5)
_WISH = positive("wishes")
_DIGITS = 5
_POINTS, _PARTS, _ROUNDS = 48, 8, 5


@dataclass(frozen=True)
class ColumnCost:
    """What a way costs one column, in its unit."""

    position: int
    epsilon: Fraction
    """Of one cell."""
    share: Fraction
    """Of the rows those that are expected to have a value."""
    value_error: float
    """Typical error of one released value, of a category that of its share from one row."""
    mean_error: float
    """Typical error of the mean of all rows, of a category that of its share."""


@dataclass(frozen=True)
class Split:
    """One way to divide what a row may spend."""

    way: Way
    columns: tuple[ColumnPlan, ...]
    """The plans with their ε."""
    answered: int | None
    """In how many columns each row has a value; None for all."""
    costs: tuple[ColumnCost, ...]
    """In the order of the columns."""
    factor: float | None = None
    """The largest error over the wished one: the wishes are met up to 1, and missed by it above."""

    def plan(self, person: Person | None = None) -> Plan:
        """The plan of this way."""
        return Plan(self.columns, person, self.answered)


def equal_parts(columns: Sequence[ColumnPlan], epsilon: Amount, rows: int) -> Split:
    """The same ε for each column. ``rows``: how many are released.

    >>> heights = ColumnPlan(0, (100, 220), 1), ColumnPlan(1, (100, 220), 1)
    >>> [each.epsilon for each in equal_parts(heights, 1, 1000).costs]
    [Fraction(1, 2), Fraction(1, 2)]

    Raises :class:`ParameterError` for an ε that leaves a column too little.
    """
    total = _total(columns, epsilon)
    part = _part(total, len(columns))
    return _split("equal parts", columns, [part] * len(columns), rows)


def equal_errors(columns: Sequence[ColumnPlan], epsilon: Amount, rows: int) -> Split:
    """Typical errors of one value that are the same share of the width of each column's bounds."""
    parts = _in_proportion(columns, epsilon, [width(each) for each in columns])
    return _split("equal errors", columns, parts, rows)


def wished_errors(
    columns: Sequence[ColumnPlan], epsilon: Amount, rows: int, wishes: Sequence[float]
) -> Split:
    """Typical errors of one value in the proportion of ``wishes``, one a column, in its unit.

    All of ε is spent: :attr:`Split.factor` says by how much the wishes are met or missed.
    """
    count = len(column_plans(columns))
    if floats("wishes", wishes, missing="keep").shape != (count,):
        raise ParameterError("wishes", wishes, f"must be {count}, one for each column")
    wanted = [_WISH.check(each) for each in wishes]
    split = _split("wished errors", columns, _in_proportion(columns, epsilon, wanted), rows)
    factors = [cost.value_error / each for cost, each in zip(split.costs, wanted, strict=True)]
    return replace(split, factor=max(factors))


def sampled(
    columns: Sequence[ColumnPlan],
    epsilon: Amount,
    rows: int,
    *,
    answered: int | None = None,
    spread: float = EVEN,
) -> Split:
    """Each row answers some columns, drawn at random, with the same ε for each of these.

    ``answered``: how many; where left out, as many as make the variances of all means, each in
    relation to the width of its bounds, least in sum. That may be all: then nothing is drawn.
    """
    total, spread = _total(columns, epsilon), _SPREAD.check(spread)
    if answered is None:
        answered = _best(columns, total, spread)
    some = whole("answered", answered, 1, len(columns))
    cell = _part(total, some)
    return _split("sampled", columns, [cell] * len(columns), rows, some, spread)


def ways(
    columns: Sequence[ColumnPlan],
    epsilon: Amount,
    rows: int,
    wishes: Sequence[float] | None = None,
    *,
    spread: float = EVEN,
) -> dict[Way, Split | CompdpError]:
    """All ways, or why one cannot be taken; ``wished errors`` only where there are ``wishes``."""
    made: dict[Way, Callable[[], Split]] = {
        "equal parts": lambda: equal_parts(columns, epsilon, rows),
        "equal errors": lambda: equal_errors(columns, epsilon, rows),
        "wished errors": lambda: wished_errors(columns, epsilon, rows, wishes),  # type: ignore[arg-type]
        "sampled": lambda: sampled(columns, epsilon, rows, spread=spread),
    }
    if wishes is None:
        del made["wished errors"]
    if len(column_plans(columns)) == 1:
        del made["sampled"]
    found: dict[Way, Split | CompdpError] = {}
    for way, make in made.items():
        try:
            found[way] = make()
        except CompdpError as refusal:
            found[way] = refusal
    return found


def _total(columns: Sequence[ColumnPlan], epsilon: Amount) -> Fraction:
    if not column_plans(columns):
        raise PlanError("there is no column to divide a budget among: choose at least one")
    return exact(epsilon)


def _part(total: Fraction, parts: int) -> Fraction:
    """One of so many equal parts."""
    part = total / parts
    if not EPSILON.contains(not_above(part)):
        what = f"must leave each of {parts} columns a number from 0.001 to {EPSILON.upper:g}"
        raise ParameterError("epsilon", total, what)
    return part


def _split(
    way: Way,
    columns: Sequence[ColumnPlan],
    parts: Sequence[Fraction],
    rows: int,
    answered: int | None = None,
    spread: float = EVEN,
) -> Split:
    many = _ROWS.check(rows)
    plans = tuple(replace(each, epsilon=e) for each, e in zip(columns, parts, strict=True))
    some = len(plans) if answered is None else answered
    costs = []
    for plan in plans:
        error = _typical(_bare(plan))
        of_rows = _variance(error, _deviation(plan, spread), Fraction(len(plans), some))
        costs.append(
            ColumnCost(
                position=plan.position,
                epsilon=plan.epsilon,
                share=Fraction(some, len(plans)),
                value_error=error,
                mean_error=math.sqrt(of_rows / many),
            )
        )
    return Split(way, plans, some if some < len(plans) else None, tuple(costs))


def width(plan: ColumnPlan) -> float:
    """How far values can be apart, of shares 1."""
    return 1.0 if plan.is_category else plan.inputs.width


def _deviation(plan: ColumnPlan, spread: float) -> float:
    """Standard deviation of true values, or of whether a row is of a category."""
    if plan.categories is None or not plan.is_category:
        return spread * plan.inputs.width
    share = 1.0 / len(plan.categories)
    return math.sqrt(share * (1.0 - share))


def _variance(error: float, deviation: float, times: Fraction | float) -> float:
    """``n`` times the variance of a mean of n rows, of which one in ``times`` answers."""
    return float(times) * error**2 + (float(times) - 1.0) * deviation**2


def _bare(plan: ColumnPlan) -> ColumnPlan:
    """The plan without what has no say in its noise."""
    if plan.is_category:
        return ColumnPlan(0, None, plan.epsilon, kind="category", categories=plan.categories)
    shape = (plan.pair, plan.tail_ratio, plan.objective, plan.outputs, plan.whole)
    return ColumnPlan(0, plan.inputs, plan.epsilon, *shape)


@lru_cache(1024)
def _typical(plan: ColumnPlan) -> float:
    """Of the lattice that is drawn from."""
    mechanism = plan.mechanism()
    if isinstance(mechanism, RandomizedResponse):
        return mechanism.typical_error
    return Meaning(mechanism).typical_error


def _best(columns: Sequence[ColumnPlan], total: Fraction, spread: float) -> int:
    """How many columns a row should answer."""
    many, found = len(columns), []
    for some in range(1, many + 1):
        cell = float(total / some)
        if EPSILON.contains(cell):
            variances = [
                _variance(_designed(each, cell), _deviation(each, spread), many / some)
                / width(each) ** 2
                for each in columns
                if cell >= _curve(_shape(each)).least
            ]
            if len(variances) == many:
                found.append((sum(variances), some))
    return min(found)[1] if found else 1  # for 1, what does not go together is said


def _designed(plan: ColumnPlan, epsilon: float) -> float:
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
        _designed(plan, least)
    except InfeasibleOutputsError as refusal:
        if refusal.smallest_epsilon is None:
            raise
        least = refusal.smallest_epsilon * (1.0 + 1e-6)
    return least


def _in_proportion(
    columns: Sequence[ColumnPlan], epsilon: Amount, wishes: Sequence[float]
) -> list[Fraction]:
    """The ε of each column at which errors are in the proportion of ``wishes``.

    In sum at most the total, each rounded down to five digits of what is above the least possible
    ε, so that errors are in proportion to four. A column that would need less than that, or more
    than the largest, has that one.
    """
    total = _total(columns, epsilon)
    curves = [_curve(_shape(each)) for each in columns]
    least = np.array([each.least for each in curves])
    if not float(total) >= least.sum():
        what = f"must be at least {number(float(least.sum()), 6)}: the columns need that together"
        raise ParameterError("epsilon", total, what)
    wanted = np.log(wishes) - np.log([_unit(each) for each in columns])
    shapes = [_shape(each) for each in columns]
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
        errors = np.log([_designed(plan, each) for each in np.exp(more).tolist()])
        return _Curve(np.insert(self.logs, at, more), np.insert(self.errors, at, errors))


def _shape(plan: ColumnPlan) -> ColumnPlan:
    """What the curve of a plan depends on: derived outputs are of one shape for all inputs."""
    if plan.is_category:
        return replace(_bare(plan), epsilon=Fraction(1))
    usual = replace(_bare(plan), epsilon=Fraction(1), whole=False)
    return usual if plan.outputs else replace(usual, inputs=Interval(0.0, 1.0))


def _unit(plan: ColumnPlan) -> float:
    """The unit of the errors of its curve."""
    return 1.0 if plan.outputs else width(plan)


@lru_cache(1024)
def _curve(plan: ColumnPlan) -> _Curve:
    points = np.geomspace(_least(plan), EPSILON.upper, _POINTS).tolist()
    return _Curve(np.log(points), np.log([_designed(plan, min(e, EPSILON.upper)) for e in points]))


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
