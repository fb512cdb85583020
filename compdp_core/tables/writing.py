"""Writing a table back: untouched cells are copied, replaced ones spliced in."""

from __future__ import annotations

import codecs
import io
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from compdp_core.errors import ParameterError
from compdp_core.tables.drop_columns import (
    are_cut_alone,
    cuts_above,
    cuts_within,
    without_columns,
)
from compdp_core.tables.errors import ReplacementError
from compdp_core.tables.escaping import Guard, above_rows, apostrophes, guard_of
from compdp_core.tables.formatting import CellTexts, as_cell_texts
from compdp_core.tables.number_parsing import Mask, Places
from compdp_core.tables.patch import Edits, joined, splice, splice_part
from compdp_core.tables.table import Table
from compdp_core.tables.tokens import CR, LF
from compdp_core.validation import flag

NewCells = CellTexts | Sequence[str | None] | npt.NDArray[np.bytes_]

_BLOCK_CELLS = 1 << 16


@dataclass(frozen=True)
class Written:
    """A file, and what was done to it beyond the replacements."""

    data: bytes
    rows: int
    """Data rows in it."""
    guarded: int
    """Cells that got an apostrophe, so that no spreadsheet runs them as a formula."""


def write(
    table: Table,
    replacements: Mapping[int, NewCells] | None = None,
    *,
    rows: npt.NDArray[np.bool_] | None = None,
    excel: bool = False,
    guard_formulas: bool = True,
    part: bool = False,
    omit: Collection[int] = (),
) -> Written:
    r"""The file again, in the format it came in, with new cells in some columns.

    A new cell takes the place of the whole old one: its quotes and the spaces around it go, too,
    and the new one is quoted only where its own text needs it.

    ``replacements``: for each column position the new texts of all rows (one per row of the
    table, also of rows left out); None, or NaN in ``format_cells``, keeps a cell. ``rows``: which
    rows are written, all by default. ``excel``: UTF-8 with a byte order mark instead of the
    encoding of the file, which Excel opens with its letters right. ``guard_formulas``: put an
    apostrophe in front of text cells and names that a spreadsheet would run (see ``escaping``).
    ``part``: the table is a part of a file below its top, so nothing above its rows is a name.
    ``omit``: positions of columns that are left out, none of them replaced (see ``drop_columns``).

    Everything else comes back byte for byte: quotes, line ends, blank and title lines, spaces.
    Rows that the table leaves out (``Table.without``) are not in the file.
    Without replacements and guard the result is the upload (unpacked, if it was gzip).

    Raises ReplacementError if texts do not fit the table, ParameterError for an unknown column.

    >>> from compdp_core.tables.reading import read
    >>> table = read(b'id,score\n007,"71.5"\n')
    >>> write(table, {1: ["70.25"]}).data
    b'id,score\n007,70.25\n'
    """
    columns = {c: _checked(table, c, new) for c, new in sorted((replacements or {}).items())}
    kept = _kept(table, rows)
    excel = flag("excel", excel)
    guard = guard_of(table) if flag("guard_formulas", guard_formulas) else None
    if clash := sorted(columns.keys() & set(omit)):
        raise ParameterError("omit", clash, "must name no column that is replaced")
    gone = np.unique(np.asarray(list(omit), dtype=np.intp))
    if not are_cut_alone(table, gone):
        whole = _write(table, columns, kept, excel, guard, gone[:0], part)
        form = replace(table.format, encoding="utf-8") if excel else table.format
        return replace(whole, data=without_columns(whole.data, form, omit))
    return _write(table, columns, kept, excel, guard, gone, part)


def _write(
    table: Table,
    columns: Mapping[int, CellTexts],
    kept: Mask,
    excel: bool,
    guard: Guard | None,
    gone: Places,
    part: bool,
) -> Written:
    out = io.BytesIO()
    if excel:
        out.write(codecs.BOM_UTF8)
    else:
        out.write(table.decoded.bom)
    above = np.zeros(0, dtype=np.intp) if part else gone
    guarded = _write_top(table, None if part else guard, out, excel, above)
    for start, stop in table.index.steps(_BLOCK_CELLS, table.index.width):
        edits, found = _edits(table, columns, kept, guard, start, stop, gone)
        guarded += found
        begin, end = table.index.span(start, stop)
        together = joined([*edits, _gone(table, begin, end)])
        out.write(_encoded(table, splice_part(table.index.data, together, begin, end), excel))
    return Written(out.getvalue(), int(kept.sum()), guarded)


