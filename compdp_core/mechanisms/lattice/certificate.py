"""The certificate: a proof, in integers, of the privacy of the very distribution that is sampled.

For inputs whose shifts differ by at most ``d`` points the probability of an output changes by a
factor of at most ``e_d = max_u (b + w_u) / (b + min{w_v : |v - u| <= d})`` with ``b`` the smallest
base weight (exact for a constant base, an upper bound otherwise). For any two inputs ``d`` is
without limit and the factor is ``(b + max w)/b``.

Shifts are rounded at random, so inputs are mixtures of neighbouring whole shifts. Over two such
mixtures a probability ratio is a quotient of linear functions, largest at a corner: where one of
the two shifts is whole. At a real distance ``D + η`` the other mixes shifts ``D`` and ``D + 1``
away, so the factor is at most ``(1 - η) e_D + η e_{D+1}``; the mean of the inverses, for the other
order of the two, is below that.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from compdp_core.design.privacy_loss.floor import RangeMinimum
from compdp_core.errors import CertificateError
from compdp_core.mechanisms.lattice.lattice import Lattice
from compdp_core.mechanisms.lattice.runs import Runs

_DIGITS = 60
_CONTEXT = Context(prec=_DIGITS)


def exponential_below(epsilon: float) -> Fraction:
    """A rational lower bound of ``e^ε``, tight to 59 digits.

    ``decimal`` rounds its exponential correctly, so the next number below is a bound.
    """
    return Fraction(Decimal(epsilon).exp(_CONTEXT).next_minus(_CONTEXT))


def logarithm_above(ratio: Fraction) -> float:
    """A float that is at least ``ln(ratio)``."""
    up = Context(prec=_DIGITS, rounding=ROUND_CEILING)
    quotient = up.divide(Decimal(ratio.numerator), Decimal(ratio.denominator))
    bound = quotient.ln(_CONTEXT).next_plus(_CONTEXT)
    number = float(bound)
    return number if Decimal(number) >= bound else math.nextafter(number, math.inf)


def ratio_within(activation: Runs, smallest_base: int, distance: int | None) -> Fraction:
    """``e_d``: the largest factor between weights at most ``distance`` points apart.

    ``None`` stands for any two shifts. Runs are compared, not points: the runs that lie within
    reach of one run are neighbours of each other, so their smallest weight is a range minimum.
    """
    highest = max(activation.weights)
    if distance is None or distance >= activation.count:
        return Fraction(smallest_base + highest, smallest_base)
    if distance == 0:
        return Fraction(1)
    # Outside its support the activation weighs nothing.
    weights = [0, *activation.weights, 0]
    ends = np.append(0, activation.ends)
    leftmost = np.searchsorted(ends, ends[:-1] - distance, side="right")
    rightmost = np.searchsorted(ends, ends[1:] - 1 + distance, side="right")
    # Which run is lightest is settled by rank, so that weights of any size fit.
    order = sorted(set(weights))
    ranks = {weight: rank for rank, weight in enumerate(order)}
    lowest = RangeMinimum(np.array([float(ranks[w]) for w in weights]))(leftmost, rightmost + 1)
    # Of the runs over one lightest weight the heaviest gives the largest factor.
    heaviest: dict[int, int] = {}
    for weight, rank in zip(activation.weights, lowest.astype(int).tolist(), strict=True):
        heaviest[rank] = max(heaviest.get(rank, 0), weight)
    # Crosswise in integers: thousands of fractions would be reduced for nothing.
    above, below = 1, 1
    for rank, weight in heaviest.items():
        numerator, denominator = smallest_base + weight, smallest_base + order[rank]
        if numerator * below > above * denominator:
            above, below = numerator, denominator
    return Fraction(above, below)


def exact_ratio(lattice: Lattice, sensitivity: float | None) -> Fraction:
    """Largest probability ratio between inputs at most ``sensitivity`` apart (None: any two).

    Even any two inputs may be too close for the top of one activation to meet the foot of the
    other; then the ratio is below ``(b + max w)/b``.
    """
    smallest = min(lattice.base.weights)
    activation = lattice.activation
    everywhere = ratio_within(activation, smallest, None)
    width = lattice.inputs.width
    reach = shift_distance(lattice, width if sensitivity is None else min(sensitivity, width))
    whole = math.floor(reach)
    near = ratio_within(activation, smallest, whole)
    far = ratio_within(activation, smallest, whole + 1)
    return min(everywhere, near + (far - near) * (reach - whole))


def shift_distance(lattice: Lattice, sensitivity: float) -> Fraction:
    """How far apart the computed shifts of neighbouring inputs can be.

    Whole numbers too long for a float move by half a unit in the last place when they become one.
    """
    longest = max(map(abs, lattice.inputs.as_tuple()))
    distance = Fraction(sensitivity) + Fraction(math.ulp(longest))
    return distance / (lattice.exact_spacing * lattice.share) + 2 * lattice.shift_error


class RatioCertificate:
    """What a largest ratio of probabilities proves of a declared ε."""

    declared: float
    """The ε that was asked for."""
    ratio: Fraction
    """Largest ratio of probabilities of one output under neighbouring inputs, exact."""

    @property
    def holds(self) -> bool:
        """Whether the ratio is at most ``e^ε``, compared as fractions."""
        return self.ratio <= exponential_below(self.declared)

    @property
    def epsilon(self) -> float:
        """A proven upper bound on the privacy loss: ``ln(ratio)``, rounded up."""
        above = logarithm_above(self.ratio)
        return min(above, self.declared) if self.holds else above

    def require(self) -> None:
        """Raise :class:`CertificateError` unless the certificate holds."""
        if not self.holds:
            raise CertificateError(
                f"the weights prove epsilon = {self.epsilon!r}, above the declared "
                f"{self.declared!r}: nothing is released"
            )


@dataclass(frozen=True, eq=False)
class Certificate(RatioCertificate):
    """What was proved about a lattice before anything is drawn from it."""

    lattice: Lattice
    declared: float
    """The ε that was asked for."""
    sensitivity: float | None
    """Distance of neighbouring inputs (data units); None: any two inputs."""
    ratio: Fraction
    """Largest ratio of probabilities of one output under neighbouring inputs, exact."""

    @classmethod
    def of(cls, lattice: Lattice, epsilon: float, sensitivity: float | None = None) -> Certificate:
        """Work out the ratio of a lattice in integers."""
        return cls(lattice, epsilon, sensitivity, exact_ratio(lattice, sensitivity))

    @property
    def outputs(self) -> tuple[float, float]:
        """Lowest and highest possible output (data units)."""
        return (self.lattice.lower, self.lattice.upper)

    @property
    def spacing(self) -> float:
        """Distance of neighbouring outputs (data units)."""
        return self.lattice.spacing

    @property
    def points(self) -> int:
        """Number of possible outputs."""
        return self.lattice.points

    @property
    def worst_bias(self) -> float:
        """Bound on the bias at any input (data units)."""
        return self.lattice.worst_bias

    def variance(self, value: Any) -> Any:
        """Variance of the released value for an input (data units squared)."""
        return self.lattice.variance(value)
