"""Texts of new cells: many short strings in one array, and numbers written into it at once."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from compdp_core.errors import ParameterError
from compdp_core.tables.number_parsing import LARGEST_WHOLE, Bytes, Floats, Mask, Places
from compdp_core.tables.patch import Edits, splice
from compdp_core.tables.tokens import Edges
from compdp_core.validation import one_of

_BLOCK = 1 << 16
_MOST_DECIMALS = 17
_POWERS = 10 ** np.arange(17, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class CellTexts:
    """New texts for the cells of a column; cells marked in ``kept`` stay as they are.

    >>> CellTexts.of(["1", None, "2.5"])[2]
    '2.5'
    """

    flat: Bytes
    """All texts one behind the other."""
    stops: Edges
    """Where each ends in ``flat``."""
    kept: Mask
    codec: str = "utf-8"

    def __len__(self) -> int:
        return len(self.stops)

    def __getitem__(self, row: int) -> str | None:
        if not 0 <= row < len(self):
            raise IndexError(row)
        if self.kept[row]:
            return None
        begin = int(self.stops[row - 1]) if row else 0
        return self.flat[begin : int(self.stops[row])].tobytes().decode(self.codec)

    def part(self, start: int, stop: int) -> tuple[Bytes, Places]:
        """Texts ``start`` to ``stop - 1``, and their lengths."""
        begin = int(self.stops[start - 1]) if start else 0
        stops = self.stops[start:stop].astype(np.intp)
        return self.flat[begin : int(stops[-1])], np.diff(stops, prepend=begin)

    @classmethod
    def of(cls, texts: Iterable[str | bytes | None], codec: str = "utf-8") -> CellTexts:
        """From strings (or bytes that are already encoded); None keeps the cell."""
        items = list(texts)
        typed = [t.encode(codec) if isinstance(t, str) else t or b"" for t in items]
        flat = np.frombuffer(b"".join(typed), dtype=np.uint8)
        stops = np.cumsum(np.fromiter(map(len, typed), dtype=np.uint32, count=len(typed)))
        kept = np.fromiter((t is None for t in items), dtype=np.bool_, count=len(items))
        return cls(flat, stops.astype(np.uint32), kept, codec)

    @classmethod
    def of_array(cls, texts: npt.NDArray[np.bytes_], codec: str = "utf-8") -> CellTexts:
        """From an array of byte strings (dtype S)."""
        width = texts.dtype.itemsize
        letters = np.ascontiguousarray(texts).view(np.uint8).reshape(len(texts), width)
        lengths = np.strings.str_len(texts).astype(np.intp)
        flat = letters[np.arange(width) < lengths[:, None]]
        stops = np.cumsum(lengths).astype(np.uint32)
        return cls(flat, stops, np.zeros(len(texts), dtype=np.bool_), codec)


def as_cell_texts(
    new: CellTexts | Sequence[str | None] | npt.NDArray[np.bytes_], codec: str
) -> CellTexts:
    """Whatever ``write`` accepts as a column."""
    if isinstance(new, CellTexts):
        return new
    if isinstance(new, np.ndarray):
        if new.ndim != 1 or new.dtype.kind != "S":
            raise ParameterError(
                "replacements", str(new.dtype), "must be texts: use format_cells for numbers"
            )
        return CellTexts.of_array(new, codec)
    return CellTexts.of(new, codec)


def format_cells(
    values: npt.ArrayLike,
    decimals: int,
    decimal_mark: str = ".",
    missing: str | None = None,
    codec: str = "utf-8",
    zero: str = "0",
) -> CellTexts:
    """Numbers with a fixed count of decimals, as cells; what NaN becomes is ``missing``.

    This is the one way from noisy numbers to the cells of a privatised column: nothing but the
    numbers and public settings goes in. ``missing=None`` keeps the cell that was there. ``codec``:
    the encoding of the table's text, in which ``missing`` has to be written.

    Each value times 10^decimals is rounded to a whole number (ties to even) whose digits are
    written: for values on a lattice with that many decimals these are exactly the lattice's own
    digits. Without decimals 3.0 becomes "3". Zero has no sign. ``zero``: that of the script whose
    digits are written.

    Raises ParameterError for an infinite value, or ``decimals`` not from 0 to 17.

    >>> texts = format_cells([3.0, -0.25, float("nan")], decimals=2)
    >>> [texts[i] for i in range(3)]
    ['3.00', '-0.25', None]
    >>> format_cells([3.0], decimals=0)[0], format_cells([float("nan")], 0, missing="NA")[0]
    ('3', 'NA')
    >>> format_cells([-7.5], decimals=1, zero="٠")[0]
    '-٧.٥'
    """
    if not 0 <= decimals <= _MOST_DECIMALS:
        raise ParameterError("decimals", decimals, f"must be from 0 to {_MOST_DECIMALS}")
    one_of("decimal_mark", decimal_mark, (".", ","))
    numbers = np.asarray(values, dtype=np.float64).reshape(-1)
    if np.isinf(numbers).any():
        raise ParameterError("values", float(numbers[np.isinf(numbers)][0]), "must be finite")
    flat = io.BytesIO()
    stops = np.empty(len(numbers), dtype=np.uint32)
    for start in range(0, len(numbers), _BLOCK):
        part = numbers[start : start + _BLOCK]
        digits, lengths = _digits(part, decimals, decimal_mark)
        if zero != "0":
            digits, lengths = _of_script(digits, lengths, zero, codec)
        if missing:
            digits, lengths = _filled(digits, lengths, np.isnan(part), missing.encode(codec))
        stops[start : start + _BLOCK] = np.cumsum(lengths) + flat.tell()
        flat.write(digits.tobytes())
    texts = np.frombuffer(flat.getvalue(), dtype=np.uint8)
    kept = np.isnan(numbers) if missing is None else np.zeros(len(numbers), dtype=np.bool_)
    return CellTexts(texts, stops, kept, codec)


def _filled(digits: Bytes, lengths: Places, empty: Mask, text: bytes) -> tuple[Bytes, Places]:
    """The same texts with one and the same text for the empty ones."""
    if not empty.any():
        return digits, lengths
    places = (np.cumsum(lengths) - lengths)[empty]
    return splice(digits, Edits.repeated(places, places, text)), lengths + empty * len(text)


def _digits(values: Floats, decimals: int, mark: str) -> tuple[Bytes, Places]:
    kept = np.isnan(values)
    scaled = np.rint(np.where(kept, 0.0, values) * float(10**decimals))
    if bool((np.abs(scaled) > LARGEST_WHOLE).any()):
        return _one_by_one(values, decimals, mark)
    rest = np.abs(scaled).astype(np.int64)
    negative = scaled < 0
    digits = np.maximum(np.searchsorted(_POWERS, rest, side="right"), decimals + 1)
    lengths = np.where(kept, 0, digits + negative + (decimals > 0))
    width = int(lengths.max(initial=0))
    letters = np.zeros((width, len(values)), dtype=np.uint8)
    for place in range(width - 1, -1, -1):
        if decimals and width - 1 - place == decimals:
            letters[place] = ord(mark)
            continue
        shorter = rest // 10
        letters[place] = rest - 10 * shorter + ord("0")
        rest = shorter
    signed = np.flatnonzero(negative & ~kept)
    letters[width - lengths[signed], signed] = ord("-")
    inside = np.arange(width)[:, None] >= width - lengths
    return letters.T[inside.T], lengths


def _of_script(digits: Bytes, lengths: Places, zero: str, codec: str) -> tuple[Bytes, Places]:
    """The same numbers with the digits of another script, all of them equally long."""
    typed = b"".join(chr(ord(zero) + i).encode(codec) for i in range(10))
    letters = np.frombuffer(typed, dtype=np.uint8).reshape(10, -1)
    number = digits - np.uint8(ord("0"))
    is_digit = number < 10
    widths = np.where(is_digit, letters.shape[1], 1)
    written = np.repeat(digits, widths)
    written[np.repeat(is_digit, widths)] = letters[number[is_digit]].ravel()
    ends = np.concatenate([[0], np.cumsum(widths)])
    return written, np.diff(ends[np.cumsum(lengths)], prepend=0)


def _one_by_one(values: Floats, decimals: int, mark: str) -> tuple[Bytes, Places]:
    """For numbers of more than 15 digits."""
    typed = [
        b"" if np.isnan(v) else f"{v:.{decimals}f}".replace(".", mark).encode()
        for v in values.tolist()
    ]
    flat = np.frombuffer(b"".join(typed), dtype=np.uint8)
    return flat, np.array([len(t) for t in typed], dtype=np.intp)
