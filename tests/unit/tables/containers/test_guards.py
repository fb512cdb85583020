"""Files that are made to fill a memory, to reach out, or that are no tables at all."""

from __future__ import annotations

import io
import sqlite3
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from compdp_core.errors import TableError
from compdp_core.tables import FileTooLargeError, NotTextError, read
from compdp_core.tables.containers import base
from compdp_core.tables.containers.base import TooManyCellsError
from compdp_core.tables.containers.spreadsheets import _measure
from tests.unit.tables.containers.made import changed, file, workbook, zipped
from tests.unit.tables.test_memory import largest

SHEET, LIMIT = "xl/worksheets/sheet1.xml", 16 * 2**20
SMALL = workbook({"S": [["a", "b"], [1, 2]]})
OPEN = file("ods")
ROW = b"<table:table-row><table:table-cell"


def _many(text: bytes) -> bytes:
    return changed(OPEN, "content.xml", ROW, text + ROW)


def _repeated(rows: int, columns: int) -> bytes:
    return _many(
        f'<table:table-row table:number-rows-repeated="{rows}"><table:table-cell '
        f'table:number-columns-repeated="{columns}" office:value-type="float" office:value="1"/>'
        "</table:table-row>".encode()
    )


def _long_column() -> bytes:
    out = io.BytesIO()
    value = pa.DictionaryArray.from_arrays(pa.array([0] * 3_000_000, pa.int32()), ["x" * 10])
    parquet.write_table(pa.table({f"c{i}": value for i in range(10)}), out)
    return out.getvalue()


def _long_text() -> bytes:
    out = io.BytesIO()
    parquet.write_table(pa.table({"c": pa.array(["x" * 1000] * 100_000)}), out)
    return out.getvalue()


def _zip64() -> bytes:
    """A list of entries that claims to be as long as it likes in its large form alone."""
    end = b"PK\x06\x06" + struct.pack("<QHHIIQQQQ", 44, 45, 45, 0, 0, 1, 1, 2**30, 0)
    end += b"PK\x06\x07" + struct.pack("<IQI", 0, 0, 1)
    return (
        b"PK\x03\x04"
        + bytes(60)
        + end
        + b"PK\x05\x06"
        + struct.pack("<HHHHIIH", 0, 0, 1, 1, 9, 0, 0)
    )


BOMBS: dict[str, tuple[Callable[[], bytes], str]] = {
    "a cell in the last corner": (
        lambda: changed(SMALL, SHEET, b'r="B2"', b'r="XFD1048576"'), "1,048,576 rows and 16,384"
    ),
    "the same in small letters and single quotes": (
        lambda: changed(SMALL, SHEET, b'<c r="B2"', b"<c  r = 'xfd1048576'"), "1,048,576 rows"
    ),
    "cells without places": (
        lambda: changed(
            SMALL, SHEET, b"</sheetData>",
            b"<row>" + b"<c><v>1</v></c>" * 9000 + b"</row>" + b"<row/>" * 9000 + b"</sheetData>",
        ), "9,0.. rows and 9,0.. columns",
    ),
    "a sheet of a letter": (
        lambda: changed(SMALL, SHEET, b"<v>1<", b"<v>%s<" % (b"1" * 10**8)), "unpacks to more"
    ),
    "shared texts": (
        lambda: changed(SMALL, "xl/sharedStrings.xml", b"<t>a<", b"<t>%s<" % (b"a" * 10**8)),
        "unpacks to more",
    ),
    "entities": (
        lambda: changed(
            SMALL, "xl/workbook.xml", b"<workbook", b'<!DOCTYPE x [<!ENTITY a "aaaa">]><workbook'
        ), "it defines entities",
    ),
    "rows and cells repeated": (lambda: _repeated(10**6, 16_000), "1,000,000 rows and 16,000"),
    "more than any number": (lambda: _repeated(10**12, 10**12), "1,000,000,000,000 rows"),
    "a column of one text, three million times": (_long_column, "3,000,000 rows and 10 columns"),
    "long texts": (_long_text, "unpacks to more"),
    "many entries": (
        lambda: zipped({f"{i}.csv": b"a" for i in range(10_001)}), "more than 10,000 files"
    ),
    "a long list in large": (_zip64, "more than 10,000 files"),
}  # fmt: skip


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_are_refused_before_they_fill_memory(name: str) -> None:
    make, words = BOMBS[name]
    data = make()

    def refused() -> None:
        with pytest.raises(TableError, match=words) as caught:
            read(data, limit=LIMIT)
        assert isinstance(caught.value, FileTooLargeError | NotTextError | TooManyCellsError)

    assert largest(refused) < 8 * LIMIT


