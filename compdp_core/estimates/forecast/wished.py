"""From what a receiver is to be able to say to the rows or the ε that it takes, and how much nearer
one released statistic would come at the same ε.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Literal, get_args

from compdp_core.adjacency import Person
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.estimates.estimate import Estimate
from compdp_core.estimates.forecast.expected import Expected, ExpectedCategory, ExpectedNumbers
from compdp_core.estimates.moments import quantile
from compdp_core.estimates.received.table import ReceivedColumn, ReceivedTable
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.numerics import first_above
from compdp_core.parameters import EPSILON, count, positive
from compdp_core.release.accuracy import UnreachableErrorError, smallest_epsilon
from compdp_core.release.column_plan import ColumnPlan
from compdp_core.release.error_curves import least_epsilon
from compdp_core.release.statistic import Forecast, mechanism_for
from compdp_core.statistics import Count, Mean, PublicFacts
from compdp_core.text import number
from compdp_core.validation import one_of

Wish = Literal["mean", "share", "correlation"]
"""That the mean, or a share, lies within so much; that a correlation so small with a column without
noise is found. A share is that of a category, or of what lies above the middle of the bounds."""

_MOST_ROWS = 10**15


def within(found: Expected, wish: Wish) -> float:
    """Half the width of the interval, or the least correlation that is found."""
    one_of("wish", wish, get_args(Wish))
    if wish == "correlation":
        return found.correlation()
    if wish == "share" and isinstance(found, ExpectedCategory):
        return found.share_within()
    if not isinstance(found, ExpectedNumbers):
        raise ParameterError("wish", wish, "must be share or correlation for a category")
    return found.mean_within if wish == "mean" else found.above_within


def rows_for(plan: ColumnPlan, wish: Wish, wanted: float, found: Expected) -> int:
    """The fewest rows of a file for it, which has the plan, share and persons of ``found``.

    >>> from compdp_core.estimates.forecast.expected import expected
    >>> plan = ColumnPlan(inputs=(0, 100), epsilon=1)
    >>> rows_for(plan, "mean", 1.0, expected(plan, 1))
    39961

    Raises :class:`~compdp_core.errors.CompdpError` where no file has so many rows.
    """
    target = positive("wanted").check(wanted)

    def reached(rows: int) -> bool:
        return within(replace(found, rows=max(1, int(rows * found.share))), wish) <= target

    most = 1
    while not reached(most):
        most *= 4
        if most > _MOST_ROWS:
            raise CompdpError(
                f"±{number(target)} would take more than {_MOST_ROWS:,} rows: ask for less, or "
                "raise epsilon"
            )
    return first_above(most // 4 if most > 1 else 0, most, reached)


def epsilon_for(plan: ColumnPlan, wish: Wish, wanted: float, found: Expected) -> Decimal:
    """The smallest ε of a cell, to four digits, for it, with the rows of ``found``.

    >>> from compdp_core.estimates.forecast.expected import expected
    >>> plan = ColumnPlan(inputs=(0, 100), epsilon=1)
    >>> epsilon_for(plan, "mean", 1.0, expected(plan, 10_000))
    Decimal('1.804')

    Raises :class:`~compdp_core.release.accuracy.UnreachableErrorError`.
    """
    target = positive("wanted").check(wanted)

    def at(epsilon: Decimal) -> float:
        mechanism = replace(plan, epsilon=Fraction(epsilon)).mechanism()
        return within(replace(found, mechanism=mechanism), wish)  # type: ignore[call-arg]

    def refused(at_best: float) -> UnreachableErrorError:
        told = {
            "mean": "a mean within",
            "share": "a share within",
            "correlation": "a correlation of",
        }
        return UnreachableErrorError(
            target, at_best, f"{told[wish]} {number(target, 6)}", "take more rows"
        )

    return smallest_epsilon(target, at, _least(plan), refused)


def _least(plan: ColumnPlan) -> Decimal:
    """The least ε at which there is a mechanism, rounded up."""
    return Decimal(repr(EPSILON.lower if plan.is_category else least_epsilon(plan)))


@dataclass(frozen=True)
class Beside:
    """The same answer from a table with noise on every value, and released by itself."""

    table: float
    """Half the width of the interval from the table."""
    statistic: float
    """Half the width of that of the released statistic; 0 where it is exact at that level."""

    @property
    def ratio(self) -> float:
        """How many times as exact the statistic is."""
        return self.table / self.statistic if self.statistic > 0.0 else float("inf")


def beside_statistic(
    plan: ColumnPlan,
    wish: Literal["mean", "share"],
    found: Expected,
    rows: int,
    *,
    person: Person | None = None,
    persons: int | None = None,
) -> Beside:
    """A mean, or a share by a count, from the table and released by itself, both at 95 %.

    At the same ε of one person: all rows of a person spend it in the table. ``rows``: of the file;
    ``persons``: how many have them, where there are some.

    >>> from compdp_core.estimates.forecast.expected import expected
    >>> plan = ColumnPlan(inputs=(0, 100), epsilon=1)
    >>> found = beside_statistic(plan, "mean", expected(plan, 2000), 2000)
    >>> round(found.table, 1), round(found.statistic, 2), round(found.ratio)
    (4.5, 0.15, 30)
    """
    forecast = alone(plan, wish, rows, person=person, persons=persons)
    statistic = forecast.half_width / (1 if wish == "mean" else rows)
    if isinstance(found, ExpectedCategory):
        return Beside(found.share_within("rows"), statistic)
    return Beside(within(found, wish), statistic)


def beside_estimate(received: ReceivedTable, column: ReceivedColumn, found: Estimate) -> Beside:
    """An estimate of the rows from a released file, a mean or the share of a category, and the same
    released by itself; both at 95 %, at the same ε of one person.

    Raises :class:`~compdp_core.errors.CompdpError` where the card does not tell.
    """
    person, persons, part = None, None, received.card.privacy.person
    if part is not None:
        whose = received.sampling.persons
        if whose is None and part.at_most > 1:
            raise CompdpError("the file does not say whose rows are whose: ask for these columns")
        person = Person(part.by, part.at_most, part.beyond, part.groups)
        persons = received.rows if whose is None else int(whose.max()) + 1
    wish: Literal["mean", "share"] = "share" if column.is_category else "mean"
    bounds = (0, 1) if isinstance(column.channel, RandomizedResponse) else column.channel.inputs
    plan = ColumnPlan(inputs=bounds, epsilon=Fraction(column.item.epsilon))
    released = alone(plan, wish, received.rows, person=person, persons=persons)
    size = received.rows if wish == "share" else 1
    return Beside(quantile(0.95) * found.standard_error, released.half_width / size)


def alone(
    plan: ColumnPlan,
    wish: Literal["mean", "share"],
    rows: int,
    *,
    person: Person | None = None,
    persons: int | None = None,
) -> Forecast:
    """What a mean, or a count for a share, would be off by if it were released by itself, at what a
    person spends in the table.
    """
    one_of("wish", wish, ("mean", "share"))
    most = 1 if person is None else person.at_most
    named = int(count("rows", lower=1).check(rows if persons is None else persons))
    epsilon = min(most * plan.epsilon, Fraction(EPSILON.upper))
    if wish == "mean":
        asked = Mean().plan(PublicFacts(rows=named, bounds=plan.inputs, person=person))
    else:
        public = PublicFacts(rows=named, where="the value is one of those", person=person)
        asked = Count().plan(public)
    return Forecast(asked, mechanism_for(asked, epsilon))
