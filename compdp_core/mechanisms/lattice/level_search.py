"""Which staircases of whole points are compared, and which of them is taken."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from compdp_core.design.optimize.exact import Objective
from compdp_core.design.optimize.staircase import CLOSE, TOLERANCE
from compdp_core.mechanisms.lattice.levels import Ground, Levels, Solved, solve
from compdp_core.shapes import Staircase

COARSE = 1024
"""Up to this many points to a sensitivity, other staircases are compared with the one designed:
whole points change its variance by more than a thousandth."""

_MOST = 50_000
"""Steps that are tried; more of them, only met at ε near 0.001, take a second to certify."""

GENTLE = 0.06
"""Up to this ε several steps to a level cost less than 1e-4: ``ε²/32`` at least."""

_PARTS = 6
"""Steps to a level that are tried then."""

_SMALL = 500
"""Levels that a staircase may have then, or as many as the design: a card holds them all."""

_OFFERED = 2
"""Staircases near the design that are built."""

ROUNDED = 1.0 / 4.0 - 1.0 / 6.0
"""Variance (points squared) that the worst rounding of a shift has above that of a random one."""

_TRIES = 12
"""Staircases that are offered, the best ones first."""


@dataclass(frozen=True)
class LatticeTarget:
    """What the lattice of a staircase is to be best at."""

    objective: Objective = "center"
    steps: int | None = None
    """Number of levels, where the user fixed it."""
    ceiling: float | None = None
    """A variance (data units squared) to stay below where that can be done."""
    as_designed: bool = False
    """Follow the design, do not look for a better one on whole points."""


AS_DESIGNED = LatticeTarget(as_designed=True)


@dataclass(frozen=True)
class LevelSearch:
    """A search among staircases on whole points around the one designed."""

    ground: Ground
    shape: Staircase
    excess: float
    """``S₂/S₁`` of the design."""
    wish: LatticeTarget
    ceiling: float
    """That of the wish, in points squared."""
    variance: float
    """Of the design at the middle input, in points squared."""

    def offers(self, points: float) -> Iterator[tuple[Levels, int]]:
        """Staircases and how many points they need, one each time, the best first.

        ``points`` is about how many there are.
        """
        distance = self.ground.between(self.excess, points)
        if self.wish.as_designed or self.ground.distance > COARSE:
            solved = self.solve(self.designed(distance))
            aim = self.variance if self.wish.as_designed else 0.0
            order = np.argsort(np.abs(solved.variance - aim), kind="stable").tolist()
        else:
            solved = self.compared(distance)
            order = [self.chosen(solved), *np.argsort(solved.variance, kind="stable").tolist()]
        for row in order[:_TRIES]:
            if np.isfinite(solved.variance[row]):
                yield solved.levels.take(np.array([row])), int(solved.points[row])

    def as_wide(self, points: float, slack: float, limit: float) -> Iterator[tuple[Levels, int]]:
        """The best of few staircases that are as wide as the design, to within some points, and
        whose variance (points squared) stays below a limit.
        """
        solved = self.solve(self.near_designed(self.ground.between(self.excess, points)))
        variance = solved.variance + ROUNDED  # of a shift half-way between two points
        if self.ground.points is None:
            variance[np.abs(solved.points - points) > slack] = np.inf
        for row in np.argsort(variance, kind="stable").tolist()[:_OFFERED]:
            if variance[row] <= limit:
                yield solved.levels.take(np.array([row])), int(solved.points[row])

    def near_designed(self, distance: float) -> Levels:
        """As far as the design reaches, where ε is small in several lower steps to a level."""
        reach, rows = self.shape.reach * distance, []
        most = max(_SMALL, self.shape.steps + 2)
        for parts in range(1, _PARTS + 1 if self.ground.epsilon <= GENTLE else 2):
            for s in (math.floor(distance / parts), math.floor(distance / parts) + 1):
                tops = {round(share * s) for share in (2.0 * self.shape.gamma, 0.2, 0.5, 0.8, 1.0)}
                for t in (top + more for top in tops for more in (-1, 0, 1)):
                    count = round((reach - 0.5 * t) / max(s, 1)) + 1
                    counts = (c for c in (count - 1, count, count + 1) if c <= most)
                    rows += [(s, c, t) for c in counts]
                rows += [(s, self.shape.steps, t) for t in self.tops_that_fit(s, self.shape.steps)]
        return Levels.of(rows)

    def solve(self, levels: Levels) -> Solved:
        """Solved, and those with too many levels left out."""
        solved = solve(self.ground, levels, self.excess)
        if self.wish.steps is not None:
            solved.variance[levels.count > self.wish.steps * solved.steps] = np.inf
        return solved

    def designed(self, distance: float) -> Levels:
        """The levels of the design, on as many points as shifts differ by or a few more.

        The top is rounded to whole points too: that alone can cost the inputs their room.
        """
        widths = [
            math.floor(distance) + more for more in (0, 1, 2, 4, 8, math.ceil(0.01 * distance))
        ]
        count, rows = self.shape.steps, []
        for s in widths:
            top = round(2.0 * self.shape.gamma * s)
            rows += [(s, count, max(1, t)) for t in (top - 1, top, top + 1)]
            rows += [(s, count, t) for t in self.tops_that_fit(s, count)]
        return Levels.of(rows)

    def tops_that_fit(self, width: int, count: int) -> list[int]:
        """The widest tops for which fixed outputs leave the inputs their room."""
        if self.ground.points is None:
            return []
        room = math.floor(self.ground.points - self.ground.reach * (1.0 + self.excess))
        widest = room - 2 * width * (count - 1)
        return [t for t in (widest, widest - 1, widest - 2, widest - 4) if 1 <= t <= 4 * width]

    def compared(self, distance: float) -> Solved:
        """Staircases around the best of those around the design."""
        solved = self.solve(self.around_designed(distance))
        for widths in (3, 1):
            near = [self.chosen(solved), *_best_of_widths(solved, widths)]
            if not np.isfinite(solved.variance[near[0]]):
                break
            solved = self.solve(_neighbours(solved.levels, near))
        return solved

    def around_designed(self, distance: float) -> Levels:
        """One or more steps to a level of the design, and more or fewer levels."""
        parts = [distance / i for i in range(1, 7)]
        widths = {math.floor(p) + more for p in parts for more in (0, 1)}
        widths |= {math.floor(distance) + more for more in (-1, 2, 3 + math.floor(0.02 * distance))}
        widths |= {1} if distance <= 16.0 else set()
        shares = (2.0 * self.shape.gamma, 0.2, 0.5, 0.8, 1.0, 1.3)
        reach = self.shape.reach * distance
        rows = []
        for s in sorted(w for w in widths if w >= 1):
            tops = {1, 2, *(round(share * s) for share in shares)}
            if self.wish.steps is None:
                counts = {max(1, round(reach * f / s)) for f in np.geomspace(0.6, 3.0, 12).tolist()}
                counts.add(self.shape.steps)
            else:
                counts = {self.wish.steps * (math.floor(distance / s) + more) for more in (0, 1)}
                tops |= {round(2.0 * self.shape.gamma * s) + 1}
            for count in (c for c in counts if c <= max(_MOST, self.shape.steps)):
                rows += [(s, count, t) for t in (*tops, *self.tops_that_fit(s, count))]
        return Levels.of(rows)

    def chosen(self, solved: Solved) -> int:
        """The fewest points that come close enough to the least variance."""
        least = float(solved.variance.min())
        limit = least
        if self.ground.points is None:
            limit = min(least * (1.0 + TOLERANCE), max(self.ceiling, least * (1.0 + CLOSE)))
        good = np.flatnonzero(solved.variance <= limit)
        few = good[solved.points[good] == solved.points[good].min()]
        return int(few[np.argmin(solved.variance[few])])


def _best_of_widths(solved: Solved, most: int) -> list[int]:
    """The row of least variance of each width, for the best widths."""
    order = np.argsort(solved.variance, kind="stable")
    _, first = np.unique(solved.levels.width[order], return_index=True)
    return [int(row) for row in order[np.sort(first)[:most]]]


def _neighbours(levels: Levels, rows: list[int]) -> Levels:
    """Staircases close to some of many, and those themselves."""
    found = []
    for row in dict.fromkeys(rows):
        width, count, top = (int(x[row]) for x in (levels.width, levels.count, levels.top))
        counts = {round(count * (1.0 + 0.02 * k)) for k in range(-6, 7)} | {count - 1, count + 1}
        tops = {*range(top - 2, top + 3), round(0.9 * top), round(1.1 * top)}
        found += [(s, c, t) for s in (width - 1, width, width + 1) for c in counts for t in tops]
    return Levels.of(found)
