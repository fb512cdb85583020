"""From a design to integer weights: where the points lie and how many there are."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from compdp_core.design.design import Design
from compdp_core.errors import LatticeError, ParameterError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.lattice.certificate import Certificate, exponential_below
from compdp_core.mechanisms.lattice.lattice import (
    EXACT_INTEGERS,
    EXPONENTS,
    Lattice,
    check_exponent,
)
from compdp_core.mechanisms.lattice.runs import Runs
from compdp_core.validation import real

SCALE = 1023 * 2**110
"""Total weight aimed at: more than ``e^50`` times any number of points, and just below a power of
two, so that few random words are drawn in vain."""

FINE = 2**15
"""From so many points on rounding the outputs to whole ones is hardly felt."""

_COARSE = 64
"""Up to this many points wide, an activation is fitted by trying whole widths around it."""


def spacing_exponent(spacing: object) -> int:
    """``e`` with ``spacing = 10^e``; anything but a power of ten is refused.

    >>> spacing_exponent(0.01)
    -2
    """
    number = real(spacing)
    if number is not None and number > 0.0:
        exponent = round(math.log10(number))
        if number == float(Fraction(10) ** exponent):
            return exponent
    raise ParameterError("spacing", spacing, "must be a power of ten, such as 0.01, 1 or 100")


def exponent_below(length: float) -> int:
    """The largest power of ten that is not above a length."""
    return math.floor(math.log10(max(length, math.ulp(0.0))))


def finest_exponent(outputs: Interval, room: int = 0) -> int:
    """Of the finest spacing whose multiples are floats of their own all over the outputs, and so
    many widths beyond.

    >>> finest_exponent(Interval(999999999999.0, 1e12))
    -3
    """
    low, high = (Fraction(x) for x in outputs.as_tuple())
    furthest = max(abs(low), abs(high)) + room * (high - low)
    fine = (e for e in EXPONENTS if furthest < EXACT_INTEGERS * Fraction(10) ** e)
    exponent = next(fine, None)
    if exponent is None:
        check_exponent(EXPONENTS.stop)
        raise AssertionError("unreachable")
    return exponent


def fit_at(
    design: Design,
    inputs: Interval,
    outputs: Interval,
    exponent: int,
    *,
    hard: bool,
    sensitivity: float | None = None,
) -> Lattice:
    """The best lattice of a design on multiples of a spacing.

    ``hard`` outputs are never passed; derived ones are refitted to whole points. The weights are
    lowered, if need be, until the certificate holds.

    Raises :class:`LatticeError` where the inputs do not fit on points of that spacing.
    """
    check_reach(outputs, exponent)
    plan = LatticePlan(design, inputs, exponent, sensitivity)
    width = plan.width(outputs)
    if hard:
        first, points = plan.within(outputs)
        return plan.best((first, points, m) for m in _widths(width, points))
    return plan.best(
        placed for m in _widths(width, None) if (placed := plan.smallest(m)) is not None
    )


def fit_as_designed(
    design: Design, inputs: Interval, outputs: Interval, exponent: int, sensitivity: float | None
) -> Lattice:
    """The lattice whose points are those of derived outputs, rounded outward to the spacing.

    Only for spacings so fine that what is rounded is not felt.
    """
    check_reach(outputs, exponent)
    plan = LatticePlan(design, inputs, exponent, sensitivity)
    low, high = Fraction(outputs.lower) / plan.step, Fraction(outputs.upper) / plan.step
    width = max(1, round(plan.width(outputs)))
    return plan.best((first, n, width) for first, n in outward(low, high))


def check_reach(outputs: Interval, exponent: int) -> None:
    """Refuse outputs whose points floats could not tell apart."""
    check_exponent(exponent)
    furthest = max(abs(Fraction(outputs.lower)), abs(Fraction(outputs.upper)))
    if not furthest / Fraction(10) ** exponent < EXACT_INTEGERS:
        if float(furthest) <= outputs.width:
            raise LatticeError(
                f"outputs {outputs.as_tuple()!r} hold more multiples of 1e{exponent} than floats "
                "can tell apart: choose a larger sensitivity or a larger spacing"
            )
        raise LatticeError(
            f"outputs {outputs.as_tuple()!r} lie too far from zero for their width: "
            "subtract a public constant from the values first, or choose a larger spacing"
        )


def outward(low: Fraction, high: Fraction) -> Iterator[tuple[int, int]]:
    """``(first, N)`` of points as wide as the outputs, then of more and more.

    Their middle is as close to the middle of the outputs as a point or half of one can be, since
    a difference costs reach. Rounding an activation to whole points costs some too: points on
    both sides bring it back.
    """
    twice_middle = round(low + high)
    points = math.ceil(high - low) + 1
    points += (points - 1 - twice_middle) % 2
    first = (twice_middle - points + 1) // 2
    for more in (0, *(2**k for k in range(32))):
        yield first - more, points + 2 * more


def _widths(width: float, limit: int | None) -> Iterator[int]:
    """Whole widths to try for an activation that should be ``width`` points wide.

    Nearest first; all of them around a narrow one, where one point more or less is felt.
    """
    centre = max(1, round(width))
    reach = 2 * centre + 4 if centre <= _COARSE else 2
    for m in sorted(
        range(max(1, centre - reach), centre + reach + 1), key=lambda m: abs(m - width)
    ):
        if limit is None or m <= limit:
            yield m


@dataclass(frozen=True)
class LatticePlan:
    """Everything but the number of points and where they begin."""

    design: Design
    inputs: Interval
    exponent: int
    sensitivity: float | None

    @property
    def step(self) -> Fraction:
        return Fraction(10) ** self.exponent

    def width(self, outputs: Interval) -> float:
        """Points that the activation should be wide."""
        return self.design.mu * outputs.width / float(self.step)

    def within(self, outputs: Interval) -> tuple[int, int]:
        """``(first, N)`` of the points within hard outputs."""
        low, high = Fraction(outputs.lower) / self.step, Fraction(outputs.upper) / self.step
        first, last = math.ceil(low), math.floor(high)
        return first, last - first + 1

    def best(self, candidates: Iterator[tuple[int, int, int]]) -> Lattice:
        """Of the candidates ``(first, N, M)`` that fit, the one of least variance in the middle.

        With many points the first that fits is as good as any.
        """
        best: Lattice | None = None
        for first, points, width in candidates:
            try:
                lattice = self.lattice(first, points, width)
            except LatticeError:
                continue
            if points >= FINE:
                return lattice
            if best is None or spread(lattice) < spread(best):
                best = lattice
        if best is None:
            raise LatticeError(
                f"inputs {self.inputs.as_tuple()!r} do not fit on outputs that are multiples of "
                f"{float(self.step):g}: choose a smaller spacing or wider outputs"
            )
        return best

    def smallest(self, width: int) -> tuple[int, int, int] | None:
        """The fewest points on which an activation ``width`` points wide reaches all inputs.

        ``p (N - M) >= 2 w`` with ``p = κA/(βN + κA)`` gives ``N = κA (2w + M)/(κA - 2wβ)``.
        """
        d = self.design
        mass = d.kappa * d.pair.activation.area * width
        low, high = (Fraction(x) / self.step for x in self.inputs.as_tuple())
        middle = (low + high) / 2
        reach = float(high - low)
        slack = mass - reach * d.pair.base.area
        if not slack > 0.0:
            return None
        points = max(width + 1, math.ceil(mass * (reach + width) / slack))
        # The formula is that of real numbers: whole weights may need a little more.
        for n in (points + more for more in (*range(8), *(2**k for k in range(3, 32)))):
            if n > 2 * points + 64:
                return None
            first = round(middle - Fraction(n - 1, 2))
            try:
                self.lattice(first, n, width)
            except LatticeError:
                continue
            return first, n, width
        return None

    def lattice(self, first: int, points: int, width: int) -> Lattice:
        """Weights for so many points; :class:`LatticeError` where the inputs do not fit."""
        d = self.design
        mass = points * d.pair.base.area + d.kappa * width * d.pair.activation.area
        scale = max(1, math.floor(SCALE / mass))
        base = Runs.symmetric(points, lambda v: self._rounded_up(scale, v))
        smallest = min(base.weights)
        # κ is a float: its last bits must not leave any of ε unspent.
        highest = math.ceil(Fraction(d.kappa) * scale * Fraction(10**12 + 1, 10**12))
        limit = math.floor(exponential_below(d.epsilon) * smallest) - smallest
        if highest * 10**11 <= limit * (10**11 + 1):  # not above it but for rounding
            return self._activated(base, first, width, min(highest, limit))
        return self._certified(base, first, width, highest, min(highest, limit))

    def _rounded_up(self, scale: int, v: NDArray[np.float64]) -> list[int]:
        """Base weights; rounded up, as a higher base only lowers the ratio."""
        ratios = map(float.as_integer_ratio, self.design.pair.base.height(v).tolist())
        return [-(-n * scale // d) for n, d in ratios]

    def _activated(self, base: Runs, first: int, width: int, highest: int) -> Lattice:
        """The activation rounded down to whole weights of at most ``highest``."""
        if not highest >= 1:
            raise LatticeError("the activation has no weight left: raise epsilon")
        height = self.design.pair.activation.height

        def rounded_down(v: NDArray[np.float64]) -> list[int]:
            ratios = map(float.as_integer_ratio, height(0.5 * (1.0 - v)).tolist())
            return [n * highest // d for n, d in ratios]

        activation = Runs.symmetric(width, rounded_down)
        return Lattice(base, activation, first, self.exponent, self.inputs)

    def _certified(self, base: Runs, first: int, width: int, highest: int, safe: int) -> Lattice:
        """The highest activation, to one part in a million, whose certificate holds.

        One of height ``safe`` proves ε for any two inputs, so for neighbours too.
        """

        def proved(height: int) -> Lattice | None:
            lattice = self._activated(base, first, width, height)
            certificate = Certificate.of(lattice, self.design.epsilon, self.sensitivity)
            return lattice if certificate.holds else None

        found = proved(highest)
        if found is not None:
            return found
        with suppress(LatticeError):
            found = proved(safe)
        low, high = safe, highest
        while (high - low) * 10**6 > highest:
            middle = (low + high) // 2
            try:
                lattice = proved(middle)
            except LatticeError:  # too low to carry the inputs
                low = middle
                continue
            if lattice is None:
                high = middle
            else:
                low, found = middle, lattice
        if found is None:
            raise LatticeError("the inputs do not fit into the lattice")
        return found


def spread(lattice: Lattice) -> float:
    """Variance at the middle input, over the random rounding of its shift (units of spacing²)."""
    share = float(lattice.share)
    inner = lattice.base.second_moment + lattice.activation.second_moment
    return inner / (4 * lattice.total) + share / 6.0
