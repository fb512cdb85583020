"""Drawing from a lattice: whole numbers below ``W``, looked up in the runs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from compdp_core.lattice.lattice import Lattice
from compdp_core.lattice.runs import Ints
from compdp_core.randomness import Source, Words

CHUNK = 2**15
"""Values drawn at a time: the working arrays stay in the processor's cache."""

_GUIDE_BITS = 12


@dataclass(frozen=True, eq=False)
class Sampler:
    """Exact draws from a :class:`Lattice`, given random words."""

    lattice: Lattice

    @cached_property
    def _runs(self) -> tuple[Words, Words, Ints]:
        """Of all runs, base first: cumulated mass before each, weight, and first index."""
        base, activation = self.lattice.base, self.lattice.activation
        masses = np.r_[base.masses, activation.masses]
        kept = masses > 0
        before = np.r_[0, np.cumsum(masses)[:-1]][kept]
        weights = np.r_[base.weights, activation.weights][kept]
        starts = np.r_[base.ends - base.lengths, activation.ends - activation.lengths][kept]
        return before.astype(np.uint64), weights.astype(np.uint64), starts

    @cached_property
    def _guide(self) -> Ints:
        """For the leading bits of a whole number: the run in which its smallest one lies."""
        bits = self._bits
        marks = np.arange(2**_GUIDE_BITS, dtype=np.uint64) << np.uint64(max(bits - _GUIDE_BITS, 0))
        return np.searchsorted(self._runs[0], marks, side="right") - 1

    @property
    def _bits(self) -> int:
        return max(self.lattice.total.bit_length(), _GUIDE_BITS)

    def draw(self, values: NDArray[np.float64], source: Source) -> NDArray[np.float64]:
        """One output for each value; the values lie within the inputs."""
        shift = self.lattice.shift(values)
        low = np.floor(shift)
        # Up with probability equal to the fractional part, in steps of 2^-53.
        uniform = (source.words(values.size) >> np.uint64(11)).astype(np.float64) * 2.0**-53
        whole = low.astype(np.int64) + (uniform < shift - low)
        return self.lattice.value(self._indices(self._below_total(values.size, source), whole))

    def _below_total(self, count: int, source: Source) -> Words:
        """Uniform whole numbers below ``W``: leading bits, drawn again where too large.

        More than half of all words are kept (nearly all, as weights are scaled to just below a
        power of two), so 256 rounds fail to finish with a probability below 2^-240.
        """
        drop = np.uint64(64 - self.lattice.total.bit_length())
        total = np.uint64(self.lattice.total)
        numbers = source.words(count) >> drop
        for _ in range(256):
            rejected = np.flatnonzero(numbers >= total)
            if rejected.size == 0:
                return numbers
            numbers[rejected] = source.words(rejected.size) >> drop
        raise RuntimeError("the source of random words keeps repeating itself")

    def _indices(self, numbers: Words, shift: Ints) -> Ints:
        """The point that each whole number below ``W`` stands for."""
        before, weights, starts = self._runs
        run = self._guide[(numbers >> np.uint64(self._bits - _GUIDE_BITS)).astype(np.int64)]
        if before.size > 2:
            run = self._advance(run, numbers, before)
        else:
            run = (numbers >= before[-1]).astype(np.int64)
        index = starts[run] + ((numbers - before[run]) // weights[run]).astype(np.int64)
        return index + np.where(run >= self._base_runs, shift, 0)

    @cached_property
    def _base_runs(self) -> int:
        return int(self.lattice.base.weights.size)

    @staticmethod
    def _advance(run: Ints, numbers: Words, before: Words) -> Ints:
        """Step forward from the guide's run; a few steps for most, a search for the rest."""
        last = before.size - 1
        for _ in range(3):
            ahead = numbers >= before[np.minimum(run + 1, last)]
            ahead &= run < last
            if not ahead.any():
                return run
            run = run + ahead
        late = np.flatnonzero((numbers >= before[np.minimum(run + 1, last)]) & (run < last))
        run[late] = np.searchsorted(before, numbers[late], side="right") - 1
        return run
