"""The columns that settings are about, and those that are left out of a file."""

from __future__ import annotations

from collections.abc import Collection

from compdp_core.commands.given import GivenError, column_named
from compdp_core.engines.file_plan import FilePlan
from compdp_core.report.settings import TableSettings
from compdp_core.report.statement import Statement
from compdp_core.tables import Table
from compdp_core.tables.errors import some


def wanted(settings: TableSettings) -> list[tuple[int, str]]:
    """Places and names of the columns that settings are about."""
    return list(zip(positions(settings), settings.labels, strict=True))


def positions(settings: TableSettings) -> list[int]:
    """Their places."""
    return [plan.position for plan in settings.plan.columns]


def left_out(table: Table, settings: TableSettings, omit: Collection[str]) -> list[int]:
    """Positions of the columns that settings and command leave out of the file."""
    found = {column_named(table, each) for each in (*settings.omitted, *omit)}
    planned = set(positions(settings))
    for place in sorted(found & planned):
        free = [each.label for each in table.columns if each.position not in planned]
        raise GivenError(
            f"{table.columns[place].label!r} (#{place + 1}) is privatised and cannot be left out; "
            f"--omit takes {some(free, 20) or 'no column of this file'}"
        )
    return sorted(found)


def said(settings: TableSettings) -> dict[int, Statement]:
    """The owner's words by column position."""
    return dict(zip(positions(settings), settings.statements, strict=True))


def file_plan(settings: TableSettings) -> FilePlan:
    """What is asked of a file, by positions: labels may repeat."""
    plan, words = settings.plan, settings.statements
    plans = tuple(zip(positions(settings), plan.columns, strict=True))
    return FilePlan(plans, plan.answered, plan.person, words, settings.reading, set_up=True)
