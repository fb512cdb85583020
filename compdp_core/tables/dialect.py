"""How a text is laid out as a table: separator, decimal mark, title lines and header."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from dataclasses import dataclass
from typing import Any

from compdp_core.tables.alignment import OPTIONS, Alignment

# The types of the fields that Format inherits: whoever reads its annotations looks them up here.
from compdp_core.tables.alignment import BlankLines as BlankLines
from compdp_core.tables.alignment import CommentRows as CommentRows
from compdp_core.tables.alignment import LongRows as LongRows
from compdp_core.tables.alignment import ShortRows as ShortRows
from compdp_core.tables.alignment import TrailingCells as TrailingCells
from compdp_core.tables.decimal_marks import find_decimal as find_decimal
from compdp_core.tables.index import unquoted
from compdp_core.tables.missing import DEFAULT_MISSING
from compdp_core.tables.records import blank_records
from compdp_core.tables.tokens import tokenize

SEPARATORS = ("\t", ";", ",", "|")
"""Looked for; the earlier one wins where two split the table equally well."""
RARE_SEPARATORS = ("~", "^", "\x1f", ":", " ")
"""Found only where they leave no doubt: they stand in names, times and sentences, too."""
MOST_HEADER_ROWS = 100
QUOTES = ('"', "'", "")
ESCAPES = ("", "\\")

_HEAD = 1 << 18
_RECORDS = 1000
_SEP_LINE = re.compile(rb'"?sep=([\x00-\x7f])"?(?=[\r\n]|\Z)', re.IGNORECASE)
LINE_END = re.compile(rb"\r\n|\r|\n")

_PLAIN = re.compile(r"[+-]?\d+")
_POINT = re.compile(r"[+-]?\d*\.\d+(e[+-]?\d+)?", re.IGNORECASE)
_COMMA = re.compile(r"[+-]?\d*,\d+(e[+-]?\d+)?", re.IGNORECASE)
_ALWAYS = ("encoding", "separator", "decimal", "quote", "header", "skip_lines", "missing")
_WHERE_SAID = {"table": None, "columns": None, "header_rows": 1, "escape": "", "runs": False,
               "comment_mark": "#"}  # fmt: skip
"""What is said only where it is not the usual."""
NO_NAMES = {spelling.lower() for spelling in DEFAULT_MISSING}


@dataclass(frozen=True)
class Format(Alignment):
    """What was assumed about a file. Everything but the first block can be given to ``read``, also
    what becomes of rows that do not line up.
    """

    bom: bool
    """The file starts with a byte order mark; it is kept."""
    gzip: bool
    """The file was packed; what is written is not."""
    line_ending: str
    """The most frequent one: \\r\\n, \\n or \\r. Every line keeps its own."""
    sep_line: bool
    """The first line is Excel's ``sep=``; it is kept."""

    encoding: str
    separator: str
    decimal: str
    quote: str
    """Empty if quotes are read as ordinary characters."""
    header: bool
    skip_lines: int
    """Title lines between the start (or the ``sep=`` line) and the header; they are kept."""
    missing: tuple[str, ...]
    assumed: frozenset[str]
    """Names of the fields above that were detected, not given."""

    columns: int | None = None
    """How many there are, where the header does not say so."""
    header_rows: int = 1
    """How many rows, one below the other, name the columns; they are kept byte for byte."""
    escape: str = ""
    """What stands in front of quotes and separators that are part of a text, or empty."""
    runs: bool = False
    """Several separators in a row, spaces, count as one; they are written as one."""
    table: str | None = None
    """The sheet, or the file in an archive, where the file is no text."""

    @property
    def options(self) -> dict[str, Any]:
        r"""What has ``read`` take a file in the same way, as its keyword arguments.

        >>> from compdp_core.tables.reading import read
        >>> table = read(b"Ada;3,5\n", header=False)
        >>> read(b"Ben;4,5\n", **table.format.options).numbers(1).values.tolist()
        [4.5]
        """
        always = {name: getattr(self, name) for name in _ALWAYS}
        rare = {name: getattr(self, name) for name in _WHERE_SAID}
        said = {name: v if v != _WHERE_SAID[name] else None for name, v in rare.items()}
        said |= {name: getattr(self, name) for name in OPTIONS.values()}
        return always | {name: value for name, value in said.items() if value is not None}


