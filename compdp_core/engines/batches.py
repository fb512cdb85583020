"""Releases batch by batch, for engines that hand out Arrow batches and may do so more than once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from compdp_core.engines.arrow_reading import numbers_of
from compdp_core.engines.arrow_writing import released_array
from compdp_core.engines.batch_content import content_hash
from compdp_core.engines.batch_plan import BatchPlan
from compdp_core.randomness import KeyedSource, Source
from compdp_core.release import CertifiedColumn
from compdp_core.release.columns import choices
from compdp_core.tables import Numbers
from compdp_core.tables.number_parsing import Floats, Mask

if TYPE_CHECKING:
    import pyarrow as pa

SourceOf = Callable[[str], Source]
"""The source of what is drawn for a name: the choice of answers, or a column."""


def released_batch(batch: pa.RecordBatch, plan: BatchPlan, source_of: SourceOf) -> pa.RecordBatch:
    """A batch with its planned columns released, drawn once from these sources.

    Which columns each row answers is drawn before a cell is read. Rows of a column whose missing
    values are dropped are left out.
    """
    import pyarrow as pa

    whole, schema = plan.plan, plan.schema(batch.schema)
    answers = choices(batch.num_rows, len(whole.columns), whole.answered, source_of("answers"))
    read = [numbers_of(each.plan, batch.column(each.plan.position)) for each in plan.columns]
    kept = np.ones(batch.num_rows, dtype=np.bool_)
    for column, numbers in zip(plan.columns, read, strict=True):
        if column.plan.missing == "drop":
            kept &= ~numbers.missing
    cells = dict(enumerate(batch.columns))
    stays = [place for place in range(batch.num_columns) if place not in plan.gone]
    kinds = dict(zip(stays, schema.types, strict=True))
    for column, numbers, answered in zip(plan.columns, read, answers, strict=True):
        place = column.plan.position
        values = drawn(column, numbers, answered & kept, source_of(f"column {place}"))
        cells[place] = released_array(column, values, kinds[place])
    released = pa.RecordBatch.from_arrays([cells[place] for place in stays], schema=schema)
    return released if kept.all() else released.filter(pa.array(kept))


def drawn(column: CertifiedColumn, given: Numbers, asked: Mask, source: Source) -> Floats:
    """Released values in the rows that are ``asked`` for, NaN in the others.

    A missing value is drawn from the middle of the bounds, or, of categories, from all of them,
    unless the plan keeps or drops it.
    """
    plan = column.plan
    if plan.missing != "fill":
        asked = asked & ~given.missing
    true = given.values[asked]
    if not plan.is_category:
        true = np.where(np.isnan(true), plan.inputs.midpoint, true)
    values = np.full(given.values.shape, np.nan)
    values[asked] = column.mechanism.draw(true, source)
    return values


class KeyedBatches:
    """Batches of one part of a release, one after the other, with noise that can be found again.

    The noise of a batch is a keyed function of the column's position, of the ``place`` of the part
    and of the number of the batch in it, and of all cells of all columns of the batches up to it.
    So the same part computed again, in whatever process, gives the same bytes; where one cell is
    another one, the noise from its batch on is another one, too, and independent; and equal
    batches in two places get independent noise.

    ``key``: of :func:`~compdp_core.randomness.new_key`, one for each release. ``place``: what tells
    the part from all others of the release, such as the number of a partition.

    >>> import pyarrow as pa
    >>> from compdp_core.engines.batch_plan import BatchPlan, certified_columns
    >>> from compdp_core.release import ColumnPlan, Plan
    >>> from compdp_core.randomness import new_key
    >>> plan = Plan((ColumnPlan(0, inputs=(10, 70), epsilon=1),))
    >>> batch = pa.record_batch({"bmi": [21.5, 24.0], "name": ["Ada", "Ben"]})
    >>> sent, key = BatchPlan.of(plan, certified_columns(plan, ["bmi"]), batch.schema), new_key()
    >>> first, again = (KeyedBatches(sent, key, "partition 0") for _ in range(2))
    >>> first.release(batch) == again.release(batch)
    True
    >>> first.release(batch) == KeyedBatches(sent, key, "partition 0").release(batch)
    False
    """

    def __init__(self, plan: BatchPlan, key: bytes, place: str) -> None:
        self._plan, self._key, self._place = plan, key, place
        self._content, self._number = b"", 0

    def release(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The next batch, released."""
        self._content = content_hash(batch, self._content)
        place, content = f"{self._place}, batch {self._number}".encode(), self._content
        self._number += 1

        def source_of(what: str) -> Source:
            return KeyedSource(self._key, what.encode(), place, content)

        return released_batch(batch, self._plan, source_of)
