"""The text of a file in blocks that end with a record, however long the file is."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

from compdp_core.engines.text_stream import TextStream
from compdp_core.errors import CompdpError, TableError
from compdp_core.tables.dialect import Format
from compdp_core.tables.errors import UnclosedQuoteError
from compdp_core.tables.parts import Layout
from compdp_core.tables.tokens import physical_line, tokenize

BLOCK_BYTES = 1 << 20
"""As many as fit what a processor keeps at hand: larger blocks are slower."""
LONGEST_RECORD = 1 << 26
"""Bytes of a row. A quote that is never closed would take the whole file into memory else."""

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True)
class TextBlock:
    """Whole records of the text, one block behind the other."""

    content: bytes
    at: int
    """Where it begins in the text."""

    @property
    def first(self) -> bool:
        """Whether it begins with the top of the file."""
        return self.at == 0


class BlockError(CompdpError):
    """A refusal with a line of the block that begins ``at`` this place in the text."""

    def __init__(self, error: TableError, at: int) -> None:
        self.error = error
        self.at = at
        super().__init__(str(error))


def blocks(stream: TextStream, layout: Layout, size: int) -> Iterator[TextBlock]:
    """The rest of the stream, about ``size`` bytes at a time, more where a record is longer.

    The first block holds the names and a row below them. Raises a TableError for a record that is
    far longer than any, as a :class:`BlockError`.
    """
    held, at, wanted = b"", 0, size
    while True:
        more = stream.read(max(1, wanted - len(held)))
        content, last = held + more, len(held) + len(more) < wanted
        if not content:
            return
        stop = len(content) if last else _end(content, layout, first=at == 0)
        if not stop:
            if len(content) > LONGEST_RECORD:
                raise BlockError(_too_long(content, layout.head.format), at)
            held, wanted = content, 2 * max(size, len(content))
            continue
        yield TextBlock(content[:stop], at)
        held, at, wanted = content[stop:], at + stop, max(size, len(content) - stop + 1)


def again(stream: TextStream, lengths: Iterable[int]) -> Iterator[TextBlock]:
    """The same blocks once more, by their lengths."""
    at = 0
    for length in lengths:
        content = stream.read(length)
        yield TextBlock(content, at)
        at += len(content)


def _end(content: bytes, layout: Layout, *, first: bool) -> int:
    """Where the last record ends that is whole; 0 where none does, or no row is there yet."""
    start = layout.top_of(content) if first else 0
    stop = record_end(content, start, layout.head.format)
    if first and stop and not layout.part(content[:stop], first=True)[0].row_count:
        return 0
    return stop


def record_end(content: bytes, start: int, form: Format) -> int:
    """Behind the last record of ``content[start:]`` that surely ends; 0 where none does.

    What follows is not known: CR at the end may be half of a line end.
    """
    known = content.removesuffix(b"\r")
    if start >= len(known):
        return 0
    marks = (form.quote, form.escape)
    if any(mark and mark.encode() in content for mark in marks):
        tokens = tokenize(known, start, form.separator, form.quote, form.escape)
        stop = int(tokens.edges[-1])
        if stop > len(known):  # by an imaginary line end, or within quotes
            stop = int(tokens.edges[tokens.records[-2]])
    else:
        stop = max(known.rfind(b"\n"), known.rfind(b"\r")) + 1
    return stop if stop > start else 0


def _too_long(content: bytes, form: Format) -> TableError:
    tokens = tokenize(content, 0, form.separator, form.quote, form.escape)
    if tokens.open_quote is not None:
        return UnclosedQuoteError(physical_line(content, tokens.open_quote), form.quote)
    return TableError(
        f"A row is longer than {LONGEST_RECORD / 2**20:.0f} MiB. Check that the lines of the file "
        "end with line ends."
    )


def in_order(
    items: Iterable[Item], work: Callable[[Item], Result], workers: int
) -> Iterator[Result]:
    """The results in the order of the items, worked out by some threads, few items ahead."""
    if workers == 1:
        yield from map(work, items)
        return
    waiting: deque[Future[Result]] = deque()
    pool = ThreadPoolExecutor(workers)
    try:
        for item in items:
            waiting.append(pool.submit(work, item))
            if len(waiting) > workers + 1:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
