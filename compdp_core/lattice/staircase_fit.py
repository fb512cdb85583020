"""From a staircase design to integer weights: whole levels, each a whole factor below the next.

A level is as many points wide as neighbouring inputs' shifts can differ, so that a shift never
skips a level. Where that distance is a whole number and a little more, a level of the whole number
serves too, if the factor between levels is lowered to make up for the rest (the mixture bound of
:mod:`compdp_core.lattice.certificate`); with few points to a level that is far better.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from compdp_core.design import Design
from compdp_core.errors import LatticeError
from compdp_core.intervals import Interval
from compdp_core.lattice.certificate import Certificate, exponential_below, shift_distance
from compdp_core.lattice.fit import SCALE, check_reach, exponent_below, outward, spread
from compdp_core.lattice.lattice import Lattice
from compdp_core.lattice.runs import Runs
from compdp_core.staircase import Staircase

LEVEL = 4096
"""Points to a level that the default spacing gives at least."""

_COARSE = 64
"""Up to this many points to a level, neighbouring whole numbers are compared."""


def fit_staircase(
    design: Design,
    inputs: Interval,
    outputs: Interval,
    *,
    hard: bool,
    sensitivity: float,
    exponent: int | None = None,
) -> Lattice:
    """The lattice of a staircase design, certified for neighbours ``sensitivity`` apart.

    Raises :class:`LatticeError` where the inputs do not fit on points of that spacing.
    """
    chosen = exponent is not None
    if exponent is None:
        exponent = exponent_below(sensitivity / LEVEL)
    check_reach(outputs, exponent)
    plan = _Plan(design, inputs, outputs, exponent, sensitivity, hard=hard, chosen=chosen)
    best: Lattice | None = None
    for steps, width, top in plan.candidates():
        lattice = plan.certified(steps, width, top)
        if lattice is None:
            continue
        if width > _COARSE:
            return lattice
        if best is None or spread(lattice) < spread(best):
            best = lattice
    if best is None:
        raise LatticeError(
            f"a staircase for inputs {inputs.as_tuple()!r}, sensitivity {sensitivity:g} does not "
            f"fit on outputs that are multiples of {float(plan.step):g}: choose a smaller spacing "
            "or wider outputs"
        )
    return best


@dataclass(frozen=True)
class _Plan:
    design: Design
    inputs: Interval
    outputs: Interval
    exponent: int
    sensitivity: float
    hard: bool
    chosen: bool

    @property
    def step(self) -> Fraction:
        return Fraction(10) ** self.exponent

    @property
    def shape(self) -> Staircase:
        shape = self.design.pair.activation
        assert isinstance(shape, Staircase)
        return shape

    def candidates(self) -> Iterator[tuple[int, int, int]]:
        """Steps, points to a level, and points to the top level to try.

        As designed; with few points to a level, what lies around it too. More steps leave less
        mass to the base, and so less of a fraction beyond a whole number of points.
        """
        designed = self.shape.steps
        distance = float(Fraction(self.sensitivity) / self.step) / self.design.S1
        width = max(1, math.ceil(distance))
        if width > _COARSE:
            for w in (width, width + 1):
                yield designed, w, max(1, round(2.0 * self.shape.gamma * w))
            return
        unit = math.ceil(1.0 / self.design.epsilon)
        for steps in (designed, designed + unit, designed + 2 * unit, designed + 4 * unit):
            for w in (width - 1, width, width + 1):
                top = round(2.0 * self.shape.gamma * w)
                yield from ((steps, w, t) for t in (top - 1, top, top + 1) if t >= 1 and w >= 1)

    def certified(self, steps: int, width: int, top: int) -> Lattice | None:
        """The lattice with so many points to a level, or None where none holds or fits."""
        factor = exponential_below(self.design.epsilon)
        for _ in range(6):
            lattice = self.placed(steps, width, top, factor)
            if lattice is None:
                return None
            if Certificate.of(lattice, self.design.epsilon, self.sensitivity).holds:
                return lattice
            lowered = self._lowered(lattice, width)
            # A little lower each time: a lower factor leaves more mass to the base.
            factor = min(lowered, factor) * Fraction(10**9 - 1, 10**9)
            if not factor > 1:
                return None
        return None

    def _lowered(self, lattice: Lattice, width: int) -> Fraction:
        """The factor ``f`` between levels with ``f + (f² - f) η = e^ε``, as good as a float.

        Zero where the shift can skip a level.
        """
        limit = exponential_below(self.design.epsilon)
        rest = max(shift_distance(lattice, self.sensitivity) - width, Fraction(0))
        if not rest < 1:
            return Fraction(0)
        root = Fraction(math.sqrt((1 - rest) ** 2 + 4 * rest * limit))
        return 2 * limit / (1 - rest + root)

    def placed(self, steps: int, width: int, top: int, factor: Fraction) -> Lattice | None:
        """Weights of these levels on as many points as the inputs need."""
        count = top + 2 * (steps - 1) * width
        for first, points in self._places(count, steps, width, top, factor):
            try:
                return self._lattice(first, points, steps, width, top, factor)
            except LatticeError:
                continue
        return None

    def _places(
        self, count: int, steps: int, width: int, top: int, factor: Fraction
    ) -> Iterator[tuple[int, int]]:
        """``(first, N)`` to try in turn."""
        low, high = (Fraction(x) / self.step for x in self.outputs.as_tuple())
        if self.hard:
            first, last = math.ceil(low), math.floor(high)
            yield first, last - first + 1
            return
        if not self.chosen:
            yield from outward(low, high)
            return
        # p (N - M) >= 2w with p = A/(N + A) gives N = A (2w + M)/(A - 2w).
        heights = _levels(10**30, factor, steps)
        mass = sum(2 * width * (h - heights[0]) for h in heights[1:-1])
        mass += top * (heights[-1] - heights[0])
        area = Fraction(mass, heights[0])
        ends = [Fraction(x) / self.step for x in self.inputs.as_tuple()]
        reach = ends[1] - ends[0]
        if not area > reach:
            return
        points = max(count + 1, math.ceil(area * (reach + count) / (area - reach)))
        for n in range(points, points + 64):
            yield round((ends[0] + ends[1]) / 2 - Fraction(n - 1, 2)), n

    def _lattice(
        self, first: int, points: int, steps: int, width: int, top: int, factor: Fraction
    ) -> Lattice:
        growth = float(factor) ** steps * (top + 2.0 * width / (float(factor) - 1.0))
        scale = max(1, math.floor(SCALE / (points + growth)))
        heights = _levels(scale, factor, steps)
        up = [h - scale for h in heights[1:-1]]
        activation = Runs.merged(
            [width] * len(up) + [top] + [width] * len(up), [*up, heights[-1] - scale, *up[::-1]]
        )
        base = Runs((points,), (scale,))
        return Lattice(base, activation, first, self.exponent, self.inputs)


def _levels(base: int, factor: Fraction, steps: int) -> list[int]:
    """Weights of base and levels: each the previous one times the factor, rounded down."""
    heights = [base]
    numerator, denominator = factor.numerator, factor.denominator
    for _ in range(steps):
        heights.append(heights[-1] * numerator // denominator)
    assert all(upper >= lower for lower, upper in pairwise(heights))
    return heights
