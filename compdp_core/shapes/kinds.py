"""The two kinds of shapes, without any of them: what activations and bases have in common.

Those of the paper are in :mod:`compdp_core.shapes.paper`, those that a user makes in
:mod:`compdp_core.shapes.custom`; both are built on these classes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from compdp_core.validation import Array


class Symmetric(ABC):
    """A function of one variable: symmetric, with maximum 1."""

    name: str
    """Name within a pair, such as ``"A1"``."""
    title: str
    formula: str

    @property
    @abstractmethod
    def area(self) -> float:
        """The mean height: ``α = ∫₀¹ h`` of an activation, ``β = ½ ∫ g`` of a base."""

    @property
    @abstractmethod
    def breakpoints(self) -> tuple[float, ...]:
        """Where it jumps or bends, both ends included: places for a quadrature to stop at."""

    @abstractmethod
    def _height(self, v: Array) -> Array:
        """Its value for ``0 <= v <= 1``."""

    @abstractmethod
    def _integral(self, v: Array) -> Array:
        """Its integral from 0 to ``v``, for ``0 <= v <= 1``."""


class Activation(Symmetric):
    """``h(v)`` on ``[0, 1]``: symmetric about ½, ``0 <= h <= 1``, maximum 1."""

    @property
    @abstractmethod
    def variance(self) -> float:
        """``σ² = ∫₀¹ (v - ½)² h / α``: variance of the normalised shape, in units of m²."""

    @property
    def concave(self) -> bool:
        """Whether ``h`` is concave, which makes the exact privacy loss a closed form."""
        return False

    @property
    def breakpoints(self) -> tuple[float, ...]:
        return (0.0, 1.0)

    def height(self, v: Any) -> Array:
        """``h(v)``; zero outside ``[0, 1]``."""
        v = np.asarray(v, dtype=np.float64)
        inside = (v >= 0.0) & (v <= 1.0)
        return np.where(inside, self._height(np.clip(v, 0.0, 1.0)), 0.0)

    def integral(self, v: Any) -> Array:
        """``∫₀ᵛ h``: 0 below the support, ``α`` above it."""
        return self._integral(np.clip(np.asarray(v, dtype=np.float64), 0.0, 1.0))


class Base(Symmetric):
    """``g(v)`` on ``[-1, 1]``: even, maximum 1, infimum τ > 0."""

    @property
    @abstractmethod
    def tau(self) -> float:
        """Tail ratio ``τ = inf g / max g``."""

    @property
    @abstractmethod
    def second_moment(self) -> float:
        """``q = ½ ∫ v² g``."""

    @property
    def breakpoints(self) -> tuple[float, ...]:
        return (-1.0, 1.0)

    def height(self, v: Any) -> Array:
        """``g(v)``; zero outside ``[-1, 1]``."""
        size = np.abs(np.asarray(v, dtype=np.float64))
        return np.where(size <= 1.0, self._height(np.minimum(size, 1.0)), 0.0)

    def integral(self, v: Any) -> Array:
        """``∫₋₁ᵛ g``, from 0 to ``2β``."""
        v = np.clip(np.asarray(v, dtype=np.float64), -1.0, 1.0)
        part: Array = np.sign(v) * self._integral(np.abs(v))
        return self.area + part
