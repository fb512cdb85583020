"""Which encoding a file has, and its text as bytes in which every separator is one byte.

UTF-8 and the single-byte encodings that agree with ASCII are worked on as they come. All others
(UTF-16, Shift-JIS, GB 18030, …) are turned into UTF-8 for the work and back when writing; that the
way back gives the same bytes is checked while reading, so nothing can change unseen.
"""

from __future__ import annotations

import codecs
import io
import re
from dataclasses import dataclass, field

from compdp_core.errors import ParameterError
from compdp_core.tables.errors import EncodingError, NotTextError
from compdp_core.tables.tokens import physical_line

_CHUNK = 1 << 20

_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_EITHER_ENDIAN = {"utf-16": "utf-16-le", "utf-32": "utf-32-le", "utf-8-sig": "utf-8"}
# Ways to write any text in ASCII: no file of a table is in one of them.
_ESCAPES = {
    "unicode_escape", "unicode-escape", "raw_unicode_escape", "raw-unicode-escape", "idna",
    "punycode", "utf-7", "undefined",
}  # fmt: skip
FALLBACK = "cp1252"
_LAST_RESORT = "iso8859-1"


@dataclass(frozen=True)
class Decoded:
    """A text ready for the tokenizer."""

    content: bytes = field(repr=False)
    """In ``codec``; starts with the BOM only if the file was not turned into UTF-8."""
    origin: int
    """Where the text starts in ``content``, behind a BOM."""
    codec: str
    """Encoding of ``content``: that of the file, or UTF-8."""
    encoding: str
    """Encoding of the file."""
    bom: bytes
    certain: bool
    """Given by the caller, by a BOM, or valid UTF-8 or ASCII; else a guess."""
    damaged: int
    """Bytes that are not text in this encoding; kept as they are, shown as \\ufffd."""

    @property
    def transcoded(self) -> bool:
        """The work is done on another encoding than the file's."""
        return self.codec != self.encoding

    def to_file(self, piece: bytes) -> bytes:
        """A piece of content (whole cells) in the encoding of the file."""
        return piece.decode(self.codec).encode(self.encoding) if self.transcoded else piece


def decode(data: bytes, encoding: str | None = None) -> Decoded:
    """Find the encoding, or check the one that is given.

    Without ``encoding``: a BOM, else UTF-8 if all bytes are valid in it, else UTF-16 without BOM if
    the pattern of zero bytes says so, else what charset-normalizer is sure of, else Windows-1252.

    Raises EncodingError if the bytes are not text in a given encoding, NotTextError for binary data
    and ParameterError for an encoding Python does not know.

    >>> decode("é".encode("utf-16")).encoding
    'utf-16-le'
    """
    bom, by_bom = next(((mark, name) for mark, name in _BOMS if data.startswith(mark)), (b"", ""))
    if encoding is not None:
        name = _known(encoding)
        wanted = _EITHER_ENDIAN.get(name, name)
        if bom and (by_bom == wanted or name == by_bom[:-3]):
            return _prepare(data, by_bom, bom, certain=True)
        return _prepare(data, wanted, b"", certain=True)
    if bom:
        return _prepare(data, by_bom, bom, certain=True)
    if b"\0" in data:
        wide = _wide_without_bom(data)
        if wide is None:
            line = physical_line(data, data.index(b"\0"))
            raise NotTextError(
                f"a binary file (line {line} holds a zero byte, which no text has)",
                "Save the table as CSV and upload that.",
            )
        return _prepare(data, wide, b"", certain=False)
    if data.isascii() or (bad := _invalid_utf8(data)) == 0:
        return _prepare(data, "utf-8", b"", certain=True)
    # A few broken characters (a name cut in the middle) do not make a text Windows-1252.
    letters = re.finditer(rb"[\xc2-\xf4][\x80-\xbf]+", data[: 64 * _CHUNK])
    if bad * 50 < sum(1 for _ in letters):
        return Decoded(data, 0, "utf-8", "utf-8", b"", False, bad)
    guess = _guess(data)
    try:
        return _prepare(data, guess, b"", certain=False)
    except EncodingError:
        return _prepare(data, _LAST_RESORT, b"", certain=False)


def _known(encoding: str) -> str:
    try:
        name = codecs.lookup(encoding).name
        "".encode(encoding)
    except (LookupError, ValueError, TypeError):
        name = ""
    if not name or name in _ESCAPES:
        raise ParameterError("encoding", encoding, "must be a text encoding such as utf-8, cp1252")
    return name


