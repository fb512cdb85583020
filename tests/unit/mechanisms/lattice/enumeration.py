"""Small lattices taken apart point by point, in integers: nothing here uses the library's formulas.

Weights are plain tuples. An input is a real shift, given as a fraction; it stands for the mixture
of the two whole shifts around it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from hypothesis import reject
from hypothesis import strategies as st

from compdp_core.errors import BoundsError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.lattice import Lattice, Runs
from compdp_core.numerics import not_above, not_below
from compdp_core.randomness import Words

Weights = tuple[int, ...]
Masses = tuple[Fraction, ...]


@dataclass(frozen=True)
class Enumerated:
    """Every probability of a lattice, from its definition."""

    base: Weights
    activation: Weights

    @classmethod
    def of(cls, lattice: Lattice) -> Enumerated:
        """All weights of a lattice, run by run."""
        return cls(expanded(lattice.base), expanded(lattice.activation))

    @property
    def span(self) -> int:
        """Largest whole shift."""
        return len(self.base) - len(self.activation)

    @property
    def total(self) -> int:
        return sum(self.base) + sum(self.activation)

    def at(self, shift: int) -> Weights:
        """Weight of every output at a whole shift."""
        assert 0 <= shift <= self.span
        weights = list(self.base)
        for j, weight in enumerate(self.activation):
            weights[shift + j] += weight
        return tuple(weights)

    def mixture(self, shift: Fraction) -> Masses:
        """Weight of every output at a real shift: rounded up with the fractional part."""
        low = math.floor(shift)
        up = shift - low
        below = self.at(low)
        if up == 0:
            return tuple(Fraction(w) for w in below)
        return tuple((1 - up) * w + up * v for w, v in zip(below, self.at(low + 1), strict=True))

    def ratio(self, one: Fraction, other: Fraction) -> Fraction:
        """Largest factor between the probabilities of one output under two real shifts."""
        pairs = zip(self.mixture(one), self.mixture(other), strict=True)
        return max(max(p / q, q / p) for p, q in pairs)

    def worst_ratio(self, distance: Fraction, low: Fraction, high: Fraction) -> Fraction:
        """The largest factor over all real shifts in ``[low, high]`` at most ``distance`` apart.

        Over two shifts within one cell of whole numbers each, a probability ratio is a quotient
        of linear functions, largest at a corner of the polygon that the distance cuts out. So
        these corners settle the whole continuum of mixtures, exactly.
        """
        marks = {Fraction(s) for s in range(math.ceil(low), math.floor(high) + 1)} | {low, high}
        corners = {
            (one, other)
            for one in marks
            for other in {*marks, one - distance, one + distance}
            if low <= other <= high and abs(one - other) <= distance
        }
        places = {shift: self._over_one_denominator(shift) for pair in corners for shift in pair}
        # Settled in integers among the quotients that floats cannot tell apart.
        rough = [
            (max(p / q for p, q in zip(places[x][1], places[y][1], strict=True)), x, y)
            for one, other in corners
            for x, y in ((one, other), (other, one))
        ]
        scale = {shift: denominator for shift, (denominator, _) in places.items()}
        # Weights of different denominators differ by a known factor.
        rough = [(quotient * scale[y] / scale[x], x, y) for quotient, x, y in rough]
        most = max(quotient for quotient, _, _ in rough)
        return max(
            Fraction(p * scale[y], q * scale[x])
            for quotient, x, y in rough
            if quotient >= most * (1.0 - 1e-9)
            for p, q in zip(places[x][1], places[y][1], strict=True)
            if p * scale[y] / (q * scale[x]) >= most * (1.0 - 1e-9)
        )

    def _over_one_denominator(self, shift: Fraction) -> tuple[int, Weights]:
        """The weights of a mixture as integers, and what to divide them by."""
        mixture = self.mixture(shift)
        up = shift - math.floor(shift)
        return up.denominator, tuple(int(w * up.denominator) for w in mixture)


def ends(lattice: Lattice) -> tuple[Fraction, Fraction]:
    """The real shifts of the two ends of the inputs."""
    low, high = (lattice.exact_shift(x) for x in lattice.inputs.as_tuple())
    return low, high


def apart(lattice: Lattice, sensitivity: float) -> Fraction:
    """``d``: how far apart the shifts of neighbouring inputs can be, in points."""
    return Fraction(sensitivity) / (lattice.exact_spacing * lattice.share)


def truth(lattice: Lattice, sensitivity: float | None) -> Fraction:
    """Largest probability ratio over all neighbouring inputs, whole or not."""
    low, high = ends(lattice)
    distance = high - low if sensitivity is None else apart(lattice, sensitivity)
    return Enumerated.of(lattice).worst_ratio(distance, low, high)


class Stuck:
    """A source that knows one word only."""

    def __init__(self, word: int) -> None:
        self.word = word

    def words(self, count: int) -> Words:
        return np.full(count, self.word, dtype=np.uint64)


def expanded(runs: Runs) -> Weights:
    return tuple(
        weight
        for length, weight in zip(runs.lengths, runs.weights, strict=True)
        for _ in range(length)
    )


def runs(weights: Sequence[int]) -> Runs:
    return Runs.merged([1] * len(weights), list(weights))


def lattice(
    base: Sequence[int],
    activation: Sequence[int],
    *,
    share_of_reach: float = 1.0,
    first: int | None = None,
    exponent: int = 0,
) -> Lattice:
    """A lattice of these weights, around the origin at spacing 1 unless told otherwise.

    Its inputs are as wide as the shifts allow, or the given share of that.
    """
    enumerated = Enumerated(tuple(base), tuple(activation))
    share = Fraction(sum(activation), enumerated.total)
    first = -(len(base) // 2) if first is None else first
    step = Fraction(10) ** exponent
    centre = (first + Fraction(len(base) - 1, 2)) * step
    half = share * enumerated.span / 2 * Fraction(share_of_reach) * step
    # Inward to a float, so that the inputs fit.
    lower, upper = not_below(centre - half), not_above(centre + half)
    return Lattice(runs(base), runs(activation), first, exponent, Interval(lower, upper))


def mirrored(half: Sequence[int], odd: bool) -> Weights:
    """Symmetric weights from their left half; odd counts share the middle."""
    return (*half, *(half[-2::-1] if odd else half[::-1]))


@st.composite
def weights(draw: st.DrawFn, lowest: int, highest: int, size: int) -> Weights:
    """Symmetric weights of any profile, up to twice ``size`` points."""
    half = draw(st.lists(st.integers(lowest, highest), min_size=1, max_size=size))
    return mirrored(half, draw(st.booleans()))


@st.composite
def small_lattices(draw: st.DrawFn, most: int = 12, placed: bool = False) -> Lattice:
    """Any symmetric activation (gaps, several peaks, zeros at its ends) on any symmetric base.

    ``placed`` ones lie anywhere, at any spacing.
    """
    activation = draw(weights(0, most, 4).filter(any))
    count = len(activation) + draw(st.integers(1, 7))
    size = (count + 1) // 2
    half = draw(st.lists(st.integers(1, most), min_size=size, max_size=size))
    base = mirrored(half, bool(count % 2))
    share = draw(st.sampled_from([1.0, 1.0, 0.75, 0.3]))
    if not placed:
        return lattice(base, activation, share_of_reach=share)
    first = draw(st.integers(-40, 40) | st.integers(-(2**49), 2**49))
    exponent = draw(st.integers(-22, 22))
    try:
        return lattice(base, activation, share_of_reach=share, first=first, exponent=exponent)
    except BoundsError:  # far from zero, the reach may lie between two floats
        reject()
