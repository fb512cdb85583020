"""The best staircase (A4 on B1) for a sensitivity below the width of the inputs.

With ``L = 1``, ``H = γ + K - 1``, ``Q = e^{-εK}`` and, relative to the height of the top step, the
half area ``a = ∫₀^H (e^{-εj} - Q)`` and half second moment ``m₂`` of the activation (in units of
the shift δ):

``S₁ = δa/(Q + δa)``, ``C = S₁ (1 - δH)``, variance ``(δ³ m₂ + Q/3)/(Q + δa) + E[C_p²] Q/(δa)``.

The shift is ``δ = Δ/S₁`` in domain units. Outputs derived from the inputs, ``ρ = Δ/R``:
``δ = 2ρ/(1 + 2ρH)``. Outputs fixed, ``ρ = Δ`` over their half-width: ``δS₁ = ρ``, so
``δ = (ρ + √(ρ² + 4ρQ/a))/2``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from compdp_core.design.design import Design
from compdp_core.design.optimize.exact import POSITION_WEIGHT, Objective, check_objective
from compdp_core.errors import ParameterError
from compdp_core.parameters import EPSILON
from compdp_core.shapes import Constant, Pair
from compdp_core.shapes.staircase import GAMMA, Staircase, check_steps
from compdp_core.validation import Array

TOLERANCE = 0.005
"""The smallest number of steps whose variance is within this of the best of all is chosen: fewer
steps need less room beyond the inputs."""

SMALLEST_RATIO = 1e-18
"""Of Δ to the input width: floats hold no lattice that fine."""

CLOSE = 2e-4
"""How close to the least variance one has to come where all others are above the ceiling."""

_DEEPEST = 40.0
"""Steps are tried up to ``ε(K - 1) = 40 + 3 ln(2/ρ)``: what the base adds falls as
``e^(-εK) ρ^-3``, the variance itself by no more than ``e^-ε``, and 1e-16 of it is left there."""

_WIDEST = 1.0
"""No variance on outputs of half-width 1 is larger."""

_NARROWEST = 1e-10
"""Of γ: at ε = 50 the best one is about 1e-8."""

_GRID = np.linspace(-1.0, 1.0, 33)


@dataclass(frozen=True)
class OutputRoom:
    """What the outputs leave: ``ρ``, and for fixed outputs where the inputs lie in them."""

    ratio: float
    """``Δ/R``, or, for fixed outputs, ``Δ`` over their half-width."""
    fixed: tuple[float, float] | None = None
    """Inputs at ``c ± w`` of fixed outputs, in units of their half-width."""

    def shift(self, room: Array, floor: Array, area: Array) -> Array:
        """δ for each candidate."""
        if self.fixed is None:
            return 2.0 * self.ratio / (1.0 + 2.0 * self.ratio * room)
        return 0.5 * (self.ratio + np.sqrt(self.ratio**2 + 4.0 * self.ratio * floor / area))


def optimize_staircase(
    epsilon: float,
    ratio: float,
    objective: Objective = "center",
    *,
    steps: int | None = None,
    fixed: tuple[float, float] | None = None,
    ceiling: float | None = None,
) -> Design:
    """The staircase of least variance at ε, with as few steps as come within 0.5 % of it.

    ``ratio`` is ``Δ/R``; with ``fixed`` = ``(c, w)`` (inputs at ``c ± w`` of fixed outputs, in
    units of their half-width) it is Δ over that half-width. ``steps`` fixes the number of levels.
    ``ceiling`` (in units of Δ²) is a variance to stay below as well, where any staircase can; where
    none can, the variance comes within :data:`CLOSE` of the least.

    >>> round(optimize_staircase(1.0, 0.01).pair.activation.gamma, 4)
    0.4186

    Raises :class:`ParameterError`; also where no staircase fits into fixed outputs.
    """
    epsilon = EPSILON.check(epsilon)
    weight = POSITION_WEIGHT[check_objective(objective)]
    search = _Search(epsilon, OutputRoom(check_ratio(ratio), fixed), weight)
    if steps is not None:
        chosen = check_steps(steps, epsilon)
    else:
        candidates = step_numbers(epsilon, ratio)
        value, _ = search.best(candidates)
        least = float(np.min(value))
        limit = least * (1.0 + TOLERANCE)
        if ceiling is not None:
            bound = ceiling * (1.0 if fixed is None else ratio**2)
            limit = min(limit, max(bound, least * (1.0 + CLOSE)))
        place = int(np.argmax(value <= limit))
        if place > 0 and candidates[place] - candidates[place - 1] > 1:
            between = np.arange(candidates[place - 1] + 1, candidates[place] + 1)
            value, _ = search.best(between)
            candidates, place = between, int(np.argmax(value <= limit))
        chosen = int(candidates[place])
    # A top level wider than two sensitivities is worth it only where there must be no more levels.
    widest = 1.0 if steps is None else 8.0 / ratio
    value, gamma = search.best(np.array([chosen]), widest, rounds=10)
    if fixed is not None and not value[0] <= _WIDEST:
        raise ParameterError("outputs", fixed, "leave no room for a staircase of this epsilon")
    return search.design(chosen, float(gamma[0]))


def staircase_design(
    epsilon: float,
    ratio: float,
    steps: int,
    gamma: float,
    *,
    fixed: tuple[float, float] | None = None,
) -> Design:
    """The staircase of given ``K`` and ``γ``; the rest follows from ``ratio`` (and ``fixed``).

    >>> staircase_design(1.0, 0.1, 5, 0.4).S1 > 0.8
    True

    Raises :class:`ParameterError`.
    """
    epsilon = EPSILON.check(epsilon)
    search = _Search(epsilon, OutputRoom(check_ratio(ratio), fixed), 0.0)
    return search.design(check_steps(steps, epsilon), GAMMA.check(gamma))


def check_ratio(ratio: float) -> float:
    """``Δ/R``, or :class:`ParameterError`."""
    if not SMALLEST_RATIO <= ratio <= 2.0:
        raise ParameterError(
            "sensitivity", ratio, f"must be from {SMALLEST_RATIO:g} to 1 times the input width"
        )
    return ratio


def largest_staircase_fraction(epsilon: float, ratio: float, steps: int | None = None) -> float:
    """The widest inputs over fixed outputs that a staircase allows; ``ratio`` is Δ over their
    half-width. ``steps`` fixes the number of levels.
    """
    search = _Search(EPSILON.check(epsilon), OutputRoom(ratio, (0.0, 0.0)), 0.0)
    return search.largest_fraction(
        step_numbers(epsilon, ratio) if steps is None else np.array([steps])
    )


def widest_inputs(epsilon: float, ratio: float) -> float:
    """The widest inputs over derived outputs that a staircase allows; ``ratio`` is Δ/R.

    At ``Δ = R`` that is ``tanh(ε/4)``, as of A1B1.

    >>> round(widest_inputs(1.0, 1.0) / math.tanh(0.25), 9)
    1.0

    Raises :class:`ParameterError`.
    """
    search = _Search(EPSILON.check(epsilon), OutputRoom(check_ratio(ratio)), 0.0)
    steps = step_numbers(epsilon, ratio)
    # The share rises with the number of steps up to one place and falls beyond it.
    while steps.size > 12:
        places = np.linspace(0, steps.size - 1, 9).round().astype(np.intp)
        best = int(np.argmax(search.fractions(steps[places], rounds=4)))
        steps = steps[places[max(best - 1, 0)] : places[min(best + 1, 8)] + 1]
    return search.largest_fraction(steps)


def step_numbers(epsilon: float, ratio: float) -> NDArray[np.int64]:
    """Numbers of steps to try: each one up to 256, then 2 % more each."""
    most = 2 + math.floor((_DEEPEST + 3.0 * math.log(2.0 / ratio)) / epsilon)
    few = np.arange(1, min(most, 256) + 1)
    if most <= 256:
        return few
    many = np.geomspace(256, most, max(2, math.ceil(math.log(most / 256.0) / 0.02)))
    return np.unique(np.concatenate([few, many.astype(np.int64)]))


@dataclass(frozen=True)
class _Search:
    epsilon: float
    room: OutputRoom
    weight: float

    def best(
        self, steps: NDArray[np.int64], widest: float = 1.0, rounds: int = 5
    ) -> tuple[Array, Array]:
        """Least variance and its γ, up to the widest, for each number of steps."""
        terms = _Terms.of(self.epsilon, steps)
        return _minimised(lambda gamma: self._variance(terms, gamma), steps.size, widest, rounds)

    def _variance(self, terms: _Terms, gamma: Array) -> Array:
        """In units of Δ² (outputs derived) or of the half-width squared (outputs fixed)."""
        area, moment, reach = terms.at(gamma)
        floor = terms.floor
        shift = self.room.shift(reach, floor, area)
        mass = floor + shift * area
        inner = (shift**3 * moment + floor / 3.0) / mass
        outer = floor / (shift * area)
        if self.room.fixed is None:
            share = shift * area / mass
            spread = inner / (shift * share) ** 2
            return spread + 0.25 * self.weight * outer / self.room.ratio**2
        centre, half = self.room.fixed
        square = (abs(centre) + half) ** 2 if self.weight == 1.0 else centre**2
        if self.weight < 1.0:
            square += self.weight * half**2
        lack = abs(centre) + half - (shift * area / mass) * (1.0 - shift * reach)
        # What does not fit is worse than everything, the less so the less it lacks: the closer
        # grids find their way to where it fits.
        return np.where(lack <= 0.0, inner + square * outer, 2.0 * _WIDEST + lack)

    def largest_fraction(self, steps: NDArray[np.int64]) -> float:
        """``max S₁ (1 - δH)`` over all steps and γ."""
        return float(np.max(self.fractions(steps)))

    def fractions(self, steps: NDArray[np.int64], rounds: int = 7) -> Array:
        """``max S₁ (1 - δH)`` over γ, for each number of steps."""
        terms = _Terms.of(self.epsilon, steps)

        def lack(gamma: Array) -> Array:
            area, _moment, reach = terms.at(gamma)
            shift = self.room.shift(reach, terms.floor, area)
            return -shift * area / (terms.floor + shift * area) * (1.0 - shift * reach)

        widest = 1.0 if steps.size > 1 else 8.0 / self.room.ratio
        return -_minimised(lack, steps.size, widest, rounds)[0]

    def design(self, steps: int, gamma: float) -> Design:
        terms = _Terms.of(self.epsilon, np.array([steps]))
        area, _, reach = terms.at(np.array([[gamma]]))
        shift = float(self.room.shift(reach, terms.floor, area)[0, 0])
        shape = Staircase(steps, gamma, self.epsilon)
        return Design(
            self.epsilon, Pair(shape, Constant()), shift * shape.reach, shape.height_ratio
        )


def _minimised(
    f: Callable[[Array], Array], rows: int, widest: float, rounds: int
) -> tuple[Array, Array]:
    """Least values and their γ in every row: a grid on a logarithmic scale, then closer ones."""
    low, high = math.log(_NARROWEST), math.log(widest)
    width = 0.5 * (high - low)
    place = np.full((rows, 1), low + width)
    for _ in range(rounds):
        gamma = np.exp(np.clip(place + width * _GRID, low, high))
        value = f(gamma)
        best = np.argmin(value, axis=1)[:, None]
        place = np.log(np.take_along_axis(gamma, best, axis=1))
        width /= 16.0
    least = np.take_along_axis(value, best, axis=1)[:, 0]
    return least, np.exp(place[:, 0])


@dataclass(frozen=True)
class _Terms:
    """Sums ``Σ_{j=1}^{K-1} j^p e^{-εj}`` for each number of steps, as columns."""

    steps: Array
    floor: Array
    """``Q = e^{-εK}``."""
    sums: tuple[Array, Array, Array]

    @classmethod
    def of(cls, epsilon: float, steps: NDArray[np.int64]) -> _Terms:
        j = np.arange(1, int(steps.max()))
        falling = np.exp(-epsilon * j)
        totals = [
            np.concatenate([[0.0], np.cumsum(j**p * falling)])[steps - 1][:, None] for p in range(3)
        ]
        number = steps.astype(np.float64)[:, None]
        return cls(number, np.exp(-epsilon * number), (totals[0], totals[1], totals[2]))

    def at(self, gamma: Array) -> tuple[Array, Array, Array]:
        """Half area, half second moment and reach ``H`` of the activation, in units of δ."""
        zero, one, two = self.sums
        reach = gamma + self.steps - 1.0
        area = gamma + zero - self.floor * reach
        levels = two + (2.0 * gamma - 1.0) * one + (gamma**2 - gamma + 1.0 / 3.0) * zero
        moment = gamma**3 / 3.0 + levels - self.floor * reach**3 / 3.0
        return area, moment, reach
