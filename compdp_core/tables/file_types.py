"""From the uploaded bytes to the bytes of a text: gzip unpacked, other kinds of file refused.

Only gzip is unpacked, piece by piece and no further than the limit. Of every other container no
more than names are looked at, which stand in its bytes as they are: nothing in it is unpacked.
"""

from __future__ import annotations

import io
import zlib

from compdp_core.tables.errors import EmptyFileError, FileTooLargeError, NotTextError

MAX_BYTES = 2**30
"""Default limit, before and after unpacking. Places of cells are 32-bit, so 4 GiB is the end."""

_FEED, _PIECE = 1 << 16, 1 << 20
"""So much is unpacked at once, to so much at most."""
_SAVE_AS_CSV = "Save it as CSV and upload it again."
_UNPACK = "Unpack it and upload the CSV file."
_MOST_MEMBERS, _FEWEST_BYTES = 1000, 64

_KINDS = (
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an Excel file"),
    (b"PAR1\x15", "a Parquet file"),
    (b"ARROW1\0\0", "an Arrow file"),
    (b"%PDF-", "a PDF file"),
    (b"\x89PNG\r\n", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"SQLite format 3\0", "a database file"),
    (b"$FL2@(#)", "an SPSS file"),
    (b"$FL3@(#)", "an SPSS file"),
    (b"<stata_dta>", "a Stata file"),
    (b"\x28\xb5\x2f\xfd", "a file packed with zstd"),
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
    refuse_other_kinds(data)
    return data, packed


def _unpack(data: bytes, limit: int) -> bytes:
    """All members of a gzip file, at most ``limit`` bytes."""
    out = io.BytesIO()
    member, begun, members = zlib.decompressobj(wbits=31), False, 0
    try:
        for place in range(0, len(data), _FEED):
            packed = data[place : place + _FEED]
            while packed or member.eof:
                if member.eof:
                    # Zero bytes may fill a file up to the end of its last block.
                    packed = member.unused_data.lstrip(b"\0")
                    member, begun = zlib.decompressobj(wbits=31), False
                    members += 1
                    # So many members of next to nothing are made to take long, not for a table.
                    if members > _MOST_MEMBERS + out.tell() // _FEWEST_BYTES:
                        raise NotTextError(f"a gzip file of {members:,} parts or more", _UNPACK)
                    continue
                packed = packed if begun else packed.lstrip(b"\0") if members else packed
                begun = begun or bool(packed)
                _add(member.decompress(packed, _PIECE), out, limit)
                packed = member.unconsumed_tail
        while begun and not member.eof:
            piece = member.decompress(b"", _PIECE)
            if not piece:
                raise zlib.error("it ends too early")
            _add(piece, out, limit)
    except zlib.error as error:
        raise NotTextError(f"a damaged gzip file ({error})", "Upload it again.") from None
    return out.getvalue()


def _add(piece: bytes, out: io.BytesIO, limit: int) -> None:
    if not out.tell():
        # Known by its first bytes: no need to unpack the rest.
        refuse_other_kinds(piece)
    out.write(piece)
    if out.tell() > limit:
        raise FileTooLargeError(limit, unpacked=True)


def refuse_other_kinds(data: bytes) -> None:
    """Raises NotTextError where the first bytes are those of another kind of file."""
    if data.startswith(b"PK\x03\x04") or data.startswith(b"PK\x05\x06"):
        raise NotTextError(*_zip_kind(data))
    if data.startswith(b"\x1f\x8b"):
        raise NotTextError("a gzip file inside a gzip file", _UNPACK)
    if data[257:262] == b"ustar":
        raise NotTextError("a tar archive", "Unpack it and upload the CSV file inside.")
    if data.startswith(b"BZh") and data[4:10] == b"1AY&SY":
        raise NotTextError("a file packed with bzip2", _UNPACK)
    for magic, kind in _KINDS:
        if data.startswith(magic):
            raise NotTextError(kind, _SAVE_AS_CSV)
    if bytes(8) in data[:4096]:
        raise NotTextError(
            "a binary file (zero bytes stand where text should)", "Save the table as CSV first."
        )
    if data[:512].lstrip().lower().startswith((b"<!doctype html", b"<html")):
        raise NotTextError("a web page", "Save the table itself as CSV and upload that.")


def _zip_kind(data: bytes) -> tuple[str, str]:
    """What is in a zip archive, by the names in it. Its lists are not trusted and not read."""
    if b"xl/workbook" in data or b"xl/worksheets" in data:
        return "an Excel file", _SAVE_AS_CSV
    if b"application/vnd.oasis.opendocument" in data[:200]:
        return "an OpenDocument file", _SAVE_AS_CSV
    return "a zip archive", "Unpack it and upload the CSV file inside."
