"""What was seen in a file that its owner should know before using it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from compdp_core.table.decoding import Decoded
from compdp_core.table.dialect import Format
from compdp_core.table.index import Index
from compdp_core.table.numerals import Places
from compdp_core.table.tokens import physical_line

MOST_ROWS = 1000
"""A notice lists at most so many rows; ``count`` is the whole number."""

_TOTALS = {
    "total", "totals", "grand total", "subtotal", "sum", "sums", "mean", "average", "avg", "count",
    "summe", "gesamt", "insgesamt", "mittelwert", "durchschnitt", "somme", "moyenne", "totale",
    "media", "suma", "totaal", "celkem",
}  # fmt: skip


@dataclass(frozen=True)
class Notice:
    """One observation. ``rows`` count from 1, the first data row; line numbers are in the text."""

    code: str
    text: str
    rows: tuple[int, ...] = ()
    count: int = 0
    """Rows or lines concerned, also beyond those listed."""


def about_reading(decoded: Decoded, form: Format, content: bytes) -> list[Notice]:
    """Encoding and packing."""
    found = []
    if form.gzip:
        found.append(Notice("gzip", "The file was packed with gzip and has been unpacked."))
    if not decoded.certain:
        example = _example(decoded)
        found.append(
            Notice(
                "encoding",
                f"The encoding was taken to be {decoded.encoding}{example}. "
                "If letters look wrong, choose another encoding.",
            )
        )
    if decoded.damaged:
        found.append(
            Notice(
                "damaged_characters",
                f"{_count(decoded.damaged, 'place')} not valid in {decoded.encoding}: shown as "
                "\ufffd, kept as they are in the download.",
                count=decoded.damaged,
            )
        )
    if form.sep_line:
        found.append(Notice("sep_line", "The first line, sep=, is kept and is not a row."))
    if form.skip_lines and "skip_lines" in form.assumed:
        start = decoded.origin
        titles = content[start:].splitlines()[: form.skip_lines + form.sep_line]
        shown = titles[-1].decode(decoded.codec, "replace")[:60] if titles else ""
        found.append(
            Notice(
                "title_lines",
                f"{_count(form.skip_lines, 'line')} above the header taken as a title (the last "
                f"reads {shown!r}) and kept. Set the lines to skip if that is wrong.",
                count=form.skip_lines,
            )
        )
    return found


def _example(decoded: Decoded) -> str:
    line = next((n for n in decoded.content[: 1 << 20].splitlines() if not n.isascii()), b"")
    return f", in which a line reads {line.decode(decoded.codec, 'replace')[:60]!r}" if line else ""


def about_header(
    form: Format, first: Sequence[str], header: Sequence[str], labels: Sequence[str]
) -> list[Notice]:
    """Whether there is a header, and names that are no names."""
    found = []
    if not form.header and "header" in form.assumed:
        shown = ", ".join(first[:5]) + (", …" if len(first) > 5 else "")
        found.append(
            Notice(
                "no_header",
                f"There seems to be no header: the first row ({shown}) looks like data. "
                "If it holds the names, say that there is a header.",
            )
        )
    if form.header:
        odd = [label for name, label in zip(header, labels, strict=False) if "(column" in label]
        if odd:
            found.append(
                Notice(
                    "column_names",
                    "Some column names are blank or not the only ones; they are shown as "
                    f"{', '.join(odd[:5])}{', …' if len(odd) > 5 else ''}. "
                    "The file keeps its header.",
                    count=len(odd),
                )
            )
    return found


def about_decimal(decimal: str) -> Notice:
    """The decimal mark had to be guessed."""
    return Notice(
        "decimal",
        f"The decimal mark was taken to be {decimal!r}; the numbers leave some doubt. "
        "If values look a thousand times too large or small, choose the other one.",
    )


def about_rows(index: Index, columns: int, blank_lines: Places, codec: str) -> list[Notice]:
    """Rows of other lengths, cells over several lines, blank lines and rows, totals."""
    found = _about_widths(index, columns)
    found += _about_embedded(index, codec)
    if len(blank_lines):
        starts = index.tokens.edges[index.tokens.records[blank_lines[:5]]].tolist()
        lines = ", ".join(str(physical_line(index.content, start)) for start in starts)
        more = ", …" if len(blank_lines) > 5 else ""
        found.append(
            Notice(
                "blank_lines",
                f"{_count(len(blank_lines), 'blank line')} not counted as rows and kept "
                f"(file lines {lines}{more}). If they stand for missing values, write NA there.",
                count=len(blank_lines),
            )
        )
    empty = _empty_rows(index)
    if len(empty):
        found.append(
            _of_rows("empty_rows", empty, "{rows} nothing in any cell: counted as missing values.")
        )
    return found + _about_totals(index, codec)


def _about_widths(index: Index, columns: int) -> list[Notice]:
    if index.widths is None and index.width == columns:
        return []
    widths = index.cell_counts(0, index.row_count)
    found = []
    short = np.flatnonzero(widths < columns)
    if len(short):
        found.append(
            _of_rows(
                "short_rows",
                short,
                f"{{rows}} fewer than {columns} cells. The cells that are not there count as "
                "missing; the rows are kept as they are.",
            )
        )
    extra = np.flatnonzero(widths > columns)
    if not len(extra):
        return found
    # A separator at the end of the line makes one more, empty cell: harmless, yet worth saying.
    first = index.first_cells(0, index.row_count)[extra] + columns
    ends = index.row_ends(extra)
    starts = index.tokens.edges[first].astype(np.intp)
    bare = ends == starts + (widths[extra] - columns - 1)
    empty, filled = extra[bare], extra[~bare]
    if len(empty):
        found.append(
            _of_rows(
                "extra_empty_cells",
                empty,
                "{rows} a separator at the end, which makes an extra empty cell. It is kept and "
                "not used; columns are counted from the left.",
            )
        )
    if len(filled):
        found.append(
            _of_rows(
                "extra_cells",
                filled,
                f"{{rows}} more than {columns} cells. Columns are counted from the left, the "
                "extra cells are kept and cannot be used. Check that no separator stands inside "
                "a cell without quotes.",
            )
        )
    return found


def _about_embedded(index: Index, codec: str) -> list[Notice]:
    places = index.tokens.embedded
    starts = index.row_starts(0, index.row_count)
    rows = np.unique(np.searchsorted(starts, places, side="right") - 1)
    rows = rows[rows >= 0]
    if not len(rows):
        return []
    first = int(starts[rows[0]])
    end = int(index.row_ends(rows[:1])[0])
    lines = physical_line(index.content, first), physical_line(index.content, end)
    return [
        _of_rows(
            "cell_over_lines",
            rows,
            f"A cell spans several lines (row {int(rows[0]) + 1}: file lines {lines[0]} to "
            f"{lines[1]}). {{rows}} such a cell. The table has {index.row_count} rows: if that is "
            "too few, a quote is missing; correct it, or read quotes as ordinary characters.",
        )
    ]


def _empty_rows(index: Index) -> Places:
    """Rows that are nothing but separators."""
    if index.width == 1:
        return np.zeros(0, dtype=np.intp)
    every = np.arange(index.row_count)
    widths = index.cell_counts(0, index.row_count)
    lengths = index.row_ends(every) - index.row_starts(0, index.row_count)
    return np.flatnonzero(lengths == widths - 1)


def _about_totals(index: Index, codec: str) -> list[Notice]:
    found = []
    for row in range(max(0, index.row_count - 3), index.row_count):
        width = int(index.cell_counts(row, row + 1)[0])
        texts = (index.text(row, i).decode(codec, "replace").strip() for i in range(min(width, 5)))
        first = next((text for text in texts if text), "")
        if first.rstrip(":").strip().lower() in _TOTALS:
            found.append(
                Notice(
                    "total_row",
                    f"Row {row + 1} starts with {first!r}: a total is not a person, and in the "
                    "download it would give true values away. Leave this row out.",
                    (row + 1,),
                    1,
                )
            )
    return found


def _of_rows(code: str, rows: Places, text: str) -> Notice:
    numbers = tuple((rows[:MOST_ROWS] + 1).tolist())
    shown = ", ".join(map(str, numbers[:10])) + (", …" if len(rows) > 10 else "")
    subject = f"Row {shown} has" if len(rows) == 1 else f"{len(rows)} rows ({shown}) have"
    return Notice(code, text.format(rows=subject), numbers, len(rows))


def _count(number: int, noun: str) -> str:
    return f"1 {noun} is" if number == 1 else f"{number} {noun}s are"
