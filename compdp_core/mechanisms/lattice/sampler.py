"""Drawing from a lattice: a run by its integer mass, then a point of the run."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.mechanisms.lattice.guide_table import GuideTable
from compdp_core.mechanisms.lattice.lattice import Lattice
from compdp_core.mechanisms.lattice.runs import Ints
from compdp_core.randomness import ROUNDS, Source, Words, largest_fair, remainders

CHUNK = 2**15
"""Values drawn at a time: the working arrays stay in the processor's cache."""


@dataclass(frozen=True, eq=False)
class Sampler:
    """Exact draws from a :class:`Lattice`, given random words.

    A whole number below ``W`` picks the run (of the base or of the activation) by its mass. ``W``
    may have far more bits than a word; the leading bits nearly always settle the run, and where
    they do not, the rest is drawn too. A second word picks the point of the run, a third rounds
    the shift.
    """

    lattice: Lattice
    leading_bits: int = 62
    """Bits of the whole number that are drawn at first."""

    @cached_property
    def _lengths(self) -> Words:
        runs = (*self.lattice.base.lengths, *self.lattice.activation.lengths)
        return np.array(runs, dtype=np.uint64)

    @cached_property
    def _starts(self) -> Ints:
        base, activation = self.lattice.base, self.lattice.activation
        ends = np.concatenate([base.ends, activation.ends])
        return ends - self._lengths.astype(np.int64)

    @cached_property
    def _largest_words(self) -> Words:
        """Per run: the largest word whose remainder by the run's length is still uniform."""
        return np.array(list(map(largest_fair, self._lengths.tolist())), dtype=np.uint64)

    @cached_property
    def _surely_fair(self) -> np.uint64:
        """No run has a smaller largest word."""
        return np.uint64(self._largest_words.min())

    @cached_property
    def _boundaries(self) -> tuple[int, ...]:
        """Mass before each run, and ``W``."""
        masses = (*self.lattice.base.masses, *self.lattice.activation.masses)
        return (0, *accumulate(masses))

    @property
    def _tail_bits(self) -> int:
        """Bits of the whole number that are left out at first."""
        return max(0, self.lattice.total.bit_length() - self.leading_bits)

    @cached_property
    def _leading(self) -> Words:
        """The leading bits of the boundaries."""
        return np.array([b >> self._tail_bits for b in self._boundaries], dtype=np.uint64)

    @cached_property
    def _guide(self) -> GuideTable:
        return GuideTable.of(self._leading, self.lattice.total.bit_length() - self._tail_bits)

    def prepare(self) -> None:
        """Make the tables that draws look up, which later draws find made."""
        _ = self._guide, self._starts, self._surely_fair

    def __getstate__(self) -> dict[str, Any]:
        """Without the tables, which take longer to send than to make."""
        return {"lattice": self.lattice, "leading_bits": self.leading_bits}

    def draw(self, values: NDArray[np.float64], source: Source) -> NDArray[np.float64]:
        """One output for each value; the values lie within the inputs."""
        shift = self.lattice.shift(values)
        low = np.floor(shift)
        # Up with probability equal to the fractional part, in steps of 2^-53.
        uniform = (source.words(values.size) >> np.uint64(11)).view(np.int64).astype(np.float64)
        uniform *= 2.0**-53
        whole = low.astype(np.int64)
        whole += uniform < np.subtract(shift, low, out=shift)
        return self.lattice.value(self.indices(whole, source))

    def indices(self, shift: Ints, source: Source) -> Ints:
        """One output index for each whole shift."""
        run = self._draw_runs(shift.size, source)
        index = self._draw_places(run, source)
        index += self._starts.take(run, mode="clip")
        index += np.multiply(shift, run >= len(self.lattice.base.lengths), out=run)
        return index

    def _draw_runs(self, count: int, source: Source) -> Ints:
        """Runs with probability mass over ``W``; numbers of at least ``W`` are drawn again."""
        run, beyond = self._find(self._leading_words(count, source), source), self._lengths.size
        for _ in range(ROUNDS):
            if run.max(initial=0) < beyond:
                return run
            rejected = np.flatnonzero(run == beyond)
            run[rejected] = self._find(self._leading_words(rejected.size, source), source)
        raise RuntimeError("the source of random words keeps repeating itself")

    def _leading_words(self, count: int, source: Source) -> Words:
        bits = self.lattice.total.bit_length() - self._tail_bits
        return source.words(count) >> np.uint64(64 - bits)

    def _find(self, leading: Words, source: Source) -> Ints:
        """The run in which a number with these leading bits lies; the last is 'too large'."""
        cells, undecided = self._guide.look_up(leading)
        run = cells.astype(np.int64)
        if undecided.size:
            numbers = leading[undecided]
            found = self._guide.search(numbers, cells[undecided])
            if self._tail_bits:
                # A boundary with the same leading bits: only the rest of the number tells.
                for i in np.flatnonzero(numbers == self._leading[found]).tolist():
                    found[i] = self._settle(int(numbers[i]), source)
            run[undecided] = found
        return run

    def _settle(self, leading: int, source: Source) -> int:
        words = -(-self._tail_bits // 64)
        tail = 0
        for word in source.words(words).tolist():
            tail = (tail << 64) | word
        tail >>= 64 * words - self._tail_bits
        return bisect_right(self._boundaries, (leading << self._tail_bits) | tail) - 1

    def _draw_places(self, run: Ints, source: Source) -> Ints:
        """A uniform point of each run, counted from the run's start."""
        words, lengths = source.words(run.size), self._lengths.take(run, mode="clip")
        if words.max(initial=0) <= self._surely_fair:
            return np.remainder(words, lengths, out=lengths).view(np.int64)
        return remainders(words, lengths, self._largest_words[run], source)
