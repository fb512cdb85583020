"""Lazy frames of Polars and Parquet files: released batch by batch into a file.

What draws is no part of the lazy plan. Polars may compute a part of a plan more than once, and
whatever it then hands out is drawn here once and written: there is no noise to be drawn again.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Collection, Hashable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from compdp_core.accounting import Ledger
from compdp_core.adjacency import Person
from compdp_core.engines.batch_content import content_hash
from compdp_core.engines.batch_plan import BatchPlan, certified_columns
from compdp_core.engines.batches import released_batch
from compdp_core.engines.file_head import file_path
from compdp_core.engines.file_plan import FilePlan, Plans
from compdp_core.engines.file_release import FileRelease
from compdp_core.engines.files import Book, book_of, landed
from compdp_core.engines.polars import quiet
from compdp_core.engines.typed_files import writer_of
from compdp_core.errors import ParameterError
from compdp_core.randomness import Source, SystemSource, checked
from compdp_core.release.columns import check_any_kept
from compdp_core.release.released import Released
from compdp_core.tables.sources import as_table

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

_HEAD_ROWS = 1000
_ROWS = 1 << 16
"""Of a batch."""


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
    end, whole or not at all. Types of columns and what is missing are as in the frame of
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
    drawing = SystemSource() if source is None else checked(source)
    with quiet():
        head = as_table(frame.head(_HEAD_ROWS).collect())
        schema = _schema(frame)
    plan = asked.placed(head, answered)
    columns = certified_columns(plan, [head.columns[c.position].label for c in plan.columns])
    made = uuid.uuid4().hex, datetime.now(UTC).replace(microsecond=0)
    gone = Released(head, plan, columns, *made).omitted(asked.left_out(head, omit))
    sent = BatchPlan.of(plan, columns, schema, gone)
    open_writer = writer_of(target, sent.schema(schema), [c.label for c in columns])
    if book is not None:
        head = replace(head, fingerprint=_fingerprint(frame))

    def write(file: BinaryIO) -> int:
        add, rows = open_writer(file), 0
        for batch in _batches(frame):
            released = released_batch(batch, sent, lambda what: drawing)
            add(released)
            rows += released.num_rows
        add(None)
        check_any_kept(np.array([rows > 0]))
        return rows

    rows, finished = landed(target, book, plan.spends(head), write)
    return FileRelease(
        head,
        plan,
        columns,
        *made,
        path=target,
        rows=rows,
        engine="polars",
        keyed=False,
        ledger=finished,
        gone=gone,
        statements=asked.said_of(plan),
    )


def _schema(frame: pl.LazyFrame) -> pa.Schema:
    """Raises :class:`ParameterError` for columns that no file holds."""
    import polars as pl

    schema = frame.collect_schema()
    for name, dtype in schema.items():
        if dtype in (pl.Object, pl.Int128, pl.UInt128):
            raise ParameterError(f"column {name}", str(dtype), "must be cast first: no file has it")
    return schema.to_frame().to_arrow().schema


def _batches(frame: pl.LazyFrame) -> Iterator[pa.RecordBatch]:
    """The rows of the frame, so many at a time however Polars hands them out."""
    import pyarrow as pa

    held: list[Any] = []
    count = 0
    with quiet():
        for part in frame.collect_batches(chunk_size=_ROWS, maintain_order=True):
            held.append(part.to_arrow())
            count += part.height
            if count < _ROWS:
                continue
            table = pa.concat_tables(held)
            whole = count - count % _ROWS
            yield from _cut(table.slice(0, whole))
            held, count = [table.slice(whole)], count - whole
    if count:
        yield from _cut(pa.concat_tables(held))


def _cut(table: pa.Table) -> Iterator[pa.RecordBatch]:
    for start in range(0, table.num_rows, _ROWS):
        yield from table.slice(start, _ROWS).combine_chunks().to_batches()


def _fingerprint(frame: pl.LazyFrame) -> str:
    """Of what the frame holds, in this order."""
    found = b""
    for batch in _batches(frame):
        found = content_hash(batch, found)
    return found.hex()
