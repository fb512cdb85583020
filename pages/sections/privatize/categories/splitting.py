"""Ways to split a row's budget where some of its columns hold answers.

Errors in proportion have no meaning there: an answer is kept or not, whatever its unit. Equal parts
and answering some of the columns have.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from compdp_core.accounting import split
from compdp_core.errors import CompdpError
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.release import ColumnPlan
from compdp_core.release.accuracy import Meaning, ResponseMeaning
from compdp_core.release.splitting import EVEN, ColumnCost, Split, Way

IN_PROPORTION: tuple[Way, ...] = ("equal errors", "wished errors")
WHY = (
    "Errors in proportion are not offered where a column holds answers: an answer is kept or "
    "replaced, so it is not off by an amount."
)


def mixed_ways(
    plans: Sequence[ColumnPlan], row: Fraction, answered: int | None
) -> dict[Way, Split | CompdpError]:
    """Both ways that there are, or why one cannot be taken; costs are those of one row."""
    made: dict[Way, Callable[[], Split]] = {
        "equal parts": lambda: _made("equal parts", plans, split(row, len(plans)), len(plans)),
        "sampled": lambda: _sampled(plans, row, answered),
    }
    return {way: _or_why(make) for way, make in made.items()}


def _or_why(make: Callable[[], Split]) -> Split | CompdpError:
    try:
        return make()
    except CompdpError as refusal:
        return refusal


def _sampled(plans: Sequence[ColumnPlan], row: Fraction, answered: int | None) -> Split:
    some = range(1, len(plans) + 1) if answered is None else [min(answered, len(plans))]
    tried = [
        _or_why(partial(_made, "sampled", plans, [row / each] * len(plans), each)) for each in some
    ]
    made = [each for each in tried if isinstance(each, Split)]
    for refusal in tried if not made else ():  # too little for each, or too much for one
        if isinstance(refusal, CompdpError):
            raise refusal
    return min(made, key=_in_all)


def _made(way: Way, plans: Sequence[ColumnPlan], parts: Sequence[Fraction], some: int) -> Split:
    own = tuple(replace(plan, epsilon=part) for plan, part in zip(plans, parts, strict=True))
    share = Fraction(some, len(plans))
    costs = tuple(_cost(plan, share) for plan in own)
    return Split(way, own, None if some == len(plans) else some, costs)


def _cost(plan: ColumnPlan, share: Fraction) -> ColumnCost:
    """Of answers: the error of a share in place of that of a mean, and none of a single one."""
    mechanism, times = plan.mechanism(), float(1 / share)
    if isinstance(mechanism, RandomizedResponse):
        error, of_rows = math.nan, math.sqrt(times) * ResponseMeaning(mechanism).error_of_share(1)
    else:
        error = Meaning(mechanism).typical_error
        # As in the library's splitting: noise, and that only some of the rows are seen.
        of_rows = math.sqrt(times * error**2 + (times - 1) * (EVEN * plan.inputs.width) ** 2)
    return ColumnCost(plan.position, plan.epsilon, share, error, of_rows)


def _in_all(made: Split) -> float:
    """Variances of all means and shares, each in relation to its range."""
    widths = (1.0 if plan.is_category else plan.inputs.width for plan in made.columns)
    return sum((c.mean_error / w) ** 2 for c, w in zip(made.costs, widths, strict=True))
