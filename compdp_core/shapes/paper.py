"""Activation and base functions: the shapes a composite density is made of.

Both are dimensionless, so that only ratios are left to choose (Zhang et al., IEEE S&P 2024,
Section IV, with the scale divided out):

* an :class:`Activation` is a function ``h`` on ``[0, 1]``, symmetric about ½, with maximum 1;
* a :class:`Base` is an even function ``g`` on ``[-1, 1]``, with maximum 1 and infimum τ > 0. In
  the paper's bases the maximum is in the middle; elsewhere serves as well, as only ``max g``,
  ``inf g`` and the moments are relied on.

A :class:`Pair` joins the two; ``A1B1`` … ``A3B2`` are the six pairs of the paper. Others come from
:func:`from_formula` and :func:`from_points` (:mod:`compdp_core.shapes.custom`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from compdp_core.errors import ParameterError, UnknownPairError
from compdp_core.parameters import EPSILON, TAIL_RATIO
from compdp_core.shapes.kinds import Activation, Base
from compdp_core.validation import Array


@dataclass(frozen=True)
class Rectangle(Activation):
    """A1, ``h(v) = 1``. The least variance any constant base can have.

    >>> Rectangle().area
    1.0
    """

    name = "A1"
    title = "rectangle"
    formula = "1"
    area = 1.0
    variance = 1.0 / 12.0
    concave = True

    def _height(self, v: Array) -> Array:
        return np.ones_like(v)

    def _integral(self, v: Array) -> Array:
        return v


@dataclass(frozen=True)
class Sine(Activation):
    """A2, ``h(v) = sin πv``.

    >>> round(Sine().area, 6)
    0.63662
    """

    name = "A2"
    title = "sine"
    formula = "sin(pi*v)"
    area = 2.0 / math.pi
    variance = 0.25 - 2.0 / math.pi**2
    concave = True

    def _height(self, v: Array) -> Array:
        # Folded at the middle: symmetric to the last bit, which the lattice relies on.
        return np.sin(np.pi * np.minimum(v, 1.0 - v))

    def _integral(self, v: Array) -> Array:
        return (1.0 - np.cos(np.pi * v)) / np.pi


@dataclass(frozen=True)
class Triangle(Activation):
    """A3, ``h(v) = 1 - |2v - 1|``.

    >>> Triangle().area
    0.5
    """

    name = "A3"
    title = "triangle"
    formula = "1 - abs(2*v - 1)"
    area = 0.5
    variance = 1.0 / 24.0
    concave = True
    breakpoints = (0.0, 0.5, 1.0)

    def _height(self, v: Array) -> Array:
        return 2.0 * np.minimum(v, 1.0 - v)

    def _integral(self, v: Array) -> Array:
        return np.where(v <= 0.5, v * v, 0.5 - (1.0 - v) ** 2)


@dataclass(frozen=True)
class Constant(Base):
    """B1, ``g(v) = 1``."""

    name = "B1"
    title = "constant"
    formula = "1"
    area = 1.0
    tau = 1.0
    second_moment = 1.0 / 3.0

    def _height(self, v: Array) -> Array:
        return np.ones_like(v)

    def _integral(self, v: Array) -> Array:
        return v


@dataclass(frozen=True)
class Quartic(Base):
    """B2, ``g(v) = 1 - (1 - τ) v⁴``: lower at the edge of the domain than in the middle.

    Left free, an optimiser drives τ to 1 and B2 becomes B1: variance falls monotonically with τ.
    So τ is a choice, not an optimum.

    >>> Quartic(0.5).area
    0.9
    """

    tail_ratio: float
    name = "B2"
    title = "quartic"
    formula = "1 - (1 - tau)*v**4"

    def __post_init__(self) -> None:
        object.__setattr__(self, "tail_ratio", TAIL_RATIO.check(self.tail_ratio))

    @property
    def tau(self) -> float:
        return self.tail_ratio

    @property
    def area(self) -> float:
        return (4.0 + self.tau) / 5.0

    @property
    def second_moment(self) -> float:
        return (4.0 + 3.0 * self.tau) / 21.0

    def _height(self, v: Array) -> Array:
        # Not 1 - (1 - tau) v^4: of a tiny tau no digit would be left, and the edge would be 0.
        fourth = v**4
        return (1.0 - fourth) + self.tau * fourth

    def _integral(self, v: Array) -> Array:
        return v - (1.0 - self.tau) * v**5 / 5.0


@dataclass(frozen=True)
class Pair:
    """An activation on a base."""

    activation: Activation
    base: Base

    @property
    def name(self) -> str:
        """Such as ``"A1B1"``."""
        return f"{self.activation.name}{self.base.name}"

    def largest_height(self, epsilon: float) -> float:
        """Largest ``κ = k/y`` for which ``sup P / inf P = (1 + κ)/τ <= e^ε``.

        Without cancellation: ``κ = τ e^ε - 1 = τ (e^ε - 1) - (1 - τ)``. Not above zero where the
        tail ratio alone uses up ε.
        """
        return self.base.tau * math.expm1(epsilon) - (1.0 - self.base.tau)


ACTIVATIONS: dict[str, Activation] = {a.name: a for a in (Rectangle(), Sine(), Triangle())}

PAIR_NAMES: tuple[str, ...] = tuple(f"{a}{b}" for b in ("B1", "B2") for a in ACTIVATIONS)


def default_tail_ratio(epsilon: float) -> float:
    """Tail ratio of B2 where the user names none: 0.95, or halfway between e^-ε and 1 if larger.

    >>> default_tail_ratio(1.0)
    0.95
    """
    return max(0.95, 0.5 * (1.0 + math.exp(-epsilon)))


def base_named(name: str, epsilon: float, tail_ratio: float | None = None) -> Base:
    """B1, or B2 at a tail ratio that ε allows.

    Raises :class:`ParameterError` for a tail ratio given to B1, or not within ``(e^-ε, 1)``.
    """
    if name == "B1":
        if tail_ratio is not None:
            raise ParameterError(
                "tail_ratio", tail_ratio, "belongs to base B2; leave it out for B1"
            )
        return Constant()
    tau = default_tail_ratio(epsilon) if tail_ratio is None else TAIL_RATIO.check(tail_ratio)
    if not tau * math.exp(epsilon) > 1.0:
        raise ParameterError(
            "tail_ratio",
            tail_ratio,
            f"must be a number above e^-epsilon = {math.exp(-epsilon):.6g} and below 1",
        )
    return Quartic(tau)


def pair_named(name: object, epsilon: float, tail_ratio: float | None = None) -> Pair:
    """One of the six pairs of the paper, with B2 at its tail ratio.

    >>> pair_named("A2B2", 1.0).base.tau
    0.95

    Raises :class:`UnknownPairError`, :class:`ParameterError`.
    """
    epsilon = EPSILON.check(epsilon)
    if not isinstance(name, str) or name not in PAIR_NAMES:
        raise UnknownPairError(name, PAIR_NAMES)
    return Pair(ACTIVATIONS[name[:2]], base_named(name[2:], epsilon, tail_ratio))
