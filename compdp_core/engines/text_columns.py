"""Columns of texts that another reader cut, read as the own reader reads those cells."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from compdp_core.release.column_plan import ColumnPlan
from compdp_core.tables import Numbers, Table, read
from compdp_core.tables.classify import classify
from compdp_core.tables.index import trimmed
from compdp_core.tables.number_parsing import LARGEST_WHOLE, NUMBER, PAD
from compdp_core.tables.parts import Layout

if TYPE_CHECKING:
    import polars as pl


class TextColumns:
    """Reads columns of one file by their plans."""

    def __init__(self, head: Table) -> None:
        form = head.format
        # Behind another cell, so that no line is blank.
        self._before = "0" + form.separator
        table = read(
            (self._before + "0\n").encode(),
            encoding="utf-8",
            separator=form.separator,
            decimal=form.decimal,
            quote="",
            header=False,
            skip_lines=0,
            columns=2,
            missing=form.missing,
            comment_rows="row",
        )
        self._layout, self._reading = Layout(table), head.reading

    def read(self, plan: ColumnPlan, cells: pl.Series) -> Numbers:
        """The values of a column, and which are missing, as those of the whole table."""
        if plan.reads_numbers:
            return self._numbers(plan, cells)
        text = "".join(f"{self._before}{cell}\n" for cell in cells.to_list()).encode()
        table = self._layout.part(text, first=False)[0]
        return replace(plan, position=1).read(table)

    def _numbers(self, plan: ColumnPlan, cells: pl.Series) -> Numbers:
        import pyarrow as pa

        column = cells.to_arrow().cast(pa.large_string())
        _, places, data = column.buffers()
        bounds = np.frombuffer(places, np.int64, len(column) + 1, 8 * column.offset)
        text = b"" if data is None else memoryview(data)[int(bounds[0]) : int(bounds[-1])]
        block = np.frombuffer(bytes(PAD) + bytes(text) + bytes(PAD), dtype=np.uint8)
        bounds = (bounds - bounds[0] + PAD).astype(np.intp)
        starts, stops = trimmed(block, bounds[:-1], bounds[1:])
        reading = self._reading.with_decimal(plan.decimal or self._reading.decimal)
        numerals, kinds, _ = classify(block, starts, stops, reading, plan.strip, exact=True)
        fits = kinds == NUMBER
        fits &= ~(numerals.integer & (np.abs(numerals.value) > LARGEST_WHOLE))
        values = np.where(fits, numerals.value, np.nan)
        return Numbers(values, ~fits)
