"""Files that are packed, too large, or no text at all."""

from __future__ import annotations

import gzip

import pytest

from compdp_core.table import EmptyFileError, FileTooLargeError, NotTextError, read
from compdp_core.table.opening import open_bytes


@pytest.mark.parametrize(
    ("start", "kind"),
    [(b"PAR1", "Parquet"), (b"%PDF-1.7", "PDF"), (b"\x89PNG\r\n", "picture"),
     (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "Excel"), (b"SQLite format 3\0", "database"),
     (b"<!DOCTYPE html><html>", "web page"), (b"\n<HTML>", "web page"),
     (b"PK\x03\x04 broken xl/workbook.xml", "Excel"), (b"PK\x03\x04 broken", "zip archive")],
)  # fmt: skip
def test_other_kinds_are_named(start: bytes, kind: str) -> None:
    with pytest.raises(NotTextError, match=kind) as caught:
        read(start + b"rest of it")
    assert "pload" in str(caught.value)
    with pytest.raises(NotTextError, match=kind):
        read(gzip.compress(start + b"rest of it"))


def test_markup_in_a_cell_is_text() -> None:
    assert read(b'"<b>","<html>"\n1,2\n').row_count == 1


def test_gzip_bomb_is_stopped_at_the_limit() -> None:
    bomb = gzip.compress(bytes(10**7))
    assert len(bomb) < 20_000
    with pytest.raises(
        FileTooLargeError, match="unpacks to more than the limit of 1 MiB"
    ) as caught:
        open_bytes(bomb, limit=2**20)
    assert caught.value.unpacked
    assert len(open_bytes(bomb, limit=10**7)[0]) == 10**7


def test_plain_file_over_the_limit() -> None:
    with pytest.raises(FileTooLargeError, match="larger than the limit"):
        read(b"a,b\n1,2\n" * 10, limit=50)
    assert read(b"a,b\n1,2\n" * 10, limit=80).row_count == 19


def test_damaged_gzip() -> None:
    packed = gzip.compress(b"a,b\n1,2\n" * 100, mtime=0)
    flipped = bytearray(packed)
    flipped[-6] ^= 1
    for data in (packed[:-9], packed[:12], bytes(flipped), packed + b"garbage"):
        with pytest.raises(NotTextError, match="damaged gzip"):
            read(data)
    assert read(packed + bytes(5)).row_count == 199


def test_packed_nothing() -> None:
    with pytest.raises(EmptyFileError):
        read(gzip.compress(b""))
    with pytest.raises(NotTextError, match="gzip file inside a gzip file"):
        read(gzip.compress(gzip.compress(b"a,b")))
