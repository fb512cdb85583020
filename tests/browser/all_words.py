"""The draw on a student's device with all classes of words, counted out on small lattices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from playwright.sync_api import Page

from compdp_core.intervals import Interval
from compdp_core.mechanisms.lattice import Lattice
from compdp_core.mechanisms.lattice.runs import Runs
from compdp_core.randomness import largest_fair
from tests.browser.same_words import TOP, agree, decimal, drawn, spelled


def small(base: Runs, activation: Runs, first: int = -3) -> tuple[Lattice, Fraction]:
    """A lattice by hand, in steps of 0.1, and its centre. All its shifts are used, whatever inputs
    it says it has.
    """
    centre = (first + Fraction(base.count - 1, 2)) / 10
    inputs = Interval(float(centre) - 1e-6, float(centre) + 1e-6)
    return Lattice(base, activation, first, -1, inputs), centre


SMALL = {
    # One tenth of a point is a third of a shift.
    "thirds": small(Runs((2, 1, 2), (1, 3, 1)), Runs((1,), (3,))),
    "fifths": small(Runs((1, 2, 3, 2, 1), (1, 2, 3, 2, 1)), Runs((1, 3, 1), (2, 5, 2))),
    "empty run": small(Runs((5,), (1,)), Runs((1, 1, 1), (0, 2, 0)), first=4),
}
OFFSETS = {
    # Shifts off the middle by thirds, halves, wholes, as far as can be and no more.
    "thirds": ("0.01", "-0.01", "0.02", "0.015", "0.03", "0.06", "-0.06", "0.0001", "0", "-7", "7"),
    "fifths": ("0.0125", "0.01", "-0.0333", "0.1", "-0.1"),
    "empty run": ("0", "0.01", "-0.02"),
}


def shift_words(fraction: Fraction, bits: int = 53, depth: int = 3) -> list[tuple[Fraction, Any]]:
    """Classes of the words that round a shift: their probability, and words at both their ends."""
    scaled = fraction * 2**bits
    limit, most = scaled.__floor__(), 2**bits - 1
    found: list[tuple[Fraction, Any]] = []
    if limit > 0:
        found.append((Fraction(limit, 2**bits), [[0], [limit - 1]]))
    if limit < most:
        found.append((Fraction(most - limit, 2**bits), [[limit + 1], [most]]))
    if scaled == limit:
        found.append((Fraction(1, 2**bits), [[limit]]))
    elif depth > 1:
        for share, ends in shift_words(scaled - limit, 64, depth - 1):
            found.append((share / 2**bits, [[limit, *(end)] for end in ends]))
    return found


def as_words(numbers: list[int]) -> list[int]:
    """The first as 53 bits of a word whose others do not matter."""
    return [numbers[0] << 11 | 1234, *numbers[1:]]


def run_words(lattice: Lattice) -> Iterator[tuple[Fraction, list[int]]]:
    """Classes of the words that pick a run and a place, ends of each class; and for rejected ones,
    of probability 0 here, the words that follow them.
    """
    total = lattice.total
    shift = 64 - total.bit_length()
    lengths = [*lattice.base.lengths, *lattice.activation.lengths]
    masses = [*lattice.base.masses, *lattice.activation.masses]
    numbers = [run for run, mass in enumerate(masses) for _ in range(mass)]
    for number, run in enumerate(numbers):
        length = lengths[run]
        fair = largest_fair(length)
        for place in range(length):
            for word in (place, fair + 1 - length + place):
                yield Fraction(1, 2 * length * total), [number << shift | 1, word]
        for rejected in range(fair + 1, TOP + 1):
            yield Fraction(0), [number << shift, rejected, 0]
    for number in range(total, 2 ** total.bit_length()):
        yield Fraction(0), [number << shift, *[numbers.index(0) << shift, 0]]


def exact(lattice: Lattice, value: Fraction) -> dict[str, Fraction]:
    """The distribution as the module of the lattice defines it."""
    shift = min(max(lattice.exact_shift(value), Fraction(0)), Fraction(lattice.span))  # type: ignore[arg-type]
    base, activation = (
        [w for n, w in zip(runs.lengths, runs.weights, strict=True) for _ in range(n)]
        for runs in (lattice.base, lattice.activation)
    )
    low = shift.__floor__()
    chances = [Fraction(weight) for weight in base]
    for place, weight in enumerate(activation):
        chances[place + low] += weight * (1 - (shift - low))
        if shift > low:
            chances[place + low + 1] += weight * (shift - low)
    return {spelled(lattice, i): each / lattice.total for i, each in enumerate(chances)}


def all_words(page: Page, source: str) -> None:
    """Probabilities counted out, against the exact ones."""
    for name, (lattice, centre) in SMALL.items():
        low, high = centre - 1, centre + 1
        for offset in OFFSETS[name]:
            value = centre + Fraction(offset)
            shift = min(max(lattice.exact_shift(value), Fraction(0)), Fraction(lattice.span))  # type: ignore[arg-type]
            rounding, picking = shift_words(shift - shift.__floor__()), list(run_words(lattice))
            cases, shares, classes = [], [], []
            for (mass, ends), (share, picked) in product(rounding, picking):
                for end in ends:
                    cases.append((decimal(value, 6), as_words(end) + picked))
                    shares.append(mass * share / len(ends))
                classes.append((len(ends), as_words(ends[0]) + picked))
            outputs = drawn(page, source, lattice, cases, (decimal(low, 6), decimal(high, 6)))
            agree([used for _, used in outputs], [len(words) for _, words in cases], name)
            texts = iter(text for text, _ in outputs)
            for many, words in classes:
                assert len({next(texts) for _ in range(many)}) == 1, (name, offset, words)
            counted: dict[str, Fraction] = defaultdict(Fraction)
            for (text, _), share in zip(outputs, shares, strict=True):
                counted[text] += share
            # What a fourth word would have to decide is left out: 2^-181, and nothing where the
            # fraction is dyadic.
            left = 1 - sum(mass for mass, _ in rounding)
            assert left <= Fraction(1, 2**181)
            for text, chance in exact(lattice, value).items():
                assert abs(counted.pop(text, Fraction(0)) - chance) <= left, (name, offset, text)
            assert not any(counted.values()), (name, offset)
