"""Staircases of whole points, compared in floats so that only the best is built in integers.

Each step is ``s`` points wide and ``φ`` times as heavy as the next. Shifts of neighbouring inputs
differ by up to ``d = Δ/(h p) = D + η`` points, ``p`` the mass of the activation: at most ``⌈D/s⌉``
steps lie within ``D`` points, so the mixture bound of
:mod:`compdp_core.mechanisms.lattice.certificate` asks

``(1 - η) φ^⌈D/s⌉ + η φ^⌈(D+1)/s⌉ = e^ε``.

One step to a sensitivity is the best staircase there is, but where ``d`` is a few points and a
fraction, rounding it up to whole points can cost more than half of the variance. Several lower
steps to a sensitivity follow ``d`` more closely, and lose only about ``ε²/24`` against one.

``p`` in turn depends on ``φ`` and on the number ``N`` of points, ``p = A/(A + N)`` with ``A`` the
mass of the activation over the weight of a point of the base. But ``N`` points on which the inputs
just fit have ``p = r/(N - M)``, ``r`` the width of the inputs and ``M`` that of the activation; so
``N`` gives ``d``, ``d`` gives ``φ``, and the only question is whether the activation then has the
mass that was taken for granted. The fewest points for which it has are searched.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.validation import Array

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Ground:
    """What the levels have to stand on, lengths in points."""

    epsilon: float
    distance: float
    """Δ."""
    reach: float
    """Twice the distance of the farther input from the middle of the outputs."""
    points: int | None
    """Number of points where the outputs are fixed."""
    parity: int
    """Of the number of points, so that their middle meets that of the outputs."""
    square: float
    """Mean square of the inputs' distance from the middle, as the objective asks for."""

    def between(self, excess: Any, points: Any) -> Any:
        """``d``, how far apart shifts of neighbouring inputs can be, not below what is certified.

        Shifts are computed in floats: their error grows with the number of points.
        """
        return self.distance * (1.0 + excess) * (1.0 + 2.0**-48) + (points + 2) * 2.0**-48


@dataclass(frozen=True)
class Levels:
    """Many staircases, shapes ``(n,)``: steps of ``width`` points, ``count`` of them."""

    width: Ints
    count: Ints
    top: Ints
    """Points of the highest step."""

    @classmethod
    def of(cls, rows: Iterable[tuple[int, int, int]]) -> Levels:
        """Rows of width, count and top, each once; those that are none are left out."""
        table = np.unique(np.array([r for r in rows if min(r) >= 1], dtype=np.int64), axis=0)
        return cls(*table.reshape(-1, 3).T)

    @property
    def extent(self) -> Ints:
        """``M``, points of the activation."""
        return self.top + 2 * self.width * (self.count - 1)

    def take(self, rows: Ints) -> Levels:
        """Some of them."""
        return Levels(self.width[rows], self.count[rows], self.top[rows])


@dataclass(frozen=True)
class Solved:
    """What becomes of them on a ground."""

    levels: Levels
    log_factor: Array
    """``ln φ``."""
    points: Array
    """``N``."""
    distance: Array
    """``d``, or a little more."""
    variance: Array
    """Points squared; infinite where the inputs do not fit."""

    @property
    def steps(self) -> Ints:
        """How many steps a sensitivity is cut into."""
        cut = np.ceil(np.floor(self.distance) / self.levels.width).astype(np.int64)
        return np.maximum(cut, 1)


_EXCESSES = np.geomspace(1e-8, 100.0, 16)
_CLOSE = np.geomspace(0.3, 4.0, 16)
"""Where the fewest points, or the least ``d h/Δ - 1``, are looked for: anywhere, and around that of
the design."""


def solve(ground: Ground, levels: Levels, excess: float, rounds: int = 8) -> Solved:
    """Factor, number of points and variance of each.

    ``excess`` is a guess of ``d h/Δ - 1``, the base's mass over the activation's. More ``rounds``
    leave less of ε unspent.
    """
    with np.errstate(all="ignore"):
        return _Work(ground, levels).solved(excess, rounds)


_DEEPEST = 500.0
"""Of ``ln φ^K``: weights that far apart would be too long for floats to compare."""

_GENTLE = 0.01
"""Below this ``ln φ^K`` closed forms of the moments cancel to noise, and three terms of a series
are right to 1e-7; so are the closed forms here."""


