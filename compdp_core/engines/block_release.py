"""Blocks of a file, each released by the reader and the writer of tables."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from compdp_core.engines.blocks import TextBlock
from compdp_core.engines.preparing import PreparedFile
from compdp_core.randomness import Source, SystemSource
from compdp_core.release.columns import choices, kept_rows, release_column
from compdp_core.release.plan import Plan
from compdp_core.release.released import CertifiedColumn
from compdp_core.tables import CellTexts, Table, write
from compdp_core.tables.decoding import Decoded
from compdp_core.tables.drop_columns import are_cut_alone, cut
from compdp_core.tables.number_parsing import Mask
from compdp_core.tables.parts import Layout


@dataclass(frozen=True, eq=False)
class BlockWork:
    """Of a prepared file what it takes to release its blocks."""

    layout: Layout
    plan: Plan
    columns: tuple[CertifiedColumn, ...]
    gone: frozenset[int]
    guard_formulas: bool


class BlockRelease:
    """Draws and writes blocks of one file, in several threads at once.

    Each thread has a source of its own, and no block is drawn twice.
    """

    def __init__(
        self, work: BlockWork | PreparedFile, source: Callable[[], Source] = SystemSource
    ) -> None:
        self.work = work
        self._new_source, self._of_thread = source, threading.local()

    def written(self, block: TextBlock) -> tuple[bytes, int]:
        """The block as it stands in the released file, and how many rows are in it."""
        layout, work = self.work.layout, self.work
        table = layout.part(block.content, first=block.first)[0]
        cells, kept = self._drawn(table) if table.row_count else ({}, None)
        gone = np.array(sorted(work.gone), dtype=np.intp)
        at_once = are_cut_alone(table, gone)
        found = write(
            table,
            cells,
            rows=kept,
            guard_formulas=work.guard_formulas,
            part=not block.first,
            omit=work.gone if at_once else (),
        )
        if at_once:
            return found.data, found.rows
        # What a row is without some of its cells depends on what is now in the others.
        again = layout.part(_text(table.decoded, found.data), first=block.first)[0]
        return cut(again, work.gone, part=not block.first), found.rows

    def _drawn(self, table: Table) -> tuple[dict[int, CellTexts], Mask | None]:
        """The new cells of the planned columns, and which rows are written, None for all."""
        plan, source = self.work.plan, self._source()
        answers = choices(table.row_count, len(plan.columns), plan.answered, source)
        numbers = [column.read(table) for column in plan.columns]
        kept = kept_rows(plan, [given.missing for given in numbers], None)
        cells = {}
        columns = zip(self.work.columns, numbers, answers, strict=True)
        for column, given, answered in columns:
            drawn = answered if kept is None else answered & kept
            released = release_column(
                column.plan, column.label, column.mechanism, given, drawn, source, _unheard
            )
            mark, codec = table.format.decimal, table.reading.codec
            cells[column.plan.position] = released.cells(mark, codec)
        return cells, kept

    def _source(self) -> Source:
        if not hasattr(self._of_thread, "source"):
            self._of_thread.source = self._new_source()
        found: Source = self._of_thread.source
        return found


def _unheard(share: float) -> None:
    """Nobody is told of the progress within a block."""


def _text(decoded: Decoded, data: bytes) -> bytes:
    """Bytes of the file as the text that is worked on."""
    if not decoded.transcoded:
        return data
    return data[len(decoded.bom) :].decode(decoded.encoding).encode("utf-8")
