"""Which kind of file some bytes are, by what they hold and never by a name."""

from __future__ import annotations

import re

from compdp_core.tables.errors import NotTextError

NAMES = {
    "text": "a text file",
    "zip": "a zip archive",
    "xlsx": "an Excel file",
    "xls": "an Excel file of the old kind (.xls)",
    "ods": "an OpenDocument spreadsheet",
    "parquet": "a Parquet file",
    "arrow": "an Arrow file",
    "jsonl": "a JSON lines file",
    "json": "a JSON file",
    "dta": "a Stata file",
    "sav": "an SPSS file",
}
"""Every kind that is opened, in words."""

_SAVE_AS_CSV = "Save the table as CSV and upload that."
_UNPACK = "Unpack it and upload the CSV file."
_SHEET = "Open it in a spreadsheet, save it as .xlsx or CSV, and upload that."
_FROM_R = (
    "In R, write the table with write.csv(table, 'table.csv', row.names = FALSE) and upload it."
)
_FROM_SAS = "In SAS, export it with PROC EXPORT … DBMS=CSV, and upload the CSV file."
_COPY_TABLE = "Copy the table into a spreadsheet, save it as CSV, and upload that."
_UNLOCK = "Open it, take the password off (File > Info), save it, and upload it again."
_TREE = (
    "Write one flat object for each row, as JSON lines have it, or save it as CSV, as "
    "pandas.json_normalize(data).to_csv('table.csv', index=False) does, and upload that."
)

