"""From the uploaded bytes to the bytes of a text: gzip unpacked, other kinds of file refused.

Gzip is unpacked piece by piece and no further than the limit.
"""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterable, Iterator

from compdp_core.tables.errors import EmptyFileError, FileTooLargeError, NotTextError
from compdp_core.tables.file_kinds import refuse_other_kinds

MAX_BYTES = 2**30
"""Default limit, before and after unpacking. Places of cells are 32-bit, so 4 GiB is the end."""

_FEED, _PIECE = 1 << 16, 1 << 20
"""So much is unpacked at once, to so much at most."""
_UNPACK = "Unpack it and upload the CSV file."
_MOST_MEMBERS, _FEWEST_BYTES = 1000, 64


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
    pieces = (data[place : place + _FEED] for place in range(0, len(data), _FEED))
    for piece in unpacked(pieces):
        if not out.tell():
            # Known by its first bytes: no need to unpack the rest.
            refuse_other_kinds(piece)
        out.write(piece)
        if out.tell() > limit:
            raise FileTooLargeError(limit, unpacked=True)
    return out.getvalue()


def unpacked(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """What is packed in the pieces of a gzip file, all its members, a piece at a time.

    Raises NotTextError where it is damaged, or in far more parts than it has use for.
    """
    member, begun, members, total = zlib.decompressobj(wbits=31), False, 0, 0
    try:
        for packed in pieces:
            while packed or member.eof:
                if member.eof:
                    # Zero bytes may fill a file up to the end of its last block.
                    packed = member.unused_data.lstrip(b"\0")
                    member, begun = zlib.decompressobj(wbits=31), False
                    members += 1
                    # So many members of next to nothing are made to take long, not for a table.
                    if members > _MOST_MEMBERS + total // _FEWEST_BYTES:
                        raise NotTextError(f"a gzip file of {members:,} parts or more", _UNPACK)
                    continue
                packed = packed if begun else packed.lstrip(b"\0") if members else packed
                begun = begun or bool(packed)
                piece = member.decompress(packed, _PIECE)
                total += len(piece)
                if piece:
                    yield piece
                packed = member.unconsumed_tail
        while begun and not member.eof:
            piece = member.decompress(b"", _PIECE)
            if not piece:
                raise zlib.error("it ends too early")
            total += len(piece)
            yield piece
    except zlib.error as error:
        raise NotTextError(f"a damaged gzip file ({error})", "Upload it again.") from None
