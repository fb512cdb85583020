"""Text of typed columns that a spreadsheet would run as a formula, once it stands in a CSV file."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from compdp_core.engines.arrow_types import is_text
from compdp_core.tables import Table
from compdp_core.tables.escaping import GUARD, STARTS, guard_of

if TYPE_CHECKING:
    import pyarrow as pa

_BEGINS = f"^[{re.escape(STARTS.decode())}]"


class FormulaGuard:
    """Guards batches as the writer of CSV tables guards theirs: text of untouched columns, and
    names.

    ``head``: the first rows, which show what numbers of a column carry, as ``-5 %`` does.
    ``stays``: the positions of the columns that are written. ``released``: of those that are new.
    """

    def __init__(self, head: Table, stays: Sequence[int], released: Collection[int]) -> None:
        self._guard, self._stays, self._released = guard_of(head), stays, released

    def names(self, schema: pa.Schema) -> list[str]:
        """The names of the columns."""
        risky = self._guard.of_texts([name.encode() for name in schema.names])
        return [
            GUARD.decode() + name if at else name
            for name, at in zip(schema.names, risky.tolist(), strict=True)
        ]

    def batch(self, batch: pa.RecordBatch, names: list[str]) -> pa.RecordBatch:
        """The batch with its text guarded, under these names."""
        import pyarrow as pa

        cells = [
            column if place in self._released else self._column(column, place)
            for place, column in zip(self._stays, batch.columns, strict=True)
        ]
        return pa.RecordBatch.from_arrays(cells, names)

    def _column(self, column: pa.Array, place: int) -> pa.Array:
        import pyarrow as pa
        from pyarrow import compute, types

        if not is_text(column.type) or types.is_null(column.type):
            return column
        if types.is_dictionary(column.type):
            column = column.dictionary_decode()
        column = column.cast(pa.large_string())
        begins = compute.match_substring_regex(column, _BEGINS).fill_null(False)
        at = np.flatnonzero(begins.to_numpy(zero_copy_only=False))
        if not len(at):
            return column
        found = column.take(pa.array(at)).dictionary_encode()
        texts = [text.encode() for text in found.dictionary.to_pylist()]
        risky = self._guard.of_texts(texts, place)[found.indices.to_numpy()]
        mask = np.zeros(len(column), dtype=np.bool_)
        mask[at[risky]] = True
        apostrophe = pa.scalar(GUARD.decode(), pa.large_string())
        empty = pa.scalar("", pa.large_string())
        guarded = compute.binary_join_element_wise(apostrophe, column, empty)
        return compute.if_else(pa.array(mask), guarded, column)
