"""What can be learned from a privatised table: all from the released cells and the card alone.

Nothing here costs privacy, whatever is asked and how often.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from compdp_core.errors import ParameterError
from compdp_core.estimates import moments, relations, shares, wording
from compdp_core.estimates.estimate import About, Estimate, EstimateError
from compdp_core.estimates.groups import (
    difference,
    group_means,
    noisy_difference,
    noisy_means,
    two_groups,
)
from compdp_core.estimates.likelihood import distribution, quantiles
from compdp_core.estimates.likelihood.distribution import Distribution
from compdp_core.estimates.likelihood.support import places
from compdp_core.estimates.reading import Reading, Sampling
from compdp_core.estimates.received.table import ReceivedColumn, ReceivedTable, received
from compdp_core.estimates.subjects import SubjectReadings, among
from compdp_core.estimates.summary.notebook import notebook_of_estimates
from compdp_core.estimates.summary.requests import Request, checked, parts
from compdp_core.estimates.summary.requests import Subject as Subject
from compdp_core.estimates.summary.rows import Summary, summary
from compdp_core.estimates.summary.script import script_of_estimates
from compdp_core.parameters import share as share_parameter
from compdp_core.validation import one_of, text

if TYPE_CHECKING:
    import pandas as pd
    import polars as pl
    import pyarrow as pa

    from compdp_core.report.card import Card
    from compdp_core.tables import Table

T = TypeVar("T")


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
        released: Table | pd.DataFrame | pl.DataFrame | pa.Table | str | os.PathLike[str] | bytes,
        card: Card | Mapping[str, Any] | str | os.PathLike[str] | bytes,
        *,
        level: float = 0.95,
    ) -> None:
        self.received: ReceivedTable = received(released, card)
        self._subjects = SubjectReadings(self.received)
        self.level = share_parameter("level").check(level)
        self._slow: dict[tuple[Hashable, ...], Any] = {}

    def mean(self, column: Subject, *, about: About = "rows") -> Estimate:
        """The mean of the true values, clamped into the bounds; the share of a category."""
        label, name = parts("column", column)
        if name is not None:
            return self.share(label, name, about=about)
        return self._subjects.written(column, moments.mean(*self._given(column, about)))

    def total(self, column: Subject, *, about: About = "rows") -> Estimate:
        """The sum of the true values, or the number of rows of a category.

        Raises :class:`~compdp_core.errors.ParameterError` for a population, whose size nobody
        knows, and for dates and times of day, of which a sum says nothing.
        """
        if self._about(about) == "population":
            what = "must be rows for a total: of a population multiply its mean by its size"
            raise ParameterError("about", about, what)
        one = self.mean(column, about=about)
        label, name = parts("column", column)
        found = self.received.find(label)
        if not isinstance(found, ReceivedColumn):
            return moments.total(one, one.n)
        if name is None and found.format is not None and found.format.kind != "duration":
            what = "must hold amounts for a total: a sum of dates or times of day says nothing"
            raise ParameterError("column", column, what)
        if not self._sampling.share < 1.0:
            return moments.total(one, one.n)
        more = wording.ALL_ROWS if found.item.missing.policy == "keep" else ""
        return moments.total(one, self.received.rows, more)

    def variance(self, column: Subject, *, about: About = "population") -> Estimate:
        """The variance of the true values (unit squared; of dates that of a step)."""
        label, name = parts("column", column)
        if name is not None:
            return moments.variance_of_share(self.share(label, name, about=about))
        return moments.variance(*self._given(column, about))

    def std(self, column: Subject, *, about: About = "population") -> Estimate:
        """The standard deviation of the true values (their unit; of dates that of a step)."""
        if isinstance(column, tuple):
            return moments.root(self.variance(column, about=about))
        return moments.std(*self._given(column, about))

    def quantile(self, column: Hashable, probability: float) -> Estimate:
        """The value that so large a share of the true ones does not exceed."""
        found = self._subjects.released(column)
        wanted = share_parameter("probability").check(probability)
        return self._once(
            ("quantile", found.position, wanted, self.level),
            lambda: self._subjects.written(
                column, quantiles.quantile(found, self._sampling, wanted, self.level)
            ),
        )

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
        limits = {"above": above, "at_least": at_least, "below": below, "at_most": at_most}
        given = {name: limit for name, limit in limits.items() if limit is not None}
        if category is not None:
            if given:
                what = "must be named alone: limits are for columns of numbers"
                raise ParameterError("category", category, what)
            source = self.received.find(column)
            if isinstance(source, ReceivedColumn) and (named := places(source)):
                among("category", category, list(named))  # before each is worked out
            found = self.shares(column, about=about)
            return found[among("category", category, list(found))]
        if len(given) != 1:
            what = "must be one limit: above, at_least, below or at_most"
            raise ParameterError(" and ".join(given) or "above", tuple(given.values()), what)
        ((name, limit),) = given.items()
        source = self._subjects.released(column)
        whose = self._about(about)
        return self._once(
            ("share", source.position, name, repr(limit), whose, self.level),
            lambda: quantiles.share(source, self._sampling, name, limit, whose, self.level),
        )

    def shares(self, column: Hashable, *, about: About = "population") -> dict[str, Estimate]:
        """The share of each category of a column, released or untouched, in its order; of a scale
        and of few whole numbers that of each value.
        """
        source, whose = self.received.find(column), self._about(about)
        at = source if isinstance(source, int) else source.position
        found: dict[str, Estimate] = self._once(
            ("shares", at, whose, self.level), lambda: self._shares(source, column, whose)
        )
        return dict(found)

    def _shares(
        self, source: ReceivedColumn | int, column: Hashable, about: About
    ) -> dict[str, Estimate]:
        if isinstance(source, ReceivedColumn) and places(source):
            return quantiles.shares(source, self._sampling, about, self.level)
        codes, names, mechanism, missing = self._subjects.categories(column)
        given = self._sampling, self._about(about), self.level, missing
        return shares.estimated(codes, names, mechanism, *given)

    def distribution(self, column: Hashable) -> Distribution:
        """The distribution of the true values, by maximum likelihood."""
        found = self._subjects.released(column)
        return self._once(
            ("distribution", found.position, self.level),
            lambda: distribution.distribution(found, self._sampling, self.level),
        )

    def means(self, column: Subject, *, by: Hashable) -> dict[str, Estimate]:
        """The mean in each group: of the rows with the same text in an untouched column, blank
        cells being a group of their own, or of the categories of a released one.
        """
        reading, grouped = self._subjects.grouped(column, by)
        given = self._sampling, self.level
        if isinstance(grouped, ReceivedColumn):
            found = noisy_means(reading, self._subjects.by_category(grouped), *given)
        else:
            found = group_means(reading, self.received.groups(grouped), *given)
        label, _ = parts("column", column)
        return {name: self._subjects.written(label, each) for name, each in found.items()}

    def difference(
        self, column: Subject, *, by: Hashable, groups: Sequence[str] | None = None
    ) -> Estimate:
        """Mean of the first group less that of the second; ``groups`` where there are more."""
        reading, grouped = self._subjects.grouped(column, by)
        given = self._sampling, self.level
        if isinstance(grouped, ReceivedColumn):
            noisy = two_groups(self._subjects.by_category(grouped), groups)
            return noisy_difference(reading, noisy, *given)
        return difference(reading, two_groups(self.received.groups(grouped), groups), *given)

    def correlation(self, first: Subject, second: Subject) -> Estimate:
        """Pearson's correlation of the true values."""
        one, other = self._subjects.several({"first": first, "second": second})
        return relations.correlation(one, other, self._sampling, self.level)

    def regression(self, outcome: Subject, on: list[Subject] | Subject) -> dict[str, Estimate]:
        """Coefficients of the linear regression of the true values, with ``intercept``.

        ``on``: a predictor, or a list of them.
        """
        listed = on if isinstance(on, list) else [on]
        if not 0 < len(listed) <= relations.MOST_PREDICTORS:
            what = f"must name 1 to {relations.MOST_PREDICTORS} columns"
            raise ParameterError("on", on, what)
        names = {f"on[{at}]" if len(listed) > 1 else "on": each for at, each in enumerate(listed)}
        y, *x = self._subjects.several({"outcome": outcome, **names})
        return relations.regression(y, x, self._sampling, self.level)

    def summary(self, asked: Iterable[Request] = ()) -> Summary:
        """All figures of each released column, and what is ``asked`` for besides, each beside the
        naive one; what cannot be said is a row with the reason.
        """
        return summary(self, checked(asked))

    def report_html(self, asked: Sequence[Request] = (), title: str = "") -> str:
        """The same as one page that needs nothing else: no script, no outside request, fit for
        printing, with the distributions that can be told.
        """
        from compdp_core.estimates.summary.report_html import report_html

        return report_html(self, checked(asked), text("title", title))

    def script(self, asked: Sequence[Request] = ()) -> str:
        """Python that works the same figures out of the released file and its card."""
        return script_of_estimates(self, checked(asked))

    def notebook(self, asked: Sequence[Request] = ()) -> str:
        """The same as a Jupyter notebook, the text of an ``.ipynb`` file."""
        return notebook_of_estimates(self, checked(asked))

    def at(self, level: float) -> Estimates:
        """The same with intervals of another level; nothing is read again."""
        other = copy(self)
        other.level = share_parameter("level").check(level)
        return other

    def _once(self, key: tuple[Hashable, ...], compute: Callable[[], T]) -> T:
        """What takes its time, worked out once: page, files and script ask for the same."""
        if key not in self._slow:
            try:
                self._slow[key] = compute()
            except EstimateError as refusal:
                self._slow[key] = refusal
        found = self._slow[key]
        if isinstance(found, EstimateError):
            raise found.with_traceback(None)
        made: T = found
        return made

    @property
    def _sampling(self) -> Sampling:
        return self.received.sampling

    def _given(self, column: Hashable, about: About) -> tuple[Reading, Sampling, About, float]:
        return self._subjects.reading(column), self._sampling, self._about(about), self.level

    @staticmethod
    def _about(about: object) -> Any:
        return one_of("about", about, get_args(About))
