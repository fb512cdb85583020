"""Repeated releases of one value, averaged: unbiased noise cancels, so every repeat is a spend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from compdp_core.errors import ParameterError
from compdp_core.parameters import real

if TYPE_CHECKING:
    from compdp_core.baselines import Mechanism

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Averaging:
    """The error of the mean of ``repeats`` releases, all arrays of shape (k,)."""

    repeats: NDArray[np.int64]
    error: Array
    """Distance of one attacker's mean from the truth (data units)."""
    expected: Array
    """Root mean square of that distance, ``√(bias² + Var/n)`` (data units)."""
    epsilon: Array
    """What the repeats cost together: ``n ε`` (sequential composition)."""


def average_repeats(
    mechanism: Mechanism, value: float, *, most: int = 10_000, seed: int = 1
) -> Averaging:
    """One attacker averages more and more releases of the same value.

    Raises :class:`ParameterError` for a value that is no number and for too few repeats.
    """
    true, count = real(value), real(most)
    if true is None:
        raise ParameterError("value", value, "must be a number")
    if count is None or not 2 <= count <= 10**7 or count != int(count):
        raise ParameterError("most", most, "must be a whole number from 2 to 10,000,000")
    draws = mechanism.simulate(np.full(int(count), true), seed=seed)
    means = np.cumsum(draws) / np.arange(1, int(count) + 1)
    repeats = np.unique(np.geomspace(1, int(count), 60).round().astype(np.int64))
    bias, variance = float(mechanism.bias(true)), float(mechanism.variance(true))
    expected: Array = np.sqrt(bias**2 + variance / repeats)
    return Averaging(
        repeats,
        np.abs(means[repeats - 1] - true),
        expected,
        repeats.astype(np.float64) * mechanism.epsilon,
    )
