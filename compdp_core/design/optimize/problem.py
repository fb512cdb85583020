"""What a search minimises: the variance of a design over the paper's parameters, vectorised.

The objective is the variance over the squared width of the widest valid inputs (with ``Δ = R``, in
units of Δ²) at the centre input, on average over a uniform input, or at the worst input:
``V = Var(0)/(2C)² + w S₂/S₁`` with ``w`` = 0, 1/12, 1/4 (Zhang et al., IEEE S&P 2024, Section V-B,
use the first). Points that break a constraint have infinite variance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from compdp_core.design.design import Design
from compdp_core.design.optimize.exact import (
    POSITION_WEIGHT,
    Objective,
    check_objective,
    height,
    optimize,
)
from compdp_core.errors import ParameterError
from compdp_core.parameters import EPSILON
from compdp_core.shapes import Base, Constant, Pair, Quartic
from compdp_core.validation import Array, flag

WIDEST = 2.0
"""Upper end of the search in ``m``, as in the authors' program: with ``k + y = 1`` the best width
stays below ``1/α``, at most 2 for the shapes of the paper."""


@dataclass(frozen=True)
class Problem:
    """One pair at one ε with one objective.

    >>> from compdp_core.shapes import pair_named
    >>> problem = Problem(1.0, pair_named("A1B1", 1.0))
    >>> problem.variance([0.5, 0.6], [0.8, 0.8], [0.3, 0.3]).round(3).tolist()
    [0.961, inf]

    Raises :class:`ParameterError` where the tail ratio of the base uses up ε.
    """

    epsilon: float
    pair: Pair
    objective: Objective = "center"
    free_tail: bool = False
    """Whether B2's edge follows from the parameters as in the paper, ``t = (y + k) e^-ε``, instead
    of staying at the tail ratio of ``pair``. The search then drifts towards B1."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "epsilon", EPSILON.check(self.epsilon))
        check_objective(self.objective)
        flag("free_tail", self.free_tail)
        if self.free_tail and not isinstance(self.pair.base, Quartic):
            raise ParameterError("free_tail", self.free_tail, "belongs to base B2")
        if not self.free_tail:
            height(self.epsilon, self.pair)

    @cached_property
    def tallest(self) -> float:
        """Limit of ``κ = k/y``: ``τ e^ε - 1``; with a free tail ``e^ε - 1``, not reached."""
        return math.expm1(self.epsilon) if self.free_tail else height(self.epsilon, self.pair)

    @cached_property
    def floor(self) -> float:
        """The exact optimum; with a free tail, that of B1, which is approached and not reached."""
        pair = Pair(self.pair.activation, Constant()) if self.free_tail else self.pair
        return self.value(optimize(self.epsilon, pair, self.objective))

    @property
    def _weight(self) -> float:
        """``E[C_p²] / (2C)²`` of the objective's input."""
        return POSITION_WEIGHT[self.objective] / 4.0

    def value(self, design: Design) -> float:
        """The objective of a design."""
        return design.relative_variance() + self._weight * design.S2 / design.S1

    def variance(self, k: ArrayLike, m: ArrayLike, y: ArrayLike) -> Array:
        """The objective at the paper's parameters, which broadcast; infinite where infeasible."""
        k, m, y = (np.asarray(x, dtype=np.float64) for x in (k, m, y))
        activation = self.pair.activation
        with np.errstate(all="ignore"):
            s1 = k * activation.area * m
            mass, moment = self._base(k, y)
            if self.free_tail:
                # Strictly, with room for rounding: a tail ratio of 1 is no longer B2.
                private = (y + k) * math.exp(-self.epsilon) < y * (1.0 - 1e-15)
            else:
                private = k <= y * self.tallest
            half = (1.0 - s1) / mass
            width = s1 * (2.0 * half - m)
            spread = s1 * m * m * activation.variance + half**3 * moment
            value = spread / (width * width)
            if self._weight:
                value = value + self._weight * (1.0 - s1) / s1
            feasible = (
                (k > 0.0)
                & (m > 0.0)
                & (y > 0.0)
                & (k < 1.0)
                & (k <= 1.0 - y)
                & (s1 < 1.0)
                & (m < 2.0 * half)
                & private
                & (value < np.inf)
            )
            return np.where(feasible, value, np.inf)

    def violation(self, k: Array, m: Array, y: Array) -> Array:
        """How far a point is from feasible: a slope that leads back to where it is 0."""
        with np.errstate(all="ignore"):
            s1 = k * self.pair.activation.area * m
            half = (1.0 - s1) / self._base(k, y)[0]
            terms = (
                *(-k, -m, -y, k + y - 1.0, k - y * self.tallest, s1 - 1.0),
                np.where(s1 < 1.0, m - 2.0 * half, 0.0),
            )
            total = np.sum([np.maximum(term, 0.0) for term in terms], axis=0)
        return np.asarray(np.nan_to_num(total, nan=1.0, posinf=1e6), dtype=np.float64)

    def _base(self, k: Array, y: Array) -> tuple[Array, Array]:
        """Mass and second moment of the base on ``L = 1``."""
        base = self.pair.base
        if not self.free_tail:
            return 2.0 * base.area * y, 2.0 * base.second_moment * y
        # g falls linearly with 1 - τ: both mix those of y and of t. Written like this, points that
        # tie up to rounding fall as they do in the authors' program.
        t = (y + k) * math.exp(-self.epsilon)
        return 2.0 * (t + 4.0 * y) / 5.0, 2.0 * (3.0 * t + 4.0 * y) / 21.0

    def base_of(self, kappa: float) -> Base:
        """The base at ``κ``: with a free tail the one whose tail ratio uses up ε exactly."""
        if not self.free_tail:
            return self.pair.base
        return Quartic((1.0 + kappa) * math.exp(-self.epsilon))

    def design_of(self, kappa: float, mu: float, peak: float = 1.0) -> Design:
        """The design at ``κ`` and ``μ``."""
        return Design(
            self.epsilon, Pair(self.pair.activation, self.base_of(kappa)), mu, kappa, peak
        )

    def design(self, k: float, m: float, y: float) -> Design:
        """The design of the paper's parameters.

        Raises :class:`ParameterError` where they make none.
        """
        if self.free_tail or isinstance(self.pair.base, Constant):
            name = self.pair.base.name
            return Design.from_parameters(self.epsilon, self.pair.activation, name, k, m, y)
        half = (1.0 - k * self.pair.activation.area * m) / (2.0 * self.pair.base.area * y)
        if not half > 0.0:
            raise ParameterError("m", m, "must leave mass for the base: k alpha m below 1")
        return self.design_of(k / y, m / (2.0 * half), k + y)

    def start(self, rng: np.random.Generator) -> tuple[float, float, float]:
        """A random feasible ``(k, m, y)``: the initialisation of the paper's algorithms."""
        kappa = self.tallest * rng.uniform(0.2, 0.9)
        design = self.design_of(kappa, rng.uniform(0.1, 0.9), rng.uniform(0.6, 0.95))
        return design.k, design.m, design.y
