"""From bytes to a :class:`Table`."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

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
from compdp_core.tables.classify import Reading
from compdp_core.tables.columns import labels, profile, profile_by_votes
from compdp_core.tables.containers import open_file
from compdp_core.tables.decimal_marks import Votes, mark_of_file
from compdp_core.tables.decoding import Decoded, decode
from compdp_core.tables.dialect import Format
from compdp_core.tables.file_types import MAX_BYTES
from compdp_core.tables.index import Index, unquoted
from compdp_core.tables.missing import DEFAULT_MISSING, spellings_of
from compdp_core.tables.number_parsing import Places
from compdp_core.tables.records import (
    MAX_COLUMNS,
    arrange,
    below_first,
    blank_records,
    column_count,
    with_columns,
)
from compdp_core.tables.repair import repaired
from compdp_core.tables.table import Table
from compdp_core.tables.tokens import physical_line, tokenize
from compdp_core.validation import flag, is_one_of, one_of, text

_SAMPLE_CELLS = 20_000
_SAMPLE_ROWS = 600
_LARGEST_INDEX = 2**32 - 2
_SKIP_LINES, _LIMIT = count("skip_lines"), count("limit", lower=1)
_COLUMNS = count("columns", lower=1, upper=MAX_COLUMNS)


def read(
    data: bytes | bytearray | memoryview,
    *,
    name: str = "",
    table: str | None = None,
    encoding: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    quote: str = '"',
    header: bool | None = None,
    skip_lines: int | None = None,
    missing: Iterable[str] = DEFAULT_MISSING,
    columns: int | None = None,
    short_rows: ShortRows | None = None,
    long_rows: LongRows | None = None,
    trailing_cells: TrailingCells | None = None,
    comment_rows: CommentRows | None = None,
    blank_lines: BlankLines | None = None,
    limit: int = MAX_BYTES,
) -> Table:
    r"""Read a CSV file. What is None is detected; ``table.format`` says what was found.

    ``data``: the file, packed with gzip or not, or one of another kind that holds a table, see
    :mod:`~compdp_core.tables.containers`; of the latter, encoding, separator and quotes are known.
    ``table``: which one, where the file has several. ``separator``: one ASCII character.
    ``decimal``: "." or ",". ``quote``: a double quote, or "" if quotes are ordinary characters.
    ``skip_lines``: lines above the header. ``missing``: spellings that stand for no value.
    ``columns``: how many there are. ``short_rows``, ``long_rows``, ``trailing_cells``,
    ``comment_rows`` and ``blank_lines``: what becomes of rows that do not line up, see
    :class:`~compdp_core.tables.Alignment`; where it is not said, ``table.uneven`` names them and
    nothing of the table is released. ``limit``: most bytes, also after unpacking.

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
    _check_options(separator, decimal, quote)
    name, missing = text("name", name), _texts(missing)
    header = None if header is None else flag("header", header)
    skip_lines = None if skip_lines is None else int(_SKIP_LINES.check(skip_lines))
    columns = None if columns is None else int(_COLUMNS.check(columns))
    limit = int(_LIMIT.check(limit))
    table = None if table is None else text("table", table)
    opened = open_file(bytes(data), table, limit)
    content, container = opened.content, opened.container
    if container.typed:
        encoding, separator, quote, decimal = "utf-8", ",", '"', decimal or "."
        columns = container.width
    if container.types:
        header, skip_lines, comment_rows = True, 0, "row"
        blank_lines = "missing" if len(container.types) == 1 else blank_lines
    wish = Alignment(
        short_rows=short_rows,
        long_rows=long_rows,
        trailing_cells=trailing_cells,
        comment_rows=comment_rows,
        blank_lines=blank_lines,
    )
    fingerprint = hashlib.blake2b(content, digest_size=32).hexdigest()
    decoded = decode(content, encoding)
    content = decoded.content
    if len(content) > _LARGEST_INDEX:
        raise errors.FileTooLargeError(_LARGEST_INDEX, unpacked=opened.gzip)
    top = _top(decoded, separator, quote, skip_lines)
    whole, blank = _records(decoded, top, quote)
    first, sample = _row(whole, 0, decoded.codec), _sample(whole, decoded.codec)

    votes = [Votes(cells) for cells in itertools.zip_longest(*sample[1:] or sample, fillvalue="")]
    mark = decimal or mark_of_file([said.decided(top.separator) for said in votes])
    named = dialect.looks_like_header(first, sample[1:101], mark) if header is None else header
    index = below_first(whole) if named else whole
    begin = int(whole.first_cells(0, 1)[0]) if named else None
    del whole  # its arrays are as large as the file
    if index.row_count == 0:
        raise errors.NoRowsError(first, top.skip_lines)
    names = first if named else ()
    count = columns or column_count(index, names)
    index = with_columns(index, count)
    reading = Reading(mark, decoded.codec, spellings_of(tuple(missing), decoded.codec, mark))
    odd = RowsByKind.of(index, count, wish, reading)
    lines = alignment.values_perhaps(index, blank, count, begin)
    mended = repaired(odd, lines, index, count, top.separator, wish)
    if mended is not None:
        decoded = replace(decoded, content=mended)
        whole, blank = _records(decoded, top, quote)
        index = with_columns(below_first(whole) if named else whole, count)
        del whole
        odd = RowsByKind.of(index, count, wish, reading)
        lines = alignment.values_perhaps(index, blank, count, begin)
    given = {"encoding": encoding, "decimal": decimal, "header": header, "skip_lines": skip_lines}
    given["separator"] = top.separator if top.sep_line else separator
    form = Format(
        bom=bool(decoded.bom),
        gzip=opened.gzip,
        line_ending=dialect.usual_line_ending(content),
        sep_line=top.sep_line,
        encoding=decoded.encoding,
        separator=top.separator,
        decimal=mark,
        quote=quote,
        header=named,
        skip_lines=top.skip_lines,
        missing=missing,
        assumed=frozenset(field for field, value in given.items() if value is None),
        # Where rows are brought in line, how many columns there are must not be found anew from
        # how many rows are too long: that is a fact about their cells.
        table=container.table,
        columns=None if named and len(names) == count and wish == Alignment() else count,
        **vars(wish),
    )
    shown = labels(names, count, named=named)
    seen = [*notices.about_container(container), *notices.about_reading(decoded, form, content)]
    seen += notices.about_header(form, first, names, shown)
    seen += notices.about_rows(index, count, blank, odd)
    uneven = alignment.undecided(odd, lines, index, wish)
    index = _without_lines(index)
    index = _aligned(index, odd, wish, first, top.skip_lines)
    skipped = frozenset(index.left_out.tolist())
    headers = [names[i] if i < len(names) else "" for i in range(count)]
    pairs = list(zip(headers, shown, strict=True))
    if decimal is None:
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
        container=container,
    )


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
    sep_line: bool
    skip_lines: int
    start: int
    """Where the header, or the first row, can begin."""


