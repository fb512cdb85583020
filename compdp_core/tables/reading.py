"""From bytes to a :class:`Table`."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.parameters import count
from compdp_core.tables import alignment, dialect, errors, notices
from compdp_core.tables import summary_rows as totals
from compdp_core.tables.alignment import (
    Alignment,
    BlankLines,
    CommentRows,
    LongRows,
    RowsByKind,
    ShortRows,
    TrailingCells,
)
from compdp_core.tables.classify import CellReading
from compdp_core.tables.columns import labels, profile, profile_by_votes
from compdp_core.tables.containers import open_file
from compdp_core.tables.containers.opening import Opened
from compdp_core.tables.decimal_marks import Votes, mark_of_file
from compdp_core.tables.decoding import Decoded, decode
from compdp_core.tables.dialect import Format, Head
from compdp_core.tables.file_types import MAX_BYTES
from compdp_core.tables.header import joined_names, likely_names, more_header_rows, title_lines
from compdp_core.tables.index import Index
from compdp_core.tables.missing import DEFAULT_MISSING, spellings_of
from compdp_core.tables.number_parsing import Places
from compdp_core.tables.records import (
    arrange,
    below,
    blank_records,
    column_count,
    with_columns,
)
from compdp_core.tables.repair import repaired, without_runs
from compdp_core.tables.table import Table
from compdp_core.tables.tokens import physical_line, tokenize
from compdp_core.tables.wishes import Wish
from compdp_core.validation import text

_SAMPLE_CELLS = 20_000
_SAMPLE_ROWS = 600
_LARGEST_INDEX = 2**32 - 2
_LIMIT = count("limit", lower=1)
Sample: TypeAlias = list[tuple[str, ...]]


def read(
    data: bytes | bytearray | memoryview,
    *,
    name: str = "",
    table: str | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    quote: str = '"',
    escape: str = "",
    runs: bool | None = None,
    header: bool | None = None,
    header_rows: int | None = None,
    skip_lines: int | None = None,
    missing: Iterable[str] = DEFAULT_MISSING,
    columns: int | None = None,
    short_rows: ShortRows | None = None,
    long_rows: LongRows | None = None,
    trailing_cells: TrailingCells | None = None,
    comment_rows: CommentRows | None = None,
    comment_mark: str | None = None,
    blank_lines: BlankLines | None = None,
    limit: int = MAX_BYTES,
) -> Table:
    r"""Read a CSV file. What is None is detected; ``table.format`` says what was found.

    ``data``: the file, packed with gzip or not, or one of another kind that holds a table, see
    :mod:`~compdp_core.tables.containers`; of the latter, encoding, separator and quotes are known.
    ``table``: which one, where the file has several. ``separator``: one ASCII character.
    ``runs``: several spaces between two cells count as one. ``decimal``: "." or ",". ``quote``: a
    double or single quote, or "" if quotes are ordinary characters. ``escape``: a backslash, if one
    makes the mark behind it ordinary. ``header_rows``: how many rows name the columns; they are
    kept, and a column is called as in the first of them, with those below it where that name is
    not the only one. ``skip_lines``: lines above the header. ``missing``: spellings that stand for
    no value. ``columns``: how many there are. ``short_rows``, ``long_rows``, ``trailing_cells``,
    ``comment_rows`` (which begin with ``comment_mark``) and ``blank_lines``: what becomes of rows
    that do not line up, see :class:`~compdp_core.tables.Alignment`; where it is not said,
    ``table.uneven`` names them and nothing of the table is released. ``limit``: most bytes, also
    after unpacking.

    Raises a TableError whose text says what to do: EmptyFileError, NoRowsError, NotTextError,
    FileTooLargeError, EncodingError, UnclosedQuoteError, TooManyColumnsError, SeveralTablesError.

    >>> table = read(b"name;score\nAda;52,5\nBen;61,25\n")
    >>> table.format.separator, table.format.decimal, table.row_count
    (';', ',', 2)
    >>> [column.numeric for column in table.columns], table.numbers(1).values.tolist()
    ([False, True], [52.5, 61.25])
    """
    if not isinstance(data, bytes | bytearray | memoryview):
        raise ParameterError("data", type(data).__name__, "must be bytes")
    table = None if table is None else text("table", table)
    name, limit = text("name", name), int(_LIMIT.check(limit))
    wish = Wish(
        encoding=encoding,
        separator=separator,
        decimal=decimal,
        quote=quote,
        escape=escape,
        runs=runs,
        header=header,
        header_rows=header_rows,
        skip_lines=skip_lines,
        missing=missing,  # type: ignore[arg-type]  # checked now
        columns=columns,
        comment_mark=comment_mark,
        alignment=Alignment(
            short_rows=short_rows,
            long_rows=long_rows,
            trailing_cells=trailing_cells,
            comment_rows=comment_rows,
            blank_lines=blank_lines,
            comment_mark="#" if comment_mark is None else comment_mark,
        ),
    ).checked()
    opened = open_file(bytes(data), table, limit)
    wish = wish.within(opened.container)
    fingerprint = fingerprint_of(opened.content)
    decoded = decode(opened.content, wish.encoding)
    if len(decoded.content) > _LARGEST_INDEX:
        raise errors.FileTooLargeError(_LARGEST_INDEX, unpacked=opened.gzip)
    return _read(name, decoded, fingerprint, wish, opened)


def fingerprint_of(content: bytes) -> str:
    """By which a ledger knows a table again: BLAKE2b-256 of its text, as hexadecimal digits."""
    return hashlib.blake2b(content, digest_size=32).hexdigest()


def _read(name: str, decoded: Decoded, fingerprint: str, wish: Wish, opened: Opened) -> Table:
    content, codec, choices = decoded.content, decoded.codec, wish.alignment
    top = _top(decoded, wish)
    decoded, whole, blank = _cells(decoded, top, wish)
    first, sample = _row(whole, 0, codec), _sample(whole, codec)
    votes = [Votes(cells) for cells in itertools.zip_longest(*sample[1:] or sample, fillvalue="")]
    mark = wish.decimal or mark_of_file([said.decided(top.separator) for said in votes])
    titled = min(_titled(wish, first, sample, mark), whole.row_count)
    name_rows = [_row(whole, row, codec) for row in range(titled)]
    index = below(whole, titled)
    if index.row_count == 0:
        raise errors.NoRowsError(first, top.skip_lines)
    begin = int(whole.first_cells(titled - 1, titled)[0]) if titled else None
    del whole  # its arrays are as large as the file
    names = first if titled else ()
    count = wish.columns or column_count(index, max(name_rows, key=len, default=()))
    index = with_columns(index, count)
    reading = CellReading(mark, codec, spellings_of(wish.missing, codec, mark))
    if wish.finds_mark:
        above = decoded.content[decoded.origin : top.start]
        found = alignment.found_mark(index, count, above, top.separator, reading)
        choices = replace(choices, comment_mark=found)
    odd = RowsByKind.of(index, count, choices, reading)
    lines = alignment.values_perhaps(index, blank, count, begin)
    mended = repaired(odd, lines, index, count, top.separator, choices)
    if mended is not None:
        decoded = replace(decoded, content=mended)
        whole, blank = _records(decoded, top, wish)
        index = with_columns(below(whole, titled), count)
        del whole
        odd = RowsByKind.of(index, count, choices, reading)
        lines = alignment.values_perhaps(index, blank, count, begin)
    form = Format(
        bom=bool(decoded.bom),
        gzip=opened.gzip,
        line_ending=dialect.usual_line_ending(content),
        sep_line=top.sep_line,
        encoding=decoded.encoding,
        separator=top.separator,
        decimal=mark,
        quote=wish.quote,
        header=titled > 0,
        skip_lines=top.skip_lines,
        missing=wish.missing,
        assumed=_assumed(wish, top),
        # Where rows are brought in line, how many columns there are must not be found anew from
        # how many rows are too long: that is a fact about their cells.
        table=opened.container.table,
        columns=None if titled and len(names) == count and not choices.said else count,
        header_rows=max(1, titled),
        escape=wish.escape,
        runs=top.runs,
        **vars(choices),
    )
    shown = labels(joined_names(name_rows, count) if titled > 1 else names, count, named=titled > 0)
    seen = [*notices.about_container(opened.container)]
    seen += notices.about_reading(decoded, form, content)
    seen += notices.about_header(form, first, names, shown)
    seen += _about_names(decoded, top, wish, form, sample)
    seen += notices.about_marks(form, sample, decoded.content)
    seen += notices.about_rows(index, count, blank, odd, choices.comment_mark)
    uneven = alignment.undecided(odd, lines, index, choices)
    index = _without_lines(index)
    index = _aligned(index, odd, choices, first, top.skip_lines)
    skipped = frozenset(index.left_out.tolist())
    headers = [names[i] if i < len(names) else "" for i in range(count)]
    pairs = list(zip(headers, shown, strict=True))
    if wish.decimal is None:
        votes += [Votes()] * (count - len(votes))
        profiles = profile_by_votes(index, reading, pairs, votes[:count], top.separator)
    else:
        profiles = profile(index, reading, pairs, range(count))
    seen += notices.about_decimals(profiles)
    seen += totals.about_totals(index, reading, profiles)
    return Table(
        name,
        form,
        tuple(seen),
        profiles,
        names,
        fingerprint,
        decoded,
        index,
        reading,
        uneven,
        skipped,
        container=opened.container,
    )


def _titled(wish: Wish, first: tuple[str, ...], sample: Sample, mark: str) -> int:
    """How many rows name the columns."""
    if wish.header_rows is not None:
        return wish.header_rows
    if wish.header is None:
        return int(dialect.looks_like_header(first, sample[1:101], mark))
    return int(wish.header)


def _assumed(wish: Wish, top: _Top) -> frozenset[str]:
    given = {name: getattr(wish, name) for name in ("encoding", "decimal", "header", "skip_lines")}
    given["separator"] = top.separator if top.sep_line else wish.separator
    return frozenset(field for field, value in given.items() if value is None)


def _about_names(
    decoded: Decoded, top: _Top, wish: Wish, form: Format, sample: Sample
) -> Iterator[notices.Notice]:
    """Whether other lines than the first name the columns."""
    if wish.header_rows is None and form.header:
        yield from notices.about_more_names(more_header_rows(sample, form.decimal), sample)
    if "skip_lines" in form.assumed and wish.header is not False:
        cut = _head(decoded, top.start, top.separator, wish, runs=False)
        likely = likely_names(cut, decoded.content, top.start)
        yield from notices.about_names_line(form, cut, likely)


def _aligned(
    index: Index, odd: RowsByKind, wish: Alignment, first: tuple[str, ...], skip_lines: int
) -> Index:
    """Without the rows that are none by what was said of them."""
    gone, stays = alignment.no_rows(odd, wish)
    if len(gone) + len(stays) == index.row_count:
        raise errors.NoRowsError(first, skip_lines)
    if len(stays):
        index = index.without(stays, erased=False)
        gone = gone - np.searchsorted(stays, gone)
    return index.without(gone) if len(gone) else index


@dataclass(frozen=True)
class _Top:
    """How the file begins, and what separates its cells."""

    separator: str
    runs: bool
    sep_line: bool
    skip_lines: int
    start: int
    """Where the header, or the first row, can begin."""


def _top(decoded: Decoded, wish: Wish) -> _Top:
    content, start = decoded.content, decoded.origin
    separator, runs = wish.separator, bool(wish.runs)
    declared = dialect.sep_line(content, start)
    if declared is not None:
        start = declared[1]
        separator = separator or declared[0]
    if separator is None:
        below = dialect.skip(content, start, wish.skip_lines or 0)
        separator = dialect.find_separator(content, below, wish.quote, decoded.codec, wish.escape)
        runs = separator == " " and wish.runs is not False
    skip_lines = wish.skip_lines
    if skip_lines is None:
        cut = _head(decoded, start, separator, wish, runs=runs)
        skip_lines = title_lines(cut, content, start)
    start = dialect.skip(content, start, skip_lines)
    return _Top(separator, runs, declared is not None, skip_lines, start)


def _head(decoded: Decoded, start: int, separator: str, wish: Wish, *, runs: bool) -> Head:
    content, codec = decoded.content, decoded.codec
    return dialect.head(content, start, separator, wish.quote, codec, wish.escape, runs=runs)


def _cells(decoded: Decoded, top: _Top, wish: Wish) -> tuple[Decoded, Index, Places]:
    """All records that are not blank, and the numbers of the blank ones, one space in each gap."""
    whole, blank = _records(decoded, top, wish)
    mended = without_runs(whole) if top.runs else None
    if mended is not None:
        decoded = replace(decoded, content=mended)
        whole, blank = _records(decoded, top, wish)
    return decoded, whole, blank


def _records(decoded: Decoded, top: _Top, wish: Wish) -> tuple[Index, Places]:
    content = decoded.content
    tokens = tokenize(content, top.start, top.separator, wish.quote, wish.escape)
    if tokens.open_quote is not None:
        raise errors.UnclosedQuoteError(physical_line(content, tokens.open_quote), wish.quote)
    blank = blank_records(content, tokens)
    whole = arrange(content, tokens, wish.quote, blank, wish.escape)
    if whole.row_count == 0:
        if top.skip_lines or top.sep_line:
            raise errors.NoRowsError((), top.skip_lines)
        raise errors.EmptyFileError(len(content))
    return whole, blank


def _row(index: Index, row: int, codec: str) -> tuple[str, ...]:
    _, _, starts, stops = index.cells(row, row + 1)
    cells = zip(starts.tolist(), stops.tolist(), strict=True)
    return tuple(index.plain(index.content[a:b]).decode(codec, "replace") for a, b in cells)


def _sample(index: Index, codec: str) -> list[tuple[str, ...]]:
    """Rows from the start and from all over the table."""
    count = max(2, min(_SAMPLE_ROWS, _SAMPLE_CELLS // max(1, index.width)))
    ahead = np.arange(min(index.row_count, count // 2 + 1))
    spread = np.linspace(0, index.row_count - 1, count // 2 + 1).astype(np.intp)
    rows = np.unique(np.concatenate([ahead, spread]))
    return [_row(index, int(row), codec) for row in rows]


def _without_lines(index: Index) -> Index:
    """In a regular table the places of the lines follow from those of the cells."""
    if index.firsts is not None:
        return index
    return replace(index, tokens=replace(index.tokens, records=index.tokens.records[:1].copy()))
