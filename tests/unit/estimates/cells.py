"""Rows of two columns, drawn fast and from the exact distribution: how often each pair of released
values occurs is multinomial, and rows that hold the same pair need no draw of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.estimates.channel import NumberChannel
from compdp_core.estimates.reading import Reading, of_category, of_clean, of_numbers
from compdp_core.intervals import Interval
from compdp_core.mechanisms.categories import RandomizedResponse
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.validation import Array

TRUE = np.arange(11.0)
"""True values of either column."""


def _joint() -> Array:
    """Two humps for the first column, and a second one that grows and spreads with it."""
    first = np.exp(-(((TRUE - 3) / 1.5) ** 2) / 2) + np.exp(-((TRUE - 8) ** 2) / 2)
    spread = 1.0 + 0.15 * TRUE[:, None]
    second = np.exp(-(((TRUE - 2 - 0.6 * TRUE[:, None]) / spread) ** 2) / 2)
    found = first[:, None] * second / second.sum(axis=1, keepdims=True)
    whole: Array = found / found.sum()
    return whole


JOINT = _joint()


@dataclass(frozen=True, eq=False)
class Cells:
    """A column: how likely each reading is for each true value."""

    kernel: Array
    """Shape (11, readings)."""
    readings: Reading
    meaning: Array
    """What is estimated of each true value: the value, or 1 where it is of a category."""


CLEAN = Cells(np.eye(len(TRUE)), of_clean(TRUE), TRUE)


def number(pair: str, epsilon: float) -> Cells:
    """Whole numbers; of the staircase numbers on a finer lattice."""
    whole = pair != "A4B1"
    spacing = 1.0 if whole else 0.1
    mechanism = CompositeMechanism(epsilon, (0, 10), pair=pair, spacing=spacing)
    lattice = mechanism.lattice
    channel = NumberChannel.of(lattice, Interval(*mechanism.outputs), whole=whole)
    kernel = np.array([lattice.pmf(each) for each in TRUE])
    readings = of_numbers(lattice.value(np.arange(lattice.points)), channel)
    return Cells(kernel, readings, TRUE)


def category(epsilon: float, place: int = 2) -> Cells:
    """One of three classes of the values."""
    mechanism, of = RandomizedResponse(epsilon, 3), np.digitize(TRUE, [3.5, 6.5])
    kernel = np.full((len(TRUE), 3), mechanism.probability_other)
    kernel[np.arange(len(TRUE)), of] = mechanism.probability_kept
    readings = of_category(np.arange(3.0), mechanism, place)
    return Cells(kernel, readings, (of == place).astype(np.float64))


def column(name: str, epsilon: float) -> Cells:
    """By the name of a pair, ``category`` or ``clean``."""
    made: dict[str, Any] = {"category": category, "clean": lambda _: CLEAN}
    found: Cells = made.get(name, lambda e: number(name, e))(epsilon)
    return found


def chances(first: Cells, second: Cells) -> Array:
    """Of each pair of readings."""
    found = first.kernel.T @ JOINT @ second.kernel
    whole: Array = found / found.sum()
    return whole


def rows(first: Cells, second: Cells, counts: NDArray[Any]) -> tuple[Reading, Reading]:
    """Rows in which each pair of readings occurs so often, of shape (readings, readings)."""
    at = np.repeat(np.arange(counts.size), counts.ravel())
    one, other = np.divmod(at, counts.shape[1])
    return first.readings.take(one), second.readings.take(other)


def moments(first: Cells, second: Cells) -> tuple[float, float, float, float, float]:
    """Means, covariance and variances of what is true."""
    a, b = first.meaning, second.meaning
    p, q = JOINT.sum(axis=1), JOINT.sum(axis=0)
    m, k = float(p @ a), float(q @ b)
    both = float(a @ JOINT @ b) - m * k
    return m, k, both, float(p @ a**2) - m * m, float(q @ b**2) - k * k
