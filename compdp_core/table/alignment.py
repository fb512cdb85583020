r"""Rows that do not line up with the columns: found, and brought in line or left out by choice.

A row one cell too long carries a true value past the column it belongs to; one too short shows,
around whatever is put into it, that something was missing; a comment is no person. So a table
with such rows is read, shown and counted, but nothing of it is released before its owner has said
what becomes of them. What is said is an option of :func:`~compdp_core.table.read`, so that it
stands in settings and script.

Rows with nothing but empty cells beyond the columns line up: the separators say nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias, get_args

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.table.index import Index, trimmed
from compdp_core.table.missing import Spellings
from compdp_core.table.numerals import Mask, Places
from compdp_core.table.splice import Edits, joined, splice

Kind: TypeAlias = Literal["short", "long", "comment", "blank"]
ShortRows: TypeAlias = Literal["complete", "leave out"]
LongRows: TypeAlias = Literal["leave out"] | int
CommentRows: TypeAlias = Literal["keep", "leave out", "row"]
BlankLines: TypeAlias = Literal["skip", "missing"]

KINDS: tuple[Kind, ...] = get_args(Kind)
MOST_LISTED = 1000
COMMENT_MARK = ord("#")


@dataclass(frozen=True)
class Uneven:
    """Rows of one kind about which nothing has been said yet."""

    kind: Kind
    rows: tuple[int, ...]
    """Their numbers in the file, counted from 1, at most a thousand of them; of blank lines the
    number of the row in front, 0 above the first."""
    count: int


@dataclass(frozen=True)
class Alignment:
    """What becomes of rows that do not line up; None where nothing has been said.

    ``short``: ``complete`` adds empty cells up to the last column. ``long``: the column, from 0,
    whose cells the extra separators belong to. ``comment``: ``keep`` leaves the line in the file,
    which is no row then; ``row`` takes it for a row like the others. ``blank``, of lines between
    the rows of a table of one column: no rows, or missing values.
    """

    short: ShortRows | None = None
    long: LongRows | None = None
    comment: CommentRows | None = None
    blank: BlankLines | None = None

    def __post_init__(self) -> None:
        for name, value, choices in (
            ("short_rows", self.short, get_args(ShortRows)),
            ("comment_rows", self.comment, get_args(CommentRows)),
            ("blank_lines", self.blank, get_args(BlankLines)),
        ):
            if value is not None and value not in choices:
                raise ParameterError(name, value, f"must be one of {', '.join(choices)}, or None")
        whole = isinstance(self.long, int) and not isinstance(self.long, bool) and self.long >= 0
        if self.long is not None and self.long != "leave out" and not whole:
            raise ParameterError(
                "long_rows", self.long, "must be 'leave out', or the column, from 0, to join"
            )

    def said(self, kind: Kind) -> bool:
        """Whether it is known what becomes of these rows."""
        return getattr(self, kind) is not None


@dataclass(frozen=True, eq=False)
class Found:
    """Rows of each kind, counted from 0 and in order; ``long`` and ``comment`` go before others."""

    short: Places
    long: Places
    comment: Places
    bare: Places
    """Rows with nothing but empty cells beyond the columns."""
    empty: Places
    """Rows with nothing in any cell."""
    marked: bool = False
    """Most rows begin with the mark of comments, and so none is taken for one."""

    @classmethod
    def of(cls, index: Index, columns: int, alignment: Alignment, missing: Spellings) -> Found:
        """Look at every row of an index.

        A row that begins with a ``missing`` spelling, such as ``#N/A``, is no comment: taken for
        one and kept, it would show the cells behind it.
        """
        parts: list[list[Mask]] = [[], [], [], [], []]
        for start, stop in index.steps():
            for part, mask in zip(parts, _odd(index, columns, start, stop), strict=True):
                part.append(mask)
            if parts[0][-1].any():
                parts[0][-1] &= ~_missing(index, missing, start, stop)
        comment, short, extra, bare, empty = (np.concatenate(part) for part in parts)
        # A mark that most rows carry is the beginning of a name, not of a comment.
        marked = 2 * int(np.count_nonzero(comment)) >= index.row_count
        if alignment.comment == "row" or marked:
            comment[:] = False
        rest = ~comment
        rows = [np.flatnonzero(mask & rest) for mask in (short, extra, bare, empty)]
        return cls(rows[0], rows[1], np.flatnonzero(comment), rows[2], rows[3], marked)


def _odd(index: Index, columns: int, start: int, stop: int) -> tuple[Mask, ...]:
    """Which of these rows are comments, too short, too long, long by empty cells, and empty."""
    widths = index.cell_counts(start, stop)
    starts = index.row_starts(start, stop)[: stop - start]
    ends = index.row_ends(np.arange(start, stop))
    first = index.data[np.minimum(starts, len(index.data) - 1)]
    comment = (first == COMMENT_MARK) & (starts < ends)
    empty = (ends - starts == widths - 1) & (widths > 1)
    none = np.zeros(stop - start, dtype=np.bool_)
    if index.widths is None and index.width == columns:
        return comment, none, none, none, empty
    extra = np.flatnonzero(widths > columns)
    # Behind the last column only separators: what a separator at the end of the line makes.
    place = index.tokens.edges[index.first_cells(start, stop)[extra] + columns].astype(np.intp)
    bare = none.copy()
    bare[extra] = ends[extra] == place + (widths[extra] - columns - 1)
    return comment, widths < columns, (widths > columns) & ~bare, bare, empty


def _missing(index: Index, spellings: Spellings, start: int, stop: int) -> Mask:
    """Which of these rows begin with a cell that is spelled as missing."""
    block, shift = index.block(start, stop)
    starts, stops = (each[0] + shift for each in index.bounds(start, stop, np.array([0])))
    found: Mask = spellings.find(block, *trimmed(block, *index.unquote(block, starts, stops))) >= 0
    return found


def between(index: Index, blank: Places, columns: int, begin: int) -> Places:
    """Of the blank lines those between the rows of a table of one column, as cells.

    In a table of several columns a blank line lacks the separators that every row has. ``begin``:
    the first cell of the header or, without one, of the first row.
    """
    if columns != 1 or not len(blank):
        return blank[:0]
    cells = index.tokens.records[blank].astype(np.intp)
    last = int(index.first_cells(index.row_count - 1, index.row_count)[0])
    return cells[(cells > begin) & (cells < last)]


def undecided(
    found: Found, blank: Places, index: Index, alignment: Alignment
) -> tuple[Uneven, ...]:
    """The rows of each kind about which nothing was said."""
    in_front = np.searchsorted(index.first_cells(0, index.row_count), blank)
    lists = (found.short + 1, found.long + 1, found.comment + 1, in_front)
    return tuple(
        Uneven(kind, tuple(rows[:MOST_LISTED].tolist()), len(rows))
        for kind, rows in zip(KINDS, lists, strict=True)
        if len(rows) and not alignment.said(kind)
    )


def repaired(
    found: Found, blank: Places, index: Index, columns: int, separator: str, alignment: Alignment
) -> bytes | None:
    """The text with rows completed and cells joined, None where nothing is to be done."""
    edits = []
    if alignment.short == "complete" and len(found.short):
        edits.append(_completed(index, found.short, columns, separator.encode()))
    if isinstance(alignment.long, int) and len(found.long):
        if not alignment.long < columns:
            raise ParameterError(
                "long_rows", alignment.long, f"must be a column from 0 to {columns - 1}"
            )
        _quotes_needed(index, "long_rows", alignment.long)
        edits.append(_joined_cells(index, found.long, columns, alignment.long))
    if alignment.blank == "missing" and len(blank):
        _quotes_needed(index, "blank_lines", alignment.blank)
        starts, stops = index.places(blank)
        edits.append(Edits.repeated(starts, stops, b'""'))
    return splice(index.data, joined(edits)).tobytes() if edits else None


def _quotes_needed(index: Index, name: str, value: object) -> None:
    if index.quote < 0:
        raise ParameterError(name, value, "needs quotes, and the file is read without them")


def _completed(index: Index, rows: Places, columns: int, separator: bytes) -> Edits:
    ends = index.row_ends(rows)
    lacking = columns - _widths(index, rows)
    flat = np.frombuffer(separator * int(lacking.sum()), dtype=np.uint8)
    return Edits(ends, ends, flat, lacking)


def _joined_cells(index: Index, rows: Places, columns: int, column: int) -> Edits:
    """Quotes around the cells that are one, quotes inside doubled."""
    starts, stops, texts = [], [], []
    for row in rows.tolist():
        begin, end = index.bounds(row, row + 1, np.arange(int(_widths(index, np.array([row]))[0])))
        filled = np.flatnonzero(end[:, 0] > begin[:, 0])
        extra = int(filled[-1]) + 1 - columns
        start, stop = int(begin[column, 0]), int(end[column + extra, 0])
        starts.append(start)
        stops.append(stop)
        texts.append(b'"' + index.content[start:stop].replace(b'"', b'""') + b'"')
    flat = np.frombuffer(b"".join(texts), dtype=np.uint8)
    return Edits(np.array(starts), np.array(stops), flat, np.array([len(t) for t in texts]))


def _widths(index: Index, rows: Places) -> Places:
    if index.widths is None:
        return np.full(len(rows), index.width, dtype=np.intp)
    return index.widths[rows].astype(np.intp)


def no_rows(found: Found, alignment: Alignment) -> tuple[Places, Places]:
    """Rows that are none: those whose text goes, and those whose text stays."""
    gone = [found.short[:0]]
    for kind in ("short", "long", "comment"):
        if getattr(alignment, kind) == "leave out":
            gone.append(getattr(found, kind))
    stays = found.comment if alignment.comment == "keep" else found.comment[:0]
    return np.sort(np.concatenate(gone)), stays