@pytest.mark.parametrize("kind", ["zip", "xlsx", "dta", "sav"])
def test_what_is_too_large_is_not_called_damaged(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(file("sav"))  # what reads it is loaded, with the limit as it is
    monkeypatch.setattr(base, "MOST_CELLS", 2)
    made = {
        "zip": lambda: zipped({"a.csv": b"a,b\n" + b"1,2\n" * 1000}),
        "xlsx": lambda: changed(SMALL, SHEET, b"<sheetData>", b"<sheetData>" + b" " * 4000),
    }
    with pytest.raises((FileTooLargeError, TooManyCellsError)) as caught:
        read(made.get(kind, lambda: file(kind))(), limit=3000)
    assert "cannot be read" not in str(caught.value)


def test_an_archive_that_packs_too_well_is_refused_for_that() -> None:
    data = zipped({"a.csv": b"a,b\n" + b"1,2\n" * 2**25})
    with pytest.raises(NotTextError, match=r"unpacks to more than 1,000 times its size\. No table"):
        read(data, limit=2**30)


def test_empty_rows_and_cells_up_to_the_last_corner_are_no_bomb() -> None:
    end = b"</table:table>"
    far = (
        b'<table:table-row table:number-rows-repeated="1048000"><table:table-cell '
        b'table:number-columns-repeated="16384"/></table:table-row>' + end
    )
    assert read(changed(OPEN, "content.xml", end, far)).row_count == 3


def _link() -> bytes:
    out, entry = io.BytesIO(), zipfile.ZipInfo("t.csv")
    entry.external_attr = 0o120777 << 16
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(entry, "/etc/passwd")
    return out.getvalue()


def _locked() -> bytes:
    data = bytearray(zipped({"t.csv": b"a,b\n1,2\n"}, zipfile.ZIP_STORED))
    data[6] |= 1
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def _dbase() -> bytes:
    field = b"NAME".ljust(11, b"\0") + b"C" + bytes(4) + b"\x05" + bytes(15)
    head = b"\x03\x7c\x03\x01" + struct.pack("<IHH", 1, 65, 6) + bytes(20) + field + b"\r"
    return head + b" Ada  \x1a"


def _database() -> bytes:
    base = sqlite3.connect(":memory:")
    base.execute("create table t(a)")
    return base.serialize()


def compound(name: str) -> bytes:
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + name.encode("utf-16-le") + bytes(40)


MAIL = b"From: a@b.org\r\nTo: c@d.org\r\nSubject: marks\r\n\r\na,b\r\n1,2\r\n"
SAS = bytes(12) + bytes.fromhex("c2ea8160b31411cfbd92080009c7318c") + bytes(300)
DOCUMENT = b"application/vnd.oasis.opendocument.text"
REFUSED: dict[str, tuple[bytes, str, str]] = {
    "Numbers": (zipped({"Index/Document.iwa": b"x"}), "Apple Numbers", "Export To > CSV"),
    "xlsb": (zipped({"[Content_Types].xml": b"", "xl/workbook.bin": b""}), "xlsb", "as .xlsx"),
    "Word": (zipped({"[Content_Types].xml": b"", "word/document.xml": b""}), "Word", "spreadsheet"),
    "PowerPoint": (
        zipped({"[Content_Types].xml": b"", "ppt/presentation.xml": b""}), "PowerPoint", "Copy"
    ),
    "odt": (
        zipped({"mimetype": DOCUMENT}, zipfile.ZIP_STORED), "OpenDocument file without", "Copy"
    ),
    "old Word": (compound("WordDocument"), "a Word document", "Copy"),
    "locked Office": (compound("EncryptedPackage"), "locked with a password", "take the password"),
    "zip in zip": (zipped({"a.zip": zipped({"b.csv": b"a"})}), "zip archive inside", "Unpack"),
    "zip named like another kind": (
        zipped({"a.zip": zipped({"b.csv": b"a", "x.iwa.csv": b"a"})}),
        "zip archive inside",
        "Unpack",
    ),
    "link": (_link(), "leads out of it", "tool that you trust"),
    "absolute": (zipped({"/etc/t.csv": b"a"}), "leads out of it", "tool"),
    "upward": (zipped({"../t.csv": b"a"}), "leads out of it", "tool"),
    "drive": (zipped({"C:\\t.csv": b"a"}), "leads out of it", "tool"),
    "locked zip": (_locked(), "locked with a password", "Unlock"),
    "nothing in it": (zipped({}), "without a file in it", "table itself"),
    "tree": (b'{"rows": [{"a": 1}]}', "values are nested", "json_normalize"),
    "several lines": (b'{\n "a": 1\n}\n', "one object over several lines", "JSON lines"),
    "list": (b'["a", "b"]', "values are nested", "flat object"),
    "bad line": (b'{"a": 1}\n{"a": \n', "line 2 is no JSON object", "Correct"),
    "cut": (b'[{"a": 1}, {"a"', "cannot be read to its end", "CSV"),
    "deep": (b'{"a": ' + b"[" * 200_000, "JSON", "CSV"),
    "XML": (b'<?xml version="1.0"?><rows><row a="1"/></rows>', "an XML file", "spreadsheet"),
    "XML Excel": (
        b'<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">',
        "an Excel file as XML", ".xlsx",
    ),
    "GPX": (b'<?xml version="1.0"?><gpx version="1.1"><trk/></gpx>', "GPX", "GPSBabel"),
    "HTML": (b"\n<table><tr><td>1</td></tr></table>", "a web page", "spreadsheet"),
    "RTF": (b"{\\rtf1\\ansi a,b}", "RTF", "Copy"),
    "mail": (MAIL, "an e-mail", "attached"),
    "mailbox": (b"From a@b.org Mon Jan  1 00:00:00 2024\n" + MAIL, "a mailbox", "attached"),
    "sas7bdat": (SAS, "sas7bdat", "PROC EXPORT"),
    "xpt": (b"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!000", ".xpt", "PROC EXPORT"),
    "por": (b"ASCII SPSS PORT FILE".ljust(40) * 5 + b"0" * 256 + b"SPSSPORT", ".por", ".sav"),
    "rds": (b"X\n\0\0\0\x02\0\x04", ".rds", "write.csv"),
    "RData": (b"RDX3\nX\n\0\0\0\x03", ".RData", "write.csv"),
    "dbf": (_dbase(), ".dbf", "spreadsheet"),
    "SQLite": (_database(), "SQLite", "-csv"),
    "PDF": (b"%PDF-1.7\n", "PDF", "Copy"),
    "gif": (b"GIF89a\x01\0\x01\0", "picture", "Copy"),
    "bmp": (b"BM\x36\0\0\0\0\0\0\0", "picture", "Copy"),
    "heic": (b"\0\0\0\x18ftypheic", "picture", "Copy"),
    "locked SPSS": (bytes(8) + b"ENCRYPTEDSAV" + bytes(20), "locked with a password", "Open"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_table_is_named_with_a_way_out(name: str) -> None:
    data, kind, way_out = REFUSED[name]
    with pytest.raises(NotTextError) as caught:
        read(data, name="table.csv")
    assert kind in str(caught.value)
    assert way_out in str(caught.value)


@pytest.mark.parametrize("kind", ["xlsx", "ods", "parquet", "arrow", "dta", "sav"])
def test_damaged_files_say_so(kind: str) -> None:
    data = file(kind)
    holed = data[: len(data) // 2] if kind == "arrow" else data[:60] + bytes(200) + data[260:]
    for broken in (data[: len(data) // 2], holed, data[:-30]):
        with pytest.raises(TableError, match=r"again|upload|CSV"):
            read(broken)


def test_lists_and_bytes_in_a_column_are_named() -> None:
    out = io.BytesIO()
    parquet.write_table(pa.table({"a": [1], "tags": [["x"]], "raw": [b"x"]}), out)
    with pytest.raises(TableError, match="lists, records or bytes: tags, raw"):
        read(out.getvalue())


def test_nothing_is_written_beside_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for data in (SMALL, OPEN, zipped({"t.csv": b"a,b\n1,2\n"})):
        read(data)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "cells",
    [
        b'<row r="1048576"><c/><c r="XFD1"/></row>',
        b'<row><c r="XFD00001048576"/></row>',
        b'<row><c note=">" r="XFD1048576"/></row>',
    ],
)
def test_a_place_is_seen_however_it_is_written(cells: bytes) -> None:
    with pytest.raises(TableError, match="cells"):
        _measure(b"<sheetData>" + cells + b"</sheetData>")
