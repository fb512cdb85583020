"""Rows and columns as places in the text: which record is a row, where each of its cells lies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from compdp_core.tables.number_parsing import PAD, Bytes, Places
from compdp_core.tables.tokens import CR, LF, Edges, Tokens

BLANK_BYTES = b" \t\x0b\x0c\x1a"
_SPACE = np.zeros(256, dtype=np.bool_)
_SPACE[[32, 9]] = True
_MOST_STEPS = 32
STEP = 1 << 17


@dataclass(frozen=True, eq=False)
class Index:
    """Cells of consecutive rows. Rows and columns count from 0 here.

    ``firsts`` and ``widths`` are None while row i has the ``width`` cells from ``offset + i*width``
    on; then a table costs four bytes a cell. Rows of other widths, and blank lines in between,
    need the two arrays.
    """

    content: bytes = field(repr=False)
    tokens: Tokens = field(repr=False)
    quote: int
    """Code of the quote character, -1 where quotes are ordinary characters."""
    row_count: int
    width: int
    """Cells of every row, or of most rows."""
    offset: int
    firsts: Edges | None
    widths: Edges | None
    left_out: Places = field(default_factory=lambda: np.zeros(0, dtype=np.intp))
    """Rows of the file, counted from 0, that are no rows of the table: totals, notes."""
    holes: tuple[Places, Places] = field(
        default_factory=lambda: (np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp))
    )
    """Where the text of those rows starts and stops, line end included."""
    escape: int = -1
    """Code of the mark that makes the next one ordinary, -1 where there is none."""

    def without(self, rows: Places, *, erased: bool = True) -> Index:
        """Without these rows, which are in order and each once; ``erased``: nor their text."""
        starts, stops = self.extents(rows if erased else rows[:0])
        numbers = np.array([self.number(row) - 1 for row in rows.tolist()], dtype=np.intp)
        every = np.sort(np.concatenate([self.left_out, numbers]))
        holes = tuple(
            np.sort(np.concatenate([old, new]))
            for old, new in zip(self.holes, (starts, stops), strict=True)
        )
        if not len(rows) or (self.firsts is None and int(rows[0]) == self.row_count - len(rows)):
            firsts, widths = self.firsts, self.widths
        else:
            firsts = np.delete(self.first_cells(0, self.row_count).astype(np.uint32), rows)
            widths = np.delete(self.cell_counts(0, self.row_count).astype(np.uint32), rows)
        return replace(
            self,
            row_count=self.row_count - len(rows),
            firsts=firsts,
            widths=widths,
            left_out=every,
            holes=(holes[0], holes[1]),
        )

    def number(self, row: int) -> int:
        """The row's number in the file, counted from 1: rows that are left out count, too."""
        before = self.left_out - np.arange(len(self.left_out))
        return row + 1 + int(np.searchsorted(before, row, side="right"))

    def extents(self, rows: Places) -> tuple[Places, Places]:
        """Where the text of these rows starts and stops, line end included."""
        cells, behind = self._cells_of(rows)
        edges = self.tokens.edges
        stops = np.minimum(edges[behind].astype(np.intp), len(self.content))
        return edges[cells].astype(np.intp), stops

    def row_of(self, number: int) -> int | None:
        """The row with this number, counted from 1, in the file; None where it is left out."""
        place = int(np.searchsorted(self.left_out, number - 1))
        if place < len(self.left_out) and int(self.left_out[place]) == number - 1:
            return None
        return number - 1 - place

    def holes_within(self, start: int, stop: int) -> tuple[Places, Places]:
        """The holes between these places in the text."""
        first, last = np.searchsorted(self.holes[0], [start, stop])
        return self.holes[0][first:last], self.holes[1][first:last]

    @property
    def data(self) -> Bytes:
        """The text as an array, without a copy."""
        return np.frombuffer(self.content, dtype=np.uint8)

    def steps(self, cells: int = STEP, width: int = 1) -> Iterator[tuple[int, int]]:
        """All rows, of so many cells each, as many at a time as make so many cells."""
        step = max(1, cells // max(1, width))
        for start in range(0, self.row_count, step):
            yield start, min(start + step, self.row_count)

    def first_cells(self, start: int, stop: int) -> Places:
        """Number of the first cell of rows ``start`` to ``stop - 1``."""
        if self.firsts is None:
            return self.offset + np.arange(start, stop, dtype=np.intp) * self.width
        return self.firsts[start:stop].astype(np.intp)

    def cell_counts(self, start: int, stop: int) -> Places:
        """Cells of rows ``start`` to ``stop - 1``."""
        if self.widths is None:
            return np.full(stop - start, self.width, dtype=np.intp)
        return self.widths[start:stop].astype(np.intp)

    def row_starts(self, start: int, stop: int) -> Places:
        """Where rows ``start`` to ``stop - 1`` begin; behind the last row, the end of the text."""
        inner = min(stop, self.row_count)
        places = self.tokens.edges[self.first_cells(start, inner)].astype(np.intp)
        if stop > self.row_count:
            places = np.append(places, len(self.content))
        return places

    def row_ends(self, rows: Places) -> Places:
        """Where the text of these rows ends, in front of the line end."""
        return self.places(self._cells_of(rows)[1] - 1)[1]

    def _cells_of(self, rows: Places) -> tuple[Places, Places]:
        """Numbers of the first cells of these rows, and of those behind their last ones."""
        if self.firsts is None or self.widths is None:
            cells = self.offset + rows * self.width
            return cells, cells + self.width
        cells = self.firsts[rows].astype(np.intp)
        return cells, cells + self.widths[rows]

    def bounds(self, start: int, stop: int, columns: Places) -> tuple[Places, Places]:
        """Where the cells of rows ``start`` to ``stop - 1`` lie: starts and stops, (columns, rows).

        A cell that its row does not have is empty and lies at the end of the row.
        """
        edges = self.tokens.edges
        cells = self.first_cells(start, stop)
        if self.firsts is None:
            numbers = cells + columns[:, None]
            starts = edges[numbers].astype(np.intp)
            stops = edges[numbers + 1].astype(np.intp) - 1
            if self.tokens.returns:
                # Only the last cell of a row can be followed by a line end.
                for i in np.flatnonzero(columns == self.width - 1):
                    stops[i] -= self._before_line_feed(starts[i], stops[i])
            return starts, stops
        last = cells + self.cell_counts(start, stop) - 1
        wanted = cells + columns[:, None]
        numbers = np.minimum(wanted, last)
        starts, stops = self.places(numbers)
        return np.where(wanted > numbers, stops, starts), stops

    def cells(self, start: int, stop: int) -> tuple[Places, Places, Places, Places]:
        """All cells of rows ``start`` to ``stop - 1``, extra ones too: row, column, start, stop."""
        counts = self.cell_counts(start, stop)
        rows = np.repeat(np.arange(start, stop), counts)
        columns = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
        numbers = np.repeat(self.first_cells(start, stop), counts) + columns
        return rows, columns, *self.places(numbers)

    def places(self, numbers: Places) -> tuple[Places, Places]:
        """Where the cells with these numbers, in the order of the text, start and stop."""
        starts = self.tokens.edges[numbers].astype(np.intp)
        stops = self.tokens.edges[numbers + 1].astype(np.intp) - 1
        if self.tokens.returns:
            stops -= self._before_line_feed(starts, stops)
        return starts, stops

    def _before_line_feed(self, starts: Places, stops: Places) -> Places:
        """1 where a cell is ended by CR LF, whose CR still counts to the cell, else 0."""
        data = self.data
        ended = (data[np.minimum(stops, len(data) - 1)] == LF) & (stops > starts)
        ended &= data[np.maximum(stops - 1, 0)] == CR
        one: Places = ended.astype(np.intp)
        return one

    def unquote(self, block: Bytes, starts: Places, stops: Places) -> tuple[Places, Places]:
        """Inside of the cells that are quoted as a whole, the others as they are.

        ``starts`` and ``stops`` are places in ``block``. Doubled quotes stay doubled.
        """
        if not self.tokens.quoted:
            return starts, stops
        first = block[starts.clip(max=len(block) - 1)]
        # Spaces around the quotes belong to no text. At the very end of the text no byte follows.
        inside = (starts < stops) & ((stops < len(block)) | (block[stops - 1] == self.quote))
        spaced = np.flatnonzero(_SPACE[first] & inside)
        if len(spaced):
            inner = trimmed(block, starts[spaced], stops[spaced])
            at = np.flatnonzero(block[inner[0].clip(max=len(block) - 1)] == self.quote)
            starts, stops = starts.copy(), stops.copy()
            starts[spaced[at]], stops[spaced[at]] = inner[0][at], inner[1][at]
            first = block[starts.clip(max=len(block) - 1)]
        quoted = (stops - starts >= 2) & (first == self.quote)
        quoted &= block[stops - 1] == self.quote
        return starts + quoted, stops - quoted

    def block(self, start: int, stop: int) -> tuple[Bytes, int]:
        """The text of the rows with PAD zero bytes around it, and the shift of its places."""
        begin, end = self.span(start, stop)
        padded = np.zeros(end - begin + 2 * PAD, dtype=np.uint8)
        padded[PAD : PAD + end - begin] = self.data[begin:end]
        return padded, PAD - begin

    def span(self, start: int, stop: int) -> tuple[int, int]:
        """Bytes from the first row to the row behind the last: blank lines and holes, too."""
        places = self.row_starts(start, stop + 1)
        return int(places[0]), int(places[-1])

    def rows_of(self, places: Edges) -> Places:
        """The rows that hold these bytes, in order and each once."""
        cells = np.searchsorted(self.tokens.edges, places, side="right") - 1
        if self.firsts is None:
            rows = (cells - self.offset) // self.width
        else:
            rows = np.searchsorted(self.firsts, cells, side="right") - 1
        return np.unique(rows[(rows >= 0) & (rows < self.row_count)])

    def text(self, row: int, column: int) -> bytes:
        """One cell without its quotes, doubled quotes undone; empty where the row has no such."""
        starts, stops = self.bounds(row, row + 1, np.array([column]))
        return self.plain(self.content[int(starts[0, 0]) : int(stops[0, 0])])

    def plain(self, cell: bytes) -> bytes:
        """The text that the bytes of a cell stand for."""
        return unquoted(cell, self.quote, self.escape)


def trimmed(block: Bytes, starts: Places, stops: Places) -> tuple[Places, Places]:
    """The cells without spaces and tabs at their ends."""
    for _ in range(_MOST_STEPS):
        # Of nothing left at the end of the block there is no first letter.
        front = (starts < stops) & _SPACE[block.take(starts, mode="clip")]
        back = (starts < stops) & _SPACE[block[stops - 1]] & ~front
        if not (front.any() or back.any()):
            return starts, stops
        starts = starts + front
        stops = stops - back
    # Cells with more spaces than that are few, or the file is made to be slow: one look at each.
    starts, stops = starts.copy(), stops.copy()
    for i in np.flatnonzero(
        (starts < stops) & (_SPACE[block.take(starts, mode="clip")] | _SPACE[block[stops - 1]])
    ):
        text = block[starts[i] : stops[i]].tobytes()
        starts[i] += len(text) - len(text.lstrip(b" \t"))
        stops[i] = max(starts[i], stops[i] - (len(text) - len(text.rstrip(b" \t"))))
    return starts, stops


def unquoted(cell: bytes, quote: int, escape: int = -1) -> bytes:
    r"""The text a cell stands for. A letter behind an escape keeps it: ``\N`` is one mark.

    >>> unquoted(b'"say ""hi"" now"', ord('"')), unquoted(rb'"say \"hi\""', ord('"'), ord("\\"))
    (b'say "hi" now', b'say "hi"')
    >>> unquoted(b' "71"', ord('"')), unquoted(b' 71', ord('"'))
    (b'71', b' 71')
    """
    if quote >= 0 and cell[:1] in (b" ", b"\t"):
        inner = cell.strip(b" \t")
        if len(inner) > 1 and inner[0] == inner[-1] == quote:
            cell = inner
    if escape >= 0 and escape in cell:
        return _unescaped(cell, quote, escape)
    if quote < 0 or not cell or cell[0] != quote:
        return cell
    mark = bytes([quote])
    inside, position = [], 1
    while (end := cell.find(mark, position)) >= 0:
        inside.append(cell[position:end])
        if cell[end + 1 : end + 2] != mark:
            return b"".join(inside) + cell[end + 1 :]
        inside.append(mark)
        position = end + 2
    return b"".join(inside) + cell[position:]


def _unescaped(cell: bytes, quote: int, escape: int) -> bytes:
    mark, ordinary = bytes([quote]) if quote >= 0 else b"", re.escape(bytes([escape]))
    pattern = ordinary + rb"([^0-9A-Za-z])"
    if mark and len(cell) >= 2 and cell[:1] == mark == cell[-1:]:
        cell = cell[1:-1]
        pattern += b"|" + re.escape(mark) + b"(" + re.escape(mark) + b")"
    return re.sub(pattern, lambda found: found[found.lastindex or 0], cell, flags=re.DOTALL)
