"""Files that are packed, too large, or no text at all."""

from __future__ import annotations

import gzip
import io
import random
import struct
import zipfile
import zlib
from collections.abc import Callable

import pytest

from compdp_core.tables import EmptyFileError, FileTooLargeError, NotTextError, read
from compdp_core.tables.file_types import open_bytes
from tests.unit.tables.test_memory import largest


@pytest.mark.parametrize(
    ("start", "kind"),
    [(b"PAR1\x15\x04", "Parquet"), (b"%PDF-1.7", "PDF"), (b"\x89PNG\r\n", "picture"),
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


@pytest.mark.parametrize(
    "header",
    [
        "PAR1,PAR2",
        "BZh,x",
        "ARROW1,x",
        "%PDF,share",
        "PKx,y",
        "$FL2,x",
        "ustar,x",
        '"<b>","<html>"',
    ],
)
def test_a_column_may_be_called_like_another_kind(header: str) -> None:
    assert read(f"{header}\n1,2\n".encode()).row_count == 1


def bomb(byte: bytes, gibibytes: int) -> bytes:
    """A gzip file of so many GiB of one byte, made at once: one block, over and over."""
    packer = zlib.compressobj(9, wbits=-15)
    block = packer.compress(byte * 2**20) + packer.flush(zlib.Z_FULL_FLUSH)
    head = b"\x1f\x8b\x08\0\0\0\0\0\0\xff"
    return head + block * (1024 * gibibytes) + packer.flush() + struct.pack("<II", 0, 0)


def nested(data: bytes) -> bytes:
    return gzip.compress(gzip.compress(data))


def zipped(data: bytes, name: str = "scores.csv") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return out.getvalue()


def crowded() -> bytes:
    """An archive that promises a million files: reading its lists alone would fill memory."""
    entry = b"PK\x01\x02" + bytes(24) + struct.pack("<HHHHHII", 1, 0, 0, 0, 0, 0, 0) + b"a"
    entries = entry * 200_000
    end = struct.pack("<HHHHIIH", 0, 0, 0xFFFF, 0xFFFF, len(entries), 0, 0)
    return b"PK\x03\x04" + bytes(30) + entries + b"PK\x05\x06" + end


LIMIT = 16 * 2**20
LYING: dict[str, tuple[Callable[[], bytes], str]] = {
    "10 GiB of a letter": (lambda: bomb(b"1", 10), "unpacks to more than the limit of 16 MiB"),
    "10 GiB of zero bytes": (lambda: bomb(b"\0", 10), "This is a binary file"),
    "gzip in gzip": (lambda: nested(b"1" * 10**7), "gzip file inside a gzip file"),
    "zip": (lambda: zipped(b"1" * 10**8), "unpacks to more than the limit of 16 MiB"),
    "zip in gzip": (lambda: gzip.compress(zipped(b"1" * 10**7)), "This is a zip archive"),
    "bomb in zip": (lambda: zipped(bomb(b"1", 1), "a.csv.gz"), "gzip file inside a zip archive"),
    "Excel": (lambda: zipped(b"1" * 10**8, "xl/workbook.xml"), "unpacks to more than the limit"),
    "a million files": (crowded, "This is a zip archive"),
    "half a million parts": (lambda: gzip.compress(b"") * 500_000, "gzip file of 1,001 parts"),
}


@pytest.mark.parametrize("name", LYING)
def test_lying_containers_are_refused_before_they_fill_memory(name: str) -> None:
    make, words = LYING[name]
    data = make()

    def refused() -> None:
        with pytest.raises((FileTooLargeError, NotTextError), match=words):
            read(data, limit=LIMIT)

    # The limit, one more piece, and what a growing buffer needs to move.
    assert largest(refused) < 3 * LIMIT


def test_memory_of_one_who_unpacks_first_is_noticed() -> None:
    data = bomb(b"1", 1)
    unpack = zlib.decompressobj(wbits=31)
    assert largest(lambda: unpack.decompress(data, 4 * LIMIT)) > 3 * LIMIT


def test_unpacks_as_the_standard_library_does() -> None:
    """Several parts, fill bytes between them, cut and damaged files."""
    draw = random.Random(7)
    refused = 0
    for _ in range(400):
        parts = [draw.randbytes(draw.randint(0, 60)).hex().encode() * draw.choice([1, 1, 2000])
                 for _ in range(draw.randint(1, 4))]  # fmt: skip
        data = b"".join(gzip.compress(p, 1) + bytes(draw.choice([0, 0, 5])) for p in parts)
        kind = draw.random()
        if kind < 0.3:
            data = data[: draw.randint(2, len(data))]
        elif kind < 0.5:
            place = draw.randrange(2, len(data))
            data = data[:place] + draw.randbytes(1) + data[place + 1 :]
        try:
            wanted = gzip.decompress(data)
        except (EOFError, OSError, zlib.error):
            refused += 1
            with pytest.raises(NotTextError, match="gzip"):
                open_bytes(data)
            continue
        if wanted:
            assert open_bytes(data) == (wanted, True)
    assert 50 < refused < 350


def test_gzip_bomb_is_stopped_at_the_limit() -> None:
    bomb = gzip.compress(b"1,2\n" * 2_500_000)
    assert len(bomb) < 40_000
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


@pytest.mark.parametrize(
    ("limit", "words"),
    [(3, "3 bytes"), (2**20 - 1, "1,048,575 bytes"), (3 * 2**19, "1.5 MiB"), (2**30, "1024 MiB")],
)
def test_a_limit_is_told_as_it_is(limit: int, words: str) -> None:
    assert f"than the limit of {words}." in str(FileTooLargeError(limit, unpacked=False))
