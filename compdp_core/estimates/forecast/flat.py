"""True values spread evenly between the bounds, and what is released of them: moments.

An output lies ``t`` from the centre. The base (``1 - p``) and the activation (``p``), the latter
about ``D``, are both symmetric, with moments ``B_k``, ``A_k`` about their middles, so that for one
true value::

    E t  = p D                        E t³ = 3 A₂ D + p D³
    E t² = B₂ + A₂ + p D²             E t⁴ = B₄ + A₄ + 6 A₂ D² + p D⁴

and the rounding of D at random to whole shifts counts with its two places.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from compdp_core.estimates.channel import FEW, NumberChannel
from compdp_core.intervals import Interval
from compdp_core.mechanisms.lattice import FINE, Lattice
from compdp_core.mechanisms.lattice.runs import Runs
from compdp_core.validation import Array

_POINTS = 1024


@dataclass(frozen=True)
class Flat:
    """Data units, squared where they are variances."""

    variance: float
    """Of the true values."""
    noise: float
    """On average over them."""
    of_variance: float
    """Variance of what one row adds to the estimate of :attr:`variance`: n of them have an error of
    ``sqrt(of_variance/n)``.
    """
    of_true: float
    """The part of the true values in it."""

    @classmethod
    def of(cls, lattice: Lattice, *, whole: bool) -> Flat:
        """Those of a lattice; ``whole`` where true values lie on its points."""
        x = flat_values(lattice, whole=whole)
        first, second, third, fourth = _moments(lattice, x)
        off = x - float(lattice.centre)
        d, variance = float(off.mean()), float(off.var())
        noise = float(lattice.variance(x).mean())
        of_true = float(((off - d) ** 2).var())
        if whole and lattice.points < FINE and x.size <= FEW:
            return cls(variance, noise, _exactly(lattice, x), of_true)
        # What a row adds: (t - d)² less its noise, of which t² leaves p t² and a constant.
        p = float(lattice.share)
        of_squares, of_values = fourth - second**2, second - first**2
        together = third - first * second
        added = p**2 * of_squares + 4.0 * d**2 * of_values - 4.0 * p * d * together
        return cls(variance, noise, max(added, of_true), of_true)


def flat_values(lattice: Lattice, *, whole: bool) -> Array:
    """True values spread evenly: those of a coarse lattice where they lie on its points, as whole
    numbers do, or the middles of equal parts.
    """
    a, b = lattice.inputs.as_tuple()
    step = lattice.exact_spacing
    first, last = math.ceil(Fraction(a) / step), math.floor(Fraction(b) / step)
    if whole and lattice.points < FINE and first < last:
        return lattice.value(np.arange(first, last + 1) - lattice.first)
    return flat_between(lattice.inputs, whole=False)


def flat_between(inputs: Interval, *, whole: bool) -> Array:
    """The same between bounds, for any mechanism."""
    first, last = math.ceil(inputs.lower), math.floor(inputs.upper)
    if whole and 0 < last - first < FINE:
        return np.arange(first, last + 1.0)
    return inputs.lower + inputs.width * (np.arange(_POINTS) + 0.5) / _POINTS


def _moments(lattice: Lattice, x: Array) -> tuple[float, float, float, float]:
    """Of the distance of an output from the centre, for such true values."""
    (a2, a4), (b2, b4) = (
        _about_middle(each, lattice.total) for each in (lattice.activation, lattice.base)
    )
    p, shift = float(lattice.share), lattice.shift(x)
    low = np.floor(shift)
    places = np.stack([low, low + 1.0]) - 0.5 * lattice.span
    chances = np.stack([1.0 - (shift - low), shift - low]) / x.size
    d1, d2, d3, d4 = (float((chances * places**k).sum()) for k in range(1, 5))
    found = (p * d1, b2 + a2 + p * d2, 3.0 * a2 * d1 + p * d3, b4 + a4 + 6.0 * a2 * d2 + p * d4)
    first, second, third, fourth = (m * lattice.spacing**k for k, m in enumerate(found, 1))
    return first, second, third, fourth


def _exactly(lattice: Lattice, x: Array) -> float:
    """The variance of what a row adds where the noise of each output is told with its rounding."""
    channel = NumberChannel.of(lattice, Interval(lattice.lower, lattice.upper), whole=True)
    masses = np.mean([lattice.pmf(each) for each in x], axis=0)
    y = lattice.value(np.arange(lattice.points))
    added = (y - x.mean()) ** 2 - channel.noise(y)
    return float(masses @ added**2 - (masses @ added) ** 2)


def _about_middle(runs: Runs, total: int) -> tuple[float, float]:
    """Second and fourth moments in points, over the total."""
    return runs.second_moment / (4 * total), runs.fourth_moment / (16 * total)
