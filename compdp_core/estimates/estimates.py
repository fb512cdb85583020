"""What can be learned from a privatised table: all from the released cells and the card alone.

Nothing here costs privacy, whatever is asked and how often.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.estimates import distribution, moments
from compdp_core.estimates.distribution import Distribution
from compdp_core.estimates.estimate import About, Estimate
from compdp_core.estimates.reading import Reading, Sampling, of_category, of_clean, of_numbers
from compdp_core.estimates.received import ReceivedColumn, ReceivedTable, received
from compdp_core.estimates.requests import Request
from compdp_core.estimates.requests import Subject as Subject
from compdp_core.estimates.script import script_of_estimates
from compdp_core.estimates.summary import Summary, summary
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.parameters import share as share_parameter
from compdp_core.tables.errors import some
from compdp_core.validation import one_of

if TYPE_CHECKING:
    import pandas as pd

    from compdp_core.report.card import Card
    from compdp_core.tables import Table


class Estimates:
    r"""Estimates from a released table and its card.

    ``released``: the file, as a table, frame, path or bytes. ``card``: the card as data, as a
    mapping, path or JSON text. ``level``: of the intervals.

    >>> import compdp_core as cdp
    >>> table = cdp.read_csv(b"bmi\n" + b"21.5\n24\n31\n" * 100)
    >>> release = cdp.privatize(table, {"bmi": cdp.ColumnPlan(inputs=(10, 70), epsilon=4)})
    >>> mean = cdp.Estimates(release.csv(), release.card).mean("bmi")
    >>> mean.n, mean.low < mean.value < mean.high
    (300, True)

    Raises :class:`~compdp_core.report.card_reading.CardError`.
    """

    def __init__(
        self,
        released: Table | pd.DataFrame | str | os.PathLike[str] | bytes,
        card: Card | Mapping[str, Any] | str | os.PathLike[str] | bytes,
        *,
        level: float = 0.95,
    ) -> None:
        self.received: ReceivedTable = received(released, card)
        self.level = share_parameter("level").check(level)

    def mean(self, column: Subject, *, about: About = "rows") -> Estimate:
        """The mean of the true values, clamped into the bounds."""
        given = self._reading(column), self._sampling
        return moments.mean(*given, self._about(about), self.level)

    def total(self, column: Subject, *, about: About = "rows") -> Estimate:
        """The sum of the true values."""
        given = self._reading(column), self._sampling
        return moments.total(*given, self._about(about), self.level)

    def variance(self, column: Subject, *, about: About = "population") -> Estimate:
        """The variance of the true values (unit squared)."""
        given = self._reading(column), self._sampling
        return moments.variance(*given, self._about(about), self.level)

    def std(self, column: Subject, *, about: About = "population") -> Estimate:
        """The standard deviation of the true values."""
        given = self._reading(column), self._sampling
        return moments.std(*given, self._about(about), self.level)

    def quantile(self, column: Hashable, probability: float) -> Estimate:
        """The value that so large a share of the true ones does not exceed."""
        return distribution.quantile(self._released(column), probability, self.level)

    def share(
        self,
        column: Hashable,
        category: str | None = None,
        *,
        above: Any = None,
        at_least: Any = None,
        below: Any = None,
        at_most: Any = None,
        about: About = "population",
    ) -> Estimate:
        """The share of a category, or of true values above and below limits."""
        raise NotImplementedError

    def distribution(self, column: Hashable) -> Distribution:
        """The distribution of the true values, by maximum likelihood."""
        return distribution.distribution(self._released(column), self.level)

    def means(self, column: Hashable, *, by: Hashable) -> dict[str, Estimate]:
        """The mean in each group of an untouched column."""
        raise NotImplementedError

    def difference(
        self, column: Hashable, *, by: Hashable, groups: tuple[str, str] | None = None
    ) -> Estimate:
        """Mean of the first group less that of the second; ``groups`` where there are more."""
        raise NotImplementedError

    def correlation(self, first: Subject, second: Subject) -> Estimate:
        """Pearson's correlation of the true values."""
        raise NotImplementedError

    def regression(self, outcome: Subject, on: Sequence[Subject] | Hashable) -> dict[str, Estimate]:
        """Coefficients of the linear regression of the true values, with ``intercept``."""
        raise NotImplementedError

    def summary(self, asked: Iterable[Request] = ()) -> Summary:
        """All figures of each released column, and what is ``asked`` for besides, each beside the
        naive one; what cannot be said is a row with the reason.
        """
        return summary(self, asked)

    def report_html(self, asked: Sequence[Request] = (), title: str = "") -> str:
        """The same as one page that needs nothing else: no script, no outside request, fit for
        printing, with the distributions that can be told.
        """
        from compdp_core.estimates.report_html import report_html

        return report_html(self, asked, title)

    def script(self, asked: Sequence[Request] = ()) -> str:
        """Python that works the same figures out of the released file and its card."""
        return script_of_estimates(self, asked)

    def at(self, level: float) -> Estimates:
        """The same with intervals of another level; nothing is read again."""
        other = copy(self)
        other.level = share_parameter("level").check(level)
        return other

    @property
    def _sampling(self) -> Sampling:
        return self.received.sampling

    def _released(self, column: Hashable) -> ReceivedColumn:
        """A released column."""
        found = self.received.find(column)
        if isinstance(found, ReceivedColumn):
            return found
        named = some([each.label for each in self.received.columns])
        raise ParameterError("column", column, f"must be a released one, of {named}")

    def _reading(self, subject: Subject) -> Reading:
        """The numbers of a column, or of one of its categories."""
        column, name = subject if isinstance(subject, tuple) else (subject, None)
        found = self.received.find(column)
        if isinstance(found, int):
            table = self.received.table
            if name is None:
                return of_clean(table.readings(found).values)
            return of_clean(np.array([float(text == name) for text in table.texts(found)]))
        if isinstance(found.channel, RandomizedResponse):
            if name is None:
                what = f"must name a category, as in ({column!r}, {found.names[0]!r})"
                raise ParameterError("column", column, what)
            place = found.names.index(one_of("category", name, found.names))
            return of_category(found.values, found.channel, place)
        if name is not None:
            raise ParameterError("column", subject, "must be that of a category, or named alone")
        return of_numbers(found.values, found.channel)

    @staticmethod
    def _about(about: object) -> Any:
        return one_of("about", about, get_args(About))
