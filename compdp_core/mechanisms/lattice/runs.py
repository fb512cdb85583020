"""Integer weights on consecutive points, stored as runs of equal weight."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import LatticeError

Ints = NDArray[np.int64]

RESOLUTION = 4096
"""Most runs a sampled shape is cut into: finer steps change the variance by less than 1e-6."""


@dataclass(frozen=True)
class Runs:
    """``lengths[r]`` consecutive points carry the weight ``weights[r]`` each.

    One run is enough for a rectangle or a constant, whatever the number of points; curved shapes
    take about :data:`RESOLUTION` at most. Weights are Python integers, without limit of size, and
    all sums are exact.
    """

    lengths: tuple[int, ...]
    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 0 < len(self.lengths) == len(self.weights):
            raise LatticeError("runs need one length and one weight each")
        if not (min(self.lengths) >= 1 and min(self.weights) >= 0):
            raise LatticeError("runs need lengths of at least 1 and weights of at least 0")

    def __getstate__(self) -> dict[str, Any]:
        """Without the sums, which take longer to send than to make."""
        return {"lengths": self.lengths, "weights": self.weights}

    @classmethod
    def merged(cls, lengths: Sequence[int], weights: Sequence[int]) -> Runs:
        """Neighbouring runs of one weight become one run."""
        kept: list[tuple[int, int]] = []
        for length, weight in zip(lengths, weights, strict=True):
            if kept and kept[-1][1] == weight:
                kept[-1] = (kept[-1][0] + length, weight)
            else:
                kept.append((length, weight))
        return cls(tuple(n for n, _ in kept), tuple(w for _, w in kept))

    @classmethod
    def symmetric(cls, count: int, weight: Callable[[NDArray[Any]], Sequence[int]]) -> Runs:
        """``count`` points whose weight depends on the distance from the middle.

        ``weight`` takes distances from the middle as a share of half the count, from 0 to 1, at
        the middle of each run, and returns integers.
        """
        lengths, centres = _cut(count)
        outer = lengths.tolist()
        weights = [int(w) for w in weight(centres / (0.5 * count))]
        right = weights[1:] if count % 2 else weights
        middle = ([1], weights[:1]) if count % 2 else ([], [])
        return cls.merged([*outer[::-1], *middle[0], *outer], [*right[::-1], *middle[1], *right])

    @classmethod
    def mirrored(cls, lengths: Sequence[int], weights: Sequence[int]) -> Runs:
        """The symmetric runs of which these are the :attr:`half`."""
        lengths, weights = list(lengths), list(weights)
        return cls(tuple(lengths + lengths[-2::-1]), tuple(weights + weights[-2::-1]))

    @property
    def half(self) -> Runs:
        """Of symmetric runs those up to the one in the middle, which is whole.

        >>> Runs((1, 3, 1), (2, 5, 2)).half
        Runs(lengths=(1, 3), weights=(2, 5))
        """
        behind = len(self.lengths) // 2 + 1
        return Runs(self.lengths[:behind], self.weights[:behind])

    @cached_property
    def ends(self) -> Ints:
        """Position behind the last point of each run."""
        return np.cumsum(np.array(self.lengths, dtype=np.int64))

    @property
    def count(self) -> int:
        """Number of points."""
        return int(self.ends[-1])

    @cached_property
    def masses(self) -> tuple[int, ...]:
        """Weight of each run."""
        return tuple(n * w for n, w in zip(self.lengths, self.weights, strict=True))

    @cached_property
    def mass(self) -> int:
        """Sum of all weights."""
        return sum(self.masses)

    @property
    def is_symmetric(self) -> bool:
        """Whether the weights read the same from both ends."""
        return self.lengths == self.lengths[::-1] and self.weights == self.weights[::-1]

    @cached_property
    def second_moment(self) -> int:
        """``Σ weight · (2i - (count - 1))²``: four times the second moment about the middle."""
        total = 0
        first = 1 - self.count
        for length, weight in zip(self.lengths, self.weights, strict=True):
            # The squares of `length` numbers first, first + 2, …
            n = length - 1
            squares = length * (first * first + 2 * first * n) + 2 * n * length * (2 * n + 1) // 3
            total += weight * squares
            first += 2 * length
        return total

    @cached_property
    def fourth_moment(self) -> int:
        """``Σ weight · (2i - (count - 1))⁴``: 16 times the fourth moment about the middle."""
        total, first = 0, 1 - self.count
        for length, weight in zip(self.lengths, self.weights, strict=True):
            n = length - 1
            one, two = n * length // 2, n * length * (2 * n + 1) // 6
            four = n * length * (2 * n + 1) * (3 * n * n + 3 * n - 1) // 30
            powers = length * first**4 + 8 * first**3 * one + 24 * first**2 * two
            total += weight * (powers + 32 * first * one**2 + 16 * four)
            first += 2 * length
        return total

    @cached_property
    def _before(self) -> tuple[int, ...]:
        return (0, *accumulate(self.masses))

    def below(self, position: int) -> int:
        """Weight of the points before ``position``, which may lie outside the points there are."""
        if position <= 0:
            return 0
        if position >= self.count:
            return self.mass
        run = bisect_right(self.ends, position)
        start = int(self.ends[run]) - self.lengths[run]
        return self._before[run] + (position - start) * self.weights[run]

    def shares(self, total: int) -> NDArray[Any]:
        """One weight per point, over ``total``."""
        return np.repeat(np.array([w / total for w in self.weights]), np.array(self.lengths))


def _cut(count: int) -> tuple[Ints, NDArray[Any]]:
    """Lengths of the runs right of the middle, and where each of them has its own middle.

    Points sit at whole distances for odd counts (the middle is one, a run of its own that comes
    first in the second array alone), at halves for even.
    """
    half = count // 2
    cuts = np.unique(np.linspace(0, half, min(half, RESOLUTION // 2) + 1).astype(np.int64))
    centres = 0.5 * (cuts[:-1] + cuts[1:] - 1) + (1.0 if count % 2 else 0.5)
    return np.diff(cuts), np.concatenate([np.zeros(count % 2), centres])


def symmetric_sums(
    count: int, height: Callable[[NDArray[Any]], NDArray[Any]]
) -> tuple[float, float]:
    """Mass and second moment about the middle of what :meth:`Runs.symmetric` makes, in floats.

    >>> symmetric_sums(3, np.ones_like)
    (3.0, 2.0)
    """
    lengths, centres = _cut(count)
    heights = height(centres / (0.5 * count))
    middle = float(heights[0]) if count % 2 else 0.0
    heights, centres = heights[count % 2 :], centres[count % 2 :]
    n = lengths.astype(np.float64)
    squares = n * (centres * centres + (n * n - 1.0) / 12.0)
    return middle + 2.0 * float(n @ heights), 2.0 * float(squares @ heights)


def level_sums(count: int) -> tuple[float, float]:
    """Those of equal weights of 1.

    >>> level_sums(3)
    (3.0, 2.0)
    """
    n = float(count)
    return n, n * (n * n - 1.0) / 12.0
