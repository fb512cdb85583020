"""Plain descriptions of a column: moments, quantiles and counts in bins.

They describe whatever values they are given; on true values they are private, on released ones
public.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.intervals import Interval
from compdp_core.values import numbers

Array = NDArray[np.float64]

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class Description:
    """Size, mean, standard deviation and quantiles of some values."""

    count: int
    mean: float
    spread: float
    """Standard deviation with ``n - 1``; 0 for a single value."""
    quantiles: tuple[float, ...]
    """At :data:`QUANTILES`, interpolated linearly."""

    @classmethod
    def of(cls, values: Any) -> Description:
        """Describe at least one number.

        >>> Description.of([1, 2, 6]).mean
        3.0

        Raises :class:`MissingValueError` for NaN, :class:`ParameterError` for no value.
        """
        array = numbers("values", values).reshape(-1).astype(np.float64)
        if not array.size:
            raise ParameterError("values", (), "must hold at least one number")
        return cls(
            count=array.size,
            mean=float(array.mean()),
            spread=float(array.std(ddof=1)) if array.size > 1 else 0.0,
            quantiles=tuple(float(q) for q in np.quantile(array, QUANTILES)),
        )


@dataclass(frozen=True)
class Bins:
    """Bins of equal width, each closed below and open above, the last closed."""

    lower: float
    width: float
    count: int

    @classmethod
    def covering(cls, interval: Interval, *, whole: bool = False, at_most: int = 60) -> Bins:
        """Bins over the interval; for whole numbers each holds equally many of them.

        >>> Bins.covering(Interval(0, 10), whole=True)
        Bins(lower=-0.5, width=1.0, count=11)
        """
        if not whole:
            return cls(interval.lower, interval.width / at_most, at_most)
        first, last = math.floor(interval.lower), math.ceil(interval.upper)
        step = max(1, math.ceil((last - first + 1) / at_most))
        return cls(first - 0.5, float(step), math.ceil((last - first + 1) / step))

    @property
    def edges(self) -> Array:
        """``count + 1`` edges."""
        return self.lower + self.width * np.arange(self.count + 1, dtype=np.float64)

    @property
    def middles(self) -> Array:
        """Middle of each bin."""
        return self.lower + self.width * (np.arange(self.count, dtype=np.float64) + 0.5)

    def counts(self, values: Any) -> NDArray[np.int64]:
        """How many values fall into each bin; values outside all bins are not counted."""
        array = numbers("values", values).reshape(-1)
        return np.histogram(array, self.edges)[0].astype(np.int64)


@dataclass(frozen=True)
class Clamping:
    """What moving values into bounds does to them. Missing values (NaN) are left out."""

    below: int
    above: int
    shift: float
    """Mean of the clamped values less the mean of the values."""

    @classmethod
    def of(cls, values: Any, interval: Interval) -> Clamping:
        """Count what lies outside.

        >>> Clamping.of([13, 14, 15, 200], Interval(0, 20))
        Clamping(below=0, above=1, shift=-45.0)
        """
        array = np.asarray(values, dtype=np.float64).reshape(-1)
        array = array[~np.isnan(array)]
        moved = interval.clamp(array) - array
        return cls(
            below=int(np.count_nonzero(array < interval.lower)),
            above=int(np.count_nonzero(array > interval.upper)),
            shift=float(moved.mean()) if array.size else 0.0,
        )
