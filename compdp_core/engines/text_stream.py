"""The text of a file, a piece at a time: unpacked, and in UTF-8 where its encoding is worked on so.

What is read is what :func:`~compdp_core.tables.decoding.decode` makes of the whole file, byte for
byte, and no more of it is held than is asked for.
"""

from __future__ import annotations

import codecs
import hashlib
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import Self

from compdp_core.tables.decoding import Decoded
from compdp_core.tables.errors import EncodingError, NotTextError
from compdp_core.tables.file_types import unpacked

_PIECE = 1 << 20
GZIP = b"\x1f\x8b"


class TextStream:
    """The text of the file at ``path``; ``decoded`` says how its head was decoded, None for bytes
    as they are. Raises :class:`OSError`, and a TableError where it cannot be decoded.
    """

    def __init__(self, path: Path, decoded: Decoded | None = None, *, hashed: bool = False) -> None:
        self._file = path.open("rb", buffering=0)  # closed by the with of the stream
        self._hash = hashlib.blake2b(digest_size=32) if hashed else None
        self.at = 0
        """How many bytes of the text were read."""
        self.taken = 0
        """How many bytes of the file were read."""
        self.packed = self._file.read(2) == GZIP
        self._file.seek(0)
        bytes_ = self._hashed(unpacked(self._raw()) if self.packed else self._raw())
        wide = decoded is not None and decoded.transcoded
        self._pieces = _as_utf8(bytes_, decoded) if wide and decoded else bytes_
        self._waiting = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()

    @property
    def fingerprint(self) -> str:
        """BLAKE2b-256 of the unpacked bytes read so far, as that of a table is."""
        return "" if self._hash is None else self._hash.hexdigest()

    def read(self, size: int) -> bytes:
        """The next ``size`` bytes of the text, fewer only at its end."""
        parts, have = [self._waiting], len(self._waiting)
        while have < size and (piece := next(self._pieces, None)) is not None:
            parts.append(piece)
            have += len(piece)
        whole = b"".join(parts)
        self._waiting = whole[size:]
        self.at += min(size, have)
        return whole[:size]

    def peek(self, size: int) -> bytes:
        """The next bytes of the text, which stay to be read."""
        found = self.read(size)
        self.at -= len(found)
        self._waiting = found + self._waiting
        return found

    def _raw(self) -> Iterator[bytes]:
        while piece := self._file.read(_PIECE):
            self.taken += len(piece)
            yield piece

    def _hashed(self, pieces: Iterator[bytes]) -> Iterator[bytes]:
        for piece in pieces:
            if self._hash is not None:
                self._hash.update(piece)
            yield piece


def _as_utf8(pieces: Iterator[bytes], decoded: Decoded) -> Iterator[bytes]:
    """The text in UTF-8, after checking that the way back gives the same bytes."""
    encoding, lines = decoded.encoding, 0
    decoder = codecs.getincrementaldecoder(encoding)()
    encoder = codecs.getincrementalencoder(encoding)()
    waiting, skipped = b"", len(decoded.bom)
    for piece, last in _with_last(pieces):
        piece, skipped = piece[skipped:], max(0, skipped - len(piece))
        waiting += piece
        try:
            text = decoder.decode(piece, last)
            again = encoder.encode(text, last)
            same = waiting.startswith(again) and (not last or len(waiting) == len(again))
            problem = "" if same else "it could not be written back unchanged"
        except UnicodeError as error:
            problem = getattr(error, "reason", str(error))
        if problem:
            raise EncodingError(encoding, 1 + lines, problem)
        if "\0" in text:
            raise NotTextError(
                f"a binary file, or not in the encoding {encoding} (it holds zero characters)",
                "Choose another encoding, or save the table as CSV.",
            )
        waiting = waiting[len(again) :]
        lines += text.count("\n")
        yield text.encode("utf-8")


def _with_last(pieces: Iterator[bytes]) -> Iterator[tuple[bytes, bool]]:
    """Each piece, and whether it is the last one."""
    held = next(pieces, b"")
    for piece in pieces:
        yield held, False
        held = piece
    yield held, True