_OPENED = (
    (b"PAR1\x15", "parquet"),
    (b"ARROW1\0\0", "arrow"),
    (b"$FL2@(#)", "sav"),
    (b"$FL3@(#)", "sav"),
    (b"<stata_dta>", "dta"),
)
_OLD_STATA = re.compile(rb"[\x69\x6c\x6e\x6f\x71\x72\x73][\x01\x02]\x01\x00", re.DOTALL)
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_REFUSED = (
    (b"%PDF-", "a PDF file", _COPY_TABLE),
    (b"\x89PNG\r\n", "a picture", _COPY_TABLE),
    (b"\xff\xd8\xff", "a picture", _COPY_TABLE),
    (b"GIF8", "a picture", _COPY_TABLE),
    (b"II*\0", "a picture", _COPY_TABLE),
    (b"MM\0*", "a picture", _COPY_TABLE),
    (b"RIFF", "a picture, a sound or a film", _COPY_TABLE),
    (
        b"SQLite format 3\0",
        "a database file (SQLite)",
        "Export one table of it as CSV, as sqlite3 -header -csv does, and upload that.",
    ),
    (b"\x28\xb5\x2f\xfd", "a file packed with zstd", _UNPACK),
    (b"\xfd7zXZ\x00", "a file packed with xz", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive", _UNPACK),
    (b"Rar!\x1a\x07", "a RAR archive", _UNPACK),
    (b"{\\rtf", "a text with formats (RTF)", _COPY_TABLE),
    (b"HEADER RECORD*******LIB", "a SAS transport file (.xpt)", _FROM_SAS),
    (b"RDX2\nX\n", "a file of R (.RData)", _FROM_R),
    (b"RDX3\nX\n", "a file of R (.RData)", _FROM_R),
    (b"RDA2\nA\n", "a file of R (.RData)", _FROM_R),
    (b"RDA3\nA\n", "a file of R (.RData)", _FROM_R),
    (b"X\n\0\0\0", "a file of R (.rds)", _FROM_R),
    (b"FEA1", "a Feather file of the old kind", "Write it again as Parquet and upload that."),
    (b"ORC", "an ORC file", "Write it as Parquet or CSV and upload that."),
    (b"\x89HDF\r\n", "an HDF5 file", _SAVE_AS_CSV),
    (b"\x93NUMPY", "a NumPy file", "Write it with numpy.savetxt(…, delimiter=',') and upload it."),
)  # fmt: skip
_TEXTS_THAT_MAY_BE_TABLES = (b"RIFF", b"ORC", b"GIF8", b"FEA1")
"""First bytes that a header may have, too: a zero byte has to follow soon."""
_SAS = bytes.fromhex("c2ea8160b31411cfbd92080009c7318c")
_IN_COMPOUND = (
    ("EncryptedPackage", "an Office file locked with a password", _UNLOCK),
    ("Workbook", "xls", ""),
    ("Book", "xls", ""),
    ("WordDocument", "a Word document", _COPY_TABLE),
    ("PowerPoint Document", "a PowerPoint file", _COPY_TABLE),
)
_IN_ZIP = (
    (b"xl/workbook.bin", "a binary Excel file (.xlsb)", "Save it as .xlsx and upload that."),
    (b"xl/workbook", "xlsx", ""),
    (b"xl/worksheets", "xlsx", ""),
    (b"word/document", "a Word document", _COPY_TABLE),
    (b"ppt/presentation", "a PowerPoint file", _COPY_TABLE),
    (
        b".iwa",
        "a file of Apple Numbers (or Pages or Keynote)",
        "In Numbers, choose File > Export To > CSV or Excel, and upload that.",
    ),
)  # fmt: skip
_OFFICE = b"mimetypeapplication/vnd.oasis.opendocument."
_MARKUP = re.compile(rb"<(\?xml|[A-Za-z][\w.:-]*(\s[^<>]*)?/?>|!doctype|!--)", re.IGNORECASE)
_MAIL = re.compile(rb"(?im)^(from|to|subject|date|message-id|received|mime-version):\s")
_MAILBOX = re.compile(rb"From \S+ +[A-Z][a-z]{2} [A-Z][a-z]{2} +\d")
_BLANK = b" \t\r\n\xef\xbb\xbf"
_ATTRIBUTES = 0x20


def is_zip(data: bytes) -> bool:
    """Whether the bytes begin as a zip archive does, also one without any file in it."""
    return data.startswith((b"PK\x03\x04", b"PK\x05\x06"))


def opened_kind(data: bytes) -> str | None:
    """One of :data:`NAMES` that is no text and is opened; None for all else."""
    if is_zip(data):
        kind = in_zip(data)[0]
        return kind if kind in NAMES else None
    if data.startswith(_COMPOUND):
        return "xls" if _in_compound(data)[0] == "xls" else None
    for magic, kind in _OPENED:
        if data.startswith(magic) and not _is_header(data, magic):
            return kind
    return "dta" if _OLD_STATA.match(data) else None


def refuse_other_kinds(data: bytes) -> None:
    """Raises NotTextError where the bytes are those of a kind of file that is not opened here."""
    kind = opened_kind(data)
    if kind is not None:
        raise NotTextError(f"{NAMES[kind]} packed in another file", "Unpack it and upload it.")
    if is_zip(data):
        raise NotTextError(*in_zip(data))
    if data.startswith(_COMPOUND):
        raise NotTextError(*_in_compound(data))
    _refuse_packed(data)
    for magic, name, way_out in _REFUSED:
        if data.startswith(magic) and not _is_header(data, magic):
            raise NotTextError(name, way_out)
    _refuse_data(data)
    if bytes(8) in data[:4096]:
        raise NotTextError(
            "a binary file (zero bytes stand where text should)", "Save the table as CSV first."
        )
    _refuse_texts(data)


def _is_header(data: bytes, magic: bytes) -> bool:
    """Whether it is text that only begins like another kind."""
    return magic in _TEXTS_THAT_MAY_BE_TABLES and 0 not in data[len(magic) : 64]


def _refuse_packed(data: bytes) -> None:
    if data.startswith(b"\x1f\x8b"):
        raise NotTextError("a gzip file inside a gzip file", _UNPACK)
    if data[257:262] == b"ustar":
        raise NotTextError("a tar archive", "Unpack it and upload the CSV file inside.")
    if data.startswith(b"BZh") and data[4:10] == b"1AY&SY":
        raise NotTextError("a file packed with bzip2", _UNPACK)


def _refuse_data(data: bytes) -> None:
    """Files of programs for statistics and databases."""
    if data[8:20] == b"ENCRYPTEDSAV":
        raise NotTextError("an SPSS file locked with a password", _UNLOCK)
    if data[12:28] == _SAS:
        raise NotTextError("a SAS file (.sas7bdat)", _FROM_SAS)
    if b"ASCII SPSS PORT FILE" in data[:400]:
        raise NotTextError(
            "an SPSS portable file (.por)", "In SPSS, save it as .sav or CSV, and upload that."
        )
    if _is_dbase(data):
        raise NotTextError("a dBASE file (.dbf)", _SHEET)
    if data[4:8] == b"ftyp":
        raise NotTextError("a picture, a sound or a film", _COPY_TABLE)
    if data.startswith(b"BM") and data[6:10] == bytes(4):
        raise NotTextError("a picture", _COPY_TABLE)


def _is_dbase(data: bytes) -> bool:
    """By its date, and by the length of its list of columns, which a return ends."""
    if len(data) < 65 or data[0] not in b"\x02\x03\x04\x05\x30\x31\x32\x83\x8b\xf5":
        return False
    month, day, length = data[2], data[3], int.from_bytes(data[8:10], "little")
    ends = length <= len(data) and 0x0D in (data[length - 1], data[max(0, length - 264)])
    return 1 <= month <= 12 and 1 <= day <= 31 and length >= 2 * _ATTRIBUTES and ends


def _refuse_texts(data: bytes) -> None:
    """Texts that hold a table in another way than lines of cells."""
    start = data[:4096].lstrip(_BLANK)
    low = start.lower()
    page = low.startswith(b"<") and any(tag in low for tag in (b"<html", b"<table", b"<body"))
    if page or low.startswith(b"<!doctype html"):
        raise NotTextError("a web page (HTML)", f"{_SHEET} A table on a page can be copied, too.")
    if low.startswith(b"<") and _MARKUP.match(start):
        for mark, name, way_out in (
            (b"schemas-microsoft-com:office", "an Excel file as XML", _SHEET),
            (b"<gpx", "a GPS track (GPX)", "Convert it to CSV, as GPSBabel does, and upload that."),
            (b"<kml", "a map file (KML)", "Convert it to CSV, as QGIS does, and upload that."),
            (b"<svg", "a picture (SVG)", _COPY_TABLE),
            (b"<?xml", "an XML file", _SHEET),
            (b"xmlns", "an XML file", _SHEET),
        ):  # fmt: skip
            if mark in low:
                raise NotTextError(name, way_out)
    if _MAILBOX.match(start) or _is_mail(start):
        raise NotTextError(
            "an e-mail or a mailbox", "Save the table attached to it and upload that file."
        )


def _is_mail(start: bytes) -> bool:
    head = re.split(rb"\r?\n\r?\n", start, maxsplit=1)[0]
    return len({name.lower() for name in _MAIL.findall(head)}) >= 3


def in_zip(data: bytes) -> tuple[str, str]:
    """The kind of a zip archive, by the names in its bytes, and what to do where it is refused."""
    if data[30:].startswith(_OFFICE):
        rest = data[30 + len(_OFFICE) : 30 + len(_OFFICE) + 40]
        if rest.startswith(b"spreadsheet"):
            return "ods", ""
        return "an OpenDocument file without a sheet", _COPY_TABLE
    for mark, kind, way_out in _IN_ZIP:
        if mark in data:
            return kind, way_out
    return "zip", ""


def _in_compound(data: bytes) -> tuple[str, str]:
    """What is in a file of the old Office, by the names in it."""
    for name, kind, way_out in _IN_COMPOUND:
        if name.encode("utf-16-le") + bytes(2) in data:
            return kind, way_out
    return (
        "an Excel file or another one of the old Office",
        "Save it as .xlsx or CSV and upload it.",
    )


def tree(kind: str = "a JSON file whose values are nested") -> NotTextError:
    """The refusal of JSON that is no list of rows."""
    return NotTextError(kind, _TREE)
