"""Repeated releases of one value, averaged: unbiased noise cancels, so every repeat is a spend."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from compdp_core.parameters import EPSILON
from compdp_core.validation import setting, whole

if TYPE_CHECKING:
    from compdp_core.mechanisms.baselines import Mechanism

Array = NDArray[np.float64]


_ROUND = np.array([step * 10.0**power for power in range(8) for step in (1, 2, 5)])
_PLACES = 60
"""Numbers of repeats that are looked at: all up to so many, else these evenly spread, and round
ones."""

MOST_PARTS = 1000
"""Parts of a budget beyond which nobody splits it."""


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

    >>> from compdp_core.mechanisms.baselines import Laplace
    >>> average_repeats(Laplace(1.0, (0, 10)), 5.0, most=4).repeats.tolist()
    [1, 2, 3, 4]

    Raises :class:`ParameterError` for a value that is no number and for too few repeats.
    """
    true, count = setting("value", value), whole("most", most, 2)
    draws = mechanism.simulate(np.full(count, true), seed=seed)
    means = np.cumsum(draws) / np.arange(1, count + 1)
    few = count <= _PLACES
    even = np.arange(1, count + 1) if few else np.geomspace(1, count, _PLACES).round()
    repeats = np.unique(np.concatenate([even, _ROUND[count >= _ROUND]]).astype(np.int64))
    bias, variance = float(mechanism.bias(true)), float(mechanism.variance(true))
    expected: Array = np.sqrt(bias**2 + variance / repeats)
    error = np.abs(means[repeats - 1] - true)
    return Averaging(repeats, error, expected, mechanism.epsilon * repeats.astype(np.float64))


@dataclass(frozen=True, eq=False)
class Splitting:
    """One budget split over several releases, whose mean is taken; arrays of shape (k,)."""

    repeats: NDArray[np.int64]
    expected: Array
    """Root mean square error of the mean, each release at ``ε/n`` (data units)."""


def split_budget(
    build: Callable[[float], Mechanism], value: float, epsilon: float, repeats: Sequence[int]
) -> Splitting:
    """The fix: all repeats together stay within ε. Averaging then gains nothing.

    ``build(ε)`` makes the mechanism; splits that leave less than the least ε for each are skipped.

    >>> from compdp_core.mechanisms.baselines import Laplace
    >>> split = split_budget(lambda e: Laplace(e, (0, 10)), 5.0, 1.0, (1, 4))
    >>> (split.expected[1] / split.expected[0]).round(6).item()
    2.0

    Raises :class:`ParameterError` for a value that is no number and for numbers of repeats outside
    1 to 1000.
    """
    true, budget = setting("value", value), setting("epsilon", epsilon)
    counts = [whole("repeats", n, 1, MOST_PARTS) for n in repeats]
    possible = [n for n in counts if EPSILON.contains(budget / n)]
    errors = []
    for n in possible:
        mechanism = build(budget / n)
        errors.append(float(np.hypot(mechanism.bias(true), np.sqrt(mechanism.variance(true) / n))))
    return Splitting(np.array(possible, dtype=np.int64), np.array(errors, dtype=np.float64))
