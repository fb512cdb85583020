"""The first pass over a file: whether every row is laid out as in the head, before any is drawn."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from compdp_core.engines.blocks import BlockError, TextBlock, blocks, in_order
from compdp_core.engines.late_marks import LateMarks, OpenMarks
from compdp_core.engines.text_stream import TextStream
from compdp_core.errors import TableError
from compdp_core.tables.errors import EncodingError, UnclosedQuoteError
from compdp_core.tables.parts import Layout, RowTally
from compdp_core.tables.tokens import physical_line

_PIECE = 1 << 20


@dataclass(frozen=True)
class Structure:
    """What a file is made of, beyond its head."""

    counts: RowTally
    lengths: Sequence[int]
    """Bytes of each block of the text."""
    fingerprint: str
    """BLAKE2b-256 of the (unpacked) bytes, as hexadecimal digits."""


def structure(
    source: Path,
    marks: OpenMarks,
    size: int,
    workers: int,
    report: Callable[[int], None],
) -> Structure:
    """Look at every block, ``report`` how many bytes of the file were read. ``marks``: what of the
    head every block is held to, and the columns whose decimal mark it leaves open.

    Raises a TableError for what the head does not allow, with lines and rows of the file.
    """
    layout = marks.layout
    counts, late, lengths = RowTally(), LateMarks(), array("q")

    def checked(block: TextBlock) -> tuple[int, RowTally, LateMarks]:
        try:
            return len(block.content), *look_at(block, marks)
        except (EncodingError, UnclosedQuoteError) as error:
            raise BlockError(error, block.at) from None

    try:
        with TextStream(source, layout.head.decoded, hashed=True) as stream:
            items = blocks(stream, layout, size)
            for length, found, other in in_order(items, checked, workers):
                lengths.append(length)
                late = late.then(other, counts.rows)
                counts = counts.then(found)
                report(stream.taken)
            fingerprint = stream.fingerprint
    except BlockError as found:
        raise _in_file(found, source, layout) from None
    layout.check(counts)
    marks.check(late)
    return Structure(counts, lengths, fingerprint)


def look_at(block: TextBlock, marks: OpenMarks) -> tuple[RowTally, LateMarks]:
    """What a block says of its rows, and of the decimal mark of columns. Raises a TableError with a
    line of the block.
    """
    layout = marks.layout
    content, decoded = block.content, layout.head.decoded
    if b"\0" in content:
        line = physical_line(content, content.index(b"\0"))
        raise EncodingError(decoded.encoding, line, "it holds a zero byte")
    if not (content.isascii() or decoded.transcoded or decoded.damaged):
        try:
            content.decode(decoded.codec)
        except UnicodeDecodeError as error:
            line = physical_line(content, error.start)
            raise EncodingError(decoded.encoding, line, error.reason) from None
    plain = None if block.first else layout.plain_rows(content)
    if plain is not None:
        late = marks.within(content, plain=True, table=lambda: layout.part(content, first=False)[0])
        return RowTally(plain, plain), late
    table, counts = layout.part(content, first=block.first)
    return counts, marks.within(content, plain=False, table=lambda: table)


def _in_file(found: BlockError, source: Path, layout: Layout) -> TableError:
    """The same refusal with the line of the file."""
    error, ended = found.error, 0
    with TextStream(source, layout.head.decoded) as stream:
        while stream.at < found.at:
            piece = stream.read(min(_PIECE, found.at - stream.at))
            # CR LF is one line end, also where a piece ends between the two.
            ended += piece.count(b"\n") + piece.count(b"\r") - piece.count(b"\r\n")
            split = piece.endswith(b"\r") and stream.at < found.at
            ended -= split and stream.peek(1) == b"\n"
    if isinstance(error, EncodingError):
        return EncodingError(error.encoding, ended + error.line, error.problem)
    if isinstance(error, UnclosedQuoteError):
        return UnclosedQuoteError(ended + error.line, error.quote)
    return error
