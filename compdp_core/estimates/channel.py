"""What is known of the noise of a released column: all that estimates need of its mechanism.

Numbers: ``E[Y | x] = x`` and ``Var(Y | x) = c0 + c2 (x - c)^2 + r(x)``, ``c2 = (1 - p)/p``, with
``r(x) = p f (1 - f) h^2`` for spacing h and the fraction f of the shift of x, which counts for
coarse lattices alone: of few whole numbers it is allowed for exactly, of many on average over them,
else over all f, which is 1/6 of ``p h^2``. Categories: see :mod:`compdp_core.estimates.shares`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from compdp_core.intervals import Interval
from compdp_core.mechanisms.lattice import Lattice
from compdp_core.validation import Array, floats

FEW = 128
"""Of so many whole numbers all is told exactly; of more, rounding is told on average over them."""


@dataclass(frozen=True, eq=False)
class NumberChannel:
    """The noise of numbers: whole steps of dates and places of scales are numbers, too."""

    inputs: Interval
    outputs: Interval
    c: float
    """Centre: where the variance is least."""
    p: float
    """Probability that the activation is drawn."""
    c0: float
    """Variance at the centre."""
    spacing: float
    whole: bool
    """Whether true values are whole numbers."""
    lattice: Lattice | None
    """The exact distribution; None where an old card does not carry it."""

    @classmethod
    def of(cls, lattice: Lattice, outputs: Interval, *, whole: bool) -> NumberChannel:
        """The channel of a lattice."""
        return cls(
            lattice.inputs,
            outputs,
            float(lattice.centre),
            float(lattice.share),
            float(lattice.variance_at_centre),
            lattice.spacing,
            whole,
            lattice,
        )

    @property
    def c2(self) -> float:
        """By how much the variance grows with the squared distance from the centre."""
        return (1.0 - self.p) / self.p

    def variance(self, values: Any) -> Array:
        """``Var(Y | x)``, with the part of rounding where the lattice is known."""
        given = floats("values", values, missing="keep")
        if self.lattice is not None:
            return self.lattice.variance(self.inputs.clamp(given))
        found: Array = self.c0 + self.c2 * (given - self.c) ** 2
        return found

    @property
    def noise_limits(self) -> tuple[float, float]:
        """The least and the greatest variance of all inputs."""
        ends = [(end - self.c) ** 2 for end in self.inputs.as_tuple()]
        least = 0.0 if self.inputs.lower <= self.c <= self.inputs.upper else min(ends)
        rounding = 0.25 * self.p * self.spacing**2 * self._is_coarse
        return self.c0 + self.c2 * least, self.c0 + self.c2 * max(ends) + rounding

    def noise(self, released: Array) -> Array:
        """Of each released value y what is ``Var(Y | x)`` on average, whatever x is:
        ``(c0 + c2 (y - c)^2)/(1 + c2)`` and what rounding adds.
        """
        found: Array = (self.c0 + self.c2 * (released - self.c) ** 2) / (1.0 + self.c2)
        found = found + self._rounding(released)
        return found

    def powers(self, released: Array) -> Array | None:
        """Of each y what is ``(x - c)^k`` on average for k = 1 to 4, shape (4, n), whatever x is;
        None where the lattice is not known.
        """
        if self.lattice is None:
            return None
        d = released - self.c
        if self._exact is not None:
            return np.stack([d, *(table[self._places(released)] for table in self._exact[1:])])
        p, (fixed, slope, third) = self.p, self._fourth
        squares = p * (d**2 - self.c0)
        fourth = p**3 * (d**4 - fixed - slope * squares)
        return np.stack([d, squares, p**2 * (d**3 - third * d), fourth])

    def least_noise_of_square(self, middle: float) -> float:
        """The least of all inputs of ``Var((Y - m)^2 - s(Y) | x)`` for the middle m, rounding left
        out; 0 where the lattice is not known.
        """
        if self.lattice is None:
            return 0.0
        p, (fixed, slope, third), e = self.p, self._fourth, middle - self.c
        d = np.linspace(self.inputs.lower, self.inputs.upper, 65) - self.c
        second = self.c0 + d**2 / p
        of_square = fixed + slope * d**2 + d**4 / p**3 - second**2
        both = third * d + d**3 / p**2 - d * second
        noise = p**2 * of_square - 4.0 * p * e * both + 4.0 * e**2 * (second - d**2)
        return float(max(noise.min(), 0.0))

    @property
    def _is_coarse(self) -> bool:
        """Whether rounding is of the size of the noise."""
        return self.spacing**2 > 1e-6 * self.c0

    @cached_property
    def _fourth(self) -> tuple[float, float, float]:
        """``E[(Y - c)^4 | x]`` at the centre and by how much it grows with ``d^2``, and
        ``E[(Y - c)^3 | x]`` with d, for ``d = x - c``: beside ``d^4/p^3`` and ``d^3/p^2``.
        """
        assert self.lattice is not None
        base, activation, h = self.lattice.base, self.lattice.activation, self.spacing
        mass = base.mass + activation.mass
        fixed = (base.fourth_moment + activation.fourth_moment) / (16 * mass) * h**4
        width = activation.second_moment / (4 * activation.mass) * h**2
        return fixed, 6.0 * width / self.p, 3.0 * width

    @cached_property
    def _exact(self) -> Array | None:
        """Of each output what adds rounding to the noise, and what is ``(x - c)^k`` for k = 2 to 4,
        on average for every whole x: of all that are, those that vary least.
        """
        first, last = np.ceil(self.inputs.lower), np.floor(self.inputs.upper)
        # Asked first: between bounds far apart there are more whole numbers than memory holds.
        if self.lattice is None or not (self.whole and self._is_coarse and last - first < FEW):
            return None
        x = np.arange(first, last + 1.0)
        kernel = np.stack([self.lattice.pmf(each) for each in x])
        y = self.lattice.value(np.arange(self.lattice.points))
        plain = (self.c0 + self.c2 * (y - self.c) ** 2) / (1.0 + self.c2)
        wanted = np.stack(
            [self.variance(x) - kernel @ plain, *((x - self.c) ** k for k in (2, 3, 4))]
        )
        root = np.sqrt(kernel.mean(axis=0))
        found = np.linalg.lstsq(kernel / root, wanted.T, rcond=1e-12)[0]
        exact: Array = found.T / root
        return exact

    def _places(self, released: Array) -> Any:
        """Which output each is."""
        assert self.lattice is not None
        places = np.rint((released - self.lattice.lower) / self.spacing)
        return np.clip(places, 0, self.lattice.points - 1).astype(np.intp)

    @cached_property
    def _part(self) -> float:
        """``f (1 - f)`` on average over true values: 1/6 where they are no whole numbers."""
        if not self.whole or self.lattice is None:
            return 1.0 / 6.0
        ends = np.ceil(self.inputs.lower), np.floor(self.inputs.upper)
        f = self.lattice.shift(np.rint(np.linspace(*ends, 4096))) % 1.0
        return float(np.mean(f * (1.0 - f)))

    def _rounding(self, released: Array) -> Any:
        if self._exact is None:
            return (self.p * self.spacing) ** 2 * self._part
        found = np.full(released.shape, np.nan)
        there = ~np.isnan(released)
        found[there] = self._exact[0][self._places(released[there])]
        return found
