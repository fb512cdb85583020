"""The grid of the discrete mechanisms: whole multiples of a public spacing."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.intervals import Interval
from compdp_core.validation import Array, real

# Grid indices are whole numbers in floats, exact to 2^53; noise adds to them.
LARGEST_INDEX = 2.0**51
# Sums over a noise distribution stay exact enough up to here.
MOST_STEPS = 10**9
# A quotient this close to a whole number is that number: 0.3/0.1 is 2.9999999999999996.
_FUZZ = 1e-9


@dataclass(frozen=True)
class Grid:
    """Points ``i·h`` for whole ``i``; every value is moved to the nearest one.

    >>> grid = Grid(0.1)
    >>> grid.points(grid.indices(np.array([0.26, 0.38]))).tolist()
    [0.3, 0.4]
    >>> grid.steps(0.3)
    3
    """

    spacing: float
    """``h``, data units."""

    @classmethod
    def covering(cls, interval: Interval, sensitivity: float, spacing: object) -> Grid:
        """The grid of the given spacing, or of the default one where it is None.

        Default: 1 where the inputs and Δ are whole numbers and the inputs are ten or more wide;
        otherwise the largest power of ten that divides Δ into at least a hundred parts. Where
        that is too fine to count in, the smallest power of ten that is not.

        Raises :class:`ParameterError` for a spacing that is not positive, that leaves fewer than
        two grid points in the inputs, or that is too fine to count in.
        """
        largest = max(abs(interval.lower), abs(interval.upper))
        finest = max(largest / LARGEST_INDEX, sensitivity / MOST_STEPS)
        if spacing is None:
            step: float | None = _default_spacing(interval, sensitivity, finest)
        else:
            step = real(spacing)
        if step is None or not step > 0.0:
            raise ParameterError("spacing", spacing, "must be a positive number")
        if not finest <= step:
            raise ParameterError(
                "spacing", step, f"must be at least {finest:.3g} for these inputs and sensitivity"
            )
        grid = cls(step)
        lowest, highest = grid.range(interval)
        if not lowest < highest:
            raise ParameterError(
                "spacing",
                step,
                f"must put two points into the inputs: at most {interval.width / 2:.6g} does",
            )
        return grid

    def points(self, indices: Array) -> Array:
        """``i·h`` in data units; by division where ``1/h`` is whole, so that 3·0.1 is 0.3."""
        inverse = round(1.0 / self.spacing) if self.spacing < 1.0 else 0
        if inverse and abs(inverse * self.spacing - 1.0) <= 1e-15:
            return indices / inverse
        return indices * self.spacing

    def indices(self, values: Array) -> Array:
        """Index of the nearest point, as a whole float.

        Halves always go up: rounding them to even would put 0.5 and 1.5 two points apart, and
        break the bound on the sensitivity.
        """
        return np.asarray(np.floor(values / self.spacing + 0.5), dtype=np.float64)

    def is_point(self, values: Array) -> NDArray[np.bool_]:
        """Whether each value is a grid point, as far as floats can tell."""
        quotient = values / self.spacing
        off = np.abs(quotient - np.rint(quotient))
        return np.asarray(off <= _fuzz(np.abs(quotient)), dtype=np.bool_)

    def steps(self, distance: float) -> int:
        """How many steps two values at most ``distance`` apart can be apart after rounding."""
        return max(1, self.ceil(distance))

    def ceil(self, value: float) -> int:
        """Index of the first grid point at or above ``value``."""
        quotient = value / self.spacing
        nearest = round(quotient)
        close = abs(quotient - nearest) <= float(_fuzz(np.array(abs(quotient))))
        return nearest if close else math.ceil(quotient)

    def floor(self, value: float) -> int:
        """Index of the last grid point at or below ``value``."""
        return -self.ceil(-value)

    def range(self, interval: Interval) -> tuple[int, int]:
        """Indices of the first and last grid point inside the interval."""
        return self.ceil(interval.lower), self.floor(interval.upper)


def _fuzz(quotient: Array) -> Array:
    """How far the quotient of a grid point and the spacing may be off a whole number.

    The point, the spacing and their quotient are each rounded: far from 0 that is more than any
    fixed share of a step.
    """
    return np.minimum(np.maximum(_FUZZ, 3.0 * 2.0**-52 * quotient), 0.25)


def _default_spacing(interval: Interval, sensitivity: float, finest: float) -> float:
    whole = all(x == math.floor(x) for x in (interval.lower, interval.upper, sensitivity))
    if whole and interval.width >= 10.0 and finest <= 1.0:
        return 1.0
    wanted = math.floor(math.log10(sensitivity)) - 2
    return power_of_ten(max(wanted, math.ceil(math.log10(finest))))


def power_of_ten(exponent: int) -> float:
    """The float nearest to the power: 10.0**-5 is not always that.

    >>> power_of_ten(-5)
    1e-05
    """
    return float(f"1e{exponent}")
