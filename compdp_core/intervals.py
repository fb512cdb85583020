"""Closed intervals of finite, positive width."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import BoundsError
from compdp_core.validation import floats, real


@dataclass(frozen=True)
class Interval:
    """``[lower, upper]`` with both ends finite, ``lower < upper`` and a finite width.

    >>> Interval(0, 100).midpoint
    50.0
    """

    lower: float
    upper: float

    def __post_init__(self) -> None:
        lower, upper = check_bounds("interval", self.lower, self.upper)
        object.__setattr__(self, "lower", lower)
        object.__setattr__(self, "upper", upper)

    @classmethod
    def checked(cls, name: str, bounds: Any) -> Interval:
        """An interval from any pair of numbers; the error names the argument.

        Raises :class:`BoundsError` for equal, swapped, non-finite or non-numeric bounds, and for
        a width that overflows.
        """
        if isinstance(bounds, Interval):
            return bounds
        try:
            lower, upper = bounds
        except (TypeError, ValueError):
            raise BoundsError(name, bounds, None, "must be a pair (lower, upper)") from None
        try:
            return cls(*check_bounds(name, lower, upper))
        except BoundsError as error:
            if isinstance(bounds, list | tuple):
                raise
            raise BoundsError(name, bounds, None, error.requirement) from None

    @property
    def width(self) -> float:
        """``upper - lower``."""
        return self.upper - self.lower

    @property
    def midpoint(self) -> float:
        """The middle, without overflow."""
        return self.lower + 0.5 * (self.upper - self.lower)

    def as_tuple(self) -> tuple[float, float]:
        """``(lower, upper)``."""
        return (self.lower, self.upper)

    def contains(self, value: float) -> bool:
        """Whether ``lower <= value <= upper``; NaN is nowhere."""
        return self.lower <= value <= self.upper

    def clamp(self, values: Any) -> NDArray[np.float64]:
        """Each value moved to the nearest point of the interval; NaN stays NaN."""
        return np.clip(floats("values", values, missing="keep"), self.lower, self.upper)


def check_bounds(name: str, lower: object, upper: object) -> tuple[float, float]:
    """Both bounds as floats; what is not a pair of finite numbers in order is refused."""
    low, high = real(lower), real(upper)
    if low is None or high is None:
        raise BoundsError(name, lower, upper, "must be two finite numbers (lower, upper)")
    if not low < high:
        raise BoundsError(name, lower, upper, "must have lower below upper, both finite")
    if not math.isfinite(high - low):
        raise BoundsError(name, lower, upper, "must be closer together: their width overflows")
    return low, high


Bounds: TypeAlias = Interval | Sequence[float] | NDArray[Any]
"""What is taken for an interval: one, or its two ends."""
