"""A statistic asked of a table: all its public settings, and the one step that reads the cells.

What a column is (numbers or text), its decimal mark and its unit are settings, and never looked up
in the cells: so what is read of one row depends on that row alone, and nothing in a cell can make
a question fail. A cell that is no number as declared is missing, whatever else stands in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from compdp_core.accounting import Amount, Spend, new_draw, persons_read_as
from compdp_core.adjacency import Person
from compdp_core.errors import ParameterError
from compdp_core.randomness import Source
from compdp_core.statistics.cells import check_rows, compared, texts
from compdp_core.statistics.persons import bounded, one_each
from compdp_core.statistics.question import ExactAnswer, PublicFacts, QueryPlan
from compdp_core.statistics.sums import Count
from compdp_core.tables.contributions import Mask, persons_of
from compdp_core.tables.sources import position

if TYPE_CHECKING:
    from compdp_core.tables import Numbers, Table

from compdp_core.statistics.query_settings import STATISTICS as STATISTICS
from compdp_core.statistics.query_settings import MissingValues as MissingValues
from compdp_core.statistics.query_settings import QuerySettings


class Query(QuerySettings):
    """What is asked, of which column, and everything public that was said about it.

    The statistic may be said by its name in :data:`~compdp_core.statistics.STATISTICS`. Other
    columns are named by their labels, which are unique in a table.

    >>> Query("mean", "bmi", bounds=(10, 70)).bounds
    Interval(lower=10.0, upper=70.0)

    Raises :class:`~compdp_core.errors.CompdpError` that names the argument.
    """

    def columns(self, table: Table) -> tuple[str, ...]:
        """Labels of all columns that are read, each once: what a ledger charges."""
        used = [self._label(table), *(each.column for each in self.conditions)]
        if self.grouping is not None:
            used.append(self.grouping.by)
        if self.person is not None:
            used += self.person.by
        return tuple(dict.fromkeys(used))

    def persons(self, table: Table) -> int | None:
        """How many persons there are, where that is public; None where no person is stated, too."""
        if self.person is None or not self.neighbours.n_is_public:
            return None
        return persons_of(table, self.person.by).count

    def plan(self, table: Table, category: str | None = None) -> QueryPlan:
        """Range and sensitivity, from public facts alone: no cell is read but those that tell how
        many persons there are, where their number is public.

        ``category`` stands for one of the grouping's; all of them have the same range.

        Raises :class:`~compdp_core.tables.UnevenRowsError` for rows that do not line up, and
        :class:`~compdp_core.errors.ParameterError` where the number of rows could not be public.
        """
        check_rows(table, self.neighbours)
        return self.statistic.plan(self._facts(table, category))

    def _facts(self, table: Table, category: str | None) -> PublicFacts:
        if self.person is None and self.per_person != "rows":
            raise ParameterError("per_person", self.per_person, "must be rows without a person")
        rules, rows = [], self.max_rows
        if self.neighbours.n_is_public:
            rows = table.row_count if self.person is None else self.persons(table)
        if self.grouping is not None and category is not None:
            rules.append(self.grouping.rule(category))
        if self.where is not None:
            rules.append(self.where.text)
        if self.missing == "leave out":
            rules.append(self._not_missing(table))
        return PublicFacts(
            neighbours=self.neighbours,
            rows=rows,
            bounds=self.bounds,
            where=" and ".join(rules) or None,
            whole_numbers=self.whole_numbers,
            column=self._label(table),
            unit=self.unit,
            person=self.person,
            per_person=self.per_person,
        )

    def ask(self, table: Table, source: Source | None = None) -> ExactAnswer:
        """The one question; see :meth:`ask_each` for a grouping.

        ``source``: of the draw of a person's rows, the system's unless a simulation hands in
        another.

        Raises :class:`~compdp_core.errors.CompdpError` of the statistic or of a condition, by what
        is public: settings, names of columns and, where it is public, the number of rows.
        """
        if self.grouping is not None:
            raise ParameterError("grouping", self.grouping.by, "asks several questions: ask_each")
        return self._answers(table, {None: None}, source)[None]

    def ask_each(self, table: Table, source: Source | None = None) -> dict[str, ExactAnswer]:
        """The question for each category of the grouping, in the order of its list.

        The rows of a person are drawn once for all of them.

        Raises as :meth:`ask`, and :class:`~compdp_core.statistics.UnlistedCategoryError` where the
        grouping says that rows of other categories are to be refused.
        """
        if self.grouping is None:
            raise ParameterError("grouping", None, "must name a column and its categories")
        groups = self.grouping.read(table)
        found = self._answers(table, {name: each.mask for name, each in groups.items()}, source)
        return {str(name): each for name, each in found.items()}

    def questions(
        self, table: Table, source: Source | None = None
    ) -> dict[str | None, ExactAnswer]:
        """All questions by category; under None the one there is without a grouping."""
        if self.grouping is None:
            return {None: self.ask(table, source)}
        return dict(self.ask_each(table, source).items())

    def spends(
        self, table: Table, epsilon: Amount, ids: Mapping[str | None, str] | None = None
    ) -> tuple[Spend, ...]:
        """What a ledger is charged for answers at ``epsilon`` each: one entry an answer.

        ``ids``: the identifiers of the answers, by category; under None without a grouping.
        """
        categories = (None,) if self.grouping is None else self.grouping.categories
        draw = new_draw() if self.person is not None else ""
        return tuple(
            Spend(
                what=self.plan(table, category).text,
                kind="statistic",
                dataset=table.fingerprint,
                columns=self.columns(table),
                epsilon=epsilon,
                group=None
                if self.grouping is None or category is None
                else self.grouping.group(category, table, draw),
                neighbours=self.neighbours,
                id=None if ids is None else ids[category],
                person=None if self.person is None else replace(self.person, groups=self.groups),
                persons_read_as="" if self.person is None else persons_read_as(table),
            )
            for category in categories
        )

    def _answers(
        self, table: Table, groups: Mapping[str | None, Mask | None], source: Source | None
    ) -> dict[str | None, ExactAnswer]:
        """The answer for the rows of each group; None for all rows."""
        values, missing = self._values(table)
        check_rows(table, self.neighbours)
        rules = self._rules(table, missing)
        if self.person is not None:
            several = [rows for rows in groups.values() if rows is not None]
            rules = [self._bounded(table, self.person, several, rules, source)]
        return {
            name: self._answer(table, name, values, missing, _all(rows, *rules))
            for name, rows in groups.items()
        }

    def _rules(self, table: Table, missing: Mask) -> list[Mask]:
        """Which rows meet each condition, and which are not left out."""
        rules = [each.select(compared(table, each, self.decimal)).mask for each in self.conditions]
        return [*rules, ~missing] if self.missing == "leave out" else rules

    def _bounded(
        self, table: Table, person: Person, groups: Sequence[Mask], rules: Sequence[Mask],
        source: Source | None,
    ) -> Mask:  # fmt: skip
        return bounded(table, person, self.per_person, groups, rules, source)

    def _answer(
        self,
        table: Table,
        category: str | None,
        values: NDArray[np.float64],
        missing: Mask,
        read: Mask | None,
    ) -> ExactAnswer:
        facts = self._facts(table, category)
        if read is not None:
            values, missing = values[read], missing[read]
        if self.person is not None and self.per_person != "rows":
            codes = persons_of(table, self.person.by).codes
            codes = codes if read is None else codes[read]
            values = one_each(values, missing, codes, self.per_person, self.bounds)
        return self.statistic.answered(values, facts)

    def _values(self, table: Table) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
        """Numbers with the middle of the bounds for missing ones, and which are missing."""
        if isinstance(self.statistic, Count):  # reads no value, so any will do
            zeros = np.zeros(table.row_count)
            if self.missing == "fill":
                return zeros, np.zeros(table.row_count, dtype=np.bool_)
            if self.kind == "text":
                label = self._label(table)
                blank = [cell is None for cell in texts(table, label, "column")]
                return zeros, np.array(blank, dtype=np.bool_)
            return zeros, self._numbers(table).missing
        numbers = self._numbers(table)
        middle = 0.0 if self.bounds is None else self.bounds.midpoint
        return np.where(numbers.missing, middle, numbers.values), numbers.missing

    def _numbers(self, table: Table) -> Numbers:
        place = position(table, self.column)
        if self.format is not None:
            return table.values(place, self.format)
        return table.readings(place, self.strip, self.decimal)

    def _label(self, table: Table) -> str:
        return table.columns[position(table, self.column)].label

    def _not_missing(self, table: Table) -> str:
        return f"{self._label(table)} is not missing"


def _all(*masks: Mask | None) -> Mask | None:
    """Rows that are in all of these; None for all rows."""
    given = [mask for mask in masks if mask is not None]
    return reduce(np.logical_and, given) if given else None
