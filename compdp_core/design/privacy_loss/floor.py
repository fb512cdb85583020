"""The lowest value of a function on an interval, for many intervals at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.shapes import Base
from compdp_core.validation import Array

EDGE = 1e-12
"""How close to a jump both of its sides are looked at."""


class RangeMinimum:
    """``min values[first:last]``, infinite where that is empty, by a table of powers of two."""

    def __init__(self, values: Array) -> None:
        rows = [values]
        while 2 ** len(rows) <= len(values):
            half = 2 ** (len(rows) - 1)
            rows.append(np.minimum(rows[-1][:-half], rows[-1][half:]))
        self._table = np.full((len(rows), len(values) + 1), np.inf)
        for level, row in enumerate(rows):
            self._table[level, : len(row)] = row

    def __call__(self, first: NDArray[np.intp], last: NDArray[np.intp]) -> Array:
        level = np.frexp(np.maximum(last - first, 1))[1] - 1
        right = np.maximum(last - 2**level, first)
        least = np.minimum(self._table[level, first], self._table[level, right])
        return np.where(last > first, least, np.inf)


class Floor:
    """The least ``g`` between two places; exact where ``g`` falls from the middle outwards."""

    def __init__(self, base: Base) -> None:
        self._base = base
        nodes = np.union1d(np.linspace(-1.0, 1.0, 513), base.breakpoints)
        nodes = np.concatenate((nodes - EDGE, nodes, nodes + EDGE))
        self._nodes: Array = np.unique(np.clip(nodes, -1.0, 1.0))
        heights = base.height(self._nodes)
        self._falls = bool(np.all(np.diff(heights[self._nodes >= 0.0]) <= 0.0))
        self._minima = RangeMinimum(heights)

    def lowest(self, low: Any, high: Any) -> Array:
        """``min g`` on ``[low, high]``."""
        low, high = np.clip(low, -1.0, 1.0), np.clip(high, -1.0, 1.0)
        ends = np.minimum(self._base.height(low), self._base.height(high))
        if self._falls:
            return ends
        first = np.searchsorted(self._nodes, low)
        last = np.searchsorted(self._nodes, high, side="right")
        return np.minimum(ends, self._minima(first, last))

    def lowest_place(self, low: float, high: float) -> float:
        """Where on ``[low, high]`` that is."""
        inside = self._nodes[(self._nodes > low) & (self._nodes < high)]
        places = np.clip(np.concatenate(([low, high], inside)), -1.0, 1.0)
        return float(places[np.argmin(self._base.height(places))])
