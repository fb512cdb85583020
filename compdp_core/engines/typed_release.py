"""Data whose columns have types, released batch by batch into a file."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from compdp_core.engines.arrow_types import in_format_of_type, is_moment
from compdp_core.engines.batch_content import content_hash
from compdp_core.engines.batch_plan import BatchPlan, certified_columns
from compdp_core.engines.batches import released_batch
from compdp_core.engines.file_plan import FilePlan
from compdp_core.engines.file_release import FileRelease
from compdp_core.engines.landing import Book, landed
from compdp_core.engines.typed_files import writer_of
from compdp_core.errors import TableError
from compdp_core.randomness import Source, SystemSource, checked
from compdp_core.release.columns import check_any_kept
from compdp_core.release.released import Released
from compdp_core.tables import Table
from compdp_core.tables.arrow_notes import notes_without

if TYPE_CHECKING:
    import pyarrow as pa

HEAD_ROWS = 1000
"""As many as show columns, units and formats."""
BATCH_ROWS = 1 << 16


@dataclass(frozen=True)
class TypedData:
    """What can be gone through from its first row to its last, more than once."""

    head: Table
    """The first rows."""
    schema: pa.Schema
    parts: Callable[[], Iterable[pa.Table]]
    """All rows, in parts of any length; may be asked twice."""
    rows: int | None = None
    """How many there are, where that is known."""
    check: Callable[[], None] = lambda: None
    """Refuses data that was changed since."""

    def batches(self) -> Iterator[pa.RecordBatch]:
        """The rows, so many at a time however they come."""
        import pyarrow as pa

        held, count = list[pa.Table](), 0
        for part in self.parts():
            held.append(part)
            count += part.num_rows
            if count < BATCH_ROWS:
                continue
            table, whole = pa.concat_tables(held), count - count % BATCH_ROWS
            yield from _cut(table.slice(0, whole))
            held, count = [table.slice(whole)], count - whole
        if count:
            yield from _cut(pa.concat_tables(held))

    @property
    def fingerprint(self) -> str:
        """Of all cells, in their order."""
        found = b""
        for batch in self.batches():
            found = content_hash(batch, found)
        return found.hex()


def _cut(table: pa.Table) -> Iterator[pa.RecordBatch]:
    for start in range(0, table.num_rows, BATCH_ROWS):
        yield from table.slice(start, BATCH_ROWS).combine_chunks().to_batches()


def release_typed(
    data: TypedData,
    asked: FilePlan,
    target: Path,
    book: Book | None,
    *,
    answered: int | None,
    omit: Collection[Hashable],
    source: Source | None = None,
    progress: Callable[[float], None] = lambda share: None,
) -> FileRelease:
    """Charge the ledger, draw each batch once, write it, and put the file in its place.

    With a ledger the data is gone through twice: what it holds has to be known before it is
    charged. Raises what :func:`~compdp_core.engines.landing.landed` does, and what is refused.
    """
    drawing = SystemSource() if source is None else checked(source)
    head, schema = data.head, data.schema
    typed = {
        label: in_format_of_type(plan, label, schema.types[place])
        if is_moment(plan, schema.types[place])
        else plan
        for (label, _), (place, plan) in zip(asked.plans, asked.at(head), strict=True)
    }
    plan = replace(asked, plans=tuple(typed.items())).placed(head, answered)
    columns = certified_columns(plan, [head.columns[c.position].label for c in plan.columns])
    told = uuid.uuid4().hex, datetime.now(UTC).replace(microsecond=0)
    gone = Released(head, plan, columns, *told).omitted(asked.left_out(head, omit))
    sent = BatchPlan.of(plan, columns, schema, gone)
    touched = {schema.names[at] for at in (*gone, *(each.position for each in plan.columns))}
    written = sent.schema(schema).with_metadata(notes_without(schema.metadata, touched))
    released = [schema.names[column.position] for column in plan.columns]
    open_writer = writer_of(target, written, released)
    if book is not None:
        head = replace(head, fingerprint=data.fingerprint)

    def write(file: BinaryIO) -> int:
        add, rows, seen, found = open_writer(file), 0, 0, b""
        for batch in data.batches():
            if book is not None:
                found = content_hash(batch, found)
            made = released_batch(batch, sent, lambda what: drawing)
            add(made)
            rows, seen = rows + made.num_rows, seen + batch.num_rows
            progress(1.0 if data.rows is None else min(1.0, seen / max(1, data.rows)))
        add(None)
        if book is not None and found.hex() != head.fingerprint:
            raise TableError(
                "The data was computed twice and was not the same: other rows, or another order. "
                "Collect it first, or sort it by a column that tells all rows apart."
            )
        check_any_kept(np.array([rows > 0]))
        return rows

    rows, finished = landed(target, book, plan.spends(head), write, data.check)
    return FileRelease(
        head,
        plan,
        columns,
        *told,
        path=target,
        rows=rows,
        engine="polars",
        keyed=False,
        ledger=finished,
        gone=gone,
        statements=asked.said_of(plan),
    )
