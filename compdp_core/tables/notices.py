"""What was seen in a file that its owner should know before using it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from compdp_core.tables.alignment import RowsByKind
from compdp_core.tables.column import Column
from compdp_core.tables.containers.base import Container
from compdp_core.tables.decoding import Decoded
from compdp_core.tables.dialect import Format, Head, is_number, skip
from compdp_core.tables.errors import short, some
from compdp_core.tables.index import Index
from compdp_core.tables.number_parsing import Places
from compdp_core.tables.tokens import physical_line

MOST_ROWS = 1000
"""A notice lists at most so many rows; ``count`` is the whole number."""
_HAVE = ("has", "have")
_HEAD = 1 << 20


@dataclass(frozen=True)
class Notice:
    """One observation. ``rows`` count from 1, the first data row; line numbers are in the text."""

    code: str
    text: str = field(repr=False)
    """May quote a cell: a log or a notebook that shows a notice shows none."""
    rows: tuple[int, ...] = ()
    count: int = 0
    """Rows or lines concerned, also beyond those listed. Of lines above the likely names
    (``names_line``) and of rows that name columns (``more_names``): how many there are in all.
    """


def about_container(container: Container) -> Iterator[Notice]:
    """What kind of file it was, where it was no text."""
    for remark in container.remarks:
        yield Notice("container", remark)


def about_reading(decoded: Decoded, form: Format, content: bytes) -> Iterator[Notice]:
    """Encoding and packing."""
    if form.gzip:
        yield Notice("gzip", "The file was packed with gzip and has been unpacked.")
    if not decoded.certain:
        yield Notice(
            "encoding",
            f"The encoding was taken to be {decoded.encoding}{_example(decoded)}. "
            "If letters look wrong, choose another encoding.",
        )
    if decoded.damaged:
        yield Notice(
            "damaged_characters",
            f"{_count(decoded.damaged, 'place')} not valid in {decoded.encoding}: shown as "
            "\ufffd, kept as they are in the download.",
            count=decoded.damaged,
        )
    if form.sep_line:
        yield Notice("sep_line", "The first line, sep=, is kept and is not a row.")
    if form.skip_lines and "skip_lines" in form.assumed:
        end = skip(content, decoded.origin, form.skip_lines + form.sep_line)
        title = content[decoded.origin : end].splitlines()[-1].decode(decoded.codec, "replace")
        yield Notice(
            "title_lines",
            f"{_count(form.skip_lines, 'line')} above the header taken as a title (the last "
            f"reads {title[:60]!r}) and kept in the download: see that no total or mean stands "
            "there. Set the lines to skip if that is wrong.",
            count=form.skip_lines,
        )


def _example(decoded: Decoded) -> str:
    line = next((n for n in decoded.content[: 1 << 20].splitlines() if not n.isascii()), b"")
    return f", in which a line reads {line.decode(decoded.codec, 'replace')[:60]!r}" if line else ""


def about_header(
    form: Format, first: Sequence[str], names: Sequence[str], labels: Sequence[str]
) -> Iterator[Notice]:
    """Whether there is a header, and names that are no names."""
    if not form.header and "header" in form.assumed:
        yield Notice(
            "no_header",
            f"There seems to be no header: the first row ({some(first)}) looks like data. "
            "If it holds the names, say that there is a header.",
        )
    numbers = [name for name in names if is_number(name.strip(), form.decimal)]
    if form.header and "header" in form.assumed and numbers:
        yield Notice(
            "header_numbers",
            f"The first row ({some(names)}) was taken for the names, and {short(numbers[0])!r} "
            "among them is a number. If it is a row of data, say so: names leave without noise.",
            count=len(numbers),
        )
    if form.header and len(names) < len(labels):
        yield Notice(
            "fewer_names",
            f"The header has {len(names)} names and most rows have {len(labels)} cells. Names "
            "are counted from the left. If the first column is the one without a name (as R "
            "writes row names), add a name in front and upload the file again.",
        )
    odd = [label for label in labels if form.header and "(column" in label]
    if odd:
        yield Notice(
            "column_names",
            "Some column names are blank or not the only ones; they are shown as "
            f"{some(odd)}. The file keeps its header.",
            count=len(odd),
        )


def about_more_names(many: int, rows: Sequence[Sequence[str]]) -> Iterator[Notice]:
    """Texts below the names, above numbers: of units, of questions, of a second line of names."""
    if many > 1:
        below = "row 1 looks" if many == 2 else f"rows 1 to {many - 1} look"
        yield Notice(
            "more_names",
            f"{many} lines seem to name the columns: below the first, {below} like names, units or "
            "questions "
            f"({some([c for c in rows[1] if c.strip()], 3)}), not like a person. As header rows "
            "they are kept as they came and get no noise.",
            count=many,
        )


def about_names_line(
    form: Format, cut: Head, likely: tuple[int, tuple[str, ...]] | None
) -> Iterator[Notice]:
    """The first line leaves names empty, and one further down fills all of them."""
    if likely is not None:
        lines, found = likely
        first = [cell for cell in cut.rows[0] if cell.strip()]
        above = form.skip_lines + lines
        yield Notice(
            "names_line",
            f"Line {above + form.sep_line + 1} ({some(found)}) most likely holds the names, not "
            f"line {form.skip_lines + form.sep_line + 1} ({some(first)}).",
            count=above,
        )


def about_marks(form: Format, rows: Sequence[Sequence[str]], content: bytes) -> Iterator[Notice]:
    """Single quotes around cells and backslashes in front of quotes, read as ordinary letters."""
    if form.separator == " " and form.runs:
        yield Notice(
            "runs",
            "Cells are separated by spaces. Several in a row count as one and are written as one: "
            "how wide a gap is would tell how long the true value beside it was.",
        )
    single = [row for row in rows if any(cell.strip()[:1] == "'" for cell in row)
              and any(len(cell) > 1 and cell.strip()[-1:] == "'" for cell in row)]  # fmt: skip
    if form.quote != "'" and len(single) > 1 and 2 * len(single) >= len(rows):
        yield Notice(
            "single_quotes",
            f"Cells seem to stand in single quotes ({some(single[-1])}), which are read as "
            "letters. Read them as quotes if a separator may stand between two of them.",
            count=len(single),
        )
    if form.quote and not form.escape:
        typed = re.escape(form.quote.encode())
        ends = re.escape(form.separator.encode()) + b"\r\n" + typed
        found = re.search(rb"\\" + typed + b"[^" + ends + b"]", content[:_HEAD])
        if found:
            yield Notice(
                "escapes",
                f"In line {physical_line(content, found.start())} a backslash stands in "
                "front of a quote. If it makes the quote a letter of the text, say so: cells may "
                "end in a wrong place else.",
            )


def about_decimals(columns: Sequence[Column]) -> Iterator[Notice]:
    """Numbers of a column that can be read with either decimal mark."""
    odd = [column.label for column in columns if column.doubt is not None]
    if odd:
        yield Notice(
            "decimal",
            f"The numbers of {some(odd)} can be read with either decimal mark, so that some may be "
            "a thousand times too large or small. Say for each of these columns which one it has.",
            count=len(odd),
        )


def about_rows(
    index: Index, columns: int, blank_lines: Places, odd: RowsByKind, mark: str = "#"
) -> Iterator[Notice]:
    """Rows of other lengths, cells over several lines, blank lines and rows."""
    yield from _about_widths(columns, odd, mark)
    yield from _about_embedded(index)
    if len(blank_lines):
        starts = index.tokens.edges[index.tokens.records[blank_lines[:5]]].tolist()
        lines = [physical_line(index.content, start) for start in starts]
        yield Notice(
            "blank_lines",
            f"{_count(len(blank_lines), 'blank line')} not counted as rows and kept (file lines "
            f"{some(lines, count=len(blank_lines))}). If they stand for missing values, write NA "
            "there.",
            count=len(blank_lines),
        )


def _about_widths(columns: int, odd: RowsByKind, mark: str) -> Iterator[Notice]:
    texts = (
        ("short_rows", odd.short, f"fewer than {columns} cells. The cells that are not "
         "there count as missing."),
        ("extra_empty_cells", odd.trailing, "a separator at the end, which makes an extra "
         "empty cell. It is kept and not used; columns are counted from the left."),
        ("extra_cells", odd.long, f"more than {columns} cells. Columns are counted from "
         "the left, the extra cells cannot be used. Check that no separator stands inside a cell "
         "without quotes."),
        ("comment_rows", odd.comment, f"a {mark} in front, as comments have."),
        ("empty_rows", odd.empty, "nothing in any cell: counted as missing values."),
    )  # fmt: skip
    for code, rows, text in texts:
        if len(rows):
            yield of_rows(code, _numbers(rows), _HAVE, text, count=len(rows))


def _about_embedded(index: Index) -> Iterator[Notice]:
    rows = index.rows_of(index.tokens.embedded)
    if not len(rows):
        return
    first = int(rows[0])
    span = int(index.row_starts(first, first + 1)[0]), int(index.row_ends(rows[:1])[0])
    lines = [physical_line(index.content, place) for place in span]
    yield of_rows(
        "cell_over_lines",
        _numbers(rows),
        _HAVE,
        f"such a cell. The table has {index.row_count} rows: if that is too few, a quote is "
        "missing; correct it, or read quotes as ordinary characters.",
        before=f"A cell spans several lines (row {first + 1}: file lines {lines[0]} to "
        f"{lines[1]}). ",
        count=len(rows),
    )


def _numbers(rows: Places) -> list[int]:
    return [row + 1 for row in rows[:MOST_ROWS].tolist()]


def of_rows(
    code: str,
    rows: Sequence[int],
    verbs: tuple[str, str],
    text: str,
    *,
    before: str = "",
    count: int | None = None,
) -> Notice:
    """A notice that one row, or several, do something; ``rows`` are their numbers.

    ``verbs``: of one row and of several. ``count``: how many there are, where these are the first.
    """
    many = len(rows) if count is None else count
    shown = some(rows, 10, many)
    subject = f"Row {shown} {verbs[0]}" if many == 1 else f"{many} rows ({shown}) {verbs[1]}"
    return Notice(code, f"{before}{subject} {text}", tuple(rows), many)


def _count(number: int, noun: str) -> str:
    return f"1 {noun} is" if number == 1 else f"{number} {noun}s are"
