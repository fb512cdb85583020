"""Additive noise on a grid: what the discrete mechanisms share."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np

from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines.base import Baseline
from compdp_core.mechanisms.baselines.grid import Grid
from compdp_core.validation import Array


@dataclass(frozen=True, init=False)
class DiscreteBaseline(Baseline):
    """``M(x) = h (i(x) + N)``: ``x`` rounded to the grid of spacing ``h``, plus whole noise.

    Neighbours are at most ``steps = ⌈Δ/h⌉`` grid points apart after rounding. The bias is that
    of the rounding: none for values on the grid.
    """

    is_discrete = True

    grid: Grid
    steps: int
    """Sensitivity in grid steps."""

    def __init__(
        self,
        epsilon: float,
        inputs: Any,
        *,
        sensitivity: float | None = None,
        spacing: float | None = None,
    ) -> None:
        super().__init__(epsilon, inputs, sensitivity=sensitivity)
        grid = Grid.covering(self.interval, self.sensitivity, spacing)
        self._set("grid", grid)
        self._set("steps", grid.steps(self.sensitivity))

    @property
    def spacing(self) -> float:
        """``h``, data units."""
        return self.grid.spacing

    @property
    @abstractmethod
    def noise_variance(self) -> float:
        """``Var[N]``, squared grid steps."""

    @abstractmethod
    def mass(self, n: Array) -> Array:
        """``Pr[N = n]`` for whole ``n``."""

    @abstractmethod
    def upper_tail(self, n: Array) -> Array:
        """``Pr[N >= n]`` for whole ``n``."""

    @abstractmethod
    def draw_noise(self, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
        """Independent draws of ``N``, whole floats."""

    def _indices(self, x: Array) -> Array:
        return np.clip(self.grid.indices(x), *self.grid.range(self.interval))

    def _bias(self, x: Array) -> Array:
        return self.grid.points(self._indices(x)) - x

    def _variance(self, x: Array) -> Array:
        return np.full(x.shape, self.spacing**2 * self.noise_variance)

    def _outside(self, target: Interval, x: Array) -> Array:
        first, last = self.grid.range(target)
        index = self._indices(x)
        return self.upper_tail(last + 1.0 - index) + self.upper_tail(index - first + 1.0)

    def _draw(self, x: Array, rng: np.random.Generator) -> Array:
        return self.grid.points(self._indices(x) + self.draw_noise(x.shape, rng))

    def _pmf(self, x: Array, value: Array) -> Array:
        noise = self.grid.indices(x) - self._indices(value)
        return np.where(self.grid.is_point(x), self.mass(noise), 0.0)
