"""Which cells are numbers, and which number: eight characters at a time, without a Python loop.

A number is an optional sign, digits with at most one decimal mark, and an optional exponent.
Cells are byte ranges of a padded block. The last 8, 16 or 24 bytes of each cell are loaded as
little-endian 64-bit words, so one numpy operation looks at eight characters of every cell; the
mark is squeezed out and the digits are added up pairwise (the method of D. Lemire,
"Number parsing at a gigabyte per second", 2021). A mantissa up to 2^53 over a power of ten up to
10^22 is one correctly rounded division (W. D. Clinger, 1990); all other cells are handed to the
C library's conversion.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint64]
Floats = npt.NDArray[np.float64]

PAD = 24
"""Bytes that a block needs in front of its first and behind its last cell."""

TEXT, NUMBER, INFINITE, BLANK = 0, 1, 2, 3

LARGEST_WHOLE = 2**53
"""Above this, neighbouring whole numbers are no longer distinct doubles."""

_EACH = 0x0101010101010101
_LOW_BITS = np.uint64(0x7F * _EACH)
_HIGH_HALVES = np.uint64(0xF0 * _EACH)
_PAIRS = np.uint64(0x000000FF000000FF)
_SMALL_LETTERS = np.uint64(0x20 * _EACH)
_SHIFTS = 8 * (8 - np.arange(9, dtype=np.uint64))
# _KEEP[k] keeps the last k characters of a word, _ZEROS[k] puts "0" in place of the others.
_KEEP: Words = np.where(
    _SHIFTS < 64, np.uint64(2**64 - 1) << np.minimum(_SHIFTS, 63).astype(np.uint64), 0
).astype(np.uint64)
_ZEROS: Words = ~_KEEP & np.uint64(0x30 * _EACH)
_POWERS: Floats = np.array([float(10**k) for k in range(25)])
_NO_MARK = 255
_LARGE_EXPONENT = 250
_WIDTH = 8 * 3

_IN_NUMBER = np.zeros(256, dtype=np.bool_)
_IN_NUMBER[list(b"0123456789.,eE+-")] = True


@dataclass(frozen=True)
class Numerals:
    """What the cells are, one element a cell. ``value`` is NaN unless ``kind`` is NUMBER."""

    kind: Bytes
    """TEXT, NUMBER, INFINITE (also hexadecimal: not a finite decimal number) or BLANK."""
    value: Floats
    decimals: Places
    """Digits behind the decimal mark, as typed."""
    integer: Mask
    """Digits only: neither decimal mark nor exponent."""
    padded: Mask
    """Digits only, with a leading zero such as 007."""


def parse(
    block: Bytes, starts: Places, stops: Places, decimal: str, *, exact: bool = True
) -> Numerals:
    """Read the cells ``block[starts:stops]``, trimmed and without quotes, as numbers.

    ``block`` has PAD bytes around the cells. With ``exact`` every value is the double nearest
    to what is typed (as ``float`` gives it); without, the last bits may differ.

    >>> import numpy as np
    >>> text = b"7.50;-3;1e3;007;inf;Ana"
    >>> stops = np.array([4, 7, 11, 15, 19, 23]) + PAD
    >>> starts = np.array([0, 5, 8, 12, 16, 20]) + PAD
    >>> block = np.frombuffer(bytes(PAD) + text + bytes(PAD), dtype=np.uint8)
    >>> parse(block, starts, stops, ".").value.tolist()
    [7.5, -3.0, 1000.0, 7.0, nan, nan]
    """
    count = len(starts)
    mark = ord(decimal)
    kind = np.zeros(count, dtype=np.uint8)
    value = np.full(count, np.nan)
    decimals = np.zeros(count, dtype=np.intp)
    integer = np.zeros(count, dtype=np.bool_)
    padded = np.zeros(count, dtype=np.bool_)
    kind[stops <= starts] = BLANK

    first = block[starts]
    negative = first == ord("-")
    begins = starts + (negative | (first == ord("+")))
    lead = block[begins]
    at = np.flatnonzero((_is_digit(lead) | (lead == mark)) & (begins < stops))
    begin, stop = begins[at], stops[at]

    good, mantissa, sure, places = _unsigned(block, begin, stop, mark)
    number = mantissa / _POWERS[places]
    sure &= places <= 22
    whole = good & (places == 0) & ~_has_mark(block, stop, mark)
    padded[at] = whole & (lead[at] == ord("0")) & (stop - begin > 1)
    integer[at] = whole

    rest = np.flatnonzero(~good)
    if len(rest):
        found, power, shift, digits = _with_exponent(block, begin[rest], stop[rest], mark)
        good[rest], number[rest], places[rest] = found, power, digits
        sure[rest] = False
        far = rest[found & (np.abs(shift) > _LARGE_EXPONENT)]
        long = rest[stop[rest] - begin[rest] > _WIDTH]
        long = long[_long_numbers(block, begin[long], stop[long], mark)]
        good[long] = True
        unsure = np.concatenate([far, long])
        number[unsure] = _convert(block, begin[unsure], stop[unsure], mark)
        for cell in long:
            typed = block[begin[cell] : stop[cell]].tobytes()
            integer[at[cell]] = typed.isdigit()
            padded[at[cell]] = typed.isdigit() and typed.startswith(b"0")
            places[cell] = _typed_decimals(typed, mark)
    if exact:
        unsure = np.flatnonzero(good & ~sure)
        number[unsure] = _convert(block, begin[unsure], stop[unsure], mark)

    finite = good & np.isfinite(number)
    kind[at[good]] = np.where(finite[good], NUMBER, INFINITE)
    value[at[finite]] = np.where(negative[at], -number, number)[finite]
    decimals[at[finite]] = places[finite]
    others = np.flatnonzero(kind == TEXT)
    kind[others[_infinite_words(block, begins[others], stops[others])]] = INFINITE
    return Numerals(kind, value, decimals, integer, padded)


def load(block: Bytes, places: Places) -> Words:
    """The eight bytes from each place on, first character in the lowest byte."""
    words = np.ndarray((len(block) - 7,), dtype="<u8", buffer=block.data, strides=(1,))
    return words[places]


def zero_bytes(words: Words) -> Words:
    """0x80 in each byte that is zero, 0 elsewhere (exact, without borrows between bytes)."""
    zeros: Words = ~(((words & _LOW_BITS) + _LOW_BITS) | words | _LOW_BITS)
    return zeros


def _is_digit(byte: Bytes) -> Mask:
    digit: Mask = (byte - np.uint8(48)) < 10
    return digit


def _has_mark(block: Bytes, stops: Places, mark: int) -> Mask:
    """A mark with nothing behind it, "5.": no decimals, yet not digits only."""
    marked: Mask = block[stops - 1] == mark
    return marked


def _bytes_below(flag: Words) -> Places:
    """Bytes below the one flagged by a single 0x80."""
    count: Places = (np.bitwise_count((flag >> 7) - 1) >> 3).astype(np.intp)
    return count


def _unsigned(
    block: Bytes, begin: Places, stop: Places, mark: int
) -> tuple[Mask, Floats, Mask, Places]:
    """Digits with at most one mark: (is one, mantissa, mantissa is exact, digits behind it)."""
    length = stop - begin
    words_needed = (length + 7) >> 3
    most = int(words_needed.max(initial=0))
    if most <= 1 or int(words_needed.min()) == most <= 3:
        return _unsigned_words(block, begin, stop, mark, max(most, 1))
    good = np.zeros(len(begin), dtype=np.bool_)
    mantissa = np.zeros(len(begin))
    sure = np.zeros(len(begin), dtype=np.bool_)
    places = np.zeros(len(begin), dtype=np.intp)
    for words in (1, 2, 3):
        at = np.flatnonzero(words_needed == words)
        if len(at):
            good[at], mantissa[at], sure[at], places[at] = _unsigned_words(
                block, begin[at], stop[at], mark, words
            )
    return good, mantissa, sure, places


def _unsigned_words(
    block: Bytes, begin: Places, stop: Places, mark: int, count: int
) -> tuple[Mask, Floats, Mask, Places]:
    length = stop - begin
    words = []
    for i in range(count):
        kept = length if count == 1 else np.clip(length - 8 * i, 0, 8)
        words.append((load(block, stop - 8 * (i + 1)) & _KEEP[kept]) | _ZEROS[kept])
    marks = [zero_bytes(word ^ np.uint64(mark * _EACH)) for word in words]
    places = np.zeros(len(begin), dtype=np.intp)
    good = length > 0
    if any(bool(flag.any()) for flag in marks):
        seen = np.zeros(len(begin), dtype=np.bool_)
        squeezed = []
        for i, (word, flag) in enumerate(zip(words, marks, strict=True)):
            # One character less: those in front of the mark move up, the next word hands one over.
            carry = words[i + 1] >> 56 if i + 1 < count else np.uint64(0x30)
            here = flag != 0
            good &= ((flag & (flag - 1)) == 0) & ~(here & seen)
            before = (flag >> 7) - 1
            after = ~(before | (flag >> 7) * 0xFF)
            moved = (word & after) | ((word & before) << 8) | carry
            squeezed.append(np.where(here, moved, np.where(seen, (word << 8) | carry, word)))
            places += np.where(here, 8 * i + 7 - _bytes_below(flag), 0)
            seen |= here
        words = squeezed
        good &= length > seen
    for word in words:
        nibbles = (word & _HIGH_HALVES) | (((word + 0x06 * _EACH) & _HIGH_HALVES) >> 4)
        good &= nibbles == 0x33 * _EACH
    parts = [_eight_digits(word) for word in words]
    low = parts[0] if count == 1 else parts[0] + parts[1] * np.uint64(10**8)
    mantissa = low.astype(np.float64)
    sure = good & (low <= LARGEST_WHOLE)
    if count == 3:
        mantissa += parts[2].astype(np.float64) * 1e16
        sure &= parts[2] == 0
    return good, mantissa, sure, np.where(good, places, 0)


def _eight_digits(word: Words) -> Words:
    ones = word - np.uint64(0x30 * _EACH)
    pairs = ones * np.uint64(10) + (ones >> 8)
    low = (pairs & _PAIRS) * np.uint64(0x000F424000000064)
    high = ((pairs >> np.uint64(16)) & _PAIRS) * np.uint64(0x0000271000000001)
    number: Words = (low + high) >> np.uint64(32)
    return number


def _with_exponent(
    block: Bytes, begin: Places, stop: Places, mark: int
) -> tuple[Mask, Floats, Places, Places]:
    """A mantissa, e or E, and a whole exponent of at most six digits."""
    good = np.zeros(len(begin), dtype=np.bool_)
    value = np.full(len(begin), np.nan)
    exponent = np.zeros(len(begin), dtype=np.intp)
    decimals = np.zeros(len(begin), dtype=np.intp)
    length = stop - begin
    flag = zero_bytes((load(block, stop - 8) | _SMALL_LETTERS) ^ np.uint64(0x65 * _EACH))
    flag &= _KEEP[np.minimum(length, 8)]
    at = np.flatnonzero((flag != 0) & ((flag & (flag - 1)) == 0) & (length <= _WIDTH))
    split = stop[at] - 8 + _bytes_below(flag[at])
    sign = block[split + 1]
    signed = (sign == ord("-")) | (sign == ord("+"))
    digits_from = split + 1 + signed
    left, mantissa, _, places = _unsigned(block, begin[at], split, mark)
    right, power, _, _ = _unsigned(block, digits_from, stop[at], _NO_MARK)
    power = np.where(right, power, 0).astype(np.intp)
    shift = np.where(sign == ord("-"), -power, power)
    good[at] = left & right & (stop[at] - digits_from <= 6)
    exponent[at] = shift
    decimals[at] = np.maximum(places - shift, 0)
    with np.errstate(all="ignore"):
        value[at] = mantissa * 10.0 ** (shift - places)
    return good, value, exponent, np.where(good, decimals, 0)


def _long_numbers(block: Bytes, begin: Places, stop: Places, mark: int) -> Mask:
    """Numbers of more than 24 characters. Both ends are looked at before the rest is read."""
    ends = np.ones(len(begin), dtype=np.bool_)
    for i in range(8):
        ends &= _IN_NUMBER[block[begin + i]] & _IN_NUMBER[block[stop - 1 - i]]
    pattern = re.compile(
        rb"(\d+%s?\d*|%s\d+)([eE][+-]?\d{1,6})?" % ((re.escape(bytes([mark])),) * 2)
    )
    for cell in np.flatnonzero(ends):
        ends[cell] = pattern.fullmatch(block[begin[cell] : stop[cell]].tobytes()) is not None
    return ends


def _typed_decimals(typed: bytes, mark: int) -> int:
    mantissa, _, exponent = typed.lower().partition(b"e")
    return max(0, len(mantissa.partition(bytes([mark]))[2]) - int(exponent or b"0"))


def _convert(block: Bytes, begin: Places, stop: Places, mark: int) -> Floats:
    """The C library's conversion of cells known to be unsigned numbers."""
    if not len(begin):
        return np.zeros(0)
    length = stop - begin
    width = int(length.max())
    if width > 64:
        dot = bytes([mark])
        cells = zip(begin.tolist(), stop.tolist(), strict=True)
        return np.array([float(block[a:b].tobytes().replace(dot, b".")) for a, b in cells])
    offsets = np.arange(width)
    inside = offsets < length[:, None]
    letters = np.where(inside, block[np.where(inside, begin[:, None] + offsets, 0)], 0)
    letters[letters == mark] = ord(".")
    typed = np.ascontiguousarray(letters.astype(np.uint8)).view(f"S{width}")[:, 0]
    with np.errstate(over="ignore"):
        return typed.astype(np.float64)


def _infinite_words(block: Bytes, begin: Places, stop: Places) -> Mask:
    """Cells such as inf, Infinity and 0x1A, sign already skipped."""
    length = stop - begin
    word = load(block, begin) | _SMALL_LETTERS
    infinite: Mask = (length == 3) & (word & 0xFFFFFF == int.from_bytes(b"inf", "little"))
    infinite |= (length == 8) & (word == int.from_bytes(b"infinity", "little"))
    hexadecimal = (length > 2) & (word & 0xFFFF == int.from_bytes(b"0x", "little"))
    hexadecimal &= block[begin] == ord("0")
    for cell in np.flatnonzero(hexadecimal):
        typed = block[begin[cell] : stop[cell]].tobytes()
        infinite[cell] = re.fullmatch(rb"0[xX][0-9a-fA-F]+", typed) is not None
    return infinite
