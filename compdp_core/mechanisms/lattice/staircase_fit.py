"""From a staircase design to integer weights: whole steps, each a whole factor below the next.

What the levels of the design become on whole points is chosen among many staircases in floats
(:mod:`compdp_core.mechanisms.lattice.level_search`); the one that is taken is built in integers
and certified.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import numpy as np

from compdp_core.design.design import Design
from compdp_core.design.optimize.exact import POSITION_WEIGHT
from compdp_core.errors import LatticeError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.lattice.certificate import Certificate, exponential_below
from compdp_core.mechanisms.lattice.cost import COST, LeastVariance, cheapest
from compdp_core.mechanisms.lattice.fit import (
    SCALE,
    check_reach,
    exponent_below,
    finest_exponent,
)
from compdp_core.mechanisms.lattice.lattice import EXPONENTS, Lattice, check_exponent
from compdp_core.mechanisms.lattice.level_search import (
    AS_DESIGNED,
    GENTLE,
    LatticeTarget,
    LevelSearch,
)
from compdp_core.mechanisms.lattice.levels import Ground, Levels, solve
from compdp_core.mechanisms.lattice.runs import Runs
from compdp_core.shapes import Staircase

LEVEL = 4096
"""Points to a level at which the design can simply be followed."""

_FEWER = 1024
"""Points to a level that a default spacing leaves at least: fewer hit the distance of shifts only
by chance, where a level goes down in one step."""

_FEWEST = 8
"""The same where ε is so small that a level can be cut into steps."""

_FINER = 4
"""Spacings, each a tenth of the one before, that are tried where the inputs barely fit."""

_AS_WIDE = 1e-3
"""By which share the points of a coarser lattice may be wider than the outputs of the design."""

_RESOLUTION = 2.0**40
"""Weight of the lowest step at least, so that its rounding down is not felt."""


def fit_staircase(
    design: Design,
    inputs: Interval,
    outputs: Interval,
    *,
    hard: bool,
    sensitivity: float,
    exponent: int | None = None,
    wish: LatticeTarget = AS_DESIGNED,
) -> Lattice:
    """The lattice of a staircase design, certified for neighbours ``sensitivity`` apart.

    ``hard`` outputs are never passed; derived ones become what the whole points need.

    Raises :class:`LatticeError` where the inputs do not fit on points of that spacing.
    """

    def plan(at: int) -> _StaircasePlan:
        return _StaircasePlan(design, inputs, outputs, at, sensitivity, hard, wish)

    if exponent is not None:
        check_reach(outputs, exponent)
        lattice = plan(exponent).best()
    else:
        exponents, smooth = spacings(design, outputs, sensitivity)
        exponent = exponents[0]
        least = LeastVariance(design, inputs, outputs, wish.objective)
        lattice = _cheap(least, [(plan(e), e <= smooth) for e in exponents])
    if lattice is None:
        raise LatticeError(
            f"a staircase for inputs {inputs.as_tuple()!r}, sensitivity {sensitivity:g} does not "
            f"fit on outputs that are multiples of {10.0**exponent:g}: choose a smaller spacing "
            "or wider outputs"
        )
    return lattice


def spacings(design: Design, outputs: Interval, sensitivity: float) -> tuple[list[int], int]:
    """Exponents from coarse to fine, and the first at which the design can simply be followed.

    That has :data:`LEVEL` points on a level and 64 on the standard deviation. None is finer than
    floats can tell apart.
    """
    deviation = math.sqrt(design.variance()) / design.L * 0.5 * outputs.width
    smooth = exponent_below(min(sensitivity / LEVEL, deviation / 64.0))
    if smooth < EXPONENTS.start and sensitivity < 10.0**EXPONENTS.start:
        check_exponent(smooth)
    fewest = _FEWEST if design.epsilon <= GENTLE else _FEWER
    coarsest = exponent_below(min(sensitivity / fewest, deviation / 32.0))
    finest = finest_exponent(outputs, room=1)  # points may have to be wider than as designed
    coarsest = max(finest, min(max(coarsest, smooth), EXPONENTS.stop - 1))
    return list(range(coarsest, max(finest, min(coarsest, smooth) - _FINER) - 1, -1)), smooth


def _cheap(least: LeastVariance, plans: list[tuple[_StaircasePlan, bool]]) -> Lattice | None:
    """The first lattice that costs little enough, or the one that costs least.

    Plans stand from coarse to fine, each with whether its spacing is so fine that the design can
    simply be followed.
    """
    found: list[tuple[float, Lattice]] = []
    for plan, smooth in plans:
        for lattice in plan.offered(least, follow=smooth or plan is plans[-1][0]):
            cost = least.price(lattice)
            if cost <= COST:
                return lattice
            found.append((cost, lattice))
    return cheapest(found, least.inputs) if found else None


@dataclass(frozen=True)
class _StaircasePlan:
    design: Design
    inputs: Interval
    outputs: Interval
    exponent: int
    sensitivity: float
    hard: bool
    wish: LatticeTarget

    @property
    def step(self) -> Fraction:
        return Fraction(10) ** self.exponent

    @property
    def ends(self) -> tuple[Fraction, Fraction]:
        """The outputs in points."""
        low, high = self.outputs.as_tuple()
        return Fraction(low) / self.step, Fraction(high) / self.step

    @property
    def twice_middle(self) -> int:
        """Twice the middle of the points: as close to what is asked for as it can be."""
        low, high = self.ends
        return math.ceil(low) + math.floor(high) if self.hard else round(low + high)

    @property
    def excess(self) -> float:
        """The base's mass over the activation's, as designed."""
        return self.design.S2 / self.design.S1

    def ground(self) -> Ground:
        step, middle = float(self.step), Fraction(self.twice_middle, 2)
        below, above = (float(Fraction(x) / self.step - middle) for x in self.inputs.as_tuple())
        centre, half = 0.5 * abs(below + above), 0.5 * (above - below)
        weight = POSITION_WEIGHT[self.wish.objective]
        low, high = self.ends
        return Ground(
            epsilon=self.design.epsilon,
            # Inputs become floats: that can push neighbours apart by half a unit each.
            distance=(self.sensitivity + math.ulp(max(map(abs, self.inputs.as_tuple())))) / step,
            reach=2.0 * max(-below, above) * (1.0 + 1e-14),
            points=math.floor(high) - math.ceil(low) + 1 if self.hard else None,
            parity=(self.twice_middle + 1) % 2,
            square=(centre + half) ** 2 if weight == 1.0 else centre**2 + weight * half**2,
        )

    def search(self) -> LevelSearch:
        """Among staircases around the one designed."""
        shape = self.design.pair.activation
        assert isinstance(shape, Staircase)
        step = float(self.step)
        ceiling = 0.0 if self.wish.ceiling is None else self.wish.ceiling / step / step
        variance = self.design.variance() * (0.5 * self.outputs.width / self.design.L / step) ** 2
        return LevelSearch(self.ground(), shape, self.excess, self.wish, ceiling, variance)

    def best(self) -> Lattice | None:
        """The lattice of the best staircase that can be built, or None."""
        search = self.search()
        return self.first(search, search.offers(self.outputs.width / float(self.step)))

    def offered(self, least: LeastVariance, *, follow: bool) -> Iterator[Lattice]:
        """Lattices that may cost little enough: that which follows the design, and another."""
        followed = self.best() if follow else None
        if followed is not None:
            yield followed
        step = float(self.step)
        search, width = self.search(), self.outputs.width / step
        limit = least.value / step / step * (1.0 + COST)
        other = self.first(search, search.as_wide(width, _AS_WIDE * width + 1.0, limit))
        if other is not None:
            yield other

    def first(self, search: LevelSearch, offers: Iterable[tuple[Levels, int]]) -> Lattice | None:
        """That of the first staircase which can be built, or None."""
        for levels, points in offers:
            lattice = self.built(search.ground, levels, points)
            if lattice is not None:
                return lattice
        return None

    def built(self, ground: Ground, levels: Levels, points: int) -> Lattice | None:
        """One staircase in integers on about so many points, or None where it does not hold."""
        for number in (points, points + 2, points + 4) if ground.points is None else (points,):
            # What the search left of ε is spent as well.
            solved = solve(replace(ground, points=number), levels, self.excess, rounds=400)
            if not np.isfinite(solved.variance[0]):
                continue
            log_factor = float(solved.log_factor[0])
            for lower in (2e-16, 1e-13, 1e-11, 1e-9):
                try:
                    lattice = self.lattice(levels, number, log_factor * (1.0 - lower))
                except LatticeError:  # the inputs do not fit
                    break
                if Certificate.of(lattice, self.design.epsilon, self.sensitivity).holds:
                    return lattice
        return None

    def lattice(self, levels: Levels, points: int, log_factor: float) -> Lattice:
        width, count, top = (int(x[0]) for x in (levels.width, levels.count, levels.top))
        base, *steps = _weights(width, count, top, points, log_factor)
        highest = steps[-1] - base
        sides = [weight - base for weight in steps[:-1]]
        lengths = [*[width] * len(sides), top, *[width] * len(sides)]
        activation = Runs.merged(lengths, [*sides, highest, *sides[::-1]])
        first = (self.twice_middle - points + 1) // 2
        return Lattice(Runs((points,), (base,)), activation, first, self.exponent, self.inputs)


def _weights(width: int, count: int, top: int, points: int, log_factor: float) -> list[int]:
    """Weights of base and steps: each the previous one times the factor, rounded down."""
    rest = math.expm1(log_factor)
    most = points + math.exp(log_factor * count) * (top + 2.0 * width / rest)
    needed = _RESOLUTION * max(1.0, 1.0 / rest) * most
    # Just below a power of two, so that few random words are drawn in vain.
    total = SCALE << max(0, math.ceil(math.log2(needed)) - SCALE.bit_length() + 1)
    weights = [math.floor(total / Fraction(most))]
    factor = exponential_below(log_factor)
    for _ in range(count):
        weights.append(weights[-1] * factor.numerator // factor.denominator)
    assert all(upper >= lower for lower, upper in pairwise(weights))
    return weights