def _gentle_sums(log: Array, count: Array) -> tuple[Array, Array, Array]:
    """``Σ j^p (φ^-j - φ^-K)`` over ``0 < j < K`` for p = 0, 1, 2, with ``ln φ^K`` small.

    ``φ^-j - φ^-K = φ^-K (φ^i - 1)`` at ``i = K - j``, and ``φ^i - 1`` is a short series in i.
    """
    n, k = count - 1.0, count
    s1 = n * k / 2.0
    s2 = s1 * (2.0 * n + 1.0) / 3.0
    s3 = s1 * s1
    s4 = s2 * (3.0 * n * n + 3.0 * n - 1.0) / 5.0
    s5 = s3 * (2.0 * n * n + 2.0 * n - 1.0) / 3.0
    weight, first, second = np.exp(-log * k) * log, log / 2.0, log * log / 6.0

    def series(a: Array, b: Array, c: Array) -> Array:
        return weight * (a + first * b + second * c)

    zero, once, twice = series(s1, s2, s3), series(s2, s3, s4), series(s3, s4, s5)
    return zero, k * zero - once, k * k * zero - 2.0 * k * once + twice


def _guesses(excess: float) -> list[float]:
    return sorted({0.0, *_EXCESSES.tolist(), *(excess * _CLOSE).tolist()})


