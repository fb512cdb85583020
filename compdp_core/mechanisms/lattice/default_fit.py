"""The default lattice: the coarsest whose variance is that of the design to a ten-thousandth.

Of every spacing, from coarse to fine, the cost is worked out in floats for a few numbers of points;
what promises to cost little enough is built in integers and its cost taken exactly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import islice

import numpy as np

from compdp_core.design.design import Design
from compdp_core.design.optimize.exact import POSITION_WEIGHT
from compdp_core.errors import LatticeError
from compdp_core.intervals import Interval
from compdp_core.mechanisms.lattice.cost import COST, LeastVariance, cheapest
from compdp_core.mechanisms.lattice.fit import (
    FINE,
    LatticePlan,
    check_reach,
    exponent_below,
    finest_exponent,
    fit_as_designed,
    fit_at,
)
from compdp_core.mechanisms.lattice.lattice import EXPONENTS, Lattice, check_exponent
from compdp_core.mechanisms.lattice.runs import level_sums, symmetric_sums
from compdp_core.shapes import Constant, Rectangle

_NEAR = 2
"""Points by which an activation may be wider or narrower than designed: more costs too much where
a spacing is fine enough, and is tried by :func:`fit_at` where none is."""

_WIDE, _TRIED = 32, 100
"""Widths of an activation that are compared, around the design's and of any size, where floats
allow no spacing that is fine enough."""

_FELT = 1e-3
"""Of an activation's height, more than rounding to points can take away."""

_FINER = 4
"""Spacings finer than the distribution can feel that are tried, where the inputs barely fit."""


def fit(
    design: Design,
    inputs: Interval,
    outputs: Interval,
    *,
    hard: bool,
    exponent: int | None = None,
    sensitivity: float | None = None,
    objective: str = "center",
) -> Lattice:
    """The lattice of a design on the given outputs, at the default spacing where none is given.

    ``hard`` outputs are never passed; derived ones become what the whole points need.

    Raises :class:`LatticeError` where the inputs do not fit on points of that spacing.
    """
    if exponent is not None:
        return fit_at(design, inputs, outputs, exponent, hard=hard, sensitivity=sensitivity)
    least = LeastVariance(design, inputs, outputs, objective)
    return _Default(least, hard, sensitivity).lattice()


def lowered(
    design: Design, inputs: Interval, outputs: Interval, sensitivity: float | None
) -> Design:
    """The design with its activation no higher than its certificate allows.

    What a lattice costs is told by what its design could reach, and one that spends more than its ε
    could reach too much.
    """
    if not design.declared_ratio > math.exp(design.epsilon) * (1.0 + _FELT):
        return design
    exponent = max(smooth_exponent(design, inputs, outputs), finest_exponent(outputs))
    try:
        lattice = fit_as_designed(design, inputs, outputs, exponent, sensitivity)
    except LatticeError:  # the default says why
        return design
    kappa = lattice.activation.mass / (lattice.activation.count * design.pair.activation.area)
    kappa /= lattice.base.mass / (lattice.base.count * design.pair.base.area)
    return replace(design, kappa=kappa) if kappa < design.kappa * (1.0 - _FELT) else design


def smooth_exponent(design: Design, inputs: Interval, outputs: Interval) -> int:
    """The coarsest power of ten at which outputs can simply be rounded outward.

    At least :data:`FINE` points on the outputs, 512 on the activation, 64 on the smallest standard
    deviation, and 4096 on the inputs, whose middle a point or half of one has to meet: then
    rounding changes the variance by less than 5e-4, mostly by less than :data:`COST`.
    """
    half = 0.5 * outputs.width
    deviation = math.sqrt(design.variance()) / design.L * half
    finest = min(
        outputs.width / FINE,
        outputs.width * design.mu / 512.0,
        deviation / 64.0,
        inputs.width / 4096.0,
    )
    return exponent_below(finest)


def spacings(least: LeastVariance, smooth: int) -> range:
    """Exponents from the coarsest whose rounding of shifts alone may cost little enough, down to
    the finest that is worth while, or that floats can tell apart.

    ``p h²/4 <= COST V`` with ``p`` the mass of the activation.
    """
    finest = finest_exponent(least.outputs)
    if smooth < EXPONENTS.start and least.inputs.width < 10.0**EXPONENTS.start:
        check_exponent(smooth)
    widest = 2.0 * math.sqrt(COST / least.design.S1) * math.sqrt(least.value)
    coarsest = min(max(exponent_below(widest), smooth), EXPONENTS.stop - 1)
    last = max(finest, min(coarsest, smooth) - _FINER)
    return range(max(coarsest, last), last - 1, -1)


