"""The Polars engine: it reads and writes plain files, and what it read is drawn here, once.

Nothing that draws stands in a plan of Polars, which may compute a part of it again: batches come
out of the plan as they were read, are released one after the other, and written at once.
"""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

from compdp_core.engines.blocks import in_order
from compdp_core.engines.plain_csv import PlainText, plain_text
from compdp_core.engines.preparing import PreparedFile
from compdp_core.engines.text_columns import TextColumns
from compdp_core.errors import ParameterError, TableError
from compdp_core.randomness import Source, SystemSource
from compdp_core.release.columns import check_any_kept, choices, kept_rows, release_column
from compdp_core.tables import CellTexts
from compdp_core.tables.number_parsing import Mask

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

Progress = Callable[[float], None]
_ROWS = 1 << 17
"""Of a batch."""


def check_installed() -> None:
    """Raise :class:`ParameterError` where Polars is not installed."""
    try:
        import polars  # noqa: F401
    except ImportError:
        what = "must be own where Polars is missing: pip install 'composite-dp[polars]'"
        raise ParameterError("engine", "polars", what) from None


def release_file(
    prepared: PreparedFile, source: Callable[[], Source] = SystemSource
) -> Callable[[PreparedFile, BinaryIO, Progress], int]:
    """What draws and writes a plain file, as the own engine's ``write_released`` does any.

    Every byte is what the own engine writes. Raises
    :class:`~compdp_core.engines.plain_csv.NotPlainError` for another file, and
    :class:`ParameterError` where Polars is not installed; nothing is drawn by then.
    """
    check_installed()
    release = _BatchRelease(prepared, plain_text(prepared), source)

    def write(prepared: PreparedFile, file: BinaryIO, progress: Progress) -> int:
        return _write(release, file, progress)

    return write


@contextmanager
def quiet() -> Iterator[None]:
    """An error of Polars without what it says: it may quote cells."""
    from polars.exceptions import PanicException, PolarsError

    try:
        yield
    except (PolarsError, PanicException) as error:
        raise TableError(f"Polars could not read the data ({type(error).__name__})") from None


class _BatchRelease:
    """Draws and writes batches of one file, in several threads, each with its own source."""

    def __init__(
        self, prepared: PreparedFile, text: PlainText, source: Callable[[], Source]
    ) -> None:
        self.prepared, self.text = prepared, text
        self._columns = TextColumns(prepared.table)
        self._new_source, self._of_thread = source, threading.local()

    def batches(self) -> Iterator[pl.DataFrame]:
        """The rows of the file, all cells as the texts that they are."""
        import polars as pl

        table = self.prepared.table
        names = [str(column.position) for column in table.columns]
        rows = pl.scan_csv(
            self.prepared.source,
            has_header=False,
            skip_lines=int(table.format.header),
            separator=table.format.separator,
            quote_char=None,
            schema=dict.fromkeys(names, pl.String),
            empty_string_is_null=False,
            truncate_ragged_lines=False,
            glob=False,
        )
        return rows.collect_batches(chunk_size=_ROWS, maintain_order=True)

    def written(self, batch: pl.DataFrame) -> tuple[bytes, int, bool]:
        """The batch as it stands in the released file, how many rows are in it, and whether its
        last row is.
        """
        import polars as pl

        cells, kept = self._drawn(batch)
        names = batch.columns
        made = [pl.Series(names[at], _array(texts)) for at, texts in cells.items()]
        batch = batch.with_columns(made)
        if kept is not None:
            batch = batch.filter(pl.Series(kept))
        stay = [name for at, name in enumerate(names) if at not in self.prepared.gone]
        out = io.BytesIO()
        batch.select(stay).write_csv(
            out,
            include_header=False,
            separator=self.prepared.table.format.separator,
            line_terminator=self.text.line_end,
            quote_style="never",
        )
        return out.getvalue(), batch.height, kept is None or bool(kept[-1])

    def _drawn(self, batch: pl.DataFrame) -> tuple[dict[int, CellTexts], Mask | None]:
        """The new cells of the planned columns, and which rows are written, None for all."""
        plan, source = self.prepared.plan, self._source()
        answers = choices(batch.height, len(plan.columns), plan.answered, source)
        numbers = [
            self._columns.read(column, batch.to_series(column.position)) for column in plan.columns
        ]
        kept = kept_rows(plan, [given.missing for given in numbers], None)
        cells = {}
        for column, given, answered in zip(self.prepared.columns, numbers, answers, strict=True):
            drawn = answered if kept is None else answered & kept
            released = release_column(
                column.plan, column.label, column.mechanism, given, drawn, source, _unheard
            )
            mark = self.prepared.table.format.decimal
            cells[column.plan.position] = released.cells(mark, "utf-8")
        return cells, kept

    def _source(self) -> Source:
        if not hasattr(self._of_thread, "source"):
            self._of_thread.source = self._new_source()
        found: Source = self._of_thread.source
        return found


def _unheard(share: float) -> None:
    """Nobody is told of the progress within a batch."""


def _array(texts: CellTexts) -> pa.Array:
    """Texts as those of Arrow, which lie in memory in the same way."""
    import pyarrow as pa

    bounds = np.zeros(len(texts) + 1, dtype=np.int64)
    bounds[1:] = texts.stops
    buffers = [None, pa.py_buffer(bounds), pa.py_buffer(np.ascontiguousarray(texts.flat))]
    return pa.Array.from_buffers(pa.large_string(), len(texts), buffers)


def _write(release: _BatchRelease, file: BinaryIO, progress: Progress) -> int:
    prepared = release.prepared
    rows, seen, last, ends = 0, 0, b"", True
    file.write(release.text.top)
    with quiet():
        for data, written, whole in in_order(release.batches(), release.written, prepared.workers):
            file.write(last)
            last, ends, rows, seen = data, whole, rows + written, seen + _ROWS
            progress(min(1.0, seen / max(1, prepared.row_count)))
    file.write(last if release.text.ends or not ends else last[: -len(release.text.line_end)])
    prepared.check_unchanged()
    check_any_kept(np.array([rows > 0]))
    return rows