def _prepare(data: bytes, encoding: str, bom: bytes, *, certain: bool) -> Decoded:
    if _as_it_comes(encoding):
        _check(data, encoding)
        return Decoded(data, len(bom), encoding, encoding, bom, certain, 0)
    content = _to_utf8(data, encoding, len(bom))
    if b"\0" in content:
        raise NotTextError(
            f"a binary file, or not in the encoding {encoding} (it holds zero characters)",
            "Choose another encoding, or save the table as CSV and upload that.",
        )
    return Decoded(content, 0, "utf-8", encoding, bom, certain, 0)


def _as_it_comes(encoding: str) -> bool:
    """ASCII characters are the same single bytes and are never part of another character."""
    if encoding in ("utf-8", "ascii"):
        return True
    try:
        if bytes(range(128)).decode(encoding) != bytes(range(128)).decode("ascii"):
            return False
    except UnicodeError:
        return False
    high = [bytes([byte]) for byte in range(128, 256)]
    # A lead byte would swallow its neighbour; where escapes switch alphabets no high byte is text.
    alone = all(len((byte + b"A").decode(encoding, "replace")) == 2 for byte in high)
    return alone and sum("\ufffd" not in b.decode(encoding, "replace") for b in high) > 64


def _check(data: bytes, encoding: str) -> None:
    if b"\0" in data:
        line = physical_line(data, data.index(b"\0"))
        raise EncodingError(encoding, line, "it holds a zero byte")
    if data.isascii():
        return
    decoder = codecs.getincrementaldecoder(encoding)()
    for start in range(0, len(data), _CHUNK):
        try:
            decoder.decode(data[start : start + _CHUNK], start + _CHUNK >= len(data))
        except UnicodeDecodeError as error:
            line = physical_line(data, start) + error.object[: error.start].count(b"\n")
            raise EncodingError(encoding, line, error.reason) from None


def _to_utf8(data: bytes, encoding: str, start: int) -> bytes:
    """The text as UTF-8, after checking that the way back gives the same bytes."""
    decoder = codecs.getincrementaldecoder(encoding)()
    encoder = codecs.getincrementalencoder(encoding)()
    out = io.BytesIO()
    back = start
    for place in range(start, len(data), _CHUNK):
        last = place + _CHUNK >= len(data)
        try:
            text = decoder.decode(data[place : place + _CHUNK], last)
            again = encoder.encode(text, last)
            same = data[back : back + len(again)] == again
            problem = "" if same else "it could not be written back unchanged"
            out.write(text.encode("utf-8"))
        except UnicodeError as error:
            problem = getattr(error, "reason", str(error))
        if problem:
            raise EncodingError(encoding, 1 + out.getvalue().count(b"\n"), problem)
        back += len(again)
    if back != len(data):
        raise EncodingError(encoding, 1, "it could not be written back unchanged")
    return out.getvalue()


def _invalid_utf8(data: bytes) -> int:
    """Number of places at which UTF-8 decoding fails."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    shown = 0
    for start in range(0, len(data), _CHUNK):
        text = decoder.decode(data[start : start + _CHUNK], start + _CHUNK >= len(data))
        shown += text.count("\ufffd")
    return shown - data.count("\ufffd".encode())


def _wide_without_bom(data: bytes) -> str | None:
    """UTF-16 without BOM: ASCII characters, of which a table has many, have a zero byte each."""
    head = data[: 1 << 16]
    best = None
    for encoding, ends in (("utf-16-le", b"\n\0"), ("utf-16-be", b"\0\n")):
        try:
            text = head[: len(head) // 2 * 2].decode(encoding, "strict")
        except UnicodeDecodeError as error:
            if len(data) <= len(head) or error.start < len(head) - 4:
                continue
            text = head[: error.start].decode(encoding)
        likely = sum(text.count(mark) for mark in ",;\t|\n\r0123456789")
        if len(data) % 2 == 0 and "\0" not in text and likely * 20 > len(text):
            if ends in head or ends.replace(b"\n", b"\r") in head or len(text) < 200:
                best = encoding
    return best


def _guess(data: bytes) -> str:
    """What charset-normalizer says, where the bytes leave little doubt; else Windows-1252."""
    from charset_normalizer import from_bytes

    lines = io.BytesIO(data[: 8 * _CHUNK])
    sample = b""
    while len(sample) < 1 << 16 and (line := lines.readline()):
        sample += b"" if line.isascii() else line[: 1 << 16]
    high = sum(byte >= 128 for byte in sample)
    letters = sum(97 <= byte | 32 <= 122 for byte in sample if byte < 128)
    # Western letters are sprinkled over ASCII ones, other scripts replace them. With few high
    # bytes every guess is a coin toss, and Windows-1252 is by far the most frequent.
    if high * 2 < letters or high < 4:
        return FALLBACK
    best = from_bytes(sample).best()
    if best is None or FALLBACK in best.could_be_from_charset:
        return FALLBACK
    return codecs.lookup(best.encoding).name
