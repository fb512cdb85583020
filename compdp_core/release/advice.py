"""Which way to read several rows of a person has the smaller error, from public settings alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from compdp_core.accounting import Amount
from compdp_core.adjacency import PerPerson
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.intervals import Bounds, Interval
from compdp_core.release.statistic import Forecast, mechanism_for
from compdp_core.statistics import Count, Sum
from compdp_core.statistics.query import Query
from compdp_core.tables import Table
from compdp_core.text import count


@dataclass(frozen=True)
class WayToRead:
    """One way to read a person's rows, and what it costs in error."""

    query: Query
    epsilon: Fraction
    """Of each answer: all answers together cost the same in every way."""
    question: str = ""
    """In words; empty where it is not offered."""
    typical_error: float | None = None
    """As of :class:`~compdp_core.release.statistic.Forecast`; None where it is not offered."""
    refused: str = ""
    """Why it is not offered."""

    @property
    def per_person(self) -> PerPerson:
        """What of a person counts."""
        return self.query.per_person


@dataclass(frozen=True)
class Advice:
    """The ways side by side."""

    ways: tuple[WayToRead, ...]
    same_question: bool
    """Whether all ways answer one question, as far as nothing is left out or clipped."""
    difference: str
    """How what they answer differs, in words."""

    @property
    def best(self) -> WayToRead | None:
        """The way with the least error of those that are offered; None where none is."""
        offered = [way for way in self.ways if way.typical_error is not None]
        return min(offered, key=lambda way: way.typical_error or 0.0, default=None)


def advice(query: Query, table: Table, epsilon: Amount, *, totals: Bounds | None = None) -> Advice:
    r"""Ways to ask a query of persons at the same cost, the rows of a person first.

    ``query``: with the bounds of single values, whatever of a person it reads. ``epsilon``: of each
    of its answers. ``totals``: bounds of a person's total, without which none are compared.

    >>> from compdp_core.adjacency import Person
    >>> from compdp_core.tables.sources import read_csv
    >>> table = read_csv(b"id,v\n" + b"".join(b"%d,1\n" % (i // 2) for i in range(100)))
    >>> query = Query("sum", "v", (0, 10), person=Person("id", at_most=4))
    >>> found = advice(query, table, 1, totals=(0, 15))
    >>> [(way.per_person, round(way.typical_error)) for way in found.ways], found.best.per_person
    ([('rows', 55), ('total', 21)], 'total')

    Raises :class:`ParameterError` where no person is stated.
    """
    if query.person is None:
        raise ParameterError("person", None, "must be stated: rows of one person are compared")
    whole = query.cost(epsilon)
    asked = [replace(query, per_person="rows")]
    if isinstance(query.statistic, Sum):
        if totals is not None:
            bounds = Interval.checked("totals", totals)
            asked.append(replace(query, per_person="total", bounds=bounds))
    else:
        asked.append(replace(query, per_person="mean"))
    ways = tuple(_way(each, table, whole / each.cost(1)) for each in asked)
    most = count(query.person.at_most, "row")
    if isinstance(query.statistic, Sum):
        difference = (
            f"Both are the sum of all rows where nobody has more than {most} and no total lies "
            "outside its bounds. Else rows are left out of the one, and totals are clipped in the "
            "other; which of it happens is private."
        )
    elif isinstance(query.statistic, Count):
        difference = "One is a number of rows, the other a number of persons."
    else:
        difference = (
            f"They are different questions: the {query.statistic.name} of rows counts somebody "
            f"with several rows several times, up to {query.person.at_most}; that of persons’ "
            "means counts everybody once. Choose by what is to be known, not by the error alone."
        )
    return Advice(ways, isinstance(query.statistic, Sum), difference)


def _way(query: Query, table: Table, epsilon: Fraction) -> WayToRead:
    category = None if query.grouping is None else query.grouping.categories[0]
    try:
        plan = query.plan(table, category)
        error = Forecast(plan, mechanism_for(plan, epsilon)).typical_error
    except CompdpError as refusal:
        return WayToRead(query, epsilon, refused=str(refusal))
    return WayToRead(query, epsilon, plan.text, error)
