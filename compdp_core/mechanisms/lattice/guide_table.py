"""The run in which a number lies: one look-up for nearly all numbers (Chen and Asau, 1974)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.mechanisms.lattice.runs import Ints
from compdp_core.randomness import Words

MOST_BITS = 17
"""Of a number that are looked up: the table is to stay in the processor's cache."""

_PER_MARK = 4
"""Bits for about 16 cells to each mark: so many of the cells have none within."""

Found = NDArray[np.unsignedinteger[Any]]


@dataclass(frozen=True, eq=False)
class GuideTable:
    """Where numbers lie among ``marks``, which rise from 0.

    A cell stands for all numbers with the same first bits. Where no mark lies in it, they are all
    in one run, and the cell names it; elsewhere it names the first run there may be, plus ``open``.
    """

    marks: Words
    """Of each run the first number (equal for a run that is empty), and behind them one that no
    number reaches."""
    drop: int
    """How far to shift a number for its cell."""
    cells: Found
    open: int
    """From here on a cell does not settle the run."""

    @classmethod
    def of(cls, marks: Words, bits: int) -> GuideTable:
        """For numbers of so many bits, below 64; ``marks`` begin with 0.

        >>> table = GuideTable.of(np.array([0, 5, 2**20], dtype=np.uint64), 21)
        >>> run, undecided = table.look_up(np.array([2**20 + 7, 2**19, 4], dtype=np.uint64))
        >>> int(run[1]), undecided.tolist()
        (1, [0, 2])
        """
        size = min(MOST_BITS, marks.size.bit_length() + _PER_MARK, bits)
        drop = bits - size
        within = np.bincount((marks >> np.uint64(drop)).astype(np.int64), minlength=2**size)
        # One less than the marks below the cell; in the cell of 0, whatever it holds, run 0.
        first = np.maximum(np.cumsum(within) - within - 1, 0)
        kind, start = (np.uint16, 2**15) if marks.size < 2**15 else (np.uint32, 2**31)
        cells = np.where(within > 0, first + start, first).astype(kind)
        return cls(np.append(marks, np.uint64(2**64 - 1)), drop, cells, start)

    def look_up(self, numbers: Words) -> tuple[Found, Ints]:
        """The run of each number where its cell settles it, and the places of the other numbers."""
        cell = (numbers >> np.uint64(self.drop)).view(np.int64)
        run = self.cells.take(cell, mode="clip")  # no cell lies outside; to clip is the fastest
        return run, np.flatnonzero(run >= self.open)

    def search(self, numbers: Words, cells: Found) -> Ints:
        """The runs of numbers whose cells are these, and settle nothing."""
        run = cells.astype(np.int64) - self.open
        run += numbers >= self.marks[run + 1]
        beyond = np.flatnonzero(numbers >= self.marks[run + 1])
        run[beyond] = np.searchsorted(self.marks, numbers[beyond], side="right") - 1
        return run
