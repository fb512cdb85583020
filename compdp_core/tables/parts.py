"""A part of a file, from the start of a record to the end of one, read as its head was.

Nothing is found out anew: layout, columns and what becomes of rows that do not line up are those of
the table of the head. So the rows of a file are the same in parts of any length, and what is
written of the parts is, one behind the other, what would be written of the whole.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from compdp_core.tables import alignment, dialect
from compdp_core.tables.alignment import KINDS, MOST_LISTED, Alignment, Kind, RowsByKind, Uneven
from compdp_core.tables.decoding import Decoded
from compdp_core.tables.errors import UnclosedQuoteError, UnevenRowsError
from compdp_core.tables.index import Index
from compdp_core.tables.number_parsing import Places
from compdp_core.tables.records import arrange, below, blank_records, with_columns
from compdp_core.tables.repair import repaired, without_runs
from compdp_core.tables.table import Table
from compdp_core.tables.tokens import LF, Tokens, physical_line, tokenize


@dataclass(frozen=True)
class RowTally:
    """What a part, or several in a row, say of the rows of the file."""

    rows: int = 0
    """Records that are not blank, below the names: rows are numbered by them."""
    kept: int = 0
    """Those of them that are rows by what was said of rows of their kind."""
    comments: int = 0
    """Those that begin as comments do."""
    uneven: tuple[Uneven, ...] = ()

    def then(self, more: RowTally) -> RowTally:
        """Of these and those behind them, whose numbers go on from here.

        >>> one = RowTally(3, 3, 0, (Uneven("short", (2,), 1),))
        >>> one.then(one).uneven
        (Uneven(kind='short', rows=(2, 5), count=2, mark='#'),)
        """
        uneven = self.uneven
        if more.uneven:
            moved = [
                replace(each, rows=tuple(self.rows + row for row in each.rows))
                for each in more.uneven
            ]
            uneven = _joined([*self.uneven, *moved])
        return RowTally(
            self.rows + more.rows, self.kept + more.kept, self.comments + more.comments, uneven
        )


def _joined(each: Iterable[Uneven]) -> tuple[Uneven, ...]:
    of_kind: dict[Kind, Uneven] = {}
    for new in each:
        old = of_kind.get(new.kind)
        rows = new.rows if old is None else (*old.rows, *new.rows)[:MOST_LISTED]
        count = new.count + (0 if old is None else old.count)
        of_kind[new.kind] = replace(new, rows=rows, count=count)
    return tuple(of_kind[kind] for kind in KINDS if kind in of_kind)


@dataclass(frozen=True, eq=False)
class Layout:
    """How every part of a file is read: as the table of its head was.

    ``finds_mark``: nothing was said about comments, so that a mark which would be taken for that of
    comments if it stood in the head is refused further down.
    """

    head: Table
    finds_mark: bool = False

    @property
    def _titled(self) -> int:
        form = self.head.format
        return form.header_rows if form.header else 0

    @cached_property
    def marked(self) -> bool:
        """Whether nothing was said of comments and most rows begin as they do: all are rows."""
        index, form = self.head.index, self.head.format
        if form.comment_rows is not None:
            return False
        found = RowsByKind.of(
            index, len(self.head.columns), replace(self._said, comment_rows="keep"),
            self.head.reading,
        )  # fmt: skip
        return 0 < index.row_count <= 2 * len(found.comment)

    @cached_property
    def _said(self) -> Alignment:
        form = self.head.format
        names = [*alignment.OPTIONS.values(), "comment_mark"]
        return Alignment(**{name: getattr(form, name) for name in names})

    @cached_property
    def _counted(self) -> Alignment:
        """The same, with something said of comments: the others in a part never decide on them."""
        if self._said.comment_rows is not None:
            return self._said
        return replace(self._said, comment_rows="row" if self.marked else "keep")

    def top_of(self, content: bytes) -> int:
        """Where the names, or the first row, begin in a text with the top of the file."""
        start = self.head.decoded.origin
        if self.head.format.sep_line:
            declared = dialect.sep_line(content, start)
            start = declared[1] if declared else start
        return dialect.skip(content, start, self.head.format.skip_lines)

    def part(self, content: bytes, *, first: bool) -> tuple[Table, RowTally]:
        """The rows of a part, of which there may be none, and what is to be said of them.

        ``content`` ends behind a record. ``first``: it begins with the top of the file. Raises
        :class:`UnclosedQuoteError` with a line of the part.
        """
        plain = None if first else self._plain(content)
        if plain is not None:
            decoded = replace(self.head.decoded, content=content, origin=0, bom=b"")
            return self._table(decoded, plain), RowTally(plain.row_count, plain.row_count)
        head, said, count = self.head, self._said, len(self.head.columns)
        origin = head.decoded.origin if first else 0
        bom = head.decoded.bom if first else b""
        decoded = replace(head.decoded, content=content, origin=origin, bom=bom)
        start = self.top_of(content) if first else 0
        whole, blank = self._records(content, start)
        mended = without_runs(whole) if head.format.runs else None
        if mended is not None:
            decoded = replace(decoded, content=mended)
            whole, blank = self._records(mended, start)
        index = with_columns(below(whole, self._titled if first else 0), count)
        begin = None
        if first and 0 < self._titled <= whole.row_count:
            begin = int(whole.first_cells(self._titled - 1, self._titled)[0])
        odd = RowsByKind.of(index, count, self._counted, head.reading)
        lines = alignment.values_perhaps(index, blank, count, begin)
        mended = repaired(odd, lines, index, count, head.format.separator, said)
        if mended is not None:
            decoded = replace(decoded, content=mended)
            whole, blank = self._records(mended, start)
            index = with_columns(below(whole, self._titled if first else 0), count)
            odd = RowsByKind.of(index, count, self._counted, head.reading)
            lines = alignment.values_perhaps(index, blank, count, begin)
        uneven = self._other_marks(index) or alignment.undecided(odd, lines, index, said)
        rows, gone = index.row_count, alignment.no_rows(odd, said)
        found = RowTally(rows, rows - sum(map(len, gone)), self._comments(index, odd), uneven)
        return self._table(decoded, _without(index, *gone)), found

    def _table(self, decoded: Decoded, index: Index) -> Table:
        return replace(
            self.head, decoded=decoded, index=index, skipped=frozenset(), uneven=(), notices=()
        )

    def _records(self, content: bytes, start: int) -> tuple[Index, Places]:
        form = self.head.format
        tokens = tokenize(content, start, form.separator, form.quote, form.escape)
        if tokens.open_quote is not None:
            raise UnclosedQuoteError(physical_line(content, tokens.open_quote), form.quote)
        blank = blank_records(content, tokens)
        return arrange(content, tokens, form.quote, blank, form.escape), blank

    def _comments(self, index: Index, odd: RowsByKind) -> int:
        if not self.marked:
            return len(odd.comment)
        said = replace(self._said, comment_rows="keep")
        count = len(self.head.columns)
        return len(RowsByKind.of(index, count, said, self.head.reading).comment)

    @cached_property
    def _above(self) -> bytes:
        decoded = self.head.decoded
        return decoded.content[decoded.origin : self.top_of(decoded.content)]

    def _other_marks(self, index: Index) -> tuple[Uneven, ...]:
        """Rows that begin with what would be the mark of comments by these rows alone."""
        if not self.finds_mark:
            return ()
        form, count = self.head.format, len(self.head.columns)
        mark = alignment.found_mark(index, count, self._above, form.separator, self.head.reading)
        if mark == self._said.comment_mark:
            return ()
        said = replace(self._said, comment_rows="keep", comment_mark=mark)
        rows = RowsByKind.of(index, count, said, self.head.reading).comment
        listed = tuple((rows[:MOST_LISTED] + 1).tolist())
        return (Uneven("comment", listed, len(rows), mark),) if len(rows) else ()

    def plain_rows(self, content: bytes) -> int | None:
        """How many rows a part has of which nothing is to be said: each has all its cells, none is
        blank, quoted or begins as a comment may. None where it has to be read to tell.
        """
        ends = self._plain_ends(content)
        return None if ends is None else len(ends) // len(self.head.columns)

    def _plain_ends(self, content: bytes) -> Places | None:
        """Where the cells of such a part end."""
        form, count = self.head.format, len(self.head.columns)
        marks = (form.quote, form.escape, "\0")
        if count == 1 or form.runs or any(m and m.encode() in content for m in marks):
            return None
        if not content.endswith(b"\n"):
            return None
        if b"\r" in content and content.count(b"\r") != content.count(b"\r\n"):
            return None
        data = np.frombuffer(content, dtype=np.uint8)
        at = np.flatnonzero((data == ord(form.separator)) | (data == LF))
        if len(at) % count:
            return None
        lines = (data[at] == LF).reshape(-1, count)
        if not lines[:, -1].all() or np.count_nonzero(lines) != len(lines):
            return None
        starts = np.append(0, at[count - 1 :: count][:-1] + 1)
        return None if _MAY_COMMENT[data[starts]].any() else at

    def _plain(self, content: bytes) -> Index | None:
        """The index of such a part, without a look at every record."""
        ends = self._plain_ends(content)
        if ends is None:
            return None
        form, count = self.head.format, len(self.head.columns)
        edges = np.zeros(len(ends) + 1, dtype=np.uint32)
        np.add(ends, 1, out=edges[1:], casting="unsafe")
        none = np.zeros(0, dtype=np.uint32)
        tokens = Tokens(edges, none, none, False, b"\r" in content, None)
        quote, escape = (ord(mark) if mark else -1 for mark in (form.quote, form.escape))
        rows = len(ends) // count
        return Index(content, tokens, quote, rows, count, 0, None, None, escape=escape)

    def check(self, counts: RowTally) -> None:
        """Raises :class:`UnevenRowsError` where rows do not line up and nothing was said of it, or
        where what begins with a mark is a comment in the head and a name below, or the other way.
        """
        uneven = counts.uneven
        if self.marked and 2 * counts.comments < counts.rows:
            mark = self._said.comment_mark
            uneven = _joined([*uneven, Uneven("comment", (), counts.comments, mark)])
        if uneven:
            raise UnevenRowsError(uneven)


_MAY_COMMENT = np.zeros(256, dtype=np.bool_)
_MAY_COMMENT[[ord(mark[0]) for mark in alignment.COMMENT_MARKS]] = True


def _without(index: Index, gone: Places, stays: Places) -> Index:
    if len(stays):
        index = index.without(stays, erased=False)
        gone = gone - np.searchsorted(stays, gone)
    return index.without(gone) if len(gone) else index
