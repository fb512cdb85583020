"""The piecewise mechanism (PM) of Wang et al."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from compdp_core.intervals import Interval
from compdp_core.mechanisms.baselines.local import LocalBaseline
from compdp_core.validation import Array


@dataclass(frozen=True, init=False)
class Piecewise(LocalBaseline):
    """A plateau near the true value on a constant base over ``[-C, C]``: ε-LDP, unbiased.

    With ``e = e^(ε/2)``: ``C = (e + 1)/(e - 1)``, plateau ``[l, l + C - 1]`` with
    ``l = (C + 1)t/2 - (C - 1)/2`` of density ``(e² - e)/(2e + 2)``, base lower by ``e²``.
    Variance ``t²/(e - 1) + (e + 3)/(3(e - 1)²)``.

    Wang, Xiao, Yang, Zhao, Hui, Shin, Shin, Yu, *Collecting and Analyzing Multidimensional Data
    with Local Differential Privacy*, ICDE 2019, Algorithm 2. It is the composite pair A1B1 with
    ``μ = 1/(e + 1)``, the one of the largest input fraction.

    >>> mechanism = Piecewise(1.0, (0, 100))
    >>> [round(end, 3) for end in mechanism.outputs]
    [-154.149, 254.149]
    >>> mechanism.variance(50.0) / 100**2
    0.9205
    """

    name = "Piecewise (PM)"
    reference = "Wang et al., ICDE 2019"

    @property
    def reach(self) -> float:
        """``C = coth(ε/4)``."""
        return 1.0 / math.tanh(0.25 * self.epsilon)

    @property
    def _width(self) -> float:
        """``C - 1 = 2/(e - 1)``: width of the plateau."""
        return 2.0 / math.expm1(0.5 * self.epsilon)

    @property
    def _plateau_mass(self) -> float:
        """``e/(e + 1)``."""
        return 1.0 / (1.0 + math.exp(-0.5 * self.epsilon))

    @property
    def _base_density(self) -> float:
        """``(e - 1)/(2e(e + 1))``: what lies outside the plateau, over the length ``C + 1``."""
        return math.exp(-0.5 * self.epsilon) * self._plateau_mass / (self.reach + 1.0)

    @property
    def _plateau_density(self) -> float:
        return self._plateau_mass / self._width

    def _plateau(self, x: Array) -> tuple[Array, Array]:
        """Ends of the plateau minus ``t``: ``(C - 1)(t ∓ 1)/2``; for large ε far below ``t``."""
        lower, upper = self.inputs
        half = 0.5 * self._width / self.half_width
        return half * (x - upper), half * (x - lower)

    def _variance(self, x: Array) -> Array:
        less_one = math.expm1(0.5 * self.epsilon)
        centre = (less_one + 4.0) / (3.0 * less_one**2) * self.half_width**2
        return centre + (x - self.interval.midpoint) ** 2 / less_one

    def _outside(self, target: Interval, x: Array) -> Array:
        low, high = self.outputs
        left, right = self._plateau(x)
        # Each tail is a stretch of the base and a stretch of the plateau, both measured from its
        # own end of the outputs, so that nothing cancels.
        below = self._tail(target.lower - low, (target.lower - x) / self.half_width - left)
        above = self._tail(high - target.upper, right - (target.upper - x) / self.half_width)
        return below + above

    def _tail(self, base: float, plateau: Array) -> Array:
        """Mass of one tail: ``base`` data units of the outputs, of them ``plateau`` (in t)."""
        if base <= 0.0:
            return np.zeros(plateau.shape)
        length = min(base / self.half_width, 2.0 * self.reach)
        extra = self._plateau_density - self._base_density
        on_plateau = np.clip(plateau, 0.0, self._width)
        return np.asarray(length * self._base_density + on_plateau * extra, dtype=np.float64)

    def _draw(self, x: Array, rng: np.random.Generator) -> Array:
        left = self._plateau(x)[0]
        t = (x - self.interval.midpoint) / self.half_width
        near = left + rng.uniform(size=x.shape) * self._width
        # The two outer parts end to end, from -C to the plateau and from the plateau to C.
        place = rng.uniform(size=x.shape) * (self.reach + 1.0) - self.reach - t
        far = np.where(place < left, place, place + self._width)
        on_plateau = rng.uniform(size=x.shape) < self._plateau_mass
        drawn = x + self.half_width * np.where(on_plateau, near, far)
        return np.asarray(np.clip(drawn, *self.outputs), dtype=np.float64)

    def _pdf(self, x: Array, value: Array) -> Array:
        low, high = self.outputs
        left, right = self._plateau(value)
        offset = (x - value) / self.half_width
        plateau = (offset >= left) & (offset <= right)
        density = np.where(plateau, self._plateau_density, self._base_density) / self.half_width
        return np.where((x >= low) & (x <= high), density, 0.0)
