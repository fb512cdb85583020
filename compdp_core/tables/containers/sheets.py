"""Spreadsheets of one sheet. A text is written as a text, whatever it begins with: none runs."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any
from xml.sax.saxutils import escape, quoteattr

from compdp_core.errors import TableError
from compdp_core.tables.containers.archives import packed
from compdp_core.tables.containers.csv_text import cell
from compdp_core.tables.containers.typed import FileColumn

_MOST_ROWS, _MOST_COLUMNS, _LONGEST = 1_048_576, 16_384, 32_767
_LARGEST_WHOLE = 10**15
_MADE = datetime.fromisoformat("1980-01-01")
_FORMATS: dict[type, str] = {
    date: "yyyy-mm-dd",
    datetime: "yyyy-mm-dd hh:mm:ss",
    time: "hh:mm:ss",
    timedelta: "[h]:mm:ss",
}
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SPACES = re.compile(" {2,}|^ | $")


def _checked(columns: Sequence[FileColumn], above: int) -> list[FileColumn]:
    """The columns, those as texts that no spreadsheet can hold otherwise."""
    rows = len(columns[0].values) + above
    if rows > _MOST_ROWS or len(columns) > _MOST_COLUMNS:
        raise TableError(
            f"A sheet has {_MOST_ROWS:,} rows and {_MOST_COLUMNS:,} columns at most, and this "
            f"table needs {rows:,} and {len(columns):,}. Take the CSV file instead."
        )
    return [column if column.fits_a_sheet else column.as_text for column in columns]


def _safe(value: Any) -> Any:
    """A number that a spreadsheet would change as a text."""
    if isinstance(value, bool):
        return value
    if isinstance(value, int) and abs(value) >= _LARGEST_WHOLE:
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return cell(value) or None
    if isinstance(value, date) and not FileColumn("", "date", [value]).fits_a_sheet:
        return cell(value)
    return cell(value) if isinstance(value, timedelta) and value < timedelta(0) else value


def xlsx(columns: Sequence[FileColumn], above: Sequence[Sequence[str]]) -> bytes:
    """A workbook of Excel. ``above``: lines of texts, the last one the names."""
    from xlsxwriter import Workbook

    columns, out = _checked(columns, len(above)), io.BytesIO()
    book = Workbook(out, {"in_memory": True})
    book.set_properties({"created": _MADE})
    sheet = book.add_worksheet("Table")
    formats = {kind: book.add_format({"num_format": code}) for kind, code in _FORMATS.items()}
    for row, texts in enumerate(above):
        for place, text in enumerate(texts):
            if text:
                sheet.write_string(row, place, _short(text))
    for row, values in enumerate(zip(*(c.values for c in columns), strict=True), len(above)):
        for place, value in enumerate(map(_safe, values)):
            _put(sheet, row, place, value, formats)
    book.close()
    return out.getvalue()


def _put(sheet: Any, row: int, place: int, value: Any, formats: Mapping[type, Any]) -> None:
    """Write one value as what it is."""
    if value is None:
        return
    if isinstance(value, str):
        sheet.write_string(row, place, _short(value))
    elif isinstance(value, bool):
        sheet.write_boolean(row, place, value)
    elif isinstance(value, int | float):
        sheet.write_number(row, place, value)
    else:
        sheet.write_datetime(row, place, value, formats[type(value)])


def _short(text: str) -> str:
    if len(text) > _LONGEST:
        raise TableError(
            f"A cell of a spreadsheet holds {_LONGEST:,} letters at most, and one of this table is "
            "longer. Take the CSV file instead, or leave its column out."
        )
    return _NO_XML.sub("\ufffd", text)


def ods(columns: Sequence[FileColumn], above: Sequence[Sequence[str]]) -> bytes:
    """An OpenDocument spreadsheet. ``above``: lines of texts, the last one the names."""
    columns = _checked(columns, len(above))
    rows = [[_open_cell(text) for text in texts] for texts in above]
    body = [
        f"<table:table-row>{''.join(cells)}</table:table-row>"
        for cells in (
            *rows,
            *(
                [_open_cell(_safe(value)) for value in values]
                for values in zip(*(column.values for column in columns), strict=True)
            ),
        )
    ]
    content = _CONTENT.replace("ROWS", "\n".join(body), 1)
    mimetype = "application/vnd.oasis.opendocument.spreadsheet"
    return packed(
        {
            "mimetype": mimetype.encode(),
            "content.xml": content.encode("utf-8", "replace"),
            "META-INF/manifest.xml": _MANIFEST.replace("TYPE", mimetype).encode(),
        }
    )


def _open_cell(value: Any) -> str:
    if value is None or value == "":
        return "<table:table-cell/>"
    if isinstance(value, str):
        lines = _NO_XML.sub("\ufffd", value).replace("\r\n", "\n").replace("\r", "\n").split("\n")
        text = "".join(f"<text:p>{_spaced(line)}</text:p>" for line in lines)
        return f'<table:table-cell office:value-type="string">{text}</table:table-cell>'
    kind, name, said = _open_value(value)
    shown = f"<text:p>{escape(cell(value))}</text:p>"
    attributes = f'office:value-type="{kind}" office:{name}={quoteattr(said)}'
    style = f' table:style-name="{kind[:4]}"' if kind in ("date", "time") else ""
    return f"<table:table-cell {attributes}{style}>{shown}</table:table-cell>"


def _open_value(value: Any) -> tuple[str, str, str]:
    if isinstance(value, bool):
        return "boolean", "boolean-value", str(value).lower()
    if isinstance(value, int | float):
        return "float", "value", cell(value)
    if isinstance(value, date):
        return "date", "date-value", cell(value)
    if isinstance(value, time):
        value = datetime.combine(_MADE, value) - _MADE
    hours, rest = divmod(value, timedelta(hours=1))
    minutes, rest = divmod(rest, timedelta(minutes=1))
    seconds = f"{rest.total_seconds():09.6f}".rstrip("0").rstrip(".")
    return "time", "time-value", f"PT{hours:02}H{minutes:02}M{seconds}S"


def _spaced(line: str) -> str:
    """A line of text; of several blanks a reader would make one."""
    parts, begin = [], 0
    for run in _SPACES.finditer(line):
        parts += [
            escape(line[begin : run.start()]),
            f'<text:s text:c="{run.end() - run.start()}"/>',
        ]
        begin = run.end()
    return "".join([*parts, escape(line[begin:])])


_NAMES = (
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:style="urn:oasis:names:tc:opendocument:xmlns:style:1.0" '
    'xmlns:number="urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0" office:version="1.2"'
)
_CONTENT = (
    f'<?xml version="1.0" encoding="UTF-8"?>\n<office:document-content {_NAMES}>'
    "<office:automatic-styles>"
    '<number:date-style style:name="n1"><number:year number:style="long"/><number:text>-'
    '</number:text><number:month number:style="long"/><number:text>-</number:text>'
    '<number:day number:style="long"/></number:date-style>'
    '<style:style style:name="date" style:family="table-cell" style:data-style-name="n1"/>'
    '<number:time-style style:name="n2" number:truncate-on-overflow="false">'
    "<number:hours/><number:text>:</number:text>"
    '<number:minutes number:style="long"/><number:text>:</number:text>'
    '<number:seconds number:style="long"/></number:time-style>'
    '<style:style style:name="time" style:family="table-cell" style:data-style-name="n2"/>'
    "</office:automatic-styles><office:body><office:spreadsheet>"
    '<table:table table:name="Table">\nROWS\n</table:table>'
    "</office:spreadsheet></office:body></office:document-content>\n"
)
_MANIFEST = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<manifest:manifest '
    'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">'
    '<manifest:file-entry manifest:full-path="/" manifest:media-type="TYPE"/>'
    '<manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/>'
    "</manifest:manifest>\n"
)
