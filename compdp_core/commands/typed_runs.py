"""A Parquet file that the Polars engine releases batch by batch."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from compdp_core.commands.given import check_columns
from compdp_core.commands.settled_columns import file_plan, left_out, wanted
from compdp_core.commands.table_runs import FileRun
from compdp_core.engines import polars
from compdp_core.engines.file_head import source_path
from compdp_core.engines.parquet_files import is_parquet, parquet_data
from compdp_core.engines.typed_release import prepare_typed
from compdp_core.errors import ParameterError
from compdp_core.randomness import SystemSource
from compdp_core.report.settings import TableSettings


def is_typed(source: Path, engine: str) -> bool:
    """Whether the engine releases the file by the types of its columns."""
    return engine == "polars" and is_parquet(source_path(source))


def typed_run(
    source: Path,
    target: Path,
    settings: TableSettings,
    omit: Collection[str],
    processes: int | None,
    *,
    guard_formulas: bool = True,
) -> FileRun:
    """Refuses what can be refused, the kind of file included."""
    polars.check_installed()
    if processes is not None:
        what = "must be left out for a Parquet file, which is gone through in one"
        raise ParameterError("--processes", processes, what)
    plan = file_plan(settings)
    plan.refuse_persons(None, "row")
    data = parquet_data(source)
    check_columns(data.head, wanted(settings))
    gone = left_out(data.head, settings, omit)
    prepared = prepare_typed(data, plan, target, omit=gone, guard_formulas=guard_formulas)
    return FileRun(
        prepared,
        lambda file, progress, charged: prepared.write(
            file, SystemSource(), progress, charged=charged
        ),
        "polars",
    )
