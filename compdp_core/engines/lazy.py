"""Lazy frames of Polars: released batch by batch into a file.

What draws is no part of the lazy plan. Polars may compute a part of a plan more than once, and
whatever it then hands out is drawn here once and written: there is no noise to be drawn again.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Hashable, Iterator
from typing import TYPE_CHECKING

from compdp_core.accounting import Ledger
from compdp_core.adjacency import Person
from compdp_core.engines.file_head import file_path
from compdp_core.engines.file_plan import FilePlan, Plans
from compdp_core.engines.file_release import FileRelease
from compdp_core.engines.landing import Book, book_of
from compdp_core.engines.polars import quiet
from compdp_core.engines.typed_release import (
    BATCH_ROWS,
    HEAD_ROWS,
    TypedData,
    prepare_typed,
    release_typed,
)
from compdp_core.errors import ParameterError
from compdp_core.randomness import Source
from compdp_core.tables.sources import as_table

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa


def privatize_lazy(
    frame: pl.LazyFrame,
    plans: Plans,
    path: str | os.PathLike[str],
    *,
    person: Person | None = None,
    per: str = "row",
    answered: int | None = None,
    omit: Collection[Hashable] = (),
    ledger: Ledger | Book | None = None,
    source: Source | None = None,
) -> FileRelease:
    """Compute a lazy frame, privatise columns of it and write it to ``path``, once, in this call.

    ``path``: ends with ``.parquet``, ``.arrow``, ``.csv`` or ``.jsonl``; is put in its place at the
    end, whole or not at all; text of a ``.csv`` file that a spreadsheet would run as a formula gets
    an apostrophe in front. Types of columns and what is missing are as in the frame of
    :func:`~compdp_core.privatize`. With a ``ledger`` the frame is computed twice: what it holds has
    to be known before it is charged.

    Raises :class:`~compdp_core.errors.CompdpError`, as
    :func:`~compdp_core.engines.files.privatize_file` does.
    """
    target, book, asked = file_path("path", path), book_of(ledger), FilePlan.of(plans)
    if person is not None or asked.person is not None:
        what = "must be left out where a lazy frame is released: call .collect() on it first"
        raise ParameterError("person", person or asked.person, what)
    asked.refuse_persons(None, per)
    with quiet():
        head, schema = as_table(frame.head(HEAD_ROWS).collect()), _schema(frame)
    data = TypedData(head, schema, lambda: _parts(frame))
    prepared = prepare_typed(data, asked, target, answered=answered, omit=omit)
    return release_typed(prepared, target, book, source=source)


def _schema(frame: pl.LazyFrame) -> pa.Schema:
    """Raises :class:`ParameterError` for columns that no file holds."""
    import polars as pl

    schema = frame.collect_schema()
    for name, dtype in schema.items():
        if dtype in (pl.Object, pl.Int128, pl.UInt128):
            raise ParameterError(f"column {name}", str(dtype), "must be cast first: no file has it")
    return schema.to_frame().to_arrow().schema


def _parts(frame: pl.LazyFrame) -> Iterator[pa.Table]:
    with quiet():
        for part in frame.collect_batches(chunk_size=BATCH_ROWS, maintain_order=True):
            yield part.to_arrow()