class _Work:
    def __init__(self, ground: Ground, levels: Levels) -> None:
        self.ground = ground
        self.levels = levels
        self.width = levels.width.astype(np.float64)
        self.count = levels.count.astype(np.float64)
        self.top = levels.top.astype(np.float64)
        self.extent = levels.extent.astype(np.float64)

    def solved(self, excess: float, rounds: int) -> Solved:
        ground = self.ground
        if ground.points is None:
            points = self.fewest(excess)
            b, fits = self.granted(points)
        else:
            points = np.full_like(self.extent, float(ground.points))
            b, fits = self.least(points, excess)
        for _ in range(rounds):  # what is granted falls, and stays enough
            b, before = np.where(fits, self.mass_ratio(b, points), b), b
            if not np.any(before - b > 1e-15 * b):
                break
        d, log = self.factor(b, points)
        area, base = self.area(log)
        share = area / (area + base * points)
        outer = base * points * (points**2 - 1.0) / 12.0
        inner = (self.moment(log, base) + outer) / (area + base * points)
        variance = inner + share / 6.0 + ground.square * (1.0 - share) / share
        fits &= np.isfinite(variance) & (log * self.count < _DEEPEST)
        return Solved(self.levels, log, points, d, np.where(fits, variance, np.inf))

    def fewest(self, excess: float) -> Array:
        """The fewest points on which the inputs fit, or some on which they do not."""
        low = self.sized(np.zeros_like(self.extent))
        high = low.copy()
        lacking, work = np.arange(low.size), self
        for guess in _guesses(excess):
            points = work.sized(np.full_like(work.extent, guess))
            low[lacking], high[lacking] = high[lacking], points
            fits = work.granted(points)[1]
            if fits.any():
                lacking = lacking[~fits]
                work = _Work(self.ground, self.levels.take(lacking))
        for _ in range(8):
            middle = 0.5 * (low + high)
            middle = self.sized((middle - self.extent) / self.ground.reach - 1.0)
            fits = self.granted(middle)[1]
            low, high = np.where(fits, low, middle), np.where(fits, middle, high)
        # Where d is a whole number of steps there may be room so narrow that no guess met it.
        found = np.ones(low.shape, dtype=bool)
        found[lacking] = False
        nearest = np.round(self.ground.distance * (1.0 + excess) / self.width)
        for steps in (nearest + 1.0, nearest, nearest - 1.0):
            points = self.sized(steps * self.width / self.ground.distance - 1.0)
            better = self.granted(points)[1] & ((points < high) | ~found)
            high, found = np.where(better, points, high), found | better
        return high

    def least(self, points: Array, excess: float) -> tuple[Array, NDArray[np.bool_]]:
        """The least ``b`` that the activation on so many points has the mass for, if any."""
        most = (points - self.extent) / self.ground.reach - 1.0
        low = high = np.zeros_like(most)
        found = np.zeros(most.shape, dtype=bool)
        for guess in (*_guesses(excess), np.inf):
            b = np.minimum(guess, most)
            low, high = np.where(found, low, high), np.where(found, high, b)
            found |= self.mass_ratio(b, points) <= b
        for _ in range(20):
            middle = 0.5 * (low + high)
            fits = self.mass_ratio(middle, points) <= middle
            low, high = np.where(fits, low, middle), np.where(fits, middle, high)
        nearest = np.round(self.ground.distance * (1.0 + excess) / self.width)
        for steps in (nearest + 1.0, nearest, nearest - 1.0):
            b, fits = self.even(steps, points)
            better = fits & (b <= most) & ((b < high) | ~found)
            high, found = np.where(better, b, high), found | better
        return high, found

    def sized(self, excess: Array) -> Array:
        """``N = M + (1 + b) r``, rounded up to a number with the right middle."""
        points = np.ceil(self.extent + (1.0 + excess) * self.ground.reach)
        return points + (points - self.ground.parity) % 2.0

    def granted(self, points: Array) -> tuple[Array, NDArray[np.bool_]]:
        """``b`` at which the inputs fit, and whether the activation then has that mass.

        Either they just fit, or a little better, where ``d`` is a whole number of steps.
        """
        most = (points - self.extent) / self.ground.reach - 1.0
        even, good = self.even(np.floor(self.ground.distance * (1.0 + most) / self.width), points)
        return np.where(good, even, most), good | (self.mass_ratio(most, points) <= most)

    def even(self, steps: Array, points: Array) -> tuple[Array, NDArray[np.bool_]]:
        """``b`` at which ``d`` is so many steps, and whether the activation then has that mass.

        No fraction of a step is left, and no factor to lower for it.
        """
        d = steps * self.width * (1.0 - 2.0**-50) - (points + 2.0) * 2.0**-48
        b = d / (self.ground.distance * (1.0 + 2.0**-48)) - 1.0 - 2.0**-51
        area, base = self.area(self.ground.epsilon / np.clip(steps, 1.0, self.count))
        return b, (steps >= 1.0) & (b > 0.0) & (points * base / area <= b)

    def mass_ratio(self, b: Array, points: Array) -> Array:
        """The mass of the base over that of the activation, where ``b`` is taken for granted."""
        area, base = self.area(self.factor(b, points)[1])
        return np.where(b > 0.0, points * base / area, np.inf)

    def factor(self, b: Array, points: Array) -> tuple[Array, Array]:
        """``d`` and ``ln φ``."""
        d = self.ground.between(b, points)
        whole = np.floor(d)
        rest = d - whole
        near = np.minimum(np.ceil(whole / self.width), self.count)
        far = np.minimum(np.ceil((whole + 1.0) / self.width), self.count)
        log = self.ground.epsilon / far
        with_none = near == 0.0  # Δ is less than a point
        if with_none.any():
            log = np.where(with_none, np.log1p(np.expm1(self.ground.epsilon) / rest), log)
        for _ in range(5):  # Newton, from below; near and far differ by one at most
            mixed = 1.0 + rest * np.expm1(log)
            slope = near + (mixed - 1.0 + rest) / mixed
            log = log - (near * log + np.log(mixed) - self.ground.epsilon) / slope
        return d, np.where(near == far, self.ground.epsilon / far, log)

    def area(self, log: Array) -> tuple[Array, Array]:
        """``A`` and the weight of the base, over the weight of the top."""
        n = self.count - 1.0
        base = np.exp(-log * self.count)
        falling = np.exp(-log) * np.expm1(-log * n) / np.expm1(-log)
        sides = 2.0 * self.width * (falling - n * base)
        return sides - self.top * np.expm1(-log * self.count), base

    def moment(self, log: Array, base: Array) -> Array:
        """Second moment of the activation, over the weight of the top.

        Step ``j`` from the middle lies at ``±((t - s)/2 + s j)``, with weight ``φ^-j - φ^-K``.
        """
        n, r, rest = self.count - 1.0, np.exp(-log), -np.expm1(-log)
        last = np.exp(-log * n)
        zero = r * -np.expm1(-log * n) / rest - n * base
        one = r * (1.0 - (n + 1.0) * last + n * last * r) / rest**2 - base * n * (n + 1.0) / 2.0
        square = (n + 1.0) ** 2 - (2.0 * n * (n + 1.0) - 1.0) * r + n * n * r * r
        two = r * (1.0 + r - last * square) / rest**3
        two = two - base * n * (n + 1.0) * (2.0 * n + 1.0) / 6.0
        gentle = log * self.count < _GENTLE
        if gentle.any():
            sums = _gentle_sums(log, self.count)
            zero, one, two = (
                np.where(gentle, few, many)
                for few, many in zip(sums, (zero, one, two), strict=True)
            )
        s, a = self.width, 0.5 * (self.top - self.width)
        within = (s * s - 1.0) / 12.0  # of the points of one step about its middle
        sides: Array = s * ((a * a + within) * zero + 2.0 * a * s * one + s * s * two)
        inner = self.top * (self.top**2 - 1.0) / 12.0 * -np.expm1(-log * self.count)
        return inner + 2.0 * sides
