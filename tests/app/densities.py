"""Composite densities out of their shapes alone, added up on a fine grid, without the library."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

CELLS = 200_000
AT = (np.arange(CELLS) + 0.5) / CELLS
HILLS: dict[str, Callable[[Any], Any]] = {
    "A1": np.ones_like,
    "A2": lambda v: np.sin(np.pi * v),
    "A3": lambda v: 1 - np.abs(2 * v - 1),
}


class Piece:
    """A composite density on -1 … 1, out of its shapes alone, at a width of the hill."""

    def __init__(self, epsilon: float, pair: str, mu: float, tau: float = 1.0) -> None:
        hill, floor = HILLS[pair[:2]](AT), 1 - (1 - tau) * AT**4
        height = tau * math.exp(epsilon) - 1
        in_hill, in_floor = 2 * mu * height * hill.mean(), 2 * floor.mean()
        total = in_hill + in_floor
        self.mu = mu
        self.share = in_hill / total
        """Of the mass, in the hill."""
        square = 2 * mu * height * np.mean(hill * (2 * mu * (AT - 0.5)) ** 2)
        self.variance = (square + 2 * np.mean(floor * AT**2)) / total
        self.room = self.share * (1 - mu)
        """Half-width of the inputs, at which the hill reaches the end."""
        self.hidden = 1 - self.share

    def error(self, value: float = 50.0) -> float:
        """Root mean square error of a result of 0 … 100."""
        at = (value - 50) / 50
        square = self.variance / (2 * self.room) ** 2 + at**2 * (1 / self.share - 1) / 4
        return 100 * math.sqrt(square)


def best(epsilon: float, pair: str, tau: float = 1.0) -> Piece:
    found = minimize_scalar(
        lambda mu: Piece(epsilon, pair, mu, tau).error(), bounds=(0.01, 0.99), method="bounded"
    )
    return Piece(epsilon, pair, float(found.x), tau)
