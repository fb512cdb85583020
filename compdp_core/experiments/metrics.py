"""Means of what draws cost, each with the standard error that the draws leave it.

RE, MSE and AL of Zhang et al. (IEEE S&P 2024, section 6.1) are such means, with the true values
held fixed: the standard error is that of the noise. The rates ``H₁`` and ``H₂`` belong to a design,
not to draws: see :class:`~compdp_core.design.design.Design` and
:class:`~compdp_core.design.density.Density`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Squares of anything smaller, and their sums, are finite.
LARGEST = 1e150


@dataclass(frozen=True)
class Measured:
    """A figure computed from draws, and how far another set of draws would put it."""

    value: float
    standard_error: float
    """NaN for a single value: one draw says nothing about the spread."""
    n: int
    """How many values it is computed from."""


@dataclass
class Moments:
    """Mean and spread of terms of shape ``(repetitions, values)``, one column a true value.

    The true values are held fixed, so the standard error is that of the noise: each column is
    compared with its own mean, ``SE² = Σ_j s_j² / (R k²)`` for ``R`` rows and ``k`` columns. One
    repetition has no spread within a column; then the columns are compared with each other,
    which overstates the error where their means differ.

    Blocks are merged as by Chan, Golub and LeVeque (1979), so nothing cancels.
    """

    columns: int
    rows: int = 0
    _mean: Array = field(init=False)
    _squares: Array = field(init=False)

    def __post_init__(self) -> None:
        self._mean = np.zeros(self.columns)
        self._squares = np.zeros(self.columns)

    def add(self, terms: Array) -> None:
        """Add rows of terms, shape ``(rows, columns)``."""
        count = len(terms)
        mean = terms.mean(axis=0)
        squares = ((terms - mean) ** 2).sum(axis=0)
        gap = mean - self._mean
        total = self.rows + count
        self._mean += gap * (count / total)
        self._squares += squares + gap**2 * (self.rows * count / total)
        self.rows = total

    def estimate(self) -> Measured:
        """The mean of all terms and its standard error; ``nan`` where no term was counted."""
        if not self.columns:
            return Measured(math.nan, math.nan, 0)
        mean = float(self._mean.mean())
        if self.rows > 1:
            variances = self._squares / (self.rows - 1)
            error = math.sqrt(float(variances.sum()) / self.rows) / self.columns
        elif self.columns > 1:
            error = float(np.std(self._mean, ddof=1)) / math.sqrt(self.columns)
        else:
            error = math.nan
        return Measured(mean, error, self.rows * self.columns)
