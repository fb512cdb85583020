"""Rows that are no people: totals and means of the others, and notes below a table.

They are told by a word in front, anywhere in the table or, with more freedom, in its last rows;
by a last row without a name that holds the sums of the others; and by last lines of one cell.
Nothing is left out by itself: the owner says which of them are people.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from compdp_core.tables.classify import Reading, blocks
from compdp_core.tables.column import Column
from compdp_core.tables.errors import short
from compdp_core.tables.index import Index, trimmed
from compdp_core.tables.missing import spellings_of
from compdp_core.tables.notices import Notice, of_rows
from compdp_core.tables.number_parsing import NUMBER, Places

TOTAL, NOTE = "total_row", "note_row"
"""Codes of the notices; their ``rows`` are all rows concerned."""

_ANYWHERE = (
    "total", "totals", "grand total", "subtotal", "sub-total", "sub total", "overall total",
    "summe", "gesamt", "insgesamt", "gesamtsumme", "zwischensumme", "totale", "totaal", "celkem",
    "somme", "razem", "suma total", "всего", "итого",
)  # fmt: skip
_WITH_COLON = tuple(f"{word}{end}" for word in _ANYWHERE for end in ("", ":"))
_AT_THE_END = re.compile(
    r"(?:(?:grand|overall|class|group|column)[ -]|sub[ -]?)?"
    r"(?:totals?|sums?|means?|averages?|avg|counts?|median|std|summe|gesamt|insgesamt|mittelwert"
    r"|durchschnitt|anzahl|somme|moyenne|totale|media|promedio|suma|totaal|gemiddelde|celkem|razem"
    r")\b\W*(?:[(=:].*|of .*)?|n\s*[=:].*",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER = re.compile(r"[+-]?\d+\.?")
_LEADING, _LAST, _MOST_COLUMNS = 3, 5, 50


def about_totals(index: Index, reading: Reading, columns: Sequence[Column]) -> Iterator[Notice]:
    """What looks like a total or a note, each with the numbers of its rows in the file."""
    notes = _notes(index, reading, len(columns))
    totals = dict.fromkeys(_with_a_word(index, reading, len(columns)), "")
    end = notes[0] if notes else index.row_count
    for row in range(max(0, end - _LAST), end):
        if row not in totals and _AT_THE_END.fullmatch(_front(index, reading, row)):
            totals[row] = ""
    if end - 1 not in totals and _is_sum_of_others(index, reading, columns, end):
        totals[end - 1] = "its numbers are the sums of the rows above"
    if totals:
        rows = sorted(totals)
        why = totals[rows[0]] or f"it starts with {short(_front(index, reading, rows[0]))!r}"
        yield _notice(
            index, TOTAL, rows, f"like a total ({why}). A total is not a person: with the "
            "others it would count as one, and what else stands in the row would be released.",
        )  # fmt: skip
    if notes:
        example = short(_front(index, reading, notes[0]))
        text = f"like a note below the table ({example!r}), not like a person."
        yield _notice(index, NOTE, notes, text)


def _notice(index: Index, code: str, rows: Sequence[int], text: str) -> Notice:
    return of_rows(code, [*map(index.number, rows)], ("looks", "look"), text)


def _front(index: Index, reading: Reading, row: int) -> str:
    """The first cell of a row that is neither empty nor a running number."""
    width = int(index.cell_counts(row, row + 1)[0])
    cells = (index.text(row, i).decode(reading.codec, "replace") for i in range(min(width, 5)))
    filled = [cell.strip() for cell in cells if cell.strip()]
    return next((cell for cell in filled if not _NUMBER.fullmatch(cell)), "")


def _with_a_word(index: Index, reading: Reading, columns: int) -> list[int]:
    """Rows whose first filled cell is a word for a total and nothing else."""
    words = spellings_of(_WITH_COLON, reading.codec, reading.decimal)
    found: list[int] = []
    for begin, end in index.steps(1 << 16, index.width):
        block, shift = index.block(begin, end)
        open_rows: Places = np.arange(end - begin)
        for column in range(min(_LEADING, columns)):
            at = np.array([column], dtype=np.intp)
            starts, stops = (
                places[0][open_rows] + shift for places in index.bounds(begin, end, at)
            )
            starts, stops = trimmed(block, *index.unquote(block, starts, stops))
            hits = open_rows[words.find(block, starts, stops) >= 0]
            found += (hits + begin).tolist()
            open_rows = open_rows[starts >= stops]
            if not len(open_rows):
                break
    return found


def _notes(index: Index, reading: Reading, columns: int) -> list[int]:
    """Rows at the end that are one cell of text in a table of several columns."""
    found: list[int] = []
    for row in range(index.row_count - 1, max(-1, index.row_count - 1 - 4 * _LAST), -1):
        text = index.text(row, 0).decode(reading.codec, "replace").strip()
        single = int(index.cell_counts(row, row + 1)[0]) == 1
        if columns < 2 or not single or not text or _NUMBER.fullmatch(text):
            break
        if not _AT_THE_END.fullmatch(text):
            found.insert(0, row)
    # A table of nothing but such lines is no table with notes.
    return found if len(found) < index.row_count else []


def _is_sum_of_others(index: Index, reading: Reading, columns: Sequence[Column], end: int) -> bool:
    """Whether the last row has no name and a number that is the sum of those above it."""
    last = end - 1
    if end < 4 or index.text(last, 0).strip():
        return False
    own = (c for c in columns if c.decimal == reading.decimal and c.usable and not c.identifier)
    numeric = [c.position for c in own][:_MOST_COLUMNS]
    filled = {i for i in range(len(columns)) if index.text(last, i).strip()}
    if not numeric or not filled <= set(numeric):
        return False
    sums, own = np.zeros(len(numeric)), np.zeros(len(numeric))
    for block in blocks(index, np.array(numeric), reading, None, exact=False):
        number = (block.kinds == NUMBER).reshape(len(numeric), -1)
        values = np.where(number, block.numerals.value.reshape(len(numeric), -1), 0.0)
        inside = np.asarray(block.rows) < last
        with np.errstate(over="ignore"):
            sums += values[:, inside].sum(axis=1)
        if last in block.rows:
            own = values[:, last - block.rows.start]
    return bool(np.any((own != 0) & np.isclose(sums, own, rtol=1e-9, atol=0)))
