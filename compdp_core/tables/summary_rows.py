"""Rows that are no people: totals and means of the others, and notes below a table.

They are told by a word in front, anywhere in the table or, with more freedom, in its last rows;
by a last row without a name that holds the sums of the others; and by last lines of one cell.
Nothing is left out by itself: the owner says which of them are people.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from compdp_core.tables.classify import CellReading, blocks, classify
from compdp_core.tables.column import Column
from compdp_core.tables.errors import short
from compdp_core.tables.index import Index, trimmed
from compdp_core.tables.notices import Notice, of_rows
from compdp_core.tables.number_parsing import BLANK, NUMBER, PAD
from compdp_core.tables.total_words import AT_THE_END, words_in

TOTAL, NOTE = "total_row", "note_row"
"""Codes of the notices; their ``rows`` are all rows concerned."""

_NUMBER = re.compile(r"[+-]?\d+\.?")
_LEADING, _LAST, _MOST_COLUMNS = 3, 5, 50
_BEHIND, _MOST_BEHIND = 8, 1000


def about_totals(index: Index, reading: CellReading, columns: Sequence[Column]) -> Iterator[Notice]:
    """What looks like a total or a note, each with the numbers of its rows in the file."""
    notes = _notes(index, reading, len(columns))
    totals = dict.fromkeys(_with_a_word(index, reading, columns), "")
    end = notes[0] if notes else index.row_count
    for row in range(max(0, end - _LAST), end):
        if row not in totals and AT_THE_END.fullmatch(_front(index, reading, row)):
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


def _front(index: Index, reading: CellReading, row: int) -> str:
    """The first cell of a row that is neither empty nor a running number."""
    width = int(index.cell_counts(row, row + 1)[0])
    cells = (index.text(row, i).decode(reading.codec, "replace") for i in range(min(width, 5)))
    filled = [cell.strip() for cell in cells if cell.strip()]
    return next((cell for cell in filled if not _NUMBER.fullmatch(cell)), "")


def _with_a_word(index: Index, reading: CellReading, columns: Sequence[Column]) -> list[int]:
    """Rows whose first filled cell is a word for a total and nothing else; and those where it
    stands behind a text, as of a group, with nothing but numbers behind it.
    """
    words = words_in(reading.codec)
    found: list[int] = []
    behind: list[list[int]] = [[] for _ in columns[:_BEHIND]]
    for begin, end in index.steps(1 << 16, index.width):
        block, shift = index.block(begin, end)
        open_rows = np.ones(end - begin, dtype=np.bool_)
        for column, hits in enumerate(behind):
            if not columns[column].texts and not (columns[column].missing and open_rows.any()):
                open_rows[:] = False
                continue
            places = index.bounds(begin, end, np.array([column]))
            starts, stops = (each[0] + shift for each in places)
            at = np.flatnonzero(words.may_begin[block[starts]] | open_rows)
            cells = trimmed(block, *index.unquote(block, starts[at], stops[at]))
            at_total = at[words.find(block, *cells)]
            if column < _LEADING:
                found += (at_total[open_rows[at_total]] + begin).tolist()
            if column and len(hits) <= _MOST_BEHIND:
                hits += (at_total[~open_rows[at_total]] + begin).tolist()
            blank = np.zeros_like(open_rows)
            blank[at] = cells[0] >= cells[1]
            open_rows &= blank
    for column, hits in enumerate(behind):
        # A word that many rows carry there is an answer, not a total.
        if len(hits) <= min(_MOST_BEHIND, max(3, index.row_count // 10)):
            found += [row for row in hits if _numbers_behind(index, reading, row, column)]
    return found


def _numbers_behind(index: Index, reading: CellReading, row: int, column: int) -> bool:
    """Whether behind this cell stand numbers and empty cells only, and a number is among them."""
    width = int(index.cell_counts(row, row + 1)[0])
    cells = [index.text(row, i).strip() for i in range(column + 1, min(width, _MOST_COLUMNS))]
    block = b"\0".join([bytes(PAD), *cells, bytes(PAD)])
    lengths = np.array([len(cell) for cell in cells], dtype=np.intp)
    starts = PAD + 1 + np.cumsum(lengths + 1) - lengths - 1
    data, stops = np.frombuffer(block, dtype=np.uint8), starts + lengths
    # With either decimal mark: each column has its own.
    kinds = [classify(data, starts, stops, reading.with_decimal(mark))[1] for mark in ".,"]
    number = (kinds[0] == NUMBER) | (kinds[1] == NUMBER)
    return bool(number.any() and (number | (kinds[0] == BLANK)).all())


def _notes(index: Index, reading: CellReading, columns: int) -> list[int]:
    """Rows at the end that are one cell of text in a table of several columns."""
    found: list[int] = []
    for row in range(index.row_count - 1, max(-1, index.row_count - 1 - 4 * _LAST), -1):
        text = index.text(row, 0).decode(reading.codec, "replace").strip()
        single = int(index.cell_counts(row, row + 1)[0]) == 1
        if columns < 2 or not single or not text or _NUMBER.fullmatch(text):
            break
        if not AT_THE_END.fullmatch(text):
            found.insert(0, row)
    # A table of nothing but such lines is no table with notes.
    return found if len(found) < index.row_count else []


def _is_sum_of_others(
    index: Index, reading: CellReading, columns: Sequence[Column], end: int
) -> bool:
    """Whether the last row has no name and a number that is the sum of those above it."""
    last = end - 1
    if end < 4 or index.text(last, 0).strip():
        return False
    same = (c for c in columns if c.decimal == reading.decimal and c.usable and not c.identifier)
    numeric = [c.position for c in same][:_MOST_COLUMNS]
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
