"""What is known of the noise of a released column: all that estimates need of its mechanism.

Numbers: ``E[Y | x] = x`` and ``Var(Y | x) = c0 + c2 (x - c)^2 + r(x)``, ``c2 = (1 - p)/p``, with
``r(x) = p f (1 - f) h^2`` for spacing h and the fraction f of the shift of x, which counts for
coarse lattices alone. Categories: see :mod:`compdp_core.estimates.shares`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from compdp_core.intervals import Interval
from compdp_core.mechanisms.lattice import Lattice
from compdp_core.validation import Array, floats


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

    def noise(self, released: Array) -> Array:
        """Of each released value y what is ``Var(Y | x)`` on average, whatever x is:
        ``(c0 + c2 (y - c)^2)/(1 + c2)``, rounding left out.
        """
        found: Array = (self.c0 + self.c2 * (released - self.c) ** 2) / (1.0 + self.c2)
        return found
