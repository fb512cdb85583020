"""What is asked of a table, all of it public: no cell is read here."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal, get_args

from compdp_core.accounting import Amount, exact
from compdp_core.adjacency import Neighbours, PerPerson, Person
from compdp_core.errors import ParameterError
from compdp_core.intervals import Interval
from compdp_core.parameters import count
from compdp_core.statistics.conditions import KINDS, AllOf, Condition, Kind
from compdp_core.statistics.grouping import Grouping
from compdp_core.statistics.order import Maximum, Median, Minimum, Mode
from compdp_core.statistics.statistic import Statistic
from compdp_core.statistics.sums import Count, Mean, Sum, Variance
from compdp_core.tables.affix import Affix
from compdp_core.tables.sources import check_label
from compdp_core.tables.value_formats import ValueFormat
from compdp_core.tables.value_formats.base import UnwritableError
from compdp_core.tables.value_formats.found import bounds_in
from compdp_core.text import plain
from compdp_core.validation import flag, of, one_of, text

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
class QuerySettings:
    """The public settings of a :class:`~compdp_core.Query`.

    What stands beside a field is for settings: its name in a file, and what they say is done where
    its value makes no sense.
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
            bounds: Any = None,
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
            if self.per_person == "total" and self.format.kind in ("date", "time", "datetime"):
                what = "must be rows or mean: dates and times of day have no total"
                if not isinstance(self.statistic, Count):
                    raise ParameterError("per_person", "total", what)
        if ends is not None:
            object.__setattr__(self, "bounds", Interval.checked("bounds", ends))

    def written(self, value: float) -> str:
        """A value or an answer as its column has it; empty where a number says it as well.

        A variance is no date, and neither is a number of rows or a sum. What lies beyond all that
        the format can write, as an answer may, is so many steps.
        """
        if self.format is None or self.format.kind == "number":
            return ""
        if isinstance(self.statistic, Count | Sum | Variance):
            return ""
        try:
            return self.format.text(float(round(value)))
        except UnwritableError:
            return f"{plain(round(value))} {self.format.unit}"

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


def _named(statistic: object) -> Statistic:
    if isinstance(statistic, Statistic):
        return statistic
    return STATISTICS[one_of("statistic", statistic, STATISTICS)]()
