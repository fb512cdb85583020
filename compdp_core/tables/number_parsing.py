"""Which cells are numbers, and which number: one character of every cell at a time.

A number is an optional sign, digits with at most one decimal mark, and an optional exponent.
Cells are byte ranges of a padded block, laid below each other with their last characters in one
line; then one table says for each character of a line what the cells read so far have become. A
mantissa below 2^53 over a power of ten up to 10^22 is one correctly rounded division (W. D.
Clinger, 1990); all other cells are handed to numpy's conversion of text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Places = npt.NDArray[np.intp]
Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

PAD = 32
"""Bytes that a block needs in front of its first and behind its last cell."""

TEXT, NUMBER, INFINITE, BLANK = 0, 1, 2, 3

LARGEST_WHOLE = 2**53
"""Above this, neighbouring whole numbers are no longer distinct doubles."""

_WIDTHS = (0, 8, 16, PAD)
"""Cells between two of these are laid below each other; longer ones are read one by one."""

# What a cell is so far. From _EXPONENT (with one digit, of six at most) on it is a number, from
# _WHOLE on its last character was a digit of the mantissa.
_WRONG, _START, _SIGN, _BARE, _E, _E_SIGN, _EXPONENT = range(7)
_MARKED, _WHOLE, _FRACTION = range(_EXPONENT + 6, _EXPONENT + 9)

_POWERS: Floats = np.array([float(10**k) for k in range(PAD)])
_IN_NUMBER = np.zeros(256, dtype=np.bool_)
_IN_NUMBER[list(b"0123456789.,eE+-")] = True
_HEXADECIMAL = re.compile(rb"0[xX][0-9a-fA-F]+")


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
    zeros: dict[int, int] = field(default_factory=dict)
    """Of cells that were spelled anew, code points of the zeros of their digits; 0 for ours."""


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
    length = stops - starts
    found = Numerals(
        kind=np.where(length > 0, np.uint8(TEXT), np.uint8(BLANK)),
        value=np.full(count, np.nan),
        decimals=np.zeros(count, dtype=np.intp),
        integer=np.zeros(count, dtype=np.bool_),
        padded=np.zeros(count, dtype=np.bool_),
    )
    first = block[starts]
    signed = (first == ord("-")) | (first == ord("+"))
    lead = np.where(signed, block[starts + 1], first)
    mark = ord(decimal)
    likely = np.flatnonzero((((lead - np.uint8(48)) < 10) | (lead == mark)) & (length > signed))
    lengths = length[likely]
    for shorter, longer in pairwise(_WIDTHS):
        at = likely[(lengths > shorter) & (lengths <= longer)]
        if len(at):
            cells = cells_of(block, stops[at], int(length[at].max()))
            _read(found, at, cells, length[at], first[at] == ord("-"), mark, exact)
    _read_long(found, likely[lengths > PAD], block, starts, stops, mark)
    unsigned = length - signed
    found.padded[:] = found.integer & (lead == ord("0")) & (unsigned > 1)

    begins = starts + signed
    for word in (b"inf", b"infinity"):
        at = np.flatnonzero(unsigned == len(word))
        for i, letter in enumerate(word):
            at = at[block[begins[at] + i] | 0x20 == letter]
        found.kind[at] = INFINITE
    for cell in np.flatnonzero((lead == ord("0")) & (block[begins + 1] | 0x20 == ord("x"))):
        if _HEXADECIMAL.fullmatch(block[begins[cell] : stops[cell]].tobytes()):
            found.kind[cell] = INFINITE
    return found


def cells_of(block: Bytes, stops: Places, width: int) -> npt.NDArray[np.bytes_]:
    """The ``width`` bytes in front of each place."""
    every = np.ndarray((len(block) - width + 1,), f"S{width}", block.data, strides=(1,))
    taken: npt.NDArray[np.bytes_] = every[stops - width]
    return taken


def _read(
    found: Numerals,
    at: Places,
    cells: npt.NDArray[np.bytes_],
    length: Places,
    negative: Mask,
    mark: int,
    exact: bool,
) -> None:
    """Read cells of one width, each with its neighbours' characters in front."""
    lines = np.ascontiguousarray(cells.view(np.uint8).reshape(len(at), -1).T)
    short, width = length.astype(np.uint8), len(lines)
    table = _table(mark)
    state = np.full(len(at), _START << 8, dtype=np.uint16)
    digits = np.zeros(len(at))
    decimals = np.zeros(len(at), dtype=np.uint8)
    for i, line in enumerate(lines):
        np.copyto(line, ord(" "), where=short < np.uint8(width - i))
        state = table.take(state + line, mode="clip")
        decimals += state == _FRACTION << 8
        digit = line - np.uint8(ord("0"))
        digit *= digit < 10
        digits *= 10.0
        digits += digit
    state >>= 8
    good = state >= _EXPONENT
    powered = good & (state < _MARKED)
    power = _POWERS[decimals]
    # The mark stands among the digits as a zero: what is in front of it moves back by a place.
    marked = (decimals > 0) | (state == _MARKED)
    mantissa = digits - np.rint(digits / (10.0 * power)) * 9.0 * power * marked
    sure = ~powered & (digits < LARGEST_WHOLE) & (decimals <= 22)
    value = np.where(negative, -mantissa, mantissa) / power
    unsure = np.flatnonzero(powered | (good & ~sure) if exact else powered)
    letters = lines.T
    if len(unsure):
        typed = np.ascontiguousarray(letters[unsure])
        typed[typed == mark] = ord(".")
        with np.errstate(over="ignore"):
            value[unsure] = typed.view(f"S{width}")[:, 0].astype(np.float64)
    places = decimals.astype(np.intp)
    if powered.any():
        places[powered] -= _exponents(letters[powered], state[powered] - (_EXPONENT - 1))
    finite = good & np.isfinite(value)
    found.kind[at[good]] = np.where(finite[good], NUMBER, INFINITE)
    found.value[at[finite]] = value[finite]
    found.decimals[at[finite]] = np.maximum(places[finite], 0)
    found.integer[at] = state == _WHOLE


