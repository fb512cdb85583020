"""The paper's Algorithm 1: enumerate a grid, then a finer one around the best, and so on.

Zhang et al., IEEE S&P 2024, Algorithm 1. The grid is the one of the authors' program, to the last
bit, so that its results are reproduced to the last digit: values are reached by adding the step
again and again (nine tenths is 0.8999999999999999); a finer round scans one previous step either
side of the best; and each of its loops reads the best anew when it starts, so that the window moves
along while it is scanned.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np

from compdp_core.design.optimize.problem import WIDEST, Problem
from compdp_core.design.optimize.trace import Batch
from compdp_core.parameters import count
from compdp_core.validation import Array

ROUNDS = count(
    "rounds",
    "|W|",
    "How many grids, each with a tenth of the previous step, from 0.1 on.",
    lower=1,
    upper=5,
    usual=(1, 4),
    default=3,
)
ITERATIONS = count(
    "iterations",
    "T",
    "Most points looked at in one round.",
    "points",
    lower=1,
    upper=1e6,
    usual=(100, 20_000),
    default=20_000,
)


def enumeration(
    problem: Problem, rng: np.random.Generator, *, rounds: float = 3, iterations: float = 20_000
) -> Generator[Batch, None, str]:
    """Yields one batch for every value of ``y``.

    The paper starts at a random setting; it comes into play only where the coarsest grid holds
    nothing feasible (ε below 0.106), and the finer rounds then scan around it.
    """
    scan = _Scan(problem)
    grids, limit = int(rounds), int(iterations)
    cut = 0
    for number in range(grids):
        step = (0.1, 0.01, 0.001, 0.0001, 0.00001)[number]
        left = limit
        for rows, progress in scan.round(step):
            part = rows[:, :left]
            left -= part.shape[1]
            k, m, y, variance = part
            yield Batch(k, m, y, variance, (number + progress) / grids)
            if not left:
                break
        cut += not left
        if scan.best == np.inf:
            k, m, y = scan.begin(problem.start(rng))
            yield Batch(k, m, y, problem.variance(k, m, y), progress=(number + 1) / grids)
    reason = f"the last of {grids} grids, step {step:g}, is done"
    return f"{reason}; {cut} cut short after {limit} points" if cut else reason


class _Scan:
    """The best so far, and the loops around it."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._reach: float | None = None
        self.best = np.inf
        self._k = self._m = self._y = 0.0

    def begin(self, point: tuple[float, float, float]) -> tuple[Array, Array, Array]:
        """Take a point as the best so far."""
        self._k, self._m, self._y = point
        self.best = float(self._problem.variance(*point))
        k, m, y = (np.array([x]) for x in point)
        return k, m, y

    def round(self, step: float) -> Iterator[tuple[Array, float]]:
        """Rows k, m, y, variance of all points of a ``y``, for one ``y`` after another."""
        ys = self._values(self._y, step, 1.0)
        for index, y in enumerate(ys):
            yield np.concatenate(list(self._plane(float(y), step)), axis=1), (index + 1) / len(ys)
        self._reach = step

    def _plane(self, y: float, step: float) -> Iterator[Array]:
        """All ``k`` and ``m`` of one ``y``, as many rows at once as share a window of ``m``."""
        ks = self._values(self._k, step, 1.0)
        while len(ks):
            ms = self._values(self._m, step, WIDEST, closed=self._reach is None)
            values = self._problem.variance(ks[:, None], ms, y)
            used = self._improve(ks, ms, y, values)
            shape = (used, len(ms))
            yield np.array(
                [
                    np.broadcast_to(ks[:used, None], shape).ravel(),
                    np.broadcast_to(ms, shape).ravel(),
                    np.full(used * len(ms), y),
                    values[:used].ravel(),
                ]
            )
            ks = ks[used:]

    def _improve(self, ks: Array, ms: Array, y: float, values: Array) -> int:
        """Go through the rows until one moves the window of ``m``; the number of rows used."""
        least = values.min(axis=1)
        for row in np.flatnonzero(least < self.best):
            if least[row] < self.best:
                column = int(values[row].argmin())
                moves = self._reach is not None and ms[column] != self._m
                self.best = float(least[row])
                self._k, self._m, self._y = float(ks[row]), float(ms[column]), y
                if moves:
                    return int(row) + 1
        return len(ks)

    def _values(self, best: float, step: float, upper: float, closed: bool = False) -> Array:
        low, high = 0.0, upper
        if self._reach is not None:
            low, high = best - self._reach, best + self._reach
        count = int((high - low) / step) + 3
        # Sequential, like a loop that adds the step: the rounding is part of the grid.
        values = np.add.accumulate(np.concatenate(([low], np.full(count, step))))
        return values[values <= high] if closed else values[values < high]
