"""The two ways of a release from file to file: block by block, or all of it in memory."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from compdp_core.accounting import Ledger, Spend
from compdp_core.commands.card_file import CardFile
from compdp_core.commands.given import GivenError, RunLedger, check_columns, in_memory_size
from compdp_core.commands.settled_columns import file_plan, left_out, said, wanted
from compdp_core.commands.target_kind import IN_MEMORY
from compdp_core.engines import polars
from compdp_core.engines.file_head import read_head
from compdp_core.engines.file_plan import FilePlan
from compdp_core.engines.files import landed
from compdp_core.engines.late_marks import LateMarkError
from compdp_core.engines.own import write_released
from compdp_core.engines.plain_csv import NotPlainError
from compdp_core.engines.prepared_release import PreparedRelease
from compdp_core.engines.preparing import PreparedFile, prepare
from compdp_core.errors import ParameterError
from compdp_core.release import columns
from compdp_core.release.columns import TableRelease, certified
from compdp_core.release.released import CertifiedColumn, Released
from compdp_core.report.settings import TableSettings
from compdp_core.report.table_card import card_of_table
from compdp_core.tables import Table, read
from compdp_core.tables.containers.typed import FileColumn
from compdp_core.tables.containers.writing import FileKind
from compdp_core.tables.errors import NotTextError
from compdp_core.tables.typed_file import typed_file

Progress = Callable[[float], None]
Draw = Callable[[BinaryIO, Progress, bool], int]
"""What draws and writes a file part by part, with a ledger charged or without; the rows that it
wrote."""


class TableRun(Protocol):
    """A release that is decided on, certified, and not drawn."""

    @property
    def planned(self) -> Released:
        """What will be released, and by what."""
        ...

    @property
    def gone(self) -> Collection[int]:
        """Positions of the columns that are left out."""
        ...

    @property
    def spends(self) -> tuple[Spend, ...]:
        """What a ledger is charged."""
        ...

    def release(
        self, target: Path, book: RunLedger | None, progress: Progress, card: CardFile
    ) -> tuple[int, Ledger | None]:
        """Charge, draw and write, once; the rows written, and the ledger."""
        ...


def planned_run(
    source: Path,
    settings: TableSettings,
    kind: FileKind,
    omit: Collection[str],
    processes: int | None,
    progress: Progress,
    engine: str = "own",
    *,
    guard_formulas: bool = True,
    decimal: str | None = None,
) -> TableRun:
    """Look at the file and refuse what can be refused.

    A CSV file whose rows are a person each is released block by block, whatever its size; every
    other one in memory.
    """
    if settings.plan.person is None and kind not in IN_MEMORY:
        try:
            marked: dict[str, Any] = {} if decimal is None else {"decimal": decimal}
            head = read_head(source, {**settings.reading, **marked})
        except NotTextError:
            pass
        else:
            check_columns(head, wanted(settings))
            places = left_out(head, settings, omit)
            prepared = _prepared(
                source,
                file_plan(settings),
                reading=marked,
                processes=processes,
                omit=places,
                guard_formulas=guard_formulas,
                progress=progress,
            )
            return FileRun(prepared, _drawing(prepared, engine), engine)
    if engine != "own":
        what = "must be left out: persons, and files that are no CSV, are released in memory"
        raise ParameterError("--engine", engine, what)
    in_memory_size(source)
    options = {"name": source.name, **settings.reading}
    options |= {} if decimal is None else {"decimal": decimal}
    table = read(source.read_bytes(), **options)
    check_columns(table, wanted(settings))
    return MemoryRun.of(table, settings, kind, left_out(table, settings, omit), guard_formulas)


def _prepared(source: Path, plan: FilePlan, **asked: Any) -> PreparedFile:
    try:
        return prepare(source, plan, **asked)
    except LateMarkError as error:
        raise GivenError(
            f"column {error.label}: the first rows show no decimal mark, and further down, first "
            f"in row {error.row:,}, are numbers with another one than the settings say. Make the "
            "settings with that mark, or say --decimal with the mark of the settings: then these "
            "cells count as missing"
        ) from None


def _drawing(prepared: PreparedFile, engine: str) -> Draw:
    if engine == "own":
        return lambda file, progress, charged: write_released(prepared, file, progress)
    try:
        draw = polars.release_file(prepared)
    except NotPlainError as error:
        where = "" if error.line is None else f" (line {error.line:,})"
        raise GivenError(
            f"the file is not plain enough for Polars: {error.reason}{where}. Leave --engine out, "
            "and every byte of it is kept"
        ) from None
    return lambda file, progress, charged: draw(prepared, file, progress)


@dataclass(frozen=True)
class FileRun:
    """Part by part, in flat memory."""

    planned: PreparedRelease
    draw: Draw
    engine: str

    @property
    def gone(self) -> Collection[int]:
        return self.planned.gone

    @property
    def spends(self) -> tuple[Spend, ...]:
        return self.planned.spends

    def release(
        self, target: Path, book: RunLedger | None, progress: Progress, card: CardFile
    ) -> tuple[int, Ledger | None]:
        rows = list[int]()

        def write(file: BinaryIO) -> int:
            rows.append(self.draw(file, progress, book is not None))
            return rows[0]

        def check() -> None:
            self.planned.check_unchanged()
            card.write(self.planned.written(target, rows[0], self.engine).made_card)

        # What a ledger is charged may have to be found out by another look at all of the data.
        spends = () if book is None else self.spends
        return landed(target, book, spends, write, check, card.land, replace=card.replaces)


class PlannedTable(Released):
    """A table in memory and what is to happen to it."""

    @property
    def row_count(self) -> int:
        """Data rows of the table; fewer are written where some are left out."""
        return self.table.row_count


@dataclass(frozen=True)
class MemoryRun:
    """All of a file in memory, as persons and files that are no CSV need it."""

    planned: PlannedTable
    settings: TableSettings
    kind: FileKind
    gone: frozenset[int]
    spends: tuple[Spend, ...]
    guard_formulas: bool

    @classmethod
    def of(
        cls,
        table: Table,
        settings: TableSettings,
        kind: FileKind,
        omit: Collection[int],
        guard_formulas: bool,
    ) -> MemoryRun:
        """Refuses what can be refused, the kind of file included."""
        plan = settings.plan
        made = tuple(
            CertifiedColumn(each, table.columns[each.position].label, mechanism)
            for each, mechanism in zip(plan.columns, certified(table, plan), strict=True)
        )
        now = datetime.now(UTC).replace(microsecond=0)
        planned = PlannedTable(table, plan, made, uuid.uuid4().hex, now)
        gone = planned.omitted(omit)
        _rehearse(planned, kind, gone)
        return cls(planned, settings, kind, gone, plan.spends(table), guard_formulas)

    def release(
        self, target: Path, book: RunLedger | None, progress: Progress, card: CardFile
    ) -> tuple[int, Ledger | None]:
        drawn = list[TableRelease]()

        def write(file: BinaryIO) -> int:
            table, plan = self.planned.table, self.planned.plan
            drawn.append(columns.release(table, plan, progress=progress))
            guard = self.guard_formulas
            file.write(drawn[0].file(self.kind, guard_formulas=guard, omit=self.gone))
            return drawn[0].row_count

        def check() -> None:
            card.write(card_of_table(drawn[0], said(self.settings), omit=self.gone))

        return landed(target, book, self.spends, write, check, card.land, replace=card.replaces)


def _rehearse(planned: PlannedTable, kind: FileKind, gone: frozenset[int]) -> None:
    """What a kind of file cannot hold is found before anything is charged."""
    if kind not in IN_MEMORY or kind == "zip":
        return
    table = planned.table
    empty = {
        column.plan.position: FileColumn(column.label, "float", [None] * table.row_count)
        for column in planned.columns
    }
    typed_file(kind, table, empty, None, gone)
