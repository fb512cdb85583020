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
λ grows: one λ spends the total. It is found on the curves of
:mod:`~compdp_core.release.error_curves`; what is reported is of the lattices that are drawn from.
On whole numbers of few steps they differ by some percent, and so do the errors from their
proportion.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Literal

from compdp_core.accounting import Amount, exact
from compdp_core.adjacency import Person
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.numerics import not_above
from compdp_core.parameters import EPSILON, Parameter, count, positive
from compdp_core.release.accuracy import Meaning
from compdp_core.release.column_plan import ColumnPlan, PlanError
from compdp_core.release.error_curves import bare, designed, in_proportion, least_epsilon, width
from compdp_core.release.plan import Plan, column_plans
from compdp_core.validation import floats, whole

Way = Literal["equal parts", "equal errors", "wished errors", "sampled"]
"""``equal parts``: of ε; ``equal errors``: in relation to the widths of the bounds; ``wished
errors``: in proportion to wishes; ``sampled``: each row answers some columns only."""

EVEN = 1.0 / math.sqrt(12.0)
"""Standard deviation of values spread evenly between bounds, over the width of the bounds."""

_ROWS = count("rows", lower=1)
_SPREAD = Parameter("spread", upper=0.5)
_WISH = positive("wishes")


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
    parts = in_proportion(columns, _total(columns, epsilon), [width(each) for each in columns])
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
    split = _split(
        "wished errors", columns, in_proportion(columns, _total(columns, epsilon), wanted), rows
    )
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
        error = _typical(bare(plan))
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


def _deviation(plan: ColumnPlan, spread: float) -> float:
    """Standard deviation of true values, or of whether a row is of a category."""
    if plan.categories is None or not plan.is_category:
        return spread * plan.inputs.width
    share = 1.0 / len(plan.categories)
    return math.sqrt(share * (1.0 - share))


def _variance(error: float, deviation: float, times: Fraction | float) -> float:
    """``n`` times the variance of a mean of n rows, of which one in ``times`` answers."""
    return float(times) * error**2 + (float(times) - 1.0) * deviation**2


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
                _variance(designed(each, cell), _deviation(each, spread), many / some)
                / width(each) ** 2
                for each in columns
                if cell >= least_epsilon(each)
            ]
            if len(variances) == many:
                found.append((sum(variances), some))
    return min(found)[1] if found else 1  # for 1, what does not go together is said
