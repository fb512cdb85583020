"""The sampler over every word it can be given: what comes out is the distribution, to the count."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable
from fractions import Fraction
from itertools import accumulate

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.mechanisms.lattice import CHUNK, Lattice, Sampler
from compdp_core.mechanisms.lattice.runs import Ints
from compdp_core.randomness import SeededSource, Source, SystemSource, Words
from compdp_core.shapes import PAIR_NAMES
from tests.unit.mechanisms.lattice.enumeration import Enumerated, Stuck, lattice, small_lattices


class Tape:
    """A source that hands out what was written on it, and knows when too much is asked for."""

    def __init__(self, *parts: Iterable[int]) -> None:
        self.parts = [np.array(list(part), dtype=np.uint64) for part in parts]

    def words(self, count: int) -> Words:
        part = self.parts.pop(0)
        assert part.size == count
        return part


def left(numbers: Iterable[int], bits: int) -> list[int]:
    """Numbers of so many bits as the leading bits of words, with a tail of ones."""
    return [(int(n) << (64 - bits)) | ((1 << (64 - bits)) - 1) for n in numbers]


def boundaries(small: Lattice) -> list[int]:
    return [0, *accumulate((*small.base.masses, *small.activation.masses))]


# --- Every word ------------------------------------------------------------------------------


@settings(max_examples=25)
@given(small=small_lattices(most=4))
@example(small=lattice((1,) * 9, (3,) * 4))
@example(small=lattice((2, 1, 1, 1, 2), (0, 5, 0)))
@example(small=lattice((1, 1), (7,)))
def test_every_word_counts_exactly_its_probability(small: Lattice) -> None:
    """All whole numbers below W, and all places within a run, at every shift."""
    enumerated = Enumerated.of(small)
    for shift in range(small.span + 1):
        counts, places = counted(Sampler(small), shift)
        assert counts == [w * places for w in enumerated.at(shift)]


def counted(sampler: Sampler, shift: int) -> tuple[list[int], int]:
    """How often each output comes out over all words, and how many words there are to a number."""
    small = sampler.lattice
    places = math.lcm(*small.base.lengths, *small.activation.lengths)
    assert small.total * places < 200_000
    numbers = np.repeat(np.arange(small.total), places)
    which = np.tile(np.arange(places), small.total)
    tape = Tape(left(numbers.tolist(), small.total.bit_length()), which.tolist())
    index = sampler.indices(np.full(numbers.size, shift), tape)
    return np.bincount(index, minlength=small.points).tolist(), places


class OneTooFar(Sampler):
    def indices(self, shift: Ints, source: Source) -> Ints:
        return super().indices(shift + 1, source)


class LastPlaceMissing(Sampler):
    def _draw_places(self, run: Ints, source: Source) -> Ints:
        place = super()._draw_places(run, source)
        return np.where(place + 1 < self._lengths[run].astype(np.int64), place, 0)


class BoundaryToTheLeft(Sampler):
    def _find(self, leading: Words, source: Source) -> Ints:
        return super()._find(np.maximum(leading, np.uint64(1)) - np.uint64(1), source)


@pytest.mark.parametrize("broken", [OneTooFar, LastPlaceMissing, BoundaryToTheLeft])
def test_the_count_finds_broken_samplers(broken: type[Sampler]) -> None:
    small = lattice((2, 2, 1, 1, 1, 2, 2), (1, 5, 1))
    counts, places = counted(broken(small), 1)
    assert counts != [w * places for w in Enumerated.of(small).at(1)]


@settings(max_examples=25)
@given(small=small_lattices(most=6), leading_bits=st.integers(1, 6))
@example(small=lattice((1,) * 9, (3,) * 4), leading_bits=1)
@example(small=lattice((1,) * 9, (3,) * 4), leading_bits=4)
def test_numbers_longer_than_their_leading_bits(small: Lattice, leading_bits: int) -> None:
    """Where the leading bits do not settle the run, the rest is drawn: again every number."""
    sampler = Sampler(small, leading_bits=leading_bits)
    bits = small.total.bit_length()
    head = min(leading_bits, bits)
    tail = bits - head
    runs = len(small.base.lengths) + len(small.activation.lengths)
    edges = boundaries(small)
    counts = [0] * (runs + 1)
    for number in range(2**bits):
        rest = number & ((1 << tail) - 1)
        source = Tape(left([rest], tail) if tail else [])
        (run,) = sampler._find(np.array([number >> tail], dtype=np.uint64), source).tolist()
        assert run == bisect_right(edges, number) - 1 or number >= small.total
        counts[run] += 1
    masses = [*small.base.masses, *small.activation.masses]
    assert counts == [*masses, 2**bits - small.total]


@pytest.mark.parametrize("leading_bits", [3, 12, 40, 62])
@pytest.mark.parametrize("pair", [*PAIR_NAMES, "A4B1"])
def test_edges_of_runs_with_weights_of_a_hundred_bits(pair: str, leading_bits: int) -> None:
    """The last number before each boundary, the boundary itself, and the one after."""
    small = CompositeMechanism(2.0, (0, 10), pair=pair, sensitivity=3).lattice
    sampler = Sampler(small, leading_bits=leading_bits)
    edges = boundaries(small)
    bits = small.total.bit_length()
    assert bits > 64
    tail = bits - leading_bits
    words = -(-tail // 64)
    some = sorted({0, *range(1, len(edges), max(1, len(edges) // 40)), len(edges) - 1})
    for edge in (edges[i] for i in some):
        for number in (edge - 1, edge, edge + 1):
            if not 0 <= number < 2**bits:
                continue
            rest = (number & ((1 << tail) - 1)) << (64 * words - tail)
            source = Tape([(rest >> (64 * (words - 1 - i))) & (2**64 - 1) for i in range(words)])
            (run,) = sampler._find(np.array([number >> tail], dtype=np.uint64), source).tolist()
            expected = min(bisect_right(edges, number) - 1, len(edges) - 1)
            if number >= small.total:
                expected = len(edges) - 1
            # A run without mass is never picked.
            assert edges[run] <= number
            assert run == expected


@pytest.mark.parametrize("pair", [*PAIR_NAMES, "A4B1"])
def test_the_guide_agrees_with_a_plain_search(pair: str) -> None:
    small = CompositeMechanism(1.0, (0, 10), pair=pair, sensitivity=3).lattice
    sampler = Sampler(small)
    tail = small.total.bit_length() - 62
    leading = SeededSource(3).words(20_000) >> np.uint64(2)
    run = sampler._find(leading, SystemSource())
    edges = boundaries(small)
    for number, found in zip(leading.tolist(), run.tolist(), strict=True):
        low, high = number << tail, ((number + 1) << tail) - 1
        assert bisect_right(edges, low) - 1 <= found <= bisect_right(edges, high) - 1


# --- Rejection --------------------------------------------------------------------------------


def test_numbers_too_large_are_drawn_again_and_no_others() -> None:
    small = lattice((1,) * 9, (3,) * 4)  # W = 21, five bits
    sampler = Sampler(small)
    assert small.total == 21
    first = left([20, 21, 31, 0, 8, 9], 5)
    again = left([25, 4], 5)
    once_more = left([12], 5)
    places = [1, 1, 1, 1, 8, 2]
    index = sampler.indices(np.full(6, 2), Tape(first, again, once_more, places))
    # Below 9 the base (point = place), from 9 on the activation (place of 4, moved by the shift).
    assert index.tolist() == [2 + 1, 2 + 1, 1, 1, 8, 2 + 2]


@pytest.mark.parametrize("length", [1, 2, 3, 7, 10, 4096, 10**6 + 3, 2**31 - 1, 2**45 + 1])
def test_places_within_a_run_are_uniform(length: int) -> None:
    """Words past the last whole multiple of the length are drawn again; all others count alike."""
    small = lattice((1,) * 5, (7,))
    sampler = Sampler(small)
    sampler.__dict__["_lengths"] = np.array([length, 1], dtype=np.uint64)
    largest = int(sampler._largest_words[0])
    assert (largest + 1) % length == 0
    assert 2**64 - length <= largest < 2**64
    run = np.zeros(3, dtype=np.int64)
    index = sampler._draw_places(run, Tape([0, largest, length - 1]))
    assert index.tolist() == [0, length - 1, length - 1]
    if largest < 2**64 - 1:
        index = sampler._draw_places(run, Tape([largest + 1, 5, 2**64 - 1], [largest, 0]))
        assert index.tolist() == [length - 1, 5 % length, 0]


def test_a_broken_source_is_noticed() -> None:
    with pytest.raises(RuntimeError, match="repeating"):
        Sampler(lattice((1,) * 9, (3,) * 4)).indices(np.zeros(5, np.int64), Stuck(2**64 - 1))
    # Accepted as a number, never as a place among three.
    small = lattice((1,) * 3, (13,))
    sampler = Sampler(small)
    assert small.total == 16
    with pytest.raises(RuntimeError, match="repeating"):
        sampler._draw_places(np.zeros(5, np.int64), Stuck(2**64 - 1))


# --- The rounding of the shift ----------------------------------------------------------------


@given(small=small_lattices(), place=st.floats(0.0, 1.0))
def test_shifts_are_rounded_up_with_their_fraction(small: Lattice, place: float) -> None:
    """The last word that rounds up and the first that does not; values go through to outputs."""
    inputs = small.inputs
    value = float(inputs.clamp(inputs.lower + place * inputs.width))
    shift = float(small.shift(value))
    low = math.floor(shift)
    threshold = math.ceil((Fraction(shift) - low) * 2**53)
    first_activated = small.base.mass
    number = left([first_activated], small.total.bit_length())
    sampler = Sampler(small)
    skipped = next(i for i, w in enumerate(Enumerated.of(small).activation) if w)
    for uniform, up in ((threshold - 1, 1), (threshold, 0)):
        if not 0 <= uniform < 2**53:
            continue
        tape = Tape([uniform << 11], number, [0])
        output = sampler.draw(np.array([value]), tape)
        assert output.tolist() == [float(small.value(low + up + skipped))]
        assert not tape.parts


# --- Sizes ------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 2, CHUNK - 1, CHUNK, CHUNK + 1])
def test_any_number_of_draws(count: int) -> None:
    small = CompositeMechanism(1.0, (0, 10), pair="A2B2").lattice
    sampler = Sampler(small)
    middle = np.full(count, small.span // 2)
    for source in (SystemSource(), SeededSource(1)):
        index = sampler.indices(middle, source)
        assert index.shape == (count,)
        assert np.all((index >= 0) & (index < small.points))
        assert sampler.draw(np.full(count, 5.0), source).shape == (count,)


def test_a_lattice_of_two_points() -> None:
    """The smallest there is: a base of two points and one of them raised."""
    small = lattice((1, 1), (2,))
    sampler = Sampler(small)
    for shift in (0, 1):
        tape = Tape(left(range(4), 3), [0, 1, 0, 0])
        assert sampler.indices(np.full(4, shift), tape).tolist() == [0, 1, shift, shift]