@cache
def _table(mark: int) -> npt.NDArray[np.uint16]:
    """What a state and a character make, both as places in this table."""
    table = np.zeros((_FRACTION + 1, 256), dtype=np.uint16)
    digits = slice(ord("0"), ord("9") + 1)
    table[_START, ord(" ")] = _START
    table[_START, list(b"+-")] = _SIGN
    table[[_START, _SIGN, _WHOLE], digits] = _WHOLE
    table[[_START, _SIGN], mark] = _BARE
    table[_WHOLE, mark] = _MARKED
    table[[_BARE, _MARKED, _FRACTION], digits] = _FRACTION
    for letter in b"eE":
        table[[_WHOLE, _MARKED, _FRACTION], letter] = _E
    table[_E, list(b"+-")] = _E_SIGN
    table[[_E, _E_SIGN], digits] = _EXPONENT
    for state in range(_EXPONENT, _EXPONENT + 5):
        table[state, digits] = state + 1
    table <<= 8
    return table.ravel()


def _exponents(letters: Bytes, digits: npt.NDArray[np.uint16]) -> Places:
    """The whole number that the last ``digits`` letters are, and the sign in front of them."""
    result = np.zeros(len(letters), dtype=np.intp)
    for i in range(int(digits.max())):
        result += (digits > i) * (letters[:, -1 - i] - np.uint8(ord("0"))).astype(np.intp) * 10**i
    signs = letters[np.arange(len(letters)), letters.shape[1] - 1 - digits.astype(np.intp)]
    return np.where(signs == ord("-"), -result, result)


def _read_long(
    found: Numerals, at: Places, block: Bytes, starts: Places, stops: Places, mark: int
) -> None:
    """Read long cells one by one, after a look at both ends of all of them."""
    for i in range(8):
        at = at[_IN_NUMBER[block[starts[at] + i]] & _IN_NUMBER[block[stops[at] - 1 - i]]]
    dot = re.escape(bytes([mark]))
    pattern = re.compile(rb"[+-]?(?:(\d+)|\d+%s(\d*)|%s(\d+))(?:[eE]([+-]?\d{1,6}))?" % (dot, dot))
    for cell in at:
        typed = block[starts[cell] : stops[cell]].tobytes()
        number = pattern.fullmatch(typed)
        if number is None:
            continue
        whole, behind, bare, exponent = number.groups()
        value = float(typed.replace(bytes([mark]), b"."))
        found.integer[cell] = whole is not None and exponent is None
        found.kind[cell] = NUMBER if np.isfinite(value) else INFINITE
        if np.isfinite(value):
            found.value[cell] = value
            found.decimals[cell] = max(0, len(behind or bare or b"") - int(exponent or b"0"))
