"""Which lines above the rows of a table are titles, and which name its columns."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Sequence

from compdp_core.tables.alignment import COMMENT_MARKS
from compdp_core.tables.dialect import (
    LINE_END,
    NO_NAMES,
    Head,
    is_number,
    is_plain,
    mostly_numbers,
)

_MOST_TITLES = 20
_LIKELY_HEADER_ROWS = 4
Likely = tuple[int, tuple[str, ...]]
"""How many lines stand above the one that most likely holds the names, and its cells."""
_NAME = re.compile(r"(?!\W*\d)\s*\S")


def title_lines(cut: Head, content: bytes, origin: int) -> int:
    """Lines above the header: leading records of a table that fill only their first cell, and
    comments above names.
    """
    if cut.width < 2:
        return 0
    comments = _comments_above(cut)
    for number, row in enumerate(cut.rows[: _MOST_TITLES + 1]):
        if number < comments:
            continue
        filled = [bool(cell.strip()) for cell in row]
        lonely = filled[0] and sum(filled) == 1
        if not (lonely and (len(row) == 1 or cut.width >= 3)):
            if number == 0 or sum(filled) < 2:
                return 0
            return _lines_above(cut, content, origin, number)
    return 0


def _lines_above(cut: Head, content: bytes, origin: int, number: int) -> int:
    return len(LINE_END.findall(content[origin : cut.places[number]]))


def _comments_above(cut: Head) -> int:
    """Leading comments above a line that names columns of numbers: else # may begin a name."""
    marks = (mark for mark in COMMENT_MARKS if cut.rows and cut.rows[0][0].startswith(mark))
    mark = next((mark for mark in marks if mark != cut.separator), "")
    many = next((i for i, row in enumerate(cut.rows) if not row[0].startswith(mark)), 0)
    if not mark or not 0 < many <= _MOST_TITLES or many + 1 >= len(cut.rows):
        return 0
    names, below = cut.rows[many], cut.rows[many + 1 :]
    bare = len(names) < 2 or any(is_plain(name) for name in names)
    return 0 if bare or not any(map(is_plain, below[0])) else many


def likely_names(cut: Head, content: bytes, origin: int) -> Likely | None:
    """Lines above the one that most likely holds the names, where the first record does not, and
    its cells.

    Sections filled up with separators stand above a table: they leave names empty. The line looked
    for fills all of them, each with another text, above a column of numbers or at least twice as
    many as the first one does.
    """
    if not cut.rows or cut.width < 2 or all(cell.strip() for cell in cut.rows[0][: cut.width]):
        return None
    first = sum(bool(cell.strip()) for cell in cut.rows[0])
    for number, row in enumerate(cut.rows[: _MOST_TITLES + 1]):
        names = [cell.strip() for cell in row]
        whole = len(row) == cut.width and all(names) and len(set(names)) == len(names)
        if not number or not whole or any(map(is_plain, names)):
            continue
        below = [each for each in cut.rows[number + 1 :] if len(each) == cut.width]
        columns = list(zip(*below, strict=True))
        numeric = any(mostly_numbers(cells, ".") or mostly_numbers(cells, ",")
                      for cells in columns if any(cell.strip() for cell in cells))  # fmt: skip
        if below and (numeric or 2 * first <= cut.width):
            return _lines_above(cut, content, origin, number), row
    return None


def more_header_rows(rows: list[tuple[str, ...]], decimal: str) -> int:
    """How many rows in all seem to name the columns: texts above numbers, as of units, questions.

    ``rows`` begin with the names. Every column that holds numbers further down must hold a text
    that is none of the spellings of a missing value, and no cell of such a row is a number. Of one
    column of numbers that is not enough, where other cells are filled: its cell may be a slip.

    >>> rows = [("time", "temp"), ("s", "degC"), ("0", "21.5"), ("1", "21.7")]
    >>> more_header_rows(rows, ".")
    2
    """
    for many in range(min(_LIKELY_HEADER_ROWS, len(rows) - 2), 1, -1):
        columns = enumerate(itertools.zip_longest(*rows[many:], fillvalue=""))
        numeric = [i for i, cells in columns
                   if any(map(str.strip, cells)) and mostly_numbers(cells, decimal)]  # fmt: skip
        if all(_names_more(row, numeric, decimal) for row in rows[1:many]):
            return many
    return 1


def _names_more(row: tuple[str, ...], numeric: list[int], decimal: str) -> bool:
    cells = [cell.strip() for cell in row]
    above = [cells[i] if i < len(cells) else "" for i in numeric]
    texts = all(_NAME.match(text) and text.lower() not in NO_NAMES for text in above)
    lonely = len(numeric) == 1 and sum(map(bool, cells)) > 1
    return bool(numeric) and texts and not lonely and not any(is_number(c, decimal) for c in cells)


def joined_names(rows: Sequence[tuple[str, ...]], count: int) -> list[str]:
    """One name a column: that of the first row, with those below it where it is not the only one.

    An empty cell right of a name is a merged one: the name holds there, too.

    >>> joined_names([("", "2019", "", "2020"), ("id", "a", "b", "a")], 4)
    ['id', '2019 a', '2019 b', '2020']
    """
    parts = [[row[i].strip() if i < len(row) else "" for i in range(count)] for row in rows]
    for i in range(1, count):
        parts[0][i] = parts[0][i] or parts[0][i - 1]
    found = parts[0]
    for more in parts[1:]:
        times = Counter(found)
        found = [
            name if name and times[name] == 1 else " ".join(filter(None, (name, below)))
            for name, below in zip(found, more, strict=True)
        ]
    return found
