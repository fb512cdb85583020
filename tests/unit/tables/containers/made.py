"""Files of all kinds, made here from the same small table."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from xlsxwriter import Workbook

from compdp_core.tables.containers.typed import FileColumn
from compdp_core.tables.containers.writing import file_of

ROWS = 3
COLUMNS = (
    FileColumn("name", "text", ["Ada", "=1+1", 'x, "y"\nz']),
    FileColumn("code", "text", ["007", None, "TRUE"]),
    FileColumn("seen", "date", [date(2024, 3, 1), None, date(1999, 12, 31)]),
    FileColumn("score", "float", [0.1, -71.0, None]),
    FileColumn("size", "int", [3, 4, 10**12]),
)
TEXT = (
    'name,code,seen,score,size\nAda,"007",2024-03-01,0.1,3\n=1+1,,,-71,4\n'
    '"x, ""y""\nz","TRUE",1999-12-31,,1000000000000\n'
)
MIDNIGHT = datetime.fromisoformat("2024-03-01")
CLOCKS = (
    FileColumn("at", "time", [time(8, 30), time(0), time(23, 59)]),
    FileColumn("when", "datetime", [MIDNIGHT, MIDNIGHT + timedelta(seconds=30601), None]),
    FileColumn("took", "duration", [timedelta(hours=36), timedelta(seconds=1.5), None]),
    FileColumn("ok", "bool", [True, False, None]),
)
CLOCKS_TEXT = (
    "at,when,took,ok\n08:30:00,2024-03-01T00:00:00,36:00:00,TRUE\n"
    "00:00:00,2024-03-01T08:30:01,0:00:01.5,FALSE\n23:59:00,,,\n"
)
KINDS = ("xlsx", "ods", "parquet", "arrow", "jsonl", "json", "dta", "sav")
WITH_DATES = ("xlsx", "ods", "parquet", "arrow", "dta", "sav")
WITH_CLOCKS = ("xlsx", "ods", "parquet", "arrow")


def file(kind: str, columns: Sequence[FileColumn] = COLUMNS) -> bytes:
    """A file of a kind."""
    return file_of(kind, columns)


def workbook(sheets: Mapping[str, Sequence[Sequence[Any]]], hidden: str = "") -> bytes:
    """A workbook of these sheets."""
    out = io.BytesIO()
    with Workbook(out, {"in_memory": True}) as book:
        for name, rows in sheets.items():
            sheet = book.add_worksheet(name)
            for place, cells in enumerate(rows):
                sheet.write_row(place, 0, cells)
            if name == hidden:
                sheet.hide()
    return out.getvalue()


def zipped(parts: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return out.getvalue()


def changed(data: bytes, part: str, old: bytes, new: bytes) -> bytes:
    """An archive with a text of one part replaced."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert old in parts[part]
    return zipped(parts | {part: parts[part].replace(old, new)})
