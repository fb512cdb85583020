"""From bytes to a :class:`Table`."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from compdp_core.errors import ParameterError
from compdp_core.table import dialect, notices
from compdp_core.table.columns import labels, profile
from compdp_core.table.decoding import decode
from compdp_core.table.dialect import Format
from compdp_core.table.errors import (
    EmptyFileError,
    FileTooLargeError,
    NoRowsError,
    TooManyColumnsError,
    UnclosedQuoteError,
)
from compdp_core.table.index import Index, arrange, blank_records, unquoted
from compdp_core.table.missing import DEFAULT_MISSING, Spellings
from compdp_core.table.numerals import Places
from compdp_core.table.opening import MAX_BYTES, open_bytes
from compdp_core.table.scan import Reading
from compdp_core.table.table import Table
from compdp_core.table.tokens import physical_line, tokenize

MAX_COLUMNS = 16_384
"""As many as a spreadsheet has."""

_SAMPLE_CELLS = 20_000
_SAMPLE_ROWS = 600
_LARGEST_INDEX = 2**32 - 2


def read(
    data: bytes,
    *,
    name: str = "",
    encoding: str | None = None,
    separator: str | None = None,
    decimal: str | None = None,
    quote: str = '"',
    header: bool | None = None,
    skip_lines: int | None = None,
    missing: Iterable[str] = DEFAULT_MISSING,
    limit: int = MAX_BYTES,
) -> Table:
    r"""Read a CSV file. What is None is detected; ``table.format`` says what was found.

    ``data``: the file, packed with gzip or not. ``separator``: one ASCII character.
    ``decimal``: "." or ",". ``quote``: a double quote, or "" if quotes are ordinary characters.
    ``skip_lines``: lines above the header. ``missing``: spellings that stand for no value.
    ``limit``: most bytes, also after unpacking.

    Raises a TableError whose text says what to do: EmptyFileError, NoRowsError, NotTextError,
    FileTooLargeError, EncodingError, UnclosedQuoteError, TooManyColumnsError.

    >>> table = read(b"name;score\nAda;52,5\nBen;61,25\n")
    >>> table.format.separator, table.format.decimal, table.row_count
    (';', ',', 2)
    >>> [column.numeric for column in table.columns], table.numbers(1).values.tolist()
    ([False, True], [52.5, 61.25])
    """
    _check_options(separator, decimal, quote, skip_lines)
    spellings = tuple(missing)
    content, packed = open_bytes(bytes(data), limit)
    fingerprint = hashlib.blake2b(content, digest_size=32).hexdigest()
    decoded = decode(content, encoding)
    content = decoded.content
    if len(content) > _LARGEST_INDEX:
        raise FileTooLargeError(_LARGEST_INDEX, unpacked=packed)

    start = decoded.origin
    declared = dialect.sep_line(content, start)
    if declared is not None:
        start = declared[1]
    assumed = {field for field, value in (
        ("encoding", encoding), ("separator", separator), ("decimal", decimal),
        ("header", header), ("skip_lines", skip_lines),
    ) if value is None}  # fmt: skip
    if separator is None and declared is not None:
        separator = declared[0]
        assumed.discard("separator")
    if separator is None:
        start_of_search = dialect.skip(content, start, skip_lines or 0)
        separator = dialect.find_separator(content, start_of_search, quote, decoded.codec)
    if skip_lines is None:
        cut = dialect.head(content, start, separator, quote, decoded.codec)
        skip_lines = dialect.title_lines(cut, content, start)
    start = dialect.skip(content, start, skip_lines)

    tokens = tokenize(content, start, separator, quote)
    if tokens.open_quote is not None:
        raise UnclosedQuoteError(physical_line(content, tokens.open_quote), quote)
    blank = blank_records(content, tokens)
    whole = arrange(content, tokens, quote, blank)
    if whole.row_count == 0:
        if skip_lines or declared is not None:
            raise NoRowsError((), skip_lines)
        raise EmptyFileError(len(content))
    first = _row(whole, 0, decoded.codec)
    certain = True
    sample = _sample(whole, decoded.codec)
    if decimal is None:
        cells = [cell for row in sample for cell in row]
        decimal, certain = dialect.find_decimal(cells, separator)
    if header is None:
        header = dialect.looks_like_header(first, sample[1:101], decimal)

    index = _below_header(whole, quote, blank) if header else whole
    if index.row_count == 0:
        raise NoRowsError(first, skip_lines)
    names = first if header else ()
    count = _column_count(index, names)
    index = _with_columns(index, count)

    form = Format(
        bom=bool(decoded.bom),
        gzip=packed,
        line_ending=dialect.usual_line_ending(content),
        sep_line=declared is not None,
        encoding=decoded.encoding,
        separator=separator,
        decimal=decimal,
        quote=quote,
        header=header,
        skip_lines=skip_lines,
        missing=spellings,
        assumed=frozenset(assumed),
    )
    shown = labels(names, count, named=header)
    headers = [names[i] if i < len(names) else "" for i in range(count)]
    reading = Reading(decimal, decoded.codec, Spellings(spellings, decoded.codec, decimal))
    seen = notices.about_reading(decoded, form, content)
    seen += notices.about_header(form, first, headers, shown)
    if "decimal" in assumed and not certain:
        seen.append(notices.about_decimal(decimal))
    seen += notices.about_rows(index, count, blank, decoded.codec)
    pairs = list(zip(headers, shown, strict=True))
    columns = profile(index, reading, pairs, range(count))
    return Table(name, form, tuple(seen), columns, names, fingerprint, decoded, index, reading)


def _check_options(
    separator: str | None, decimal: str | None, quote: str, skip_lines: int | None
) -> None:
    if separator is not None:
        if len(separator) != 1 or not separator.isascii() or separator.isalnum():
            raise ParameterError("separator", separator, "must be one ASCII character")
        if separator in '\r\n\0"+-.':
            raise ParameterError("separator", separator, "must not be part of cells or lines")
    if quote not in ('"', ""):
        raise ParameterError("quote", quote, "must be a double quote, or empty for none")
    if decimal is not None and decimal not in (".", ","):
        raise ParameterError("decimal", decimal, "must be '.' or ','")
    if skip_lines is not None and not skip_lines >= 0:
        raise ParameterError("skip_lines", skip_lines, "must be 0 or more")


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


def _below_header(whole: Index, quote: str, blank: Places) -> Index:
    """The rows without the first one."""
    ahead = np.setdiff1d(np.arange(len(blank) + 1), blank, assume_unique=True)
    return arrange(whole.content, whole.tokens, quote, blank, int(ahead[0]) + 1)


def _column_count(index: Index, names: tuple[str, ...]) -> int:
    """As many as the header has, unless most rows fill more cells or none reaches the last name.

    An empty cell behind a separator at the end of the rows is not a column.
    """
    count = index.width
    if names:
        count = len(names)
        while count > max(1, index.width) and not names[count - 1].strip():
            count -= 1
        if index.width > count and _filled(index, count):
            count = index.width
    elif count > 1 and not _filled(index, count - 1):
        # Without a header, a last column in which nothing ever stands is a separator too many.
        count -= 1
    if count > MAX_COLUMNS:
        raise TooManyColumnsError(count, MAX_COLUMNS)
    return count


def _filled(index: Index, column: int) -> bool:
    """Whether most rows hold something in this column."""
    wide = np.flatnonzero(index.cell_counts(0, index.row_count) > column)
    first = index.first_cells(0, index.row_count)[wide] + column
    edges = index.tokens.edges
    lengths = edges[first + 1].astype(np.intp) - 1 - edges[first]
    return int((lengths > 1).sum()) * 2 > index.row_count


def _with_columns(index: Index, count: int) -> Index:
    """Rows shorter than the table need the general index, so that absent cells are known."""
    if index.widths is not None or index.width >= count:
        return index
    firsts = index.first_cells(0, index.row_count).astype(np.uint32)
    widths = index.cell_counts(0, index.row_count).astype(np.uint32)
    return replace(index, firsts=firsts, widths=widths)
