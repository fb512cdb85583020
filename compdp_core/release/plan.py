"""What is to happen to a table: all that a release is made of but the true values and the noise."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING

from compdp_core.accounting import Spend, persons_read_as
from compdp_core.adjacency import Person
from compdp_core.errors import ParameterError
from compdp_core.release.column_plan import UNPLACED, ColumnPlan, PlanError
from compdp_core.tables.contributions import Persons, persons_of
from compdp_core.validation import of, whole

if TYPE_CHECKING:
    from compdp_core.tables import Table


def column_plans(columns: object) -> tuple[ColumnPlan, ...]:
    """Plans of columns, as a list or tuple; :class:`ParameterError` for anything else."""
    if isinstance(columns, list | tuple) and all(isinstance(c, ColumnPlan) for c in columns):
        return tuple(columns)
    raise ParameterError("columns", columns, "must be a list of ColumnPlan, one for each column")


def row_epsilon(cells: Iterable[Fraction], answered: int | None) -> Fraction:
    """Most that a row spends: the budgets of the cells it has add up (sequential composition).

    ``answered``: how many of the ``cells`` a row has, None for all. Which ones is drawn without a
    look at them, so what is known of it costs nothing, and the dearest choice is what a row may
    spend.

    >>> row_epsilon([Fraction(1), Fraction(3), Fraction(2)], 2)
    Fraction(5, 1)
    """
    return sum(sorted(cells, reverse=True)[:answered], Fraction(0))


@dataclass(frozen=True)
class Plan:
    """What is to happen to a table: one entry for each column that is privatised."""

    columns: tuple[ColumnPlan, ...]
    person: Person | None = field(
        default=None,
        metadata={
            "instead": "each row is taken for another person, so say again whose rows are one"
        },
    )
    """Whose rows are one person's; None where each row is another person."""
    answered: int | None = field(default=None, metadata={"instead": "each row answers all columns"})
    """In how many of the columns each row has a value, in a choice of them that is drawn for the
    row whatever stands in it; its other cells are blank. None: in all of them."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", column_plans(self.columns))
        positions = [column.position for column in self.columns]
        if not positions:
            raise PlanError("the plan names no column: choose at least one")
        if any(position == UNPLACED for position in positions):
            raise PlanError("a plan of a column lacks its position: choose one, counted from 0")
        if len(set(positions)) < len(positions):
            raise PlanError(f"the plan names a column twice: positions {positions}")
        if self.person is not None:
            of("person", self.person, Person, "must be a Person, as in Person('id', at_most=3)")
        if self.answered is not None:
            some = whole("answered", self.answered, 1, len(positions))
            object.__setattr__(self, "answered", some if some < len(positions) else None)
        for each in self.columns:
            if self.answered is not None and each.missing_is_a_name:
                raise PlanError(
                    f"cells of rows that answer other columns are written as {each.missing_as!r}, "
                    "which is the name of a category, too: choose another missing_as"
                )

    @property
    def rows(self) -> int:
        """The most rows of a person that are released."""
        return 1 if self.person is None else self.person.at_most

    @property
    def row_epsilon(self) -> Fraction:
        """Most that a row spends, as :func:`row_epsilon` says it of the budgets of its cells."""
        return row_epsilon((column.epsilon for column in self.columns), self.answered)

    @property
    def epsilon(self) -> Fraction:
        """Most that a person spends: the budgets of their rows add up."""
        return self.rows * self.row_epsilon

    @property
    def share(self) -> Fraction:
        """Of the rows those that are expected to have a value in a column."""
        return Fraction(self.answered or len(self.columns), len(self.columns))

    def persons(self, table: Table) -> Persons | None:
        """Whose each row of a table is; None where each row is another person.

        Raises :class:`PlanError` for a column that names persons and is to be privatised,
        :class:`~compdp_core.errors.ParameterError` for a label that names no column, and
        :class:`~compdp_core.tables.contributions.TooManyRowsError` where rows beyond are refused.
        """
        if self.person is None:
            return None
        for each in self.columns:
            label = table.columns[each.position].label
            if label in self.person.by:
                raise PlanError(
                    f"column {label} says whose a row is and is to be privatised: it is released "
                    "as it came or left out of the file, so take it out of one of the two"
                )
        found = persons_of(table, self.person.by)
        found.check(self.person)
        return found

    def spends(self, table: Table) -> tuple[Spend, ...]:
        """What the ledger is charged: one entry a column, whose values its budget goes to.

        One for all columns where each row has some of them only: then they share a budget.
        Raises what :meth:`persons` does.
        """
        self.persons(table)
        labels = [table.columns[each.position].label for each in self.columns]
        if self.answered is None:
            costs = [
                ([n], self.rows * c.epsilon) for n, c in zip(labels, self.columns, strict=True)
            ]
        else:
            costs = [(labels, self.epsilon)]
        return tuple(
            Spend(
                what="privatized column" if len(names) == 1 else "privatized columns",
                kind="column",
                dataset=table.fingerprint,
                columns=names,
                epsilon=cost,
                person=self.person,
                persons_read_as="" if self.person is None else persons_read_as(table),
            )
            for names, cost in costs
        )