@dataclass(frozen=True)
class Head:
    """The first lines of a text, cut into cells by one separator."""

    separator: str
    rows: tuple[tuple[str, ...], ...]
    """Records that are not blank."""
    places: tuple[int, ...]
    """Where each of them starts."""

    @property
    def width(self) -> int:
        """The most frequent number of cells, the larger one of two equally frequent."""
        counts = Counter(map(len, self.rows))
        return max(counts, key=lambda width: (counts[width], width), default=0)

    def steadiness(self, above: int = 0) -> float:
        """Share of records, but for some at the top, with the most frequent number of cells."""
        width, rows = self.width, self.rows[above:]
        return sum(len(row) == width for row in rows) / max(1, len(rows))

    @property
    def single(self) -> int:
        """Records of one cell at the top: title lines, perhaps."""
        return next((i for i, row in enumerate(self.rows) if len(row) > 1), 0)

    @property
    def numbers(self) -> float:
        """Share of cells, below the first record, that are numbers with either decimal mark."""
        cells = [cell.strip() for row in self.rows[1:] for cell in row]
        numbers = sum(bool(_POINT.fullmatch(c) or _COMMA.fullmatch(c) or _PLAIN.fullmatch(c))
                      for c in cells)  # fmt: skip
        return numbers / max(1, len(cells))


def head(
    content: bytes, origin: int, separator: str, quote: str, codec: str, escape: str = "",
    *, runs: bool = False,
) -> Head:  # fmt: skip
    """Cut the first lines of ``content[origin:]`` into cells."""
    piece = content[origin : origin + _HEAD]
    if origin + _HEAD < len(content):
        piece = piece[: max(piece.rfind(b"\n"), piece.rfind(b"\r")) + 1] or piece
    tokens = tokenize(piece, 0, separator, quote, escape)
    blank = set(blank_records(piece, tokens).tolist())
    rows, places = [], []
    marks = ord(quote) if quote else -1, ord(escape) if escape else -1
    edges, records = tokens.edges.tolist(), tokens.records[: _RECORDS + 1].tolist()
    for number, (first, last) in enumerate(itertools.pairwise(records)):
        if number in blank:
            continue
        raw = [piece[edges[k] : edges[k + 1] - 1] for k in range(first, last)]
        raw[-1] = raw[-1].removesuffix(b"\r")
        if runs and not (raw := [cell for cell in raw if cell]):
            continue
        rows.append(tuple(unquoted(cell, *marks).decode(codec, "replace") for cell in raw))
        places.append(edges[first] + origin)
    return Head(separator, tuple(rows), tuple(places))


def can_separate(mark: str) -> bool:
    """One ASCII character that is part of neither numbers nor line ends.

    >>> [can_separate(mark) for mark in (";", " ", "0", "-", "||")]
    [True, True, False, False, False]
    """
    return len(mark) == 1 and mark.isascii() and not mark.isalnum() and mark not in '\r\n\0"+-.'


def sep_line(content: bytes, origin: int) -> tuple[str, int] | None:
    """Excel's ``sep=;`` as first line: the separator, and where the next line starts."""
    found = _SEP_LINE.match(content, origin)
    if found is None or not can_separate(found[1].decode("ascii")):
        return None
    end = LINE_END.match(content, found.end())
    return found[1].decode("ascii"), end.end() if end else len(content)


def skip(content: bytes, origin: int, lines: int) -> int:
    """Where line number ``lines + 1`` starts."""
    for _ in range(lines):
        end = LINE_END.search(content, origin)
        if end is None:
            return len(content)
        origin = end.end()
    return origin


