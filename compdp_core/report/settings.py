"""Settings as a file: a plan or an inquiry as JSON, and never anything of the data."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from compdp_core.accounting import exact_text
from compdp_core.release import ColumnPlan, Plan, Released
from compdp_core.report.fields import as_data, fields_as_data
from compdp_core.report.statement import Statement
from compdp_core.statistics.query import Query
from compdp_core.tables import Table

FORMAT = "composite-dp settings"
VERSION = 1


@dataclass(frozen=True)
class TableSettings:
    """A plan, with the labels of its columns and the owner's words about them, in its order."""

    plan: Plan
    labels: tuple[str, ...] = ()
    """Names by which the columns were known; empty where they are not."""
    statements: tuple[Statement, ...] = ()
    reading: Mapping[str, Any] = field(default_factory=dict)
    """Keyword arguments of :func:`~compdp_core.tables.read`, as ``Format.options`` has them; empty
    where it is not known how the table is read."""
    omitted: tuple[str, ...] = ()
    """Labels of the columns that the released file is without."""

    @classmethod
    def of(
        cls,
        release: Released,
        statements: Mapping[int, Statement] | None = None,
        omit: Collection[int] = (),
    ) -> TableSettings:
        """Those of a release; ``statements`` are the owner's words by column position, ``omit`` the
        columns that the released file is without.
        """
        return cls.planned(release.table, release.plan, statements, release.omitted(omit))

    @classmethod
    def planned(
        cls,
        table: Table,
        plan: Plan,
        statements: Mapping[int, Statement] | None = None,
        omit: Collection[int] = (),
    ) -> TableSettings:
        """Those of a plan for this table before anything is released: of the table only names and
        layout are read.
        """
        said = statements or {}
        return cls(
            replace(plan, columns=tuple(_declared(table, column) for column in plan.columns)),
            tuple(table.columns[column.position].label for column in plan.columns),
            tuple(said.get(column.position, Statement()) for column in plan.columns),
            table.format.options,
            tuple(table.columns[position].label for position in sorted(omit)),
        )

    def __post_init__(self) -> None:
        object.__setattr__(self, "reading", dict(self.reading))
        count = len(self.plan.columns)
        for name, filling in (("labels", ""), ("statements", Statement())):
            given = tuple(getattr(self, name))[:count]
            object.__setattr__(self, name, given + (filling,) * (count - len(given)))


@dataclass(frozen=True)
class StatisticSettings:
    """An inquiry, its budget and shape."""

    inquiry: Query
    epsilon: Fraction
    """Of the answer, or of the answer for each group."""
    pair: str | None = field(default=None, metadata={"instead": "the best pair is used instead"})
    steps: int | None = field(default=None, metadata={"instead": "the best number is used instead"})
    label: str = ""
    """Name by which the column was known."""
    source: str = ""
    """Where the bounds come from, in the owner's words."""


Settings = TableSettings | StatisticSettings


def to_json(settings: Settings) -> str:
    """JSON text that :func:`~compdp_core.report.settings_reading.from_json` reads back."""
    document = _table(settings) if isinstance(settings, TableSettings) else _statistic(settings)
    said = {"format": FORMAT, "version": VERSION, **document}
    return json.dumps(said, indent=2, ensure_ascii=True, allow_nan=False) + "\n"


def _declared(table: Table, plan: ColumnPlan) -> ColumnPlan:
    """The plan with the symbol or unit that the table itself reads past."""
    if plan.strip is not None:
        return plan
    return replace(plan, strip=table.columns[plan.position].stripped)


def _table(settings: TableSettings) -> dict[str, Any]:
    rows = zip(settings.plan.columns, settings.labels, settings.statements, strict=True)
    return {
        "kind": "table",
        "epsilon": exact_text(settings.plan.epsilon),
        **fields_as_data(settings.plan, ("columns",)),
        "reading": {name: as_data(value) for name, value in settings.reading.items()},
        "columns": [
            {"label": label, **fields_as_data(statement), **fields_as_data(plan)}
            for plan, label, statement in rows
        ],
        "omitted": list(settings.omitted),
    }


def _statistic(settings: StatisticSettings) -> dict[str, Any]:
    asked = settings.inquiry
    return {
        "kind": "statistic",
        "statistic": {"name": asked.statistic.name, **fields_as_data(asked.statistic)},
        **fields_as_data(settings, ("inquiry",)),
        **fields_as_data(asked, ("statistic", "where", "column")),
        "position": asked.position,
        "where": as_data(asked.conditions),
    }
