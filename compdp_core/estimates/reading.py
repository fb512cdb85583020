"""A column as numbers that are right on average given the true ones, and how noisy each is.

``E[u | x] = x`` and ``E[s | x] = Var(u | x)`` row by row. All moments follow: the mean of x is that
of u, ``Var(x) = Var(u) - mean(s)``, ``Cov(x, z) = Cov(u, w)`` for two columns, whose noises are
independent. So does an untouched column, with s = 0, and a category as 1 where a row has it, with
``u = (1{Y = i} - q)/(p - q)`` and ``s = (q(1 - q) + (p(1 - p) - q(1 - q)) u)/(p - q)^2``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from compdp_core.estimates.channel import NumberChannel
from compdp_core.intervals import Interval
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.validation import Array


@dataclass(frozen=True, eq=False)
class Reading:
    """One value for each row of the file; NaN where it has none."""

    values: Array
    """``u``."""
    noise: Array
    """``s``; 0 of an untouched column."""
    limits: Interval | None
    """Between which true values lie; None where nothing is known."""
    channel: NumberChannel | RandomizedResponse | None
    """None of an untouched column."""
    missing: str = ""
    """What became of missing cells: the policy of the card; ``keep`` of an untouched column with
    some, empty of one without."""

    @property
    def is_clean(self) -> bool:
        """Whether it has no noise."""
        return self.channel is None

    @property
    def there(self) -> Reading:
        """Its rows with a value."""
        return self.take(~np.isnan(self.values))

    @property
    def noise_limits(self) -> tuple[float, float]:
        """Between which ``Var(u | x)`` lies."""
        if self.channel is None:
            return 0.0, 0.0
        if isinstance(self.channel, NumberChannel):
            return self.channel.noise_limits
        low, high = sorted(_noise_of_category(self.channel, np.array([0.0, 1.0])).tolist())
        return low, high

    def take(self, rows: NDArray[np.bool_] | NDArray[np.intp]) -> Reading:
        """Some of the rows, by a mask or by places."""
        return replace(self, values=self.values[rows], noise=self.noise[rows])


@dataclass(frozen=True, eq=False)
class Sampling:
    """How the rows of the file came to have values, and which of them belong together."""

    rows: int
    """Rows of the file."""
    share: float = 1.0
    """Of the rows those that were drawn to answer a column."""
    persons: NDArray[np.intp] | None = None
    """Whose row each is, counted from 0; None where each is another's, or it is not known."""
    at_most: int = 1
    """The most rows of a person, known or not."""


def of_numbers(released: Array, channel: NumberChannel, missing: str = "") -> Reading:
    """The reading of a released column of numbers."""
    return Reading(released, channel.noise(released), channel.inputs, channel, missing)


def of_clean(values: Array) -> Reading:
    """The reading of an untouched column."""
    none = np.isnan(values)
    missing = "keep" if none.any() else ""
    return Reading(values, np.where(none, np.nan, 0.0), None, None, missing)


def of_category(
    released: Array, mechanism: RandomizedResponse, place: int, missing: str = ""
) -> Reading:
    """The reading of one category of a released column: 1 where a row has it, 0 where not."""
    q, d = mechanism.probability_other, 1.0 / mechanism.noise_factor
    there = np.where(np.isnan(released), np.nan, (released == place).astype(np.float64))
    u = (there - q) / d
    noise = _noise_of_category(mechanism, u)
    return Reading(u, noise, Interval(0.0, 1.0), mechanism, missing)


def _noise_of_category(mechanism: RandomizedResponse, u: Array) -> Array:
    p, q = mechanism.probability_kept, mechanism.probability_other
    of_others = q * (1.0 - q)
    found: Array = (of_others + (p * (1.0 - p) - of_others) * u) * mechanism.noise_factor**2
    return found
