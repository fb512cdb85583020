"""Where the cells of a text are: separators, line ends and quotes found with array operations.

The rules are those of RFC 4180 with the usual leniency (and those of Python's ``csv`` module):
a quote opens a cell only as its first character, a doubled quote inside stands for one, and what
follows the closing quote up to the separator belongs to the cell.

Quotes come in runs. Before a run the reader is outside or inside a quoted cell, and the run acts
on that state in one of three ways: an even run changes nothing; an odd run at the start of a cell
(behind a separator or line end) toggles; any other odd run leaves the reader outside. So the state
behind each run is the parity of the toggles since the last reset, and the state of each byte is
the cumulative xor of the changes: no loop over cells.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from compdp_core.tables.number_parsing import Bytes, Mask, Places

Edges = npt.NDArray[np.uint32]

LF, CR = 10, 13
_BLOCK = 1 << 18


@dataclass(frozen=True, eq=False)
class Tokens:
    """Cells and records (lines, unless a quoted cell holds line ends) of a text."""

    edges: Edges
    """Cell k is the bytes from edges[k] to edges[k+1] - 1; the byte there ends it. A last line
    without line end is closed by an imaginary one. Where CR LF ends a line, CR is still inside."""
    records: Edges
    """Record i holds the cells records[i] to records[i+1] - 1."""
    embedded: Edges
    """Line ends inside quoted cells (positions of their last byte)."""
    quoted: bool
    """There are quotes at all."""
    returns: bool
    """There are CR at all."""
    open_quote: int | None
    """Position of a quote that opens a cell and is never closed."""


def tokenize(content: bytes, origin: int, separator: str, quote: str, escape: str = "") -> Tokens:
    r"""Find the cells of ``content[origin:]``; ``quote`` may be "" (quotes are ordinary then).

    What stands behind an ``escape`` ends no cell and opens or closes none.

    >>> found = tokenize(b'a,"b,c"\n1,2\n', 0, ",", '"')
    >>> found.edges.tolist(), found.records.tolist()
    ([0, 2, 8, 10, 12], [0, 2, 4])
    """
    data = np.frombuffer(content, dtype=np.uint8)
    if escape and escape.encode() in content:
        data = _without_escaped(data, ord(escape))
    size = len(data)
    parts, line_ends, returns, quotes = _count(data, origin, separator, quote)
    edges = np.empty(parts + line_ends + 2, dtype=np.uint32)
    records = np.empty(line_ends + 2, dtype=np.uint32)
    edges[0], records[0] = origin, 0
    cells, lines = 0, 0
    embedded = []
    state = _Quotes(data, origin, ord(separator), ord(quote)) if quotes else None
    start = origin
    while start < size:
        stop = min(start + _BLOCK, size) if state is None else state.block_end(start)
        chunk = data[start:stop]
        newline = _line_ends(data, start, stop, returns)
        broken = (chunk == ord(separator)) | newline
        if state is not None:
            inside = state.inside(start, stop)
            if inside is not None:
                embedded.append(np.flatnonzero(newline & inside) + start)
                broken &= ~inside
        at = np.flatnonzero(broken)
        edges[cells + 1 : cells + 1 + len(at)] = at + (start + 1)
        ended = np.flatnonzero(newline[at]) + (cells + 1)
        records[lines + 1 : lines + 1 + len(ended)] = ended
        cells += len(at)
        lines += len(ended)
        start = stop
    if int(edges[cells]) < size or int(records[lines]) < cells:
        cells += 1
        lines += 1
        edges[cells], records[lines] = size + 1, cells
    return Tokens(
        edges[: cells + 1],
        records[: lines + 1],
        np.concatenate(embedded).astype(np.uint32) if embedded else np.zeros(0, np.uint32),
        quotes,
        returns,
        state.opened if state is not None and state.carry else None,
    )


def _count(data: Bytes, origin: int, separator: str, quote: str) -> tuple[int, int, bool, bool]:
    """Upper limits for the arrays, so that they are made once: cells, lines, any CR, any quote."""
    parts = line_ends = returns = quotes = 0
    for start in range(origin, len(data), _BLOCK):
        chunk = data[start : start + _BLOCK]
        parts += int(np.count_nonzero(chunk == ord(separator)))
        line_ends += int(np.count_nonzero(_line_ends(data, start, start + len(chunk), True)))
        returns += int(np.count_nonzero(chunk == CR))
        if quote and not quotes:
            quotes = int(np.count_nonzero(chunk == ord(quote)))
    return parts, line_ends, returns > 0, quotes > 0


def _without_escaped(data: Bytes, escape: int) -> Bytes:
    """A copy with an ordinary letter in place of each escaped mark, so that none is seen there.

    Of several escapes in a row every second one is escaped itself.
    """
    at = np.flatnonzero(data == escape)
    heads = np.concatenate([[0], np.flatnonzero(np.diff(at) != 1) + 1])
    lengths = np.diff(np.append(heads, len(at)))
    behind = (at[heads] + lengths)[(lengths & 1) == 1]
    behind = behind[behind < len(data)]
    feeds = behind[data[behind] == CR] + 1
    feeds = feeds[feeds < len(data)]
    plain = data.copy()
    plain[behind] = ord("x")
    plain[feeds[data[feeds] == LF]] = ord("x")
    return plain


def _line_ends(data: Bytes, start: int, stop: int, returns: bool) -> Mask:
    """The last byte of each LF, CR LF or CR."""
    chunk = data[start:stop]
    newline: Mask = chunk == LF
    if returns:
        alone = chunk == CR
        alone[:-1] &= chunk[1:] != LF
        if stop < len(data) and data[stop] == LF:
            alone[-1] = False
        newline |= alone
    return newline


class _Quotes:
    """Walks the blocks of a text and tells which bytes lie inside quoted cells."""

    def __init__(self, data: Bytes, origin: int, separator: int, quote: int) -> None:
        self.data = data
        self.origin = origin
        self.quote = quote
        self.carry = 0
        self.opened: int | None = None
        self.starts_cell = np.zeros(256, dtype=np.bool_)
        self.starts_cell[[separator, LF, CR]] = True

    def block_end(self, start: int) -> int:
        """About a block further, never between two quotes of one run."""
        stop = min(start + _BLOCK, len(self.data))
        while stop < len(self.data) and self.data[stop - 1] == self.quote == self.data[stop]:
            more = self.data[stop : stop + _BLOCK] != self.quote
            stop += int(np.argmax(more)) if more.any() else len(more)
        return stop

    def inside(self, start: int, stop: int) -> Mask | None:
        """Which bytes of the block are quoted text; None if none is."""
        chunk = self.data[start:stop]
        at = np.flatnonzero(chunk == self.quote)
        if not len(at):
            return np.ones(len(chunk), dtype=np.bool_) if self.carry else None
        heads = np.concatenate([[0], np.flatnonzero(np.diff(at) != 1) + 1])
        runs = at[heads]
        odd = (np.diff(np.append(heads, len(at))) & 1) == 1
        place = runs + start
        first = self.starts_cell[self.data[np.maximum(place - 1, 0)]] | (place == self.origin)
        after = self._states(odd & first, odd & ~first)
        before = np.concatenate([[self.carry], after[:-1]]).astype(np.uint8)
        opening = np.flatnonzero(after & ~before)
        if len(opening):
            self.opened = int(place[opening[-1]])
        changes = np.zeros(len(chunk), dtype=np.uint8)
        changes[runs] = after ^ before
        changes[0] ^= self.carry
        self.carry = int(after[-1])
        inside: Mask = np.bitwise_xor.accumulate(changes).view(np.bool_)
        return inside

    def _states(self, toggles: Mask, resets: Mask) -> Bytes:
        """State behind each run: parity of the toggles since the last reset."""
        parity = np.cumsum(toggles) + self.carry
        last: Places = np.maximum.accumulate(np.where(resets, np.arange(len(resets)), -1))
        base = np.where(last >= 0, parity[last], 0)
        return ((parity - base) & 1).astype(np.uint8)


def physical_line(content: bytes, position: int) -> int:
    r"""The line, counted from 1, that holds the byte at ``position``.

    >>> physical_line(b"a\r\nb\nc", 5)
    3
    """
    ends = content.count(b"\n", 0, position) + content.count(b"\r", 0, position)
    return 1 + ends - content.count(b"\r\n", 0, position)