def find_separator(content: bytes, origin: int, quote: str, codec: str, escape: str = "") -> str:
    """The separator that gives the most records the same number of cells.

    Of equally steady ones, the one that leaves more numbers: ``1,5|2,5`` is cut at the bar.
    """
    heads = [head(content, origin, separator, quote, codec, escape) for separator in SEPARATORS]
    fitting = [h for h in heads if h.width >= 2 and _plausible(h)]
    if fitting:
        best = max(fitting, key=lambda h: (h.steadiness(), h.numbers))
        return best.separator
    for separator in RARE_SEPARATORS:
        cut = head(content, origin, separator, quote, codec, escape, runs=separator == " ")
        if _without_doubt(cut):
            return separator
    single = heads[SEPARATORS.index(",")]
    if not any(len(row) > 1 for row in single.rows):
        return ","
    unused = (h.separator for h in heads[1:] if not any(len(row) > 1 for row in h.rows))
    return next(unused, ",")


def _plausible(cut: Head) -> bool:
    first = len(cut.rows[0])
    if cut.separator == "," and first == 1 and cut.width == 2 and len(cut.rows) > 1:
        # One column with decimal commas below its name: "Gewicht", "52,5", "61,25".
        lines = [",".join(row).strip() for row in cut.rows]
        if not _PLAIN.fullmatch(lines[0]) and all(
            _COMMA.fullmatch(line) or _PLAIN.fullmatch(line) for line in lines[1:]
        ):
            return False
    return first > 1 or max(cut.steadiness(), cut.steadiness(cut.single)) >= 0.5


def _without_doubt(cut: Head) -> bool:
    """Every record has as many cells, each name is filled, and numbers stand below a name.

    What is the same in every row below belongs to the cell in front of it, such as a unit.
    """
    names, below = cut.rows[0] if cut.rows else (), cut.rows[1:]
    if cut.width < 2 or not below or any(len(row) != cut.width for row in cut.rows):
        return False
    if not all(name.strip() for name in names) or any(is_plain(name) for name in names):
        return False
    columns = list(zip(*below, strict=True))
    filled = [[cell for cell in cells if cell.strip()] for cells in columns]
    numeric = [bool(cells) and all(map(is_plain, cells)) for cells in filled]
    words = [cells for cells, number in zip(filled, numeric, strict=True) if not number]
    alike = any(len(each) > 1 and len(set(each)) == 1 for each in words)
    return any(numeric) and not (cut.separator == " " and alike)


def is_plain(cell: str) -> bool:
    """Whether a text is a plain number with either decimal mark."""
    return any(pattern.fullmatch(cell.strip()) for pattern in (_PLAIN, _POINT, _COMMA))


def looks_like_header(first: tuple[str, ...], below: list[tuple[str, ...]], decimal: str) -> bool:
    """Whether the first record names the columns: text above numbers, or no number at all.

    Years in rising order above numbers (``country,2019,2020``) are names, too.

    >>> looks_like_header(("14", "71.5"), [("15", "64")], ".")
    False
    """
    names = [cell.strip() for cell in first]
    if not below:
        return not any(is_number(cell, decimal) for cell in names)
    columns = enumerate(itertools.zip_longest(*below, fillvalue=""))
    numeric = {number for number, cells in columns if mostly_numbers(cells, decimal)}
    above = [names[i] for i in numeric if i < len(names) and names[i].lower() not in NO_NAMES]
    if not all(is_number(cell, decimal) for cell in above) or not above:
        return True
    years = [int(cell) for cell in above if re.fullmatch(r"[12]\d{3}", cell)]
    rising = all(a < b for a, b in itertools.pairwise(years))
    return len(years) == len(above) > 1 and rising and len(above) < len([n for n in names if n])


def mostly_numbers(cells: tuple[str, ...], decimal: str) -> bool:
    """Whether most cells that are filled are plain numbers."""
    filled = [cell.strip() for cell in cells if cell.strip()]
    return sum(is_number(cell, decimal) for cell in filled) * 2 > len(filled)


def is_number(cell: str, decimal: str) -> bool:
    """Whether a text is a plain number with that decimal mark."""
    pattern = _COMMA if decimal == "," else _POINT
    return bool(_PLAIN.fullmatch(cell) or pattern.fullmatch(cell))


def usual_line_ending(content: bytes) -> str:
    """The most frequent line ending of the first lines."""
    content = content[: 4 * _HEAD]
    both = content.count(b"\r\n")
    counts = {"\n": content.count(b"\n") - both, "\r\n": both, "\r": content.count(b"\r") - both}
    return max(counts, key=lambda ending: counts[ending])
