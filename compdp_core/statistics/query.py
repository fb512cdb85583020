"""A statistic asked of a table: all its public settings, and the one step that reads the cells.

What a column is (numbers or text), its decimal mark and its unit are settings, and never looked up
in the cells: so what is read of one row depends on that row alone, and nothing in a cell can make
a question fail. A cell that is no number as declared is missing, whatever else stands in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from compdp_core.accounting import Amount, Spend, exact, new_draw, persons_read_as
from compdp_core.adjacency import Neighbours, PerPerson, Person
from compdp_core.errors import ParameterError
from compdp_core.intervals import Bounds, Interval
from compdp_core.parameters import count
from compdp_core.randomness import Source
from compdp_core.statistics.cells import check_rows, compared, texts
from compdp_core.statistics.conditions import KINDS, AllOf, Condition, Kind
from compdp_core.statistics.grouping import Grouping
from compdp_core.statistics.order import Maximum, Median, Minimum, Mode
from compdp_core.statistics.persons import bounded, one_each
from compdp_core.statistics.question import ExactAnswer, PublicFacts, QueryPlan
from compdp_core.statistics.statistic import Statistic
from compdp_core.statistics.sums import Count, Mean, Sum, Variance
from compdp_core.tables.affix import Affix
from compdp_core.tables.contributions import Mask, persons_of
from compdp_core.tables.sources import check_label, position
from compdp_core.tables.value_formats import ValueFormat
from compdp_core.tables.value_formats.found import bounds_in
from compdp_core.validation import flag, of, one_of, text

if TYPE_CHECKING:
    from compdp_core.tables import Numbers, Table

MissingValues = Literal["fill", "leave out"]
"""What becomes of a missing value: the middle of the bounds takes its place, or its row is not
read, which makes the number of rows that are read private."""


STATISTICS: dict[str, type[Statistic]] = {
    each.name: each for each in (Count, Sum, Mean, Variance, Minimum, Maximum, Median, Mode)
}
"""Every statistic by its name, in the order of menus."""

_MAX_ROWS = count("max_rows", lower=1)
_TYPES: tuple[tuple[str, Any, str], ...] = (
    ("where", Condition | AllOf, "a Condition or AllOf, as in Condition('age', '>', 3)"),
    ("grouping", Grouping, "a Grouping, as in Grouping('class', ('9a', '9b'))"),
    ("person", Person, "a Person, as in Person('patient_id', at_most=3)"),
    ("strip", Affix, "an Affix, as column.affix of a table is"),
)


@dataclass(frozen=True)
class Query:
    """What is asked, of which column, and everything public that was said about it.

    The statistic may be said by its name in :data:`~compdp_core.statistics.STATISTICS`. Other
    columns are named by their labels, which are unique in a table. What stands beside a field is
    for settings: its name in a file, and what they say is done where its value makes no sense.

    >>> Query("mean", "bmi", bounds=(10, 70)).bounds
    Interval(lower=10.0, upper=70.0)

    Raises :class:`~compdp_core.errors.CompdpError` that names the argument.
    """

    statistic: Statistic
    column: int | str = field(metadata={"name": "position", "instead": "nothing can be asked"})
    """Place of the column in the table, from 0, or its label."""
    bounds: Interval | None = field(default=None, metadata={"instead": "none are stated"})
    """Public bounds of its values; a count needs none."""
    neighbours: Neighbours = Neighbours.REPLACE_ONE
    max_rows: int | None = field(default=None, metadata={"instead": "none is stated"})
    """The most rows the table could have; needed where rows are added or removed."""
    where: Condition | AllOf | None = None
    """Which rows are read; None for all."""
    grouping: Grouping | None = field(default=None, metadata={"instead": "no groups are made"})
    """Ask once for each category of a public list; None for one answer."""
    missing: MissingValues = "fill"
    whole_numbers: bool = False
    """The column is publicly known to hold whole numbers."""
    unit: str = ""
    strip: Affix | None = field(default=None, metadata={"instead": "nothing is read past"})
    """A symbol or unit to read past, as the table's profile offers it."""
    kind: Kind = field(default="number", metadata={"name": "column_kind"})
    """What the column is, in the owner's words. Of text only the cells that are not blank can be
    counted; as a number counts what can be read as one, and every other cell is missing."""
    decimal: Literal[".", ","] | None = field(
        default=None, metadata={"instead": "that of the table is used"}
    )
    """Decimal mark of all cells that are read as numbers; that of the table where None."""
    person: Person | None = field(
        default=None,
        metadata={
            "instead": "each row is taken for another person, so say again whose rows are one"
        },
    )
    """Whose rows are one person's; None where each row is another person. Of the rows that are
    read at all, those of ``groups`` groups of a person are, and ``at_most`` of these over all
    groups, both drawn at random."""
    per_person: PerPerson = "rows"
    """What of a person counts: so many rows, or the total or the mean of all rows that are read
    (``at_most`` plays no part then). The bounds are those of what counts: a total is clipped to
    them, a mean is one of rows that are. Rows without a value are skipped. Nothing is read while
    no person is stated, here or to ``answer``."""
    format: ValueFormat | None = field(
        default=None,
        metadata={"name": "value_format", "instead": "the cells are read as numbers"},
    )
    """How dates, times, durations, limits or classes are written in the column. Values are whole
    steps of it then, and so are the bounds, which may be given as texts or as Python's own dates
    and times."""

    if TYPE_CHECKING:  # More is taken than what is kept.

        def __init__(
            self,
            statistic: Statistic | str,
            column: int | str,
            bounds: Bounds | None = None,
            neighbours: Neighbours = Neighbours.REPLACE_ONE,
            max_rows: int | None = None,
            where: Condition | AllOf | None = None,
            grouping: Grouping | None = None,
            missing: MissingValues = "fill",
            whole_numbers: bool = False,
            unit: str = "",
            strip: Affix | None = None,
            kind: Kind = "number",
            decimal: Literal[".", ","] | None = None,
            person: Person | None = None,
            per_person: PerPerson = "rows",
            format: ValueFormat | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "statistic", _named(self.statistic))
        check_label("column", self.column)
        one_of("kind", self.kind, KINDS)
        if self.kind == "text" and not isinstance(self.statistic, Count):
            raise ParameterError(
                "kind", self.kind, f"must be number: a {self.statistic.name} reads numbers"
            )
        one_of("decimal", self.decimal, (".", ",", None))
        self._set_bounds(self.bounds)
        object.__setattr__(self, "neighbours", Neighbours.of(self.neighbours))
        if self.max_rows is not None:
            object.__setattr__(self, "max_rows", int(_MAX_ROWS.check(self.max_rows)))
        object.__setattr__(self, "whole_numbers", flag("whole_numbers", self.whole_numbers))
        text("unit", self.unit)
        for name, kind, example in _TYPES:
            if (value := getattr(self, name)) is not None:
                of(name, value, kind, f"must be {example}, or left out")
        if isinstance(self.where, AllOf) and len(self.where.conditions) == 1:
            object.__setattr__(self, "where", self.where.conditions[0])
        one_of("missing", self.missing, get_args(MissingValues))
        one_of("per_person", self.per_person, get_args(PerPerson))

    def _set_bounds(self, ends: Any) -> None:
        """The bounds, and what a format says of unit and whole numbers."""
        if self.format is not None:
            of("format", self.format, ValueFormat, "must be a ValueFormat, or left out")
            if self.format.kind != "number":
                object.__setattr__(self, "whole_numbers", True)
                object.__setattr__(self, "unit", self.unit or self.format.unit)
                if ends is not None:
                    ends = bounds_in(self.format.kind, ends, self.format)
            if isinstance(self.statistic, Sum) and self.format.kind in ("date", "time", "datetime"):
                what = "must be another one: dates and times of day have no sum"
                raise ParameterError("statistic", "sum", what)
        if ends is not None:
            object.__setattr__(self, "bounds", Interval.checked("bounds", ends))

    def written(self, value: float) -> str:
        """A value or an answer as its column has it; empty where a number says it as well.

        A variance is no date, and neither is a number of rows or a sum.
        """
        if self.format is None or self.format.kind == "number":
            return ""
        if isinstance(self.statistic, Count | Sum | Variance):
            return ""
        return self.format.text(float(round(value)))

    @property
    def conditions(self) -> tuple[Condition, ...]:
        """All conditions that a row has to meet."""
        if self.where is None:
            return ()
        return self.where.conditions if isinstance(self.where, AllOf) else (self.where,)

    @property
    def position(self) -> int:
        """Place of the column, from 0. Raises :class:`ParameterError` where a label names it."""
        if isinstance(self.column, str):
            raise ParameterError("column", self.column, "must be a position, counted from 0")
        return self.column

    @property
    def numeric(self) -> bool:
        """Whether its column must hold numbers: a count reads only which of them are missing."""
        counts = isinstance(self.statistic, Count)
        return self.kind == "number" and self.format is None and not counts

    @property
    def compared(self) -> tuple[str, ...]:
        """Columns whose cells conditions compare as numbers."""
        return tuple(each.column for each in self.conditions if each.kind == "number")

    def columns(self, table: Table) -> tuple[str, ...]:
        """Labels of all columns that are read, each once: what a ledger charges."""
        used = [self._label(table), *(each.column for each in self.conditions)]
        if self.grouping is not None:
            used.append(self.grouping.by)
        if self.person is not None:
            used += self.person.by
        return tuple(dict.fromkeys(used))

    @property
    def groups(self) -> int:
        """In how many groups a row lies, or a person is read at most: no more than rows are."""
        if self.person is None:
            return 1
        most = self.person.groups
        return min(most, self.person.at_most) if self.per_person == "rows" else most

    def cost(self, epsilon: Amount) -> Fraction:
        """What all answers at ``epsilon`` each cost together."""
        if self.grouping is None:
            return exact(epsilon)
        return self.grouping.cost(epsilon, self.neighbours, self.groups)

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


def _named(statistic: object) -> Statistic:
    if isinstance(statistic, Statistic):
        return statistic
    return STATISTICS[one_of("statistic", statistic, STATISTICS)]()
