"""The two ways of a release from file to file: block by block, or all of it in memory."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from compdp_core.accounting import Ledger, Spend
from compdp_core.commands.given import RunLedger, check_columns, column_named, in_memory_size
from compdp_core.engines.file_head import read_head
from compdp_core.engines.files import BrokenRunError, StoppedRunError, release_prepared
from compdp_core.engines.preparing import PreparedFile, prepare
from compdp_core.errors import CompdpError, ParameterError
from compdp_core.release import columns
from compdp_core.release.columns import certified
from compdp_core.release.released import CertifiedColumn, Released
from compdp_core.report.card import Card
from compdp_core.report.settings import TableSettings
from compdp_core.report.table_card import card_of_table
from compdp_core.tables import Table, read
from compdp_core.tables.containers.writing import FileKind
from compdp_core.tables.errors import NotTextError
from compdp_core.tables.file_replacement import FileReplacement
from compdp_core.tables.typed_file import typed_file

Progress = Callable[[float], None]
WriteCard = Callable[[Card], None]

_ENDINGS: dict[str, FileKind] = {
    ".csv": "csv", ".tsv": "csv", ".txt": "csv", ".xlsx": "xlsx", ".ods": "ods", ".zip": "zip",
    ".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow", ".jsonl": "jsonl",
    ".ndjson": "jsonl", ".json": "json", ".dta": "dta", ".sav": "sav",
}  # fmt: skip
_IN_MEMORY = ("xlsx", "ods", "zip", "parquet", "arrow", "jsonl", "json", "dta", "sav")


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
        self, target: Path, book: RunLedger, progress: Progress, card: WriteCard
    ) -> tuple[int, Ledger | None]:
        """Charge, draw and write, once; the rows written, and the ledger."""
        ...


def kind_of(target: Path) -> FileKind:
    """The kind of file that a name asks for.

    >>> kind_of(Path("out.csv")), kind_of(Path("out.PARQUET")), kind_of(Path("out.data"))
    ('csv', 'parquet', 'same')
    """
    if target.suffix.lower() == ".gz":
        what = "must not end with .gz: the file is written unpacked, so pack it afterwards"
        raise ParameterError("the target", target.name, what)
    return _ENDINGS.get(target.suffix.lower(), "same")


def planned_run(
    source: Path,
    settings: TableSettings,
    kind: FileKind,
    omit: Collection[str],
    processes: int | None,
    progress: Progress,
) -> TableRun:
    """Look at the file and refuse what can be refused.

    A CSV file whose rows are a person each is released block by block, whatever its size; every
    other one in memory.
    """
    if settings.plan.person is None and kind not in _IN_MEMORY:
        try:
            head = read_head(source, settings.reading)
        except NotTextError:
            pass
        else:
            check_columns(head, _wanted(settings))
            places = left_out(head, settings, omit)
            prepared = prepare(
                source,
                dict(zip(_positions(settings), settings.plan.columns, strict=True)),
                reading=settings.reading,
                processes=processes,
                answered=settings.plan.answered,
                omit=places,
                progress=progress,
            )
            return BlockRun(prepared, settings)
    in_memory_size(source)
    options = {"name": source.name, **settings.reading}
    table = read(source.read_bytes(), **options)
    check_columns(table, _wanted(settings))
    return MemoryRun.of(table, settings, kind, left_out(table, settings, omit))


def _wanted(settings: TableSettings) -> list[tuple[int, str]]:
    return list(zip(_positions(settings), settings.labels, strict=True))


def _positions(settings: TableSettings) -> list[int]:
    return [plan.position for plan in settings.plan.columns]


def left_out(table: Table, settings: TableSettings, omit: Collection[str]) -> list[int]:
    """Positions of the columns that settings and command leave out of the file."""
    found = {column_named(table, each) for each in (*settings.omitted, *omit)}
    return sorted(found)


@dataclass(frozen=True)
class BlockRun:
    """Block by block, in flat memory."""

    prepared: PreparedFile
    settings: TableSettings

    @property
    def planned(self) -> Released:
        return self.prepared

    @property
    def gone(self) -> Collection[int]:
        return self.prepared.gone

    @property
    def spends(self) -> tuple[Spend, ...]:
        return self.prepared.spends

    def release(
        self, target: Path, book: RunLedger, progress: Progress, card: WriteCard
    ) -> tuple[int, Ledger | None]:
        said = dict(zip(_positions(self.settings), self.settings.statements, strict=True))
        made = release_prepared(
            self.prepared,
            target,
            book,
            progress,
            lambda drawn: card(card_of_table(drawn, said, omit=drawn.gone)),
        )
        return made.rows, made.ledger


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

    @classmethod
    def of(
        cls, table: Table, settings: TableSettings, kind: FileKind, omit: Collection[int]
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
        return cls(planned, settings, kind, gone, plan.spends(table))

    def release(
        self, target: Path, book: RunLedger, progress: Progress, card: WriteCard
    ) -> tuple[int, Ledger | None]:
        said = dict(zip(_positions(self.settings), self.settings.statements, strict=True))
        with _beside(target) as new:
            charged = book.charge(*self.spends)
            try:
                drawn = columns.release(self.planned.table, self.planned.plan, progress=progress)
                new.file.write(drawn.file(self.kind, omit=self.gone))
                new.settle()
                card(card_of_table(drawn, said, omit=self.gone))
                new.land()
            except KeyboardInterrupt:
                raise StoppedRunError(charged) from None
            except (CompdpError, OSError, MemoryError) as error:
                raise BrokenRunError(target, _reason(error), charged) from error
        return drawn.row_count, book.finish(*(each.id for each in self.spends))


def _rehearse(planned: PlannedTable, kind: FileKind, gone: frozenset[int]) -> None:
    """What a kind of file cannot hold is found before anything is charged."""
    rest = gone | {column.plan.position for column in planned.columns}
    if kind in _IN_MEMORY and kind != "zip" and len(rest) < len(planned.table.columns):
        typed_file(kind, planned.table, {}, None, frozenset(rest))


def _beside(target: Path) -> FileReplacement:
    try:
        return FileReplacement(target)
    except OSError as error:
        what = f"must lie in a folder that is there and can be written in ({_reason(error)})"
        raise ParameterError("the target", str(target), what) from None


def _reason(error: BaseException) -> str:
    said = error.strerror if isinstance(error, OSError) else None
    return said or str(error) or type(error).__name__