def _checked(table: Table, column: int, new: NewCells) -> CellTexts:
    if not 0 <= column < len(table.columns):
        raise ParameterError("column", column, f"must be from 0 to {len(table.columns) - 1}")
    label = table.columns[column].label
    try:
        texts = as_cell_texts(new, table.reading.codec)
        if table.decoded.transcoded and not texts.flat.tobytes().isascii():
            texts.flat.tobytes().decode(texts.codec).encode(table.format.encoding)
    except UnicodeError:
        raise ReplacementError(
            f"The new cells of column {label} hold letters that {table.format.encoding} does not "
            "have. Read the file with the encoding utf-8, or change these cells."
        ) from None
    if len(texts) != table.row_count:
        raise ReplacementError(
            f"The table has {table.row_count} rows and the new column {label} has {len(texts)} "
            "cells. Give one cell for each row; None keeps a cell."
        )
    return texts


def _kept(table: Table, rows: npt.NDArray[np.bool_] | None) -> Mask:
    if rows is None:
        return np.ones(table.row_count, dtype=np.bool_)
    kept = np.asarray(rows)
    if kept.dtype != np.bool_ or kept.shape != (table.row_count,):
        raise ParameterError("rows", kept.shape, f"must be {table.row_count} booleans")
    return kept


def _encoded(table: Table, piece: bytes, excel: bool) -> bytes:
    if not excel:
        return table.decoded.to_file(piece)
    codec = table.decoded.codec
    return piece if codec == "utf-8" else piece.decode(codec).encode("utf-8")


def _write_top(
    table: Table, guard: Guard | None, out: io.BytesIO, excel: bool, gone: Places
) -> int:
    """Everything above the first row: sep line, titles, header, blank lines."""
    index = table.index
    begin, end = table.decoded.origin, int(index.row_starts(0, 1)[0])
    places = (
        np.zeros(0, dtype=np.intp) if guard is None else above_rows(table, guard, gone.tolist())
    )
    without = cuts_above(table, gone)
    edits = joined([apostrophes(table.index, places), without, _gone(table, begin, end)])
    out.write(_encoded(table, splice_part(index.data, edits, begin, end), excel))
    return len(places)


def _gone(table: Table, begin: int, end: int) -> Edits:
    """Deletes the rows between these places that the table leaves out."""
    return Edits.repeated(*table.index.holes_within(begin, end), b"")


def _edits(
    table: Table,
    columns: Mapping[int, CellTexts],
    kept: Mask,
    guard: Guard | None,
    start: int,
    stop: int,
    omit: Places,
) -> tuple[list[Edits], int]:
    """Everything that changes in rows ``start`` to ``stop - 1``, and how many cells are guarded."""
    index = table.index
    written = kept[start:stop]
    edits, taken = [], {}
    tails: dict[int, _Tail] = {}
    widths = index.cell_counts(start, stop)
    for column, texts in columns.items():
        new = ~texts.kept[start:stop] & written
        taken[column] = new
        edits.append(_replace(table, column, texts, start, stop, new & (widths > column)))
        if index.widths is not None:
            _add_tails(table, column, texts, start, np.flatnonzero(new & (widths <= column)), tails)
    if tails:
        rows = np.array(sorted(tails))
        added = CellTexts.of([tails[row].added for row in rows.tolist()])
        ends = index.row_ends(rows)
        edits.append(Edits(ends, ends, *added.part(0, len(added))))
    guarded = 0
    if guard is not None:
        taken |= dict.fromkeys(omit.tolist(), written)
        places = guard.in_rows(start, stop, taken, written)
        guarded = len(places)
        if guarded:
            edits.append(apostrophes(index, places))
    if len(omit):
        edits.append(cuts_within(table, omit, start, stop, written))
    gone = np.flatnonzero(~written) + start
    if len(gone):
        edits.append(Edits.repeated(*index.extents(gone), b""))
    return edits, guarded


