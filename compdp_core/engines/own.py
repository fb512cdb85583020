"""The own engine: a file released block by block, by as many processes as there are cores."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

import numpy as np

from compdp_core.engines.block_release import BlockRelease
from compdp_core.engines.blocks import TextBlock, again, in_order
from compdp_core.engines.preparing import PreparedFile
from compdp_core.engines.text_stream import TextStream
from compdp_core.engines.workers import Workers
from compdp_core.randomness import Source, SystemSource
from compdp_core.release.columns import check_any_kept

WORTH_A_PROCESS = 1 << 26
"""Bytes of a text from which on it pays to start processes; of fewer, threads do the work."""


def write_released(
    prepared: PreparedFile,
    file: BinaryIO,
    progress: Callable[[float], None],
    source: Callable[[], Source] = SystemSource,
) -> int:
    """Draw the whole file once and write it; how many rows were written.

    Raises :class:`~compdp_core.errors.CompdpError` where the file was changed since it was looked
    at, or no row is left, and :class:`OSError` of reading and writing.
    """
    rows, done = 0, 0
    lengths = prepared.structure.lengths
    with (
        _released(prepared, source) as release,
        TextStream(prepared.source, prepared.layout.head.decoded) as stream,
    ):
        items = again(stream, lengths)
        for data, written in in_order(items, release, prepared.workers):
            file.write(data)
            rows, done = rows + written, done + 1
            progress(done / len(lengths))
    prepared.check_unchanged()
    check_any_kept(np.array([rows > 0]))
    return rows


@contextmanager
def _released(
    prepared: PreparedFile, source: Callable[[], Source]
) -> Iterator[Callable[[TextBlock], tuple[bytes, int]]]:
    """What releases a block, in the thread that calls or in a process of it."""
    large = sum(prepared.structure.lengths) >= WORTH_A_PROCESS
    work = None
    if large and prepared.workers > 1 and source is SystemSource:
        work = prepared.told
    if work is None:
        yield BlockRelease(prepared, source).written
    else:
        with Workers(prepared, work) as workers:
            yield workers.written