@dataclass(frozen=True)
class _Default:
    least: LeastVariance
    hard: bool
    sensitivity: float | None

    def lattice(self) -> Lattice:
        """The first that costs little enough, or the one that costs least."""
        d = self.least
        smooth = smooth_exponent(d.design, d.inputs, d.outputs)
        exponents = spacings(self.least, smooth)
        found: list[tuple[float, Lattice]] = []
        for exponent in exponents:
            for lattice in self.at(exponent, smooth=exponent <= smooth):
                cost = d.price(lattice)
                if cost <= COST:
                    return lattice
                found.append((cost, lattice))
        # Floats allow nothing finer: the best there is, whatever it costs.
        found += [(d.price(each), each) for each in self.coarse(exponents[-1])]
        if not found:
            raise LatticeError(
                f"inputs {d.inputs.as_tuple()!r} do not fit on outputs {d.outputs.as_tuple()!r} "
                f"that are multiples of 1e{exponents[-1]}, which floats can just tell apart "
                "there: subtract a public constant from the values first, or take wider outputs"
            )
        return cheapest(found, d.inputs)

    def at(self, exponent: int, *, smooth: bool) -> Iterator[Lattice]:
        """Lattices of a spacing that may cost little enough."""
        d = self.least
        with suppress(LatticeError):
            if smooth and self.hard:
                yield self.chosen(exponent)
            elif smooth:
                given = (d.design, d.inputs, d.outputs)
                yield fit_as_designed(*given, exponent, self.sensitivity)
        plan = LatticePlan(d.design, d.inputs, exponent, self.sensitivity)
        centre = max(1, round(plan.width(d.outputs)))
        near = range(max(1, centre - _NEAR), centre + _NEAR + 1)
        yield from self.built(plan, near, COST * (1.0 + 1e-3))

    def coarse(self, exponent: int) -> Iterator[Lattice]:
        """One of a spacing on which rounding is felt."""
        d = self.least
        plan = LatticePlan(d.design, d.inputs, exponent, self.sensitivity)
        centre, widest = max(1, round(plan.width(d.outputs))), d.outputs.width / float(plan.step)
        spread = np.geomspace(1.0, max(1.0, widest), _TRIED).tolist()
        near = range(max(1, centre - _WIDE), centre + _WIDE + 1)
        widths = sorted({*near, *(max(1, round(x)) for x in spread)})
        found = next(self.built(plan, widths, math.inf), None)
        if found is not None:
            yield found
        if found is not None and centre > _NEAR:
            return
        with suppress(LatticeError):  # an activation of one or two points, or a reason why not
            yield self.chosen(exponent)

    def built(self, plan: LatticePlan, widths: Iterable[int], limit: float) -> Iterator[Lattice]:
        """The best of those whose activation has one of the widths, and that cost no more."""
        for cost, placed in sorted(self.promised(plan, widths)):
            if not cost <= limit:
                return
            with suppress(LatticeError):
                yield plan.lattice(*placed)
                return

    def chosen(self, exponent: int) -> Lattice:
        """As where a user chose the spacing."""
        d = self.least
        return fit_at(
            d.design, d.inputs, d.outputs, exponent, hard=self.hard, sensitivity=self.sensitivity
        )

    def promised(
        self, plan: LatticePlan, widths: Iterable[int]
    ) -> Iterator[tuple[float, tuple[int, int, int]]]:
        """Costs, and ``(first, N, M)`` of what has them."""
        promise = _Promise(plan, self.least)
        outputs = self.least.outputs
        with suppress(LatticeError):
            check_reach(outputs, plan.exponent)
            for width in widths:
                if self.hard:
                    first, points = plan.within(outputs)
                    places = iter([(first, points)] if width <= points else [])
                else:
                    places = promise.places(width)
                costs = (
                    (cost, (first, points, width))
                    for first, points in places
                    if (cost := promise.cost(first, points, width)) is not None
                )
                # Whole weights may need a little more than the fewest points in floats.
                yield from islice(costs, 2)


_Sums = Callable[[int], tuple[float, float]]
"""Mass and second moment of so many points."""


class _Promise:
    """What a lattice would cost, in floats."""

    def __init__(self, plan: LatticePlan, least: LeastVariance) -> None:
        self.plan = plan
        self.least = least
        pair = plan.design.pair
        self.step = float(plan.step)
        low, high = (Fraction(x) / plan.step for x in plan.inputs.as_tuple())
        self.middle = (low + high) / 2
        self.half = float(high - low) / 2.0
        self.base: _Sums = lru_cache(maxsize=None)(
            level_sums
            if pair.base == Constant()
            else lambda count: symmetric_sums(count, pair.base.height)
        )
        self.activation: _Sums = lru_cache(maxsize=None)(
            level_sums
            if pair.activation == Rectangle()
            else lambda count: symmetric_sums(
                count, lambda v: pair.activation.height(0.5 * (1.0 - v))
            )
        )
        weight = POSITION_WEIGHT[least.objective]
        self.value, self.at_end, self.weight = least.value, least.at_end, weight

    def places(self, width: int) -> Iterator[tuple[int, int]]:
        """``(first, N)`` of the fewest points that such an activation may do with, and of some
        more.
        """
        d = self.plan.design
        mass = d.kappa * self.activation(width)[0]
        for off, tried in ((0.0, 4), (0.25, 3), (0.5, 8)):  # of the middle of the points
            reach = 2.0 * (self.half + off)
            slack = mass - reach * d.pair.base.area
            if not slack > 0.0:
                return
            fewest = max(width + 1, math.ceil(mass * (reach + width) / slack) - 1)
            for points in range(fewest, fewest + tried):
                yield round(self.middle - Fraction(points - 1, 2)), points

    def cost(self, first: int, points: int, width: int) -> float | None:
        """None where the inputs do not fit."""
        d = self.plan.design
        area, inner = self.activation(width)
        base, outer = self.base(points)
        mass = d.kappa * area
        total = base + mass
        p = mass / total
        centre = first + Fraction(points - 1, 2)
        off = abs(float(self.middle - centre))
        if not p * (points - width) >= 2.0 * (self.half + off):
            return None
        spread = (outer + d.kappa * inner) / total + 0.25 * p
        if self.weight == 1.0:
            square = (off + self.half) ** 2
        else:
            square = off**2 + self.weight * self.half**2
        position, farthest = base / mass, (off + self.half) ** 2
        cost = (spread + position * square) * self.step**2 / self.value - 1.0
        at_end = (spread + position * farthest) * self.step**2 / self.at_end - 1.0
        return max(abs(cost), at_end)
