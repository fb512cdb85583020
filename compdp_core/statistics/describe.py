"""Plain descriptions of a column: moments, quantiles and counts in bins.

They describe whatever values they are given; on true values they are private, on released ones
public.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.intervals import Interval
from compdp_core.validation import figures, floats

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

        Raises :class:`MissingValueError` for NaN, :class:`ParameterError` for no value and
        for infinite ones.
        """
        array = figures("values", values).reshape(-1)
        return cls(
            count=array.size,
            mean=float(array.mean()),
            spread=float(array.std(ddof=1)) if array.size > 1 else 0.0,
            quantiles=tuple(float(q) for q in np.quantile(array, QUANTILES)),
        )


@dataclass(frozen=True, eq=False)
class Bins:
    """Bins side by side, each closed below and open above, the last closed."""

    edges: Array
    """One more than there are bins, rising."""

    @classmethod
    def covering(cls, interval: Interval, *, whole: bool = False, at_most: int = 60) -> Bins:
        """Bins of equal width over the interval; of whole numbers each holds equally many.

        >>> Bins.covering(Interval(0, 4), whole=True).edges.tolist()
        [-0.5, 0.5, 1.5, 2.5, 3.5, 4.5]
        """
        if not whole:
            return cls(interval.lower + interval.width / at_most * np.arange(at_most + 1.0))
        first, last = math.floor(interval.lower), math.ceil(interval.upper)
        step = max(1, math.ceil((last - first + 1) / at_most))
        count = math.ceil((last - first + 1) / step)
        return cls(first - 0.5 + step * np.arange(count + 1.0))

    @classmethod
    def around(cls, interval: Interval, within: Iterable[Interval], *, whole: bool = False) -> Bins:
        """Bins of nearly equal width over the interval, none of which crosses an end of those
        within it. What lies exactly at such an end is counted on the inner side.

        >>> bins = Bins.around(Interval(0, 60), [Interval(10.5, 20)])
        >>> bins.counts([10.5, 20, 20.5])[[10, 19, 20]].tolist()
        [1, 1, 1]
        >>> bins.edges[[10, 20]].round(9).tolist()
        [10.5, 20.0]
        """
        pieces = [interval, *within]
        if whole:
            lows = [math.floor(each.lower + 0.5) - 0.5 for each in pieces]
            highs = [math.ceil(each.upper - 0.5) + 0.5 for each in pieces]
        else:
            lows = [each.lower for each in pieces]
            # Just above the upper end, so that the end itself lies below.
            highs = [float(np.nextafter(each.upper, np.inf)) for each in pieces]
        marks = np.unique(np.clip([*lows, *highs], lows[0], highs[0]))
        share = (marks[-1] - marks[0]) / 60
        parts = []
        for low, high in itertools.pairwise(marks.tolist()):
            count = max(1, round((high - low) / (max(1.0, share) if whole else share)))
            inner = np.linspace(low, high, count + 1)[:-1]
            parts.append(np.floor(inner) + 0.5 if whole else inner)
        return cls(np.append(np.concatenate(parts), marks[-1]))

    @property
    def count(self) -> int:
        """How many bins there are."""
        return len(self.edges) - 1

    @property
    def middles(self) -> Array:
        """Middle of each bin."""
        return (self.edges[:-1] + self.edges[1:]) / 2

    @property
    def widths(self) -> Array:
        """Width of each bin."""
        return np.diff(self.edges)

    def counts(self, values: Any) -> NDArray[np.int64]:
        """How many values fall into each bin; values outside all bins are not counted."""
        array = floats("values", values).reshape(-1)
        return np.histogram(array, self.edges)[0].astype(np.int64)


@dataclass(frozen=True)
class Clamping:
    """What moving values into bounds does to them. Missing values (NaN) are left out."""

    below: int
    above: int
    shift: float
    """Mean of the clamped values less the mean of the values; not finite where a value is not."""

    @classmethod
    def of(cls, values: Any, interval: Interval) -> Clamping:
        """Count what lies outside.

        >>> Clamping.of([13, 14, 15, 200], Interval(0, 20))
        Clamping(below=0, above=1, shift=-45.0)
        """
        array = floats("values", values, missing="keep").reshape(-1)
        array = array[~np.isnan(array)]
        moved = interval.clamp(array) - array
        with np.errstate(invalid="ignore"):
            shift = float(moved.mean()) if array.size else 0.0
        return cls(
            below=int(np.count_nonzero(array < interval.lower)),
            above=int(np.count_nonzero(array > interval.upper)),
            shift=shift,
        )
