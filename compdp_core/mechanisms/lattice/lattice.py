"""The distribution that is sampled: integer weights on points of a decimal grid.

Continuous densities on floats leak: low-order bits tell inputs apart (Mironov, CCS 2012). So the
released value is always one of the points ``o_i = (first + i) · 10^exponent``, the same points for
every input, and its probability is a ratio of integers:

``Pr[o_i] = (b_i + w_{i-s}) / W`` with base weights ``b``, activation weights ``w`` at the shift
``s``, and ``W = Σb + Σw``.

Both are symmetric, so the mean index is ``(N-1)/2 + (Σw/W)(s - (N-M)/2)``, linear in ``s``. An
input is mapped to a real shift and rounded up or down at random, so the mean is exact.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from compdp_core.errors import LatticeError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.lattice.runs import Runs
from compdp_core.validation import Array

EXACT_INTEGERS = 2**52
"""Beyond this, neighbouring points of a lattice could collapse into one float: decimals whose
relative distance is below 2^-52 may lie closer than a unit in the last place."""

EXPONENTS = range(-22, 23)
"""Of the spacings: these powers of ten are whole floats, so every output is the float nearest to
its decimal, and none lies beyond a hard bound by a rounding."""


def check_exponent(exponent: int) -> None:
    """Refuse spacings whose multiples floats only approximate."""
    if exponent not in EXPONENTS:
        raise LatticeError(
            f"outputs that are multiples of 1e{exponent} are too small or large for exact "
            "decimals: multiply or divide the values by a public constant first"
        )


@dataclass(frozen=True, eq=False)
class Lattice:
    """Base weights on ``N`` points, activation weights on ``M`` of them, and where they lie."""

    base: Runs
    activation: Runs
    first: int
    """Index of the lowest point: it lies at ``first · spacing``."""
    exponent: int
    """The spacing is ``10 ** exponent`` (data units)."""
    inputs: Interval
    """The inputs that must fit (data units)."""

    def __post_init__(self) -> None:
        check_exponent(self.exponent)
        last = self.first + self.base.count - 1
        if not max(abs(self.first), abs(last)) < EXACT_INTEGERS:
            raise LatticeError(
                f"inputs {self.inputs.as_tuple()!r} lie too far from zero for their width: "
                "subtract a public constant from the values first"
            )
        if not (self.base.is_symmetric and self.activation.is_symmetric):
            raise LatticeError("base and activation weights must be symmetric")
        if not min(self.base.weights) >= 1:
            raise LatticeError("base weights must be at least 1")
        if not self.activation.mass >= 1:
            raise LatticeError("the activation has no weight left: raise epsilon")
        if not self.activation.count <= self.base.count or not self.fits():
            raise LatticeError("the inputs do not fit into the lattice")

    @property
    def points(self) -> int:
        """Number ``N`` of possible outputs."""
        return self.base.count

    @property
    def total(self) -> int:
        """``W``, the sum of all weights."""
        return self.base.mass + self.activation.mass

    @property
    def share(self) -> Fraction:
        """``Σw / W``: mass of the activation, the lattice's ``S₁``."""
        return Fraction(self.activation.mass, self.total)

    @property
    def spacing(self) -> float:
        """Distance of neighbouring outputs (data units)."""
        return float(self.exact_spacing)

    @property
    def exact_spacing(self) -> Fraction:
        """The spacing as a fraction."""
        return Fraction(10) ** self.exponent

    @property
    def decimals(self) -> int:
        """Decimal places that write every output exactly."""
        return max(0, -self.exponent)

    @property
    def lower(self) -> float:
        """The lowest output."""
        return float(self.value(np.int64(0)))

    @property
    def upper(self) -> float:
        """The highest output."""
        return float(self.value(np.int64(self.points - 1)))

    def value(self, index: Any) -> Array:
        """Outputs at the given indices, the floats nearest to their decimals."""
        position = (np.asarray(index) + self.first).astype(np.float64)
        power = 10.0 ** abs(self.exponent)
        if self.exponent < 0:
            position /= power
        else:
            position *= power
        return position

    @property
    def centre(self) -> Fraction:
        """The middle of the outputs (data units)."""
        return (self.first + Fraction(self.points - 1, 2)) * self.exact_spacing

    @property
    def span(self) -> int:
        """Largest shift ``N - M``."""
        return self.points - self.activation.count

    def exact_shift(self, value: float) -> Fraction:
        """The real shift that makes the mean equal to ``value``."""
        offset = (Fraction(value) - self.centre) / self.exact_spacing
        return offset / self.share + Fraction(self.span, 2)

    def fits(self) -> bool:
        """Whether both ends of the inputs have a shift within ``[0, N - M]``."""
        return all(0 <= self.exact_shift(x) <= self.span for x in self.inputs.as_tuple())

    @cached_property
    def _map(self) -> tuple[float, float, float]:
        """Centre, factor and offset of the map from values to shifts, as floats."""
        return (
            float(self.centre),
            float(1 / (self.share * self.exact_spacing)),
            0.5 * self.span,
        )

    def shift(self, values: Any) -> Array:
        """Real shifts of values within the inputs, in floats: off by at most ``shift_error``."""
        centre, factor, offset = self._map
        shift = np.asarray(np.subtract(values, centre, dtype=np.float64))
        shift *= factor  # in place: new arrays of many values take longer than the sums
        shift += offset
        return np.clip(shift, 0.0, float(self.span), out=shift)

    @property
    def shift_error(self) -> Fraction:
        """Bound on the rounding of one computed shift against an exactly linear map.

        Four roundings of relative size 2^-53 of numbers no larger than the span, and the
        random rounding of the shift in steps of 2^-53; an eighth of what is allowed here. The
        rounding of the centre moves all shifts alike: it is a bias, not a distance.
        """
        return Fraction(self.span + 2, 2**49)

    @property
    def worst_bias(self) -> float:
        """Bound on ``|E[output] - input|`` over all inputs (data units).

        From the rounding of shifts and of the points themselves: a few units in the last place.
        """
        size = max(abs(self.lower), abs(self.upper), abs(float(self.centre)))
        return float(self.share * self.exact_spacing * self.shift_error) + 2.0 * math.ulp(size)

    def mean(self, values: Any) -> Array:
        """Mean of the sampled distribution for each input (data units)."""
        offset = (self.shift(values) - 0.5 * self.span) * float(self.share)
        return float(self.centre) + offset * self.spacing

    def variance(self, values: Any) -> Array:
        """Variance of the sampled distribution for each input (data units squared).

        ``B₂ + M₂ + p(D² + f(1-f)) - p²D²`` with ``p = Σw/W``, ``D`` the shift from the middle,
        ``f`` its fractional part, and ``B₂``, ``M₂`` second moments about the middle over ``W``.
        """
        share = float(self.share)
        rest = float(1 - self.share)
        shift = self.shift(values)
        fraction = shift - np.floor(shift)
        offset = shift - 0.5 * self.span
        inner = float(self._inner_variance)
        spread = inner + share * fraction * (1.0 - fraction) + share * rest * offset**2
        return spread * self.spacing**2

    @property
    def _inner_variance(self) -> Fraction:
        """``B₂ + M₂`` (points squared)."""
        return Fraction(self.base.second_moment + self.activation.second_moment, 4 * self.total)

    @property
    def variance_at_centre(self) -> Fraction:
        """Variance for the input in the middle, rounding left out (data units squared)."""
        return self._inner_variance * self.exact_spacing**2

    def pmf(self, value: float) -> Array:
        """Probability of every output for one input, shape ``(N,)``."""
        shift = float(self.shift(value))
        low = math.floor(shift)
        fraction = shift - low
        result: Array = self.base.shares(self.total)
        activation = self.activation.shares(self.total)
        result[low : low + activation.size] += (1.0 - fraction) * activation
        if fraction > 0.0:
            result[low + 1 : low + 1 + activation.size] += fraction * activation
        return result

    def index_at_least(self, value: float) -> int:
        """Index of the lowest output not below ``value``, from 0 to ``N``."""
        if math.isinf(value):
            return self.points if value > 0.0 else 0
        guess = math.ceil(Fraction(value) / self.exact_spacing) - self.first
        guess = min(max(guess, 0), self.points)
        # The points are rounded to floats, the guess is not: at most one off.
        if guess > 0 and float(self.value(guess - 1)) >= value:
            return guess - 1
        if guess < self.points and float(self.value(guess)) < value:
            return guess + 1
        return guess

    def below(self, index: int, values: Any) -> Array:
        """``Pr[output index < index]`` for each input."""
        return self.below_at(index, self.shift(values))

    def below_at(self, index: int, shift: Array) -> Array:
        """``Pr[output index < index]`` at each real shift; linear between whole shifts."""
        low = np.floor(shift).astype(np.int64)
        whole, place = np.unique(np.append(low, low + 1), return_inverse=True)
        masses = [self.activation.below(index - int(s)) / self.total for s in whole]
        at_low, at_next = np.array(masses)[place].reshape(2, *low.shape)
        moved: Array = at_low + (shift - low) * (at_next - at_low)
        return self.base.below(index) / self.total + moved

    def critical_shifts(self, indices: tuple[int, ...]) -> Array:
        """Whole shifts at which an end of a run of the activation meets one of the indices.

        Probabilities of intervals are linear between them.
        """
        ends = np.append(self.activation.ends, 0)
        shifts = np.concatenate([index - ends for index in indices])
        return np.unique(np.clip(shifts, 0, self.span)).astype(np.float64)
