"""A Parquet file that the Polars engine releases batch by batch."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from compdp_core.accounting import Ledger, Spend
from compdp_core.commands.card_file import CardFile
from compdp_core.commands.given import RunLedger, check_columns
from compdp_core.commands.settled_columns import left_out, positions, wanted
from compdp_core.commands.table_runs import Progress
from compdp_core.engines import polars
from compdp_core.engines.file_head import source_path
from compdp_core.engines.file_plan import FilePlan
from compdp_core.engines.files import landed
from compdp_core.engines.parquet_files import is_parquet, parquet_data
from compdp_core.engines.typed_release import PreparedTyped, prepare_typed
from compdp_core.errors import ParameterError
from compdp_core.randomness import SystemSource
from compdp_core.release.released import Released
from compdp_core.report.settings import TableSettings
from compdp_core.report.table_card import card_of_table


def is_typed(source: Path, engine: str) -> bool:
    """Whether the engine releases the file by the types of its columns."""
    return engine == "polars" and is_parquet(source_path(source))


@dataclass(frozen=True)
class TypedRun:
    """Batch by batch, in flat memory."""

    prepared: PreparedTyped

    @classmethod
    def of(
        cls,
        source: Path,
        target: Path,
        settings: TableSettings,
        omit: Collection[str],
        processes: int | None,
        *,
        guard_formulas: bool = True,
    ) -> TypedRun:
        """Refuses what can be refused, the kind of file included."""
        polars.check_installed()
        if processes is not None:
            what = "must be left out for a Parquet file, which is gone through in one"
            raise ParameterError("--processes", processes, what)
        asked = FilePlan.of(settings)
        asked.refuse_persons(None, "row")
        data = parquet_data(source)
        check_columns(data.head, wanted(settings))
        plans = tuple(zip(positions(settings), settings.plan.columns, strict=True))
        placed = FilePlan(plans, asked.answered, None, asked.statements)
        gone = left_out(data.head, settings, omit)
        return cls(prepare_typed(data, placed, target, omit=gone, guard_formulas=guard_formulas))

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
        self, target: Path, book: RunLedger | None, progress: Progress, card: CardFile
    ) -> tuple[int, Ledger | None]:
        made, rows = self.prepared, list[int]()

        def write(file: BinaryIO) -> int:
            rows.append(made.write(file, SystemSource(), progress, charged=book is not None))
            return rows[0]

        def check() -> None:
            made.data.check()
            written = made.written(target, rows[0])
            card.write(card_of_table(written, made.statements, omit=made.gone))

        spends = () if book is None else self.spends
        return landed(target, book, spends, write, check, card.land, replace=card.replaces)