def _replace(
    table: Table, column: int, texts: CellTexts, start: int, stop: int, new: Mask
) -> Edits:
    """New texts in place of whole cells, their quotes and spaces included.

    Nothing of the old cell may stay: quotes around a true 1,250 would tell it from a 980.
    """
    starts, stops = (places[0] for places in table.index.bounds(start, stop, np.array([column])))
    flat, lengths = texts.part(start, stop)
    if not new.all():
        flat = flat[np.repeat(new, lengths)]
        starts, stops, lengths = starts[new], stops[new], lengths[new]
    return _quote_where_needed(table, Edits(starts, stops, flat, lengths), column)


def _quote_where_needed(table: Table, edits: Edits, column: int) -> Edits:
    """Quotes around the new texts that need them: whether one does, it alone decides.

    Inside, a quote is doubled, or both it and the escape have the escape in front.
    """
    form = table.format
    quote, escape = form.quote or '"', form.escape
    marks = [ord(mark) for mark in (quote, escape) if mark]
    special = np.zeros(256, dtype=np.bool_)
    special[[ord(form.separator), *marks, CR, LF]] = True
    at = np.flatnonzero(special[edits.flat])
    ends = np.cumsum(edits.lengths)
    owner = np.searchsorted(ends, at, side="right")
    needs = np.zeros(len(edits.lengths), dtype=np.bool_)
    needs[owner] = True
    # An empty cell alone in its line would read as a blank line, and beside spaces as none.
    if len(table.columns) == 1 or form.separator == " ":
        needs |= edits.lengths == 0
    if not needs.any():
        return edits
    if not form.quote:
        raise _without_quotes(table, column)
    doubled = np.isin(edits.flat[at], marks)
    wrapped = np.flatnonzero(needs)
    places = np.concatenate([(ends - edits.lengths)[wrapped], at[doubled], ends[wrapped]])
    cells = np.concatenate([wrapped, owner[doubled], wrapped])
    added = np.full(len(places), ord(quote), dtype=np.uint8)
    added[len(wrapped) : len(wrapped) + int(doubled.sum())] = ord(escape or quote)
    order = np.argsort(cells, kind="stable")
    places, added = places[order], added[order]
    flat = splice(edits.flat, Edits(places, places, added, np.ones_like(places)))
    lengths = edits.lengths + np.bincount(cells, minlength=len(edits.lengths))
    return Edits(edits.starts, edits.stops, flat, lengths)


def _without_quotes(table: Table, column: int) -> ReplacementError:
    return ReplacementError(
        f"A new cell of column {table.columns[column].label} holds the separator, a quote or a "
        "line end, and the file was read without quotes. Use another text."
    )


def _add_tails(
    table: Table,
    column: int,
    texts: CellTexts,
    start: int,
    rows: Places,
    tails: dict[int, _Tail],
) -> None:
    """Cells that their rows do not have: separators up to them are added at the end of the row."""
    separator, mark = table.format.separator, table.format.quote or '"'
    escape = table.format.escape
    empty = 2 * mark if separator == " " else ""
    for row in (rows + start).tolist():
        text = texts[row]
        if not text:
            continue
        if any(each in text for each in (separator, mark, "\r", "\n", *escape)):
            if not table.format.quote:
                raise _without_quotes(table, column)
            if escape:
                text = text.replace(escape, 2 * escape)
            text = mark + text.replace(mark, (escape or mark) + mark) + mark
        tail = tails.setdefault(row, _Tail(int(table.index.cell_counts(row, row + 1)[0])))
        gap = (separator + empty) * (column - tail.width) + separator
        tail.added += (gap + text).encode(table.reading.codec)
        tail.width = column + 1


@dataclass
class _Tail:
    """What is added to a short row, and how many cells it has then."""

    width: int
    added: bytes = b""