def _top(decoded: Decoded, separator: str | None, quote: str, skip_lines: int | None) -> _Top:
    content, start = decoded.content, decoded.origin
    declared = dialect.sep_line(content, start)
    if declared is not None:
        start = declared[1]
        separator = separator or declared[0]
    if separator is None:
        below = dialect.skip(content, start, skip_lines or 0)
        separator = dialect.find_separator(content, below, quote, decoded.codec)
    if skip_lines is None:
        cut = dialect.head(content, start, separator, quote, decoded.codec)
        skip_lines = dialect.title_lines(cut, content, start)
    start = dialect.skip(content, start, skip_lines)
    return _Top(separator, declared is not None, skip_lines, start)


def _records(decoded: Decoded, top: _Top, quote: str) -> tuple[Index, Places]:
    """All records that are not blank, and the numbers of the blank ones."""
    content = decoded.content
    tokens = tokenize(content, top.start, top.separator, quote)
    if tokens.open_quote is not None:
        raise errors.UnclosedQuoteError(physical_line(content, tokens.open_quote), quote)
    blank = blank_records(content, tokens)
    whole = arrange(content, tokens, quote, blank)
    if whole.row_count == 0:
        if top.skip_lines or top.sep_line:
            raise errors.NoRowsError((), top.skip_lines)
        raise errors.EmptyFileError(len(content))
    return whole, blank


def _check_options(separator: object, decimal: object, quote: object) -> None:
    one_mark = isinstance(separator, str) and dialect.can_separate(separator)
    if separator is not None and not one_mark:
        requirement = "must be one ASCII character that is part of neither numbers nor line ends"
        raise ParameterError("separator", separator, requirement)
    if not is_one_of(quote, ('"', "")):
        raise ParameterError("quote", quote, "must be a double quote, or empty for none")
    one_of("decimal", decimal, (".", ",", None))


def _texts(missing: Any) -> tuple[str, ...]:
    """The spellings, which may come one by one."""
    try:
        given = (None,) if isinstance(missing, str) else tuple(missing)
    except TypeError:
        given = (None,)
    if not all(isinstance(each, str) for each in given):
        raise ParameterError("missing", missing, "must be several spellings, as in ('', 'n/a')")
    return given


def _row(index: Index, row: int, codec: str) -> tuple[str, ...]:
    _, _, starts, stops = index.cells(row, row + 1)
    cells = zip(starts.tolist(), stops.tolist(), strict=True)
    return tuple(
        unquoted(index.content[a:b], index.quote).decode(codec, "replace") for a, b in cells
    )


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
