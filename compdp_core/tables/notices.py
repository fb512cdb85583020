"""What was seen in a file that its owner should know before using it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from compdp_core.tables.alignment import RowsByKind
from compdp_core.tables.decoding import Decoded
from compdp_core.tables.dialect import Format, is_number, skip
from compdp_core.tables.errors import short
from compdp_core.tables.index import Index
from compdp_core.tables.number_parsing import Places
from compdp_core.tables.tokens import physical_line

MOST_ROWS = 1000
"""A notice lists at most so many rows; ``count`` is the whole number."""


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
        end = skip(content, decoded.origin, form.skip_lines + form.sep_line)
        title = content[decoded.origin : end].splitlines()[-1]
        shown = title.decode(decoded.codec, "replace")[:60]
        found.append(
            Notice(
                "title_lines",
                f"{_count(form.skip_lines, 'line')} above the header taken as a title (the last "
                f"reads {shown!r}) and kept in the download: see that no total or mean stands "
                "there. Set the lines to skip if that is wrong.",
                count=form.skip_lines,
            )
        )
    return found


def _example(decoded: Decoded) -> str:
    line = next((n for n in decoded.content[: 1 << 20].splitlines() if not n.isascii()), b"")
    return f", in which a line reads {line.decode(decoded.codec, 'replace')[:60]!r}" if line else ""


def about_header(
    form: Format, first: Sequence[str], names: Sequence[str], labels: Sequence[str]
) -> list[Notice]:
    """Whether there is a header, and names that are no names."""
    found = []
    if not form.header and "header" in form.assumed:
        shown = ", ".join(map(short, first[:5])) + (", …" if len(first) > 5 else "")
        found.append(
            Notice(
                "no_header",
                f"There seems to be no header: the first row ({shown}) looks like data. "
                "If it holds the names, say that there is a header.",
            )
        )
    numbers = [name for name in names if is_number(name.strip(), form.decimal)]
    if form.header and "header" in form.assumed and numbers:
        shown = ", ".join(map(short, names[:5])) + (", …" if len(names) > 5 else "")
        found.append(
            Notice(
                "header_numbers",
                f"The first row ({shown}) was taken for the names, and {short(numbers[0])!r} among "
                "them is a number. If it is a row of data, say so: names leave without noise.",
                count=len(numbers),
            )
        )
    if form.header and len(names) < len(labels):
        found.append(
            Notice(
                "fewer_names",
                f"The header has {len(names)} names and most rows have {len(labels)} cells. Names "
                "are counted from the left. If the first column is the one without a name (as R "
                "writes row names), add a name in front and upload the file again.",
            )
        )
    if form.header:
        odd = [label for label in labels if "(column" in label]
        if odd:
            found.append(
                Notice(
                    "column_names",
                    "Some column names are blank or not the only ones; they are shown as "
                    f"{', '.join(map(short, odd[:5]))}{', …' if len(odd) > 5 else ''}. "
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


def about_rows(index: Index, columns: int, blank_lines: Places, odd: RowsByKind) -> list[Notice]:
    """Rows of other lengths, cells over several lines, blank lines and rows."""
    found = _about_widths(columns, odd) + _about_embedded(index)
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
    return found


def _about_widths(columns: int, odd: RowsByKind) -> list[Notice]:
    texts = (
        ("short_rows", odd.short, f"{{rows}} fewer than {columns} cells. The cells that are not "
         "there count as missing."),
        ("extra_empty_cells", odd.trailing, "{rows} a separator at the end, which makes an extra "
         "empty cell. It is kept and not used; columns are counted from the left."),
        ("extra_cells", odd.long, f"{{rows}} more than {columns} cells. Columns are counted from "
         "the left, the extra cells cannot be used. Check that no separator stands inside a cell "
         "without quotes."),
        ("comment_rows", odd.comment, "{rows} a # in front, as comments have."),
        ("empty_rows", odd.empty, "{rows} nothing in any cell: counted as missing values."),
    )  # fmt: skip
    return [
        _of_rows(code, rows[:MOST_ROWS].tolist(), len(rows), text)
        for code, rows, text in texts
        if len(rows)
    ]


def _about_embedded(index: Index) -> list[Notice]:
    rows = index.rows_of(index.tokens.embedded)
    if not len(rows):
        return []
    first, count = int(rows[0]), len(rows)
    span = int(index.row_starts(first, first + 1)[0]), int(index.row_ends(rows[:1])[0])
    lines = [physical_line(index.content, place) for place in span]
    return [
        _of_rows(
            "cell_over_lines",
            rows[:MOST_ROWS].tolist(),
            count,
            f"A cell spans several lines (row {first + 1}: file lines {lines[0]} to {lines[1]}). "
            f"{{rows}} such a cell. The table has {index.row_count} rows: if that is too few, a "
            "quote is missing; correct it, or read quotes as ordinary characters.",
        )
    ]


def _of_rows(code: str, rows: list[int], count: int, text: str) -> Notice:
    numbers = tuple(row + 1 for row in rows)
    shown = ", ".join(map(str, numbers[:10])) + (", …" if count > 10 else "")
    subject = f"Row {shown} has" if count == 1 else f"{count} rows ({shown}) have"
    return Notice(code, text.format(rows=subject), numbers, count)


def _count(number: int, noun: str) -> str:
    return f"1 {noun} is" if number == 1 else f"{number} {noun}s are"
