"""The composite density of a design, in closed form (theory: Zhang et al., IEEE S&P 2024).

Positions are in domain units, ``x`` and ``C_p`` in ``[-L, L]``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from compdp_core.design.design import Design
from compdp_core.errors import ParameterError
from compdp_core.validation import Array, floats, real


@dataclass(frozen=True)
class Density:
    """``P(x) = H(x) + G(x)`` for a mapped input ``C_p``.

    >>> from compdp_core.design.optimize import optimize
    >>> from compdp_core.shapes import pair_named
    >>> density = Density(optimize(1.0, pair_named("A1B1", 1.0)))
    >>> round(float(density.cdf(density.design.L, 0.0)), 12)
    1.0
    """

    design: Design

    def _check(self, c_p: float) -> float:
        # A few ulps of slack: the ends of the input interval are mapped in floating point.
        limit = self.design.C * (1.0 + 1e-12)
        place = real(c_p)
        if place is None or not abs(place) <= limit:
            raise ParameterError(
                "C_p", c_p, f"must lie within [-C, C] = [{-self.design.C:.6g}, {self.design.C:.6g}]"
            )
        return place

    def start(self, c_p: float) -> float:
        """``s = C_p/S₁ - m/2``, where the activation begins."""
        return self.design.centre(self._check(c_p)) - 0.5 * self.design.m

    def activation_pdf(self, x: Any, c_p: float) -> Array:
        """``H(x) = k h((x - s)/m)``, of mass ``S₁``."""
        d = self.design
        return d.k * d.pair.activation.height((floats("x", x) - self.start(c_p)) / d.m)

    def base_pdf(self, x: Any) -> Array:
        """``G(x) = y g(x/L)``, of mass ``S₂``; the same for every input."""
        d = self.design
        return d.y * d.pair.base.height(floats("x", x) / d.L)

    def pdf(self, x: Any, c_p: float) -> Array:
        """``P(x)``; zero outside ``[-L, L]``."""
        x = floats("x", x)
        return self.activation_pdf(x, c_p) + self.base_pdf(x)

    def cdf(self, x: Any, c_p: float) -> Array:
        """``Pr[X <= x]``."""
        d = self.design
        x = floats("x", x)
        activation = d.k * d.m * d.pair.activation.integral((x - self.start(c_p)) / d.m)
        return activation + d.y * d.L * d.pair.base.integral(x / d.L)

    def quantile(self, p: Any, c_p: float) -> Array:
        """``x`` with ``Pr[X <= x] = p``, by bisection to the last bit.

        The density is positive on the whole domain, so the quantile is unique.
        Raises :class:`ParameterError` for a ``p`` outside ``[0, 1]``.
        """
        p = floats("p", p, missing="keep")
        if not np.all((p >= 0.0) & (p <= 1.0)):
            raise ParameterError("p", p.tolist(), "must lie from 0 to 1")
        low = np.full(p.shape, -self.design.L)
        high = np.full(p.shape, self.design.L)
        for _ in range(64):
            middle = 0.5 * (low + high)
            below = self.cdf(middle, c_p) < p
            low = np.where(below, middle, low)
            high = np.where(below, high, middle)
        return 0.5 * (low + high)

    def mean(self, c_p: float) -> float:
        """``E[X] = S₁ c = C_p``: the base is even and the activation symmetric."""
        return self.design.S1 * self.design.centre(self._check(c_p))

    def variance(self, c_p: float) -> float:
        """See :meth:`Design.variance`."""
        return self.design.variance(self._check(c_p))

    def breakpoints(self, c_p: float) -> tuple[float, ...]:
        """Where the density jumps or bends, ends included: places for a quadrature to stop at."""
        d = self.design
        start = self.start(c_p)
        inner = [start + d.m * v for v in d.pair.activation.breakpoints]
        outer = [d.L * v for v in d.pair.base.breakpoints]
        return tuple(sorted({min(max(x, -d.L), d.L) for x in (*inner, *outer)}))

    def h2(self, c_p: float = 0.0, of: Literal["density", "base"] = "density") -> float:
        """``H₂ = S_A(q₁) / S_A(q₂)``, the share of mass in the inner of two parts.

        ``S_A(q)`` is the mass between ``C_p`` and ``q``, ``q`` a quarter and three quarters of the
        way to the farther edge (Zhang et al., Definition of H2 Rate, n₁ = ¼, n₂ = ¾). The
        definition uses the whole density; the paper's printed table comes from the base alone.
        """
        c_p = self._check(c_p)
        edge = -self.design.L if c_p >= 0.0 else self.design.L
        inner, outer = (c_p + n * (edge - c_p) for n in (0.25, 0.75))
        if of == "base":
            near, far = (self._base_mass(c_p, q) for q in (inner, outer))
        else:
            near, far = (float(abs(self.cdf(q, c_p) - self.cdf(c_p, c_p))) for q in (inner, outer))
        return near / far

    def _base_mass(self, c_p: float, q: float) -> float:
        d = self.design
        base = d.pair.base
        return float(abs(base.integral(q / d.L) - base.integral(c_p / d.L))) * d.y * d.L
