"""Letters of many cells, taken from them one part at a time, and put together one part at a time.

All cells take the same step at once: each keeps its own place, and whether it fitted so far.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from compdp_core.tables.number_parsing import Bytes, Mask, Places
from compdp_core.tables.value_formats.base import Steps, Texts

_ZERO = np.uint8(ord("0"))


class Cursor:
    """Where reading has come to in each cell."""

    def __init__(self, cells: Texts) -> None:
        count, width = len(cells), cells.dtype.itemsize + 1
        letters = np.zeros((count, width), dtype=np.uint8)
        letters[:, :-1] = np.ascontiguousarray(cells).view(np.uint8).reshape(count, width - 1)
        self._flat = letters.ravel()
        self._at = np.arange(count, dtype=np.intp) * width
        self._stops = self._at + np.strings.str_len(cells)
        self._fits = self._stops > self._at

    def _letter(self, shift: int = 0) -> Bytes:
        # Each cell ends with a zero, which is no part of any pattern: what runs on never fits.
        taken: Bytes = self._flat.take(self._at + shift if shift else self._at, mode="clip")
        return taken

    def sign(self) -> Mask:
        """Step over a minus where there is one; which cells have it."""
        return self.skip(ord("-"))

    def more(self) -> Mask:
        """Which cells fitted so far and go on."""
        return self._fits & (self._at < self._stops)

    def need(self, fits: Mask) -> None:
        """Cells that do not fit are written in another way."""
        self._fits &= fits

    def skip(self, letter: int, where: Mask | None = None) -> Mask:
        """Step over a letter where it stands, and where it is asked for."""
        there: Mask = self._letter() == letter
        if where is not None:
            there &= where
        self._at = self._at + there
        return there

    def text(self, text: bytes) -> None:
        """Step over a text that has to be there."""
        for i, letter in enumerate(text):
            self._fits &= self._letter(i) == letter
        self._at = self._at + len(text)

    def digits(self, least: int, most: int, where: Mask | None = None) -> Steps:
        """A whole number of so many digits; 0 where it is not asked for."""
        value, self._at, count = self._run(most)
        self._fits &= count >= least if where is None else (count >= least) | ~where
        return value

    def _run(self, most: int) -> tuple[Steps, Places, NDArray[np.int8]]:
        value = np.zeros(len(self._at), dtype=np.int64)
        count = np.zeros(len(self._at), dtype=np.int8)
        running = np.ones(len(self._at), dtype=np.bool_)
        for i in range(most):
            digit = self._letter(i) - _ZERO
            running &= digit < 10
            if running.all():
                value *= 10
                value += digit
            elif running.any():
                value = np.where(running, value * 10 + digit, value)
            else:
                break
            count += running
        return value, self._at + count, count

    def fraction(self, mark: int, places: int) -> Steps:
        """A decimal fraction in steps of so many places, nothing where there is no mark."""
        there = self._letter() == mark
        before, self._at = self._at, self._at + 1
        value, behind, count = self._run(9)
        self._fits &= ~there | (count > 0)
        self._at = np.where(there, behind, before)
        exact = value * 10.0**places / 10.0**count
        return np.where(there, np.rint(exact), 0).astype(np.int64)

    def word(self, words: Sequence[set[bytes]], where: Mask | None = None) -> Steps:
        """Which of the words stands here, each of them typed in one of several ways."""
        width = max(len(each) for typed in words for each in typed)
        letters = [self._letter(i) for i in range(width)]
        found = np.full(len(self._at), -1, dtype=np.int64)
        length = np.zeros(len(self._at), dtype=np.intp)
        ways = [(each, place) for place, typed in enumerate(words) for each in typed]
        for text, place in sorted(ways, key=lambda way: len(way[0])):
            here = letters[0] == text[0]
            for i, letter in enumerate(text[1:], start=1):
                here &= letters[i] == letter
            found[here], length[here] = place, len(text)
        self._fits &= found >= 0 if where is None else (found >= 0) | ~where
        self._at = self._at + length
        return found

    def ended(self) -> Mask:
        """Which cells fitted, and have nothing left."""
        ended: Mask = self._fits & (self._at == self._stops)
        return ended


class Marks:
    """New cells, from left to right."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._letters: list[Bytes | int] = []
        self._there: list[Mask | None] = []

    def text(self, text: bytes, where: Mask | None = None) -> None:
        """The same text in all cells, or where it is asked for."""
        self._letters.extend(text)
        self._there.extend([where] * len(text))

    def number(self, values: Steps, least: int, most: int, where: Mask | None = None) -> None:
        """Digits of whole numbers from 0 on, so many at least, as many as they need up to most."""
        largest = int(values.max(initial=0))
        width = max(least, min(most, len(str(largest))))
        rest = values.astype(np.int32) if largest < 2**31 else values
        columns, there = list[Bytes | int](), list[Mask | None]()
        for place in range(width):
            shorter = rest // 10
            long = None if place < least else values >= 10**place
            there.append(long if where is None else where if long is None else where & long)
            columns.append((rest - shorter * 10).astype(np.uint8) + _ZERO)
            rest = shorter
        self._letters.extend(reversed(columns))
        self._there.extend(reversed(there))

    def word(self, places: Steps, words: Sequence[bytes]) -> None:
        """One of the words in each cell."""
        table = np.array(words, dtype=np.bytes_)
        letters = table.view(np.uint8).reshape(len(words), table.dtype.itemsize)
        for column in letters.T:
            taken = column.take(places)
            self._letters.append(taken)
            self._there.append(None if column.all() else taken > 0)

    def cells(self) -> Texts:
        """The cells, without gaps."""
        width = len(self._letters)
        letters = np.empty((self._count, width), dtype=np.uint8)
        for place, column in enumerate(self._letters):
            letters[:, place] = column
        if all(each is None for each in self._there):
            return letters.view(f"S{width}")[:, 0]
        inside = np.ones((self._count, width), dtype=np.bool_)
        for place, there in enumerate(self._there):
            if there is not None:
                inside[:, place] = there
        lengths = inside.sum(axis=1)
        longest = int(lengths.max(initial=1))
        packed = np.zeros((self._count, longest), dtype=np.uint8)
        packed[np.arange(longest) < lengths[:, None]] = letters[inside]
        return packed.view(f"S{longest}")[:, 0]
