"""From the uploaded bytes to the bytes of a text: gzip unpacked, other kinds of file refused."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib

from compdp_core.table.errors import EmptyFileError, FileTooLargeError, NotTextError

MAX_BYTES = 2**30
"""Default limit, before and after unpacking. Places of cells are 32-bit, so 4 GiB is the end."""

_PIECE = 1 << 20
_SAVE_AS_CSV = "Save it as CSV and upload it again."

_KINDS = (
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"%PDF", "a PDF file"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"SQLite format 3", "a database file"),
    (b"$FL2", "an SPSS file"),
    (b"<stata_dta>", "a Stata file"),
    (b"\x28\xb5\x2f\xfd", "a file packed with zstd"),
    (b"BZh", "a file packed with bzip2"),
    (b"\xfd7zXZ\x00", "a file packed with xz"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!\x1a\x07", "a RAR archive"),
)


def open_bytes(data: bytes, limit: int = MAX_BYTES) -> tuple[bytes, bool]:
    """The bytes of the text, and whether they were unpacked from gzip.

    Raises EmptyFileError, FileTooLargeError (also for a gzip file that unpacks to more than
    ``limit``; unpacking stops there) and NotTextError for a kind of file known by its first bytes.

    >>> import gzip
    >>> open_bytes(gzip.compress(b"a,b"))
    (b'a,b', True)
    """
    if not data:
        raise EmptyFileError(0)
    if len(data) > limit:
        raise FileTooLargeError(limit, unpacked=False)
    packed = data[:2] == b"\x1f\x8b"
    if packed:
        data = _unpack(data, limit)
        if not data:
            raise EmptyFileError(0)
    _refuse_other_kinds(data)
    return data, packed


def _unpack(data: bytes, limit: int) -> bytes:
    """All members of a gzip file, at most ``limit`` bytes."""
    out = io.BytesIO()
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as packed:
            while piece := packed.read(_PIECE):
                out.write(piece)
                if out.tell() > limit:
                    raise FileTooLargeError(limit, unpacked=True)
    except (EOFError, OSError, zlib.error) as error:
        raise NotTextError(f"a damaged gzip file ({error})", "Upload it again.") from None
    return out.getvalue()


def _refuse_other_kinds(data: bytes) -> None:
    if data.startswith(b"PK\x03\x04") or data.startswith(b"PK\x05\x06"):
        raise NotTextError(*_zip_kind(data))
    if data.startswith(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
        raise NotTextError("an Excel file", _SAVE_AS_CSV)
    if data.startswith(b"\x1f\x8b"):
        raise NotTextError("a gzip file inside a gzip file", "Unpack it and upload the CSV file.")
    for magic, kind in _KINDS:
        if data.startswith(magic):
            raise NotTextError(kind, _SAVE_AS_CSV)
    if data[:512].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        raise NotTextError("a web page", "Save the table itself as CSV and upload that.")


def _zip_kind(data: bytes) -> tuple[str, str]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = archive.namelist()
    except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError):
        # Too damaged to tell: the names of the parts stand uncompressed in the bytes.
        names = ["xl/"] if b"xl/" in data else []
    if any(name.startswith("xl/") for name in names):
        return "an Excel file", _SAVE_AS_CSV
    if "content.xml" in names:
        return "an OpenDocument file", _SAVE_AS_CSV
    return "a zip archive", "Unpack it and upload the CSV file inside."
