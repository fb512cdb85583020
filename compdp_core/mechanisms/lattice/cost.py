"""What a lattice costs: how much more variance it has than the design that it follows."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from compdp_core.design.design import Design
from compdp_core.design.optimize.exact import POSITION_WEIGHT
from compdp_core.errors import LatticeError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.lattice.lattice import Lattice

COST = 1e-4
"""Of the least variance: the default lattice differs from it by no more, where floats allow."""

DEAREST = 1.0
"""Of the least variance, that a default lattice may add where floats allow none that is cheaper:
with a few points alone, estimates that take outputs for continuous would be wrong."""


@dataclass(frozen=True)
class LeastVariance:
    """That of the continuous design on the outputs, as the objective asks for it."""

    design: Design
    inputs: Interval
    outputs: Interval
    objective: str
    """``"center"``: at the middle input; ``"mean"``: on average over the inputs; ``"worst"``: at
    the input where it is largest."""

    def square(self, centre: Fraction) -> Fraction:
        """Mean square distance of the inputs from the middle of the outputs, or the largest."""
        low, high = (Fraction(x) for x in self.inputs.as_tuple())
        off, half = abs((low + high) / 2 - centre), (high - low) / 2
        weight = POSITION_WEIGHT[self.objective]
        if weight == 1.0:
            return (off + half) ** 2
        return off**2 + Fraction(weight) * half**2

    @property
    def inner(self) -> float:
        """At an input in the middle of the outputs (data units squared)."""
        return self.design.variance() * (0.5 * self.outputs.width / self.design.L) ** 2

    @property
    def position(self) -> float:
        """``(1 - p)/p``, by which the variance grows with an input's squared distance."""
        return self.design.S2 / self.design.S1

    @property
    def value(self) -> float:
        """``V₀ + (1 - p)/p E[(x - c)²]`` (data units squared)."""
        return self.inner + self.position * float(self.square(self._middle))

    @property
    def at_end(self) -> float:
        """At the input farthest from the middle of the outputs (data units squared)."""
        return self.inner + self.position * float(self._farthest(self._middle))

    @property
    def _middle(self) -> Fraction:
        lower, upper = (Fraction(x) for x in self.outputs.as_tuple())
        return (lower + upper) / 2

    def _farthest(self, centre: Fraction) -> Fraction:
        return max((Fraction(x) - centre) ** 2 for x in self.inputs.as_tuple())

    def cost(self, lattice: Lattice) -> float:
        """Share by which a lattice's variance is larger, at the worst rounding of a shift.

        ``(B₂ + M₂ + p/4) h² + (1 - p)/p E[(x - c)²]`` over :attr:`value`: a shift half-way between
        two points adds ``p/4`` squared spacings, all others less.
        """
        return self._above(lattice, self.square(lattice.centre), self.value)

    def cost_at_end(self, lattice: Lattice) -> float:
        """The same at the input farthest from the middle, whatever the objective is."""
        return self._above(lattice, self._farthest(lattice.centre), self.at_end)

    def price(self, lattice: Lattice) -> float:
        """At most :data:`COST` where a lattice will do: the larger of its cost and of that at the
        end of the inputs, where a width rounded to whole points is felt first.

        Of a shape that is not the best one there are lattices that cost less than nothing, as they
        do not follow it: they are as far off as those that cost more.
        """
        return max(abs(self.cost(lattice)), self.cost_at_end(lattice))

    def _above(self, lattice: Lattice, square: Fraction, value: float) -> float:
        p, step = lattice.share, lattice.exact_spacing
        inner = lattice.variance_at_centre + p / 4 * step**2
        found, least = inner + (1 - p) / p * square, Fraction(value)
        return float(found / least - 1) if least > 0 else float("inf")


def cheapest(found: list[tuple[float, Lattice]], inputs: Interval) -> Lattice:
    """The lattice that costs least; :class:`LatticeError` where even that costs too much."""
    cost, lattice = min(found, key=lambda each: each[0])
    if cost <= DEAREST:
        return lattice
    ends = inputs.as_tuple()
    far = max(map(abs, ends)) > 10.0 * inputs.width
    way = (
        "subtract a public constant from the values first"
        if far
        else "choose a larger sensitivity, or multiply the values by a public constant first"
    )
    raise LatticeError(
        f"inputs {ends!r}: the finest outputs that floats tell apart, multiples of "
        f"1e{lattice.exponent}, would more than double the variance: {way}"
    )
