"""Integer weights on consecutive points, stored as runs of equal weight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import LatticeError

Ints = NDArray[np.int64]

RESOLUTION = 4096
"""Most runs a sampled shape is cut into: finer steps change the variance by less than 1e-6."""

CAPACITY = 2**62
"""Total weights stay below this, so that every sum fits into 64 bits."""


@dataclass(frozen=True, eq=False)
class Runs:
    """``lengths[r]`` consecutive points carry the weight ``weights[r]`` each.

    One run is enough for a rectangle or a constant, whatever the number of points; curved shapes
    take at most :data:`RESOLUTION`. All sums are exact.
    """

    lengths: Ints
    weights: Ints

    def __post_init__(self) -> None:
        lengths, weights = (np.array(a, dtype=np.int64) for a in (self.lengths, self.weights))
        if lengths.ndim != 1 or lengths.shape != weights.shape or lengths.size == 0:
            raise LatticeError("runs need one length and one weight each")
        if not (np.all(lengths >= 1) and np.all(weights >= 0)):
            raise LatticeError("runs need lengths of at least 1 and weights of at least 0")
        # Floats cannot overflow, and a sum far above the capacity must not wrap around unseen.
        if not float(np.dot(lengths.astype(float), weights.astype(float))) < 1.0001 * CAPACITY:
            raise LatticeError("the weights add up to more than 64-bit arithmetic can hold")
        for array in (lengths, weights):
            array.setflags(write=False)
        object.__setattr__(self, "lengths", lengths)
        object.__setattr__(self, "weights", weights)

    @classmethod
    def symmetric(cls, count: int, weight: Callable[[NDArray[np.floating[Any]]], Any]) -> Runs:
        """``count`` points whose weight depends on the distance from the middle.

        ``weight`` takes distances from the middle as a share of half the count, from 0 to 1, at
        the middle of each run, and returns integers.
        """
        half = count // 2
        cuts = np.unique(np.linspace(0, half, min(half, RESOLUTION // 2) + 1).astype(np.int64))
        outer = np.diff(cuts)
        # Points sit at whole distances for odd counts (the middle is one), at halves for even.
        centres = 0.5 * (cuts[:-1] + cuts[1:] - 1) + (1.0 if count % 2 else 0.5)
        weights = np.asarray(weight(centres / (0.5 * count)), dtype=np.int64)
        if count % 2 == 0:
            return cls(np.r_[outer[::-1], outer], np.r_[weights[::-1], weights]).merged()
        middle = np.asarray(weight(np.zeros(1)), dtype=np.int64)
        lengths = np.r_[outer[::-1], np.ones(1, np.int64), outer]
        return cls(lengths, np.r_[weights[::-1], middle, weights]).merged()

    def merged(self) -> Runs:
        """The same weights in as few runs as possible."""
        starts = np.flatnonzero(np.r_[True, np.diff(self.weights) != 0])
        return Runs(np.add.reduceat(self.lengths, starts), self.weights[starts])

    @cached_property
    def ends(self) -> Ints:
        """Position behind the last point of each run."""
        return np.cumsum(self.lengths)

    @property
    def count(self) -> int:
        """Number of points."""
        return int(self.ends[-1])

    @cached_property
    def masses(self) -> Ints:
        """Weight of each run."""
        return self.lengths * self.weights

    @cached_property
    def mass(self) -> int:
        """Sum of all weights."""
        return int(self.masses.sum())

    @property
    def is_symmetric(self) -> bool:
        """Whether the weights read the same from both ends."""
        return bool(
            np.array_equal(self.lengths, self.lengths[::-1])
            and np.array_equal(self.weights, self.weights[::-1])
        )

    @cached_property
    def second_moment(self) -> int:
        """``Σ weight · (2i - (count - 1))²``: four times the second moment about the middle."""
        total = 0
        first = 1 - self.count
        for length, weight in zip(self.lengths.tolist(), self.weights.tolist(), strict=True):
            # Sum of the squares of length odd-spaced numbers first, first + 2, …
            n = length - 1
            squares = (
                length * first * first + 2 * first * n * length + 2 * n * length * (2 * n + 1) // 3
            )
            total += weight * squares
            first += 2 * length
        return total

    def below(self, position: Any) -> Ints:
        """Weight of the points before ``position``, clipped to the points there are."""
        position = np.clip(np.asarray(position, dtype=np.int64), 0, self.count)
        run = np.searchsorted(self.ends, position, side="right")
        before = np.r_[0, np.cumsum(self.masses)]
        inner = np.minimum(run, self.weights.size - 1)
        start = self.ends[inner] - self.lengths[inner]
        return np.where(
            run < self.weights.size,
            before[inner] + (position - start) * self.weights[inner],
            self.mass,
        )

    def expand(self) -> Ints:
        """One weight per point."""
        return np.repeat(self.weights, self.lengths)
