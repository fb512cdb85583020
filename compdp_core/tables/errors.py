"""Refusals of this package. Rows count from 1 (the first data row), lines are those of the file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from compdp_core.errors import TableError

if TYPE_CHECKING:
    from compdp_core.tables.alignment import Kind, Uneven


class EmptyFileError(TableError):
    """The file holds no byte, or nothing but blank lines."""

    def __init__(self, size: int) -> None:
        self.size = size
        what = "The file is empty (0 bytes)." if size == 0 else "The file holds only blank lines."
        super().__init__(f"{what} Export the table again and upload that file.")


class NoRowsError(TableError):
    """There is a header, or a part that was skipped, and nothing below it."""

    def __init__(self, header: tuple[str, ...], skip_lines: int) -> None:
        self.header = header
        self.skip_lines = skip_lines
        if header:
            text = (
                f"The table has no data rows, only a header ({some(header)}). "
                "Upload a file with rows, or say that it has no header."
            )
        else:
            text = f"Nothing is left after skipping {skip_lines} lines. Skip fewer lines."
        super().__init__(text)


class FileTooLargeError(TableError):
    """More bytes than the limit, before or after unpacking."""

    def __init__(self, limit: int, *, unpacked: bool) -> None:
        self.limit = limit
        self.unpacked = unpacked
        what = "The file unpacks to more" if unpacked else "The file is larger"
        most = f"{limit / 2**20:.4g} MiB" if limit >= 2**20 else f"{limit:,} bytes"
        super().__init__(
            f"{what} than the limit of {most}. Upload fewer rows or columns, or raise the limit."
        )


class NotTextError(TableError):
    """The bytes are those of another kind of file; ``kind`` names it."""

    def __init__(self, kind: str, way_out: str) -> None:
        self.kind = kind
        super().__init__(f"This is {kind}. {way_out}")


class EncodingError(TableError):
    """The bytes are not text in this encoding."""

    def __init__(self, encoding: str, line: int, problem: str) -> None:
        self.encoding = encoding
        self.line = line
        self.problem = problem
        super().__init__(
            f"Line {line} is not text in the encoding {encoding} ({problem}). "
            "Choose another encoding, or save the file as UTF-8 and upload it again."
        )


class UnclosedQuoteError(TableError):
    """A quote opens a cell and no quote ends it."""

    def __init__(self, line: int, quote: str) -> None:
        self.line = line
        self.quote = quote
        super().__init__(
            f"The quote {quote} that opens a cell in line {line} is never closed. "
            "Correct that line, or read quotes as ordinary characters."
        )


class TooManyColumnsError(TableError):
    """More columns than any spreadsheet has: most likely the wrong separator or line ending."""

    def __init__(self, count: int, limit: int) -> None:
        self.count = count
        self.limit = limit
        super().__init__(
            f"The table would have {count} columns, the limit is {limit}. "
            "Check the separator, or upload fewer columns."
        )


class UnevenRowsError(TableError):
    """Rows do not line up with the columns, and nobody said what becomes of them."""

    def __init__(self, uneven: tuple[Uneven, ...]) -> None:
        self.uneven = uneven
        parts = [
            f"{_WRONG[each.kind].replace('#', each.mark)} ({some(each.rows, 10, each.count)}): "
            f"{_WAYS[each.kind]}{_with_mark(each)}"
            for each in uneven
        ]
        super().__init__(
            "Some rows do not line up with the columns, so a true value could leave beside its "
            f"column. Nothing is released before it is said what becomes of them when the table is "
            f"read. {'; '.join(parts)}."
        )


def _with_mark(each: Uneven) -> str:
    usual = each.kind != "comment" or each.mark == "#"
    return "" if usual else f", with comment_mark={each.mark!r}"


_WRONG: dict[Kind, str] = {
    "short": "Rows with too few cells",
    "long": "Rows with too many cells",
    "trailing": "Rows with empty cells too many",
    "comment": "Rows that begin with #",
    "blank": "Blank lines behind rows",
}
_WAYS: dict[Kind, str] = {
    "short": "short_rows='complete' or 'leave out'",
    "long": "long_rows='leave out', or the column whose cells belong together",
    "trailing": "trailing_cells='keep', 'leave out', or the column whose cells belong together",
    "comment": "comment_rows='keep', 'leave out' or 'row'",
    "blank": "blank_lines='skip' or 'missing'",
}


class CellError(TableError):
    """One cell of a column cannot be read as asked; ``row`` counts from 1."""

    def __init__(self, label: str, row: int, text: str, problem: str, way_out: str) -> None:
        self.label = label
        self.row = row
        self.text = text
        super().__init__(f"Column {label}, row {row}: {short(text)!r} {problem}. {way_out}")


class NotNumericError(CellError):
    """A cell is neither a number nor one of the missing spellings."""


class NonFiniteError(CellError):
    """A cell is infinite, too large for a double, or hexadecimal."""


class PrecisionError(CellError):
    """A whole number beyond 2^53 would lose digits."""


class NoValuesError(TableError):
    """Every cell of the column is missing."""

    def __init__(self, label: str) -> None:
        self.label = label
        super().__init__(f"Column {label} has no values: every cell is missing. Choose another.")


class ReplacementError(TableError):
    """New cells do not fit the table."""


def short(text: str, limit: int = 40) -> str:
    """Text of a file as an example in a message: nobody reads a cell of a megabyte.

    >>> short("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= limit else text[: limit - 1] + "…"


def some(items: Sequence[object], most: int = 5, count: int = 0) -> str:
    """The first of these, and an ellipsis where there are more, or more than are listed.

    >>> some(["a", "b", "c"], 2)
    'a, b, …'
    """
    more = max(count, len(items)) > most
    return ", ".join(short(str(each)) for each in items[:most]) + (", …" if more else "")
