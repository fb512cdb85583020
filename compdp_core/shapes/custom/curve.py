"""Piecewise polynomials in Chebyshev form: value, integral, moment and extremes of one object.

Whatever is asked of a curve is asked of the same polynomials, so the answers cannot contradict each
other (Trefethen, *Approximation Theory and Approximation Practice*, SIAM 2013).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev

from compdp_core.validation import Array

NODES = 33
"""Most coefficients of a piece."""
DUST = 1e-15
"""Coefficients at the end that are rounding, as a share of the largest."""

# Exact up to degree 2 · 19 - 1, for a piece times a square.
_GAUSS = np.polynomial.legendre.leggauss(NODES // 2 + 3)


@dataclass(frozen=True)
class Curve:
    """Polynomial pieces between ``edges``; at an inner edge the piece to its right counts.

    >>> ramp = Curve((0.0, 1.0), ((0.5, 0.5),))
    >>> float(ramp.value(0.25)), float(ramp.integral(1.0))
    (0.25, 0.5)
    """

    edges: tuple[float, ...]
    coefficients: tuple[tuple[float, ...], ...]
    """Chebyshev coefficients of each piece, in the variable that runs over it from -1 to 1."""

    @cached_property
    def _left(self) -> Array:
        return np.array(self.edges[:-1])

    @cached_property
    def _right(self) -> Array:
        return np.array(self.edges[1:])

    @cached_property
    def _matrix(self) -> Array:
        length = max(len(c) for c in self.coefficients)
        return np.array([(*c, *[0.0] * (length - len(c))) for c in self.coefficients])

    @cached_property
    def _primitive(self) -> Array:
        """Coefficients of the integral from the curve's left end."""
        half = 0.5 * (self._right - self._left)
        inner = chebyshev.chebint(self._matrix, lbnd=-1.0, axis=1) * half[:, None]
        # T_k(1) = 1: a row's sum is the integral over its piece.
        before = np.cumsum(inner.sum(axis=1))
        inner[1:, 0] += before[:-1]
        return np.asarray(inner)

    def _evaluate(self, matrix: Array, x: Any) -> Array:
        x = np.asarray(x, dtype=np.float64)
        piece = np.searchsorted(self._left, x, side="right") - 1
        piece = np.clip(piece, 0, len(self.coefficients) - 1)
        left, right = self._left[piece], self._right[piece]
        t = ((x - left) - (right - x)) / (right - left)
        # Clenshaw's recurrence, with the coefficients of each place's own piece.
        first, second = np.zeros_like(t), np.zeros_like(t)
        for k in range(matrix.shape[1] - 1, 0, -1):
            first, second = matrix[piece, k] + 2.0 * t * first - second, first
        return np.asarray(matrix[piece, 0] + t * first - second)

    def value(self, x: Any) -> Array:
        """The curve at places within its ends."""
        return self._evaluate(self._matrix, x)

    def integral(self, x: Any) -> Array:
        """Integral from the left end to ``x``."""
        return self._evaluate(self._primitive, x)

    @cached_property
    def total(self) -> float:
        """Integral over the whole curve."""
        return float(self._primitive[-1].sum())

    def second_moment(self, about: float) -> float:
        """``∫ (x - about)² f(x) dx``, exact for the polynomials (Gauss-Legendre per piece)."""
        nodes, weights = _GAUSS
        half = 0.5 * (self._right - self._left)[:, None]
        x = 0.5 * (self._right + self._left)[:, None] + half * nodes
        return float(np.sum(half * weights * (x - about) ** 2 * self.value(x)))

    def slope(self, end: int) -> float:
        """Derivative at the left (0) or right (-1) end."""
        c = chebyshev.chebder(np.array(self.coefficients[end]))
        side = -1.0 if end == 0 else 1.0
        width = self.edges[1] - self.edges[0] if end == 0 else self.edges[-1] - self.edges[-2]
        return float(chebyshev.chebval(side, c)) * 2.0 / width

    @cached_property
    def highest(self) -> tuple[float, float]:
        """Largest value and its place. Limits at a jump count."""
        value, place = self.scaled(-1.0).lowest
        return -value, place

    @cached_property
    def lowest(self) -> tuple[float, float]:
        """Smallest value and its place: at an end of a piece or where its derivative vanishes."""
        # A piece lies above its mean coefficient less all others: most need no search for roots.
        below = self._matrix[:, 0] - np.abs(self._matrix[:, 1:]).sum(axis=1)
        best, where = np.inf, self.edges[0]
        for piece in np.argsort(below):
            if below[piece] >= best:
                break
            # Coefficients of rounding at the end would spoil the roots and change no value.
            c = chebyshev.chebtrim(self._matrix[piece], DUST * np.abs(self._matrix[piece]).max())
            inner = chebyshev.chebroots(chebyshev.chebder(c)) if len(c) > 2 else np.zeros(0)
            # A double root may come with an imaginary part; a place too many does no harm.
            t = np.concatenate([[-1.0, 0.0, 1.0], np.clip(np.real(inner), -1.0, 1.0)])
            values = np.asarray(chebyshev.chebval(t, self._matrix[piece]))
            if values.min() < best:
                best = float(values.min())
                left, right = self.edges[piece], self.edges[piece + 1]
                where = 0.5 * (left + right + float(t[values.argmin()]) * (right - left))
        return best, where

    def scaled(self, factor: float) -> Curve:
        """The curve times a number."""
        return Curve(self.edges, tuple(tuple(factor * x for x in c) for c in self.coefficients))
