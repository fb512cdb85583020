"""The plan of a table that is ready to be released, and the mechanism of each of its columns."""

from __future__ import annotations

from dataclasses import dataclass

from compdp_core.adjacency import Person
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.release import ColumnPlan, Plan
from compdp_core.release.released import ColumnMechanism
from compdp_core.validation import of
from pages.sections.shared.setup import ChosenColumn
from pages.session.state import memo


def mechanism_of(column: ChosenColumn, plan: ColumnPlan) -> ColumnMechanism:
    return memo(column.setting("mechanism"), plan, plan.mechanism)


@dataclass(frozen=True)
class PlannedColumn:
    plan: ColumnPlan
    mechanism: ColumnMechanism

    @property
    def composite(self) -> CompositeMechanism:
        """The mechanism of a column that holds no categories."""
        return of("mechanism", self.mechanism, CompositeMechanism, "must be that of numbers")


@dataclass(frozen=True)
class ReadyRelease:
    columns: tuple[ChosenColumn, ...]
    entries: tuple[PlannedColumn, ...]
    at: int
    """Index of the column that is looked at."""
    person: Person | None = None
    answered: int | None = None
    """In how many of the columns each row has a value; None: in all."""

    @property
    def plan(self) -> Plan:
        return Plan(tuple(entry.plan for entry in self.entries), self.person, self.answered)

    @property
    def focus(self) -> ChosenColumn:
        return self.columns[self.at]

    @property
    def mechanism(self) -> ColumnMechanism:
        return self.entries[self.at].mechanism
