r"""Rows that do not line up with the columns: found, and brought in line or left out by choice.

A row one cell too long carries a true value past the column it belongs to; one too short shows,
around whatever is put into it, that something was missing; a comment is no person. So a table
with such rows is read, shown and counted, but nothing of it is released before its owner has said
what becomes of them. What is said is an option of :func:`~compdp_core.tables.read`, so that it
stands in settings and script.

Rows with nothing but empty cells beyond the columns are asked about, too: the last separator may
be one too many, or one of those in front may stand inside a cell above an empty last one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.tables.classify import CellReading, blocks
from compdp_core.tables.index import Index, trimmed
from compdp_core.tables.missing import Spellings
from compdp_core.tables.number_parsing import NUMBER, Mask, Places
from compdp_core.validation import is_one_of, one_of

Kind: TypeAlias = Literal["short", "long", "trailing", "comment", "blank"]
ShortRows: TypeAlias = Literal["complete", "leave out"]
LongRows: TypeAlias = Literal["leave out"] | int
TrailingCells: TypeAlias = Literal["keep", "leave out"] | int
CommentRows: TypeAlias = Literal["keep", "leave out", "row"]
BlankLines: TypeAlias = Literal["skip", "missing"]

OPTIONS: dict[Kind, str] = {
    "short": "short_rows",
    "long": "long_rows",
    "trailing": "trailing_cells",
    "comment": "comment_rows",
    "blank": "blank_lines",
}
"""What of an :class:`Alignment`, and of ``read``, says what becomes of rows of each kind."""
KINDS = tuple(OPTIONS)
MOST_LISTED = 1000
_SLASHES = "//"
COMMENT_MARKS = ("#", "//", "%", ";", "!")
"""What may begin a comment; but for the first one only where the rest of the file shows it."""


@dataclass(frozen=True)
class Uneven:
    """Rows of one kind about which nothing has been said yet."""

    kind: Kind
    rows: tuple[int, ...]
    """Their numbers in the file, counted from 1, at most a thousand of them; of blank lines the
    number of the row in front, 0 above the first."""
    count: int
    mark: str = "#"
    """What comments begin with."""


@dataclass(frozen=True, kw_only=True)
class Alignment:
    """What becomes of rows that do not line up; None where nothing has been said.

    ``short_rows``: ``complete`` adds empty cells up to the last column. ``long_rows``: the column,
    from 0, whose cells the extra separators belong to. ``trailing_cells``, where what is beyond the
    columns is empty: ``keep`` takes it for separators too many, which stay, or the same as for
    ``long_rows``. ``comment_rows``: ``keep`` leaves the line in the file, which is no row then,
    unless it looks like a row, with a number in another cell than the first: such a line is left
    out, for a row that is taken for a comment would leave without noise. ``row`` takes it for a row
    like the others. ``comment_mark``: what comments begin with. ``blank_lines``, between the rows
    of a table of one column: no rows, or missing values.
    """

    short_rows: ShortRows | None = None
    long_rows: LongRows | None = None
    trailing_cells: TrailingCells | None = None
    comment_rows: CommentRows | None = None
    blank_lines: BlankLines | None = None
    comment_mark: str = "#"

    def __post_init__(self) -> None:
        for name, choices in (
            ("short_rows", get_args(ShortRows)),
            ("comment_rows", get_args(CommentRows)),
            ("blank_lines", get_args(BlankLines)),
        ):
            one_of(name, getattr(self, name), (*choices, None))
        one_of("comment_mark", self.comment_mark, COMMENT_MARKS)
        _check_column("long_rows", self.long_rows, "leave out")
        _check_column("trailing_cells", self.trailing_cells, "keep", "leave out")

    @property
    def said(self) -> bool:
        """Whether anything was said about rows of any kind."""
        return any(self.of(kind) is not None for kind in KINDS)

    def of(self, kind: Kind) -> str | int | None:
        """What becomes of rows of this kind."""
        said: str | int | None = getattr(self, OPTIONS[kind])
        return said


def _check_column(name: str, value: object, *words: str) -> None:
    whole = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    if not is_one_of(value, (*words, None)) and not whole:
        listed = " or ".join(map(repr, words))
        raise ParameterError(name, value, f"must be {listed}, or the column, from 0, to join")


@dataclass(frozen=True, eq=False)
class RowsByKind:
    """Rows of each kind, counted from 0 and in order; a comment is of no other kind."""

    short: Places
    long: Places
    """Rows with something beyond the columns."""
    trailing: Places
    """Rows with nothing but empty cells beyond the columns."""
    comment: Places
    rowlike: Places
    """Comments that have all the cells of a row, and a number behind the first of them."""
    empty: Places
    """Rows with nothing in any cell."""

    @classmethod
    def of(
        cls, index: Index, columns: int, alignment: Alignment, reading: CellReading
    ) -> RowsByKind:
        """Look at every row of an index.

        A row that begins with a missing spelling, such as ``#N/A``, is no comment: taken for one
        and kept, it would show the cells behind it.
        """
        none = np.zeros(0, dtype=np.bool_)
        parts: list[list[Mask]] = [[none] for _ in range(5)]
        for start, stop in index.steps():
            mark = alignment.comment_mark.encode()
            for part, mask in zip(parts, _odd(index, columns, start, stop, mark), strict=True):
                part.append(mask)
            if parts[0][-1].any():
                parts[0][-1] &= ~_begins_missing(index, reading.spellings, start, stop)
        comment, short, extra, bare, empty = (np.concatenate(part) for part in parts)
        # A mark that most rows carry is the beginning of a name, not of a comment, where nothing is
        # said. What is said holds for every row, whatever the others are.
        marked = 2 * int(np.count_nonzero(comment)) >= index.row_count
        if alignment.comment_rows == "row" or (alignment.comment_rows is None and marked):
            comment[:] = False
        rest, comments = ~comment, np.flatnonzero(comment)
        return cls(
            short=np.flatnonzero(short & rest),
            long=np.flatnonzero(extra & rest),
            trailing=np.flatnonzero(bare & rest),
            comment=comments,
            rowlike=_rowlike(index, comments[~short[comments]], columns, reading),
            empty=np.flatnonzero(empty & rest),
        )


def found_mark(
    index: Index, columns: int, above: bytes, separator: str, reading: CellReading
) -> str:
    """What comments begin with: # if any row does, else what only rows that are too short, or lines
    ``above`` the table, begin with; two slashes also where no row that does looks like a row.
    """
    titles = [line.lstrip(b" \t\"'") for line in above.splitlines()]
    rows, starts = _marked(index)
    short = widths_of(index, rows) < columns
    for mark in COMMENT_MARKS:
        if mark == separator:
            continue
        begins = _begin_with(index, starts, mark.encode())
        if mark == COMMENT_MARKS[0] and begins.any():
            return mark
        if not 0 < 2 * int(np.count_nonzero(begins)) < index.row_count:
            continue
        shown = any(line.startswith(mark.encode()) for line in titles)
        whole = rows[begins & ~short]
        bare = (
            mark == _SLASHES and columns > 1 and not len(_rowlike(index, whole, columns, reading))
        )
        if shown or not len(whole) or bare:
            return mark
    return COMMENT_MARKS[0]


def _marked(index: Index) -> tuple[Places, Places]:
    """Rows that begin as some comment does, and where they start."""
    first = np.zeros(256, dtype=np.bool_)
    first[[ord(mark[0]) for mark in COMMENT_MARKS]] = True
    rows, places = [np.zeros(0, dtype=np.intp)], [np.zeros(0, dtype=np.intp)]
    for start, stop in index.steps():
        starts = index.row_starts(start, stop)[: stop - start]
        at = np.flatnonzero(first[index.data[np.minimum(starts, len(index.data) - 1)]])
        rows.append(at + start)
        places.append(starts[at])
    return np.concatenate(rows), np.concatenate(places)


def _begin_with(index: Index, starts: Places, mark: bytes) -> Mask:
    found = np.ones(len(starts), dtype=np.bool_)
    for i, byte in enumerate(mark):
        found &= index.data[np.minimum(starts + i, len(index.data) - 1)] == byte
    return found


def _odd(index: Index, columns: int, start: int, stop: int, mark: bytes) -> tuple[Mask, ...]:
    """Which of these rows are comments, too short, too long, long by empty cells, and empty."""
    widths = index.cell_counts(start, stop)
    starts = index.row_starts(start, stop)[: stop - start]
    ends = index.row_ends(np.arange(start, stop))
    comment = _begin_with(index, starts, mark) & (ends - starts >= len(mark))
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


def _rowlike(index: Index, rows: Places, columns: int, reading: CellReading) -> Places:
    """Those of the rows, which have all cells, that hold a number behind the first."""
    if columns == 1 or not len(rows):
        return rows[:0]
    firsts = index.first_cells(0, index.row_count)[rows].astype(np.uint32)
    widths = widths_of(index, rows).astype(np.uint32)
    alone = replace(index, row_count=len(rows), firsts=firsts, widths=widths)
    found = list[Mask]()
    for block in blocks(alone, np.arange(1, columns), reading, None, exact=False):
        kinds = block.kinds.reshape(columns - 1, len(block.rows))
        found.append((kinds == NUMBER).any(axis=0))
    return rows[np.concatenate(found)]


def _begins_missing(index: Index, spellings: Spellings, start: int, stop: int) -> Mask:
    """Which of these rows begin with a cell that is spelled as missing."""
    block, shift = index.block(start, stop)
    starts, stops = (each[0] + shift for each in index.bounds(start, stop, np.array([0])))
    found: Mask = spellings.find(block, *trimmed(block, *index.unquote(block, starts, stops))) >= 0
    return found


def values_perhaps(index: Index, blank: Places, columns: int, header: int | None) -> Places:
    """Of the blank lines those that may be missing values of a table of one column, as cells.

    In a table of several columns a blank line lacks the separators that every row has. ``header``:
    its cell, if there is one; no line above it is a row. Behind the last row one may be, too.
    """
    if columns != 1 or not len(blank):
        return blank[:0]
    cells = index.tokens.records[blank].astype(np.intp)
    return cells if header is None else cells[cells > header]


def may_leave_out(alignment: Alignment, columns: int) -> bool:
    """Whether a line of so many columns may be no row by what was said, whatever is in the file."""
    leaves = any(alignment.of(kind) == "leave out" for kind in KINDS)
    skips = columns == 1 and alignment.blank_lines == "skip"
    return leaves or alignment.comment_rows == "keep" or skips


def undecided(
    found: RowsByKind, blank: Places, index: Index, alignment: Alignment
) -> tuple[Uneven, ...]:
    """The rows of each kind about which nothing was said."""
    in_front = np.searchsorted(index.first_cells(0, index.row_count), blank)
    rows = (found.short, found.long, found.trailing, found.comment)
    lists = (*(each + 1 for each in rows), in_front)
    return tuple(
        Uneven(kind, tuple(rows[:MOST_LISTED].tolist()), len(rows), alignment.comment_mark)
        for kind, rows in zip(KINDS, lists, strict=True)
        if len(rows) and alignment.of(kind) is None
    )


def no_rows(found: RowsByKind, alignment: Alignment) -> tuple[Places, Places]:
    """Rows that are none: those whose text goes, and those whose text stays."""
    out = [getattr(found, kind) for kind in KINDS if alignment.of(kind) == "leave out"]
    gone = [found.short[:0], *out]
    stays = found.comment[:0]
    if alignment.comment_rows == "keep":
        stays = np.setdiff1d(found.comment, found.rowlike, assume_unique=True)
        gone.append(found.rowlike)
    return np.sort(np.concatenate(gone)), stays


def widths_of(index: Index, rows: Places) -> Places:
    """How many cells these rows have."""
    if index.widths is None:
        return np.full(len(rows), index.width, dtype=np.intp)
    return index.widths[rows].astype(np.intp)
