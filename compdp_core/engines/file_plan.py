"""From plans by label, settings or their JSON text to a plan of the columns of a file."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from compdp_core.adjacency import Person
from compdp_core.errors import ParameterError, shown
from compdp_core.release.column_plan import ColumnPlan, PlanError
from compdp_core.release.plan import Plan
from compdp_core.report.settings import TableSettings
from compdp_core.report.settings_reading import from_json
from compdp_core.report.statement import Statement
from compdp_core.tables.sources import position
from compdp_core.tables.table import Table
from compdp_core.validation import one_of

Plans = Mapping[Any, ColumnPlan] | TableSettings | str
"""By label or position, or settings, or the JSON text of settings."""


@dataclass(frozen=True)
class FilePlan:
    """What was asked, before the file was looked at."""

    plans: tuple[tuple[Any, Any], ...]
    """Label or position, and plan of each column."""
    answered: int | None = None
    person: Person | None = None
    statements: tuple[Statement, ...] = ()
    reading: Mapping[str, Any] = field(default_factory=dict)
    omitted: tuple[Hashable, ...] = ()
    set_up: bool = False
    """Whether these are settings, which name a decimal mark also where nobody chose one."""

    @classmethod
    def of(cls, plans: Plans | FilePlan) -> FilePlan:
        """Raises :class:`PlanError` for plans of no column, and for settings of which a part makes
        no sense: what they would mean without it is not what was asked.
        """
        given: Any = plans
        if isinstance(given, FilePlan):
            return given
        if isinstance(given, str | bytes):
            opened = from_json(given)
            if opened.notices:
                raise PlanError(f"the settings cannot be used as they are: {opened.notices[0]}")
            given = opened.settings
        if isinstance(given, TableSettings):
            columns = given.plan.columns
            return cls(
                tuple(
                    (label or plan.position, plan if not label else replace(plan, position=-1))
                    for label, plan in zip(given.labels, columns, strict=True)
                ),
                given.plan.answered,
                given.plan.person,
                given.statements,
                given.reading,
                given.omitted,
                set_up=True,
            )
        if not isinstance(given, Mapping) or not given:
            raise PlanError(
                "plans must name at least one column, as in {'bmi': ColumnPlan(...)}, or be the "
                "settings of a table"
            )
        return cls(tuple(given.items()))

    def refuse_persons(self, person: Person | None, per: str) -> None:
        """Raises :class:`ParameterError` where rows are to be counted by person: that takes all of
        them at once.
        """
        one_of("per", per, ("row", "person"))
        if person is not None or self.person is not None:
            raise ParameterError(
                "person",
                person or self.person,
                "must be left out where a file is released a block at a time: the rows of a person "
                "may lie anywhere in it, so read it in memory, as in cdp.privatize(cdp.read_csv("
                "path), plans, person=person)",
            )
        if per == "person":
            raise ParameterError("per", per, "must be row where no person is stated")

    def at(self, head: Table) -> Iterator[tuple[int, ColumnPlan]]:
        """Each plan with the position of its column; :class:`PlanError` where it is none, or names
        another position.
        """
        label: Any
        plan: Any  # by its type it can be nothing else, in a notebook it can
        for label, plan in self.plans:
            if not isinstance(plan, ColumnPlan):
                kind = type(plan)
                raise PlanError(f"the plan of column {label} must be a ColumnPlan, got {kind}")
            place = position(head, label)
            if plan.position not in (place, ColumnPlan.position):
                raise PlanError(
                    f"the plan of column {label} names another position, {shown(plan.position)}"
                )
            yield place, plan

    def placed(self, head: Table, answered: int | None) -> Plan:
        """The plan of the columns, with all that is left to the column taken from the head."""
        placed = tuple(plan.placed(head, place) for place, plan in self.at(head))
        return Plan(placed, None, self.answered if answered is None else answered)

    def chosen_marks(self, head: Table, reading: Mapping[str, Any]) -> set[int]:
        """Positions of the columns whose decimal mark was chosen, by a plan or by ``reading``. Of
        settings, which name a mark in any case, those of which ``reading`` names the same.
        """
        mark = reading.get("decimal")
        if self.set_up:
            return {p for p, plan in self.at(head) if mark and plan.decimal in (mark, None)}
        return {p for p, plan in self.at(head) if mark or plan.decimal}

    def said_of(self, plan: Plan) -> dict[int, Statement]:
        """The owner's words by column position."""
        places = [column.position for column in plan.columns]
        return dict(zip(places, self.statements, strict=False))

    def left_out(self, head: Table, omit: Collection[Hashable]) -> set[int]:
        """Positions of the columns that the file is to be without."""
        if isinstance(omit, str | bytes) or not isinstance(omit, Collection):
            raise ParameterError("omit", omit, "must be a list of labels or positions")
        return {position(head, each) for each in (*self.omitted, *omit)}
