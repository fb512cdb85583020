"""Excel and OpenDocument spreadsheets: the values of one sheet.

The library that reads them gets an archive of the few parts that it needs, unpacked before under
the limits of :mod:`.archives` and with an extent that was measured first: it would make room for a
whole sheet of a single cell in its last corner. No macro, no link and no formula is looked at.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from datetime import date, datetime, time, timedelta
from html import unescape
from posixpath import normpath
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from compdp_core.tables.containers.archives import Archive, stored
from compdp_core.tables.containers.base import Container, check_extent, chosen
from compdp_core.tables.containers.csv_text import Lines, cell
from compdp_core.tables.errors import EmptyFileError, NotTextError
from compdp_core.tables.file_kinds import NAMES

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

_KEPT = (
    "[content_types].xml", "_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels",
    "xl/sharedstrings.xml", "xl/styles.xml",
)  # fmt: skip
_VALUE = re.compile(rb"<(?:\w+:)?(?:v|t)\b[^>]*>[^<]")
_INSIDE = rb"""(?:[^>"']|"[^"]*"|'[^']*')*?\sr\s*=\s*["']"""
"""Of a tag up to its place; what stands in quotes may hold the end of a tag."""
_PLACE = re.compile(rb"<(?:\w+:)?c\b" + _INSIDE + rb"""([A-Za-z]{1,3})0*(\d{1,7})["']""")
_ROW_PLACE = re.compile(rb"<(?:\w+:)?row\b" + _INSIDE + rb"""0*(\d{1,7})["']""")
_CELL, _ROW = re.compile(rb"<(?:\w+:)?c\b"), re.compile(rb"<(?:\w+:)?row\b")
_NO_VALUE = re.compile(
    rb"<(?:\w+:)?c\b(?![^>]*\st=.str)[^>]*>\s*<(?:\w+:)?f\b(?:[^>]*/>|[^>]*>[^<]*</(?:\w+:)?f>)\s*"
    rb"(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*</(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
_MOST_COLUMNS, _MOST_ROWS = 16_384, 1_048_576
_WITH_CLOCK = {"22"}
"""Of the formats that a workbook need not define, the one of a date with a time."""
_LITERAL = re.compile(r'"[^"]*"|\\.|_.|\[[^\]]*\]')

_ODS_TAG = re.compile(
    rb"<table:(table|table-row|(?:covered-)?table-cell)(?=[\s/>])((?:[^>\"']|\"[^\"]*\"|'[^']*')*)>"
)
_ODS_REPEATED = re.compile(rb"table:number-(?:rows|columns)-repeated\s*=\s*[\"'](\d{1,18})")
_ODS_NAME = re.compile(rb"\stable:name\s*=\s*[\"']([^\"']*)")
_ODS_NO_VALUE = re.compile(
    rb"<table:table-cell\b(?=[^>]*\stable:formula=)(?![^>]*\soffice:value-type=)[^>]*>"
)


def to_text(kind: str, archive: Archive, table: str | None, limit: int) -> tuple[bytes, Container]:
    """The text of a sheet, and what is known of the file."""
    if kind == "xlsx":
        names, parts, clock, blank = _excel(archive, table)
    else:
        names, parts, clock, blank = _open_document(archive, table)
    name = chosen(kind, names, table)
    lines = sheet_lines(_loaded(kind, parts, name), limit, clock, _WRITE[kind])
    remarks = [
        f"The values of the sheet {name!r} of {NAMES[kind]} were read: formulas as they were last "
        "worked out; formats, notes and other sheets are not part of the table."
    ]
    if blank:
        remarks.append(
            f"Blank here because their formula has no stored value: {blank:,} of its cells. Open "
            "the file in a spreadsheet, save it, and upload it again."
        )
    return lines.content(), Container(kind, name, width=lines.width, remarks=tuple(remarks))


def sheet_lines(
    sheet: CalamineSheet,
    limit: int,
    clock: frozenset[bytes] = frozenset(),
    write: Callable[[object], str] = cell,
) -> Lines:
    """The text of a sheet, from its first row and column with a value to its last ones.

    ``clock``: cells, as ``B7``, whose format shows date and time: at midnight they are no dates.
    """
    if sheet.start is None or sheet.end is None:
        raise EmptyFileError(1)
    (top, left), (bottom, right) = sheet.start, sheet.end
    check_extent(bottom + 1, right + 1)
    lines = Lines(limit)
    letters = [_letters(column).encode() for column in range(left, right + 1)] if clock else []
    # Rows come from the first of the sheet, their cells from the first column with a value.
    for number, row in enumerate(sheet.iter_rows()):
        if number < top:
            continue
        if clock:
            here = str(number + 1).encode()
            row = [
                datetime.combine(value, time())
                if type(value) is date and letters[place] + here in clock
                else value
                for place, value in enumerate(row)
            ]
        lines.add([write(value) for value in row])
    return lines


def _open_cell(value: object) -> str:
    """A cell of an OpenDocument file, whose durations from a day on come as texts."""
    found = _ISO_SPAN.fullmatch(value) if isinstance(value, str) else None
    if found is not None:
        hours, minutes, seconds = found.groups()
        value = timedelta(hours=int(hours), minutes=int(minutes), seconds=float(seconds))
    return cell(value)


_ISO_SPAN = re.compile(r"PT(\d{1,9})H(\d{1,9})M(\d{1,9}(?:\.\d+)?)S")
_WRITE: dict[str, Callable[[object], str]] = {"xlsx": cell, "ods": _open_cell}


def _loaded(kind: str, parts: dict[str, bytes], name: str) -> CalamineSheet:
    from python_calamine import CalamineWorkbook

    try:
        return CalamineWorkbook.from_object(io.BytesIO(stored(parts))).get_sheet_by_name(name)
    except BaseException as error:
        raise damaged(kind, fault(error)) from None


def fault(error: BaseException) -> str:
    """What a library says of a file that it cannot read; what is no fault of the file goes on."""
    # A fault inside the library comes as a PanicException, which is no Exception.
    if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
        raise error
    return str(error).splitlines()[0][:100] if str(error).strip() else type(error).__name__


def damaged(kind: str, words: str) -> NotTextError:
    """The refusal of a file that its library cannot read."""
    return NotTextError(
        f"{NAMES[kind]} that cannot be read ({words})",
        "Open it in its program, save it again or as CSV, and upload that.",
    )


def _letters(column: int) -> str:
    """The name of a column from 0, as spreadsheets have it."""
    text, column = "", column + 1
    while column:
        column, rest = divmod(column - 1, 26)
        text = chr(65 + rest) + text
    return text


def _excel(
    archive: Archive, table: str | None
) -> tuple[list[str], dict[str, bytes], frozenset[bytes], int]:
    """Sheets, parts to read, cells with a clock, and how many formulas have no value."""
    lower = {name.lower(): name for name in archive.entries}
    parts = {lower[name]: archive.read(lower[name]) for name in _KEPT if name in lower}
    low = {name.lower(): content for name, content in parts.items()}
    if "xl/workbook.xml" not in low:
        raise archive.damaged("no workbook in it")
    targets = {
        each.get("Id"): each.get("Target", "")
        for each in _tags(low.get("xl/_rels/workbook.xml.rels", b"<a/>"), "Relationship", archive)
        if each.get("Type", "").endswith("/worksheet")
    }
    paths: dict[str, str] = {}
    hidden = set()
    for each in _tags(low["xl/workbook.xml"], "sheet", archive):
        target = next(
            (targets[v] for k, v in each.items() if k.endswith("}id") and v in targets), ""
        )
        path = lower.get(
            normpath(target.lstrip("/") if target.startswith("/") else f"xl/{target}").lower()
        )
        name = each.get("name")
        if path is not None and name is not None and target:
            paths[name] = path
            if each.get("state", "visible") != "visible":
                hidden.add(name)
    sheets = {name: archive.read(path) for name, path in paths.items()}
    filled = [name for name, content in sheets.items() if _VALUE.search(content)]
    if not filled:
        raise EmptyFileError(1)
    shown = [name for name in filled if name not in hidden] or filled
    name = table if table in filled else chosen("xlsx", shown, table)
    content = sheets[name]
    _measure(content)
    clock = _with_clock(content, low.get("xl/styles.xml", b""), archive)
    blank = sum(1 for _ in _NO_VALUE.finditer(content))
    return ([name] if table == name else shown), {**parts, paths[name]: content}, clock, blank


def _tags(content: bytes, name: str, archive: Archive) -> Iterator[ElementTree.Element]:
    """All elements of a local name."""
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise archive.damaged("it defines entities")
    try:
        root = ElementTree.fromstring(content)
    except ElementTree.ParseError as error:
        raise archive.damaged(error) from None
    return (each for each in root.iter() if each.tag.rpartition("}")[2] == name)


def _measure(content: bytes) -> None:
    """Raises TooManyCellsError for an extent beyond what is opened."""
    places = _PLACE.findall(content)
    rows = max((int(row) for row in {row for _, row in places}), default=0)
    rows = max(rows, *map(int, set(_ROW_PLACE.findall(content))), 0)
    columns = max((_number(name) for name in {name.upper() for name, _ in places}), default=0)
    cells = sum(1 for _ in _CELL.finditer(content))
    if cells > len(places):  # Cells without a place stand one behind the other.
        lines = _ROW.split(content)
        rows += len(lines)
        columns += max(sum(1 for _ in _CELL.finditer(line)) for line in lines)
    check_extent(min(rows, _MOST_ROWS + cells), min(columns, _MOST_COLUMNS + cells))


def _number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number


def _with_clock(content: bytes, styles: bytes, archive: Archive) -> frozenset[bytes]:
    if not styles:
        return frozenset()
    codes = {
        each.get("numFmtId", ""): each.get("formatCode", "")
        for each in _tags(styles, "numFmt", archive)
    }
    found = []
    for group in _tags(styles, "cellXfs", archive):
        for place, each in enumerate(group):
            number = each.get("numFmtId", "")
            code = _LITERAL.sub("", codes.get(number, "")).lower().partition(";")[0]
            if number in _WITH_CLOCK or ("h" in code and ("d" in code or "y" in code)):
                found.append(str(place).encode())
    if not found:
        return frozenset()
    styled = re.compile(
        rb"<(?:\w+:)?c\b(?=[^>]*\ss=[\"'](?:" + rb"|".join(found) + rb")[\"'])[^>]*?\sr=[\"'](\w+)"
    )
    return frozenset(styled.findall(content))


def _open_document(
    archive: Archive, table: str | None
) -> tuple[list[str], dict[str, bytes], frozenset[bytes], int]:
    manifest = (
        archive.read("META-INF/manifest.xml") if "META-INF/manifest.xml" in archive.entries else b""
    )
    if b"encryption-data" in manifest:
        raise NotTextError(
            "an OpenDocument file locked with a password",
            "Open it, save it without a password, and upload it again.",
        )
    if "content.xml" not in archive.entries:
        raise archive.damaged("no content in it")
    content = archive.read("content.xml")
    if b"<!DOCTYPE" in content or b"<!ENTITY" in content:
        raise archive.damaged("it defines entities")
    shown = _measure_open_document(content)
    if not shown:
        raise EmptyFileError(1)
    parts = {"mimetype": archive.read("mimetype"), "content.xml": content}
    if manifest:
        parts["META-INF/manifest.xml"] = manifest
    blank = sum(1 for _ in _ODS_NO_VALUE.finditer(content))
    return shown, parts, frozenset(), blank


def _measure_open_document(content: bytes) -> list[str]:
    """Names of the tables with a value. Raises TooManyCellsError for one that reaches too far."""
    found: dict[str, bool] = {}
    name = ""
    height = width = waiting = repeated = place = last = 0

    def end_row() -> None:
        nonlocal height, width, waiting, repeated, place, last
        if last:
            height, width, waiting = height + waiting + repeated, max(width, last), 0
            found[name] = True
            check_extent(height, width)
        else:
            waiting += repeated
        repeated = place = last = 0

    for tag in _ODS_TAG.finditer(content):
        kind, attributes = tag.groups()
        if kind == b"table":
            end_row()
            said = _ODS_NAME.search(attributes)
            name = unescape(said[1].decode("utf-8", "replace")) if said else ""
            height = width = waiting = 0
        else:
            many = _ODS_REPEATED.search(attributes)
            times = int(many[1]) if many else 1
            if kind == b"table-row":
                end_row()
                repeated = times
            else:
                place += times
                if not attributes.endswith(b"/") or b"office:value-type" in attributes:
                    last = place
    end_row()
    return list(found)
