"""The trace of a search: every point it looked at, in order, as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from compdp_core.design.design import Design
from compdp_core.design.optimize.problem import Problem
from compdp_core.validation import Array

_COLUMNS = ("iteration", "k", "m", "y", "variance", "best")


@dataclass(frozen=True)
class Step:
    """One point of a search."""

    iteration: int
    k: float
    m: float
    y: float
    variance: float
    """The objective; infinite where a constraint is broken."""
    feasible: bool
    best: float
    """The least variance so far, this point included."""


@dataclass(frozen=True, eq=False)
class Batch:
    """Points in the order in which they were looked at, shapes ``(n,)``."""

    k: Array
    m: Array
    y: Array
    variance: Array
    progress: float
    """Share of the work that is done, from 0 to 1."""
    evaluations: int | None = None
    """Where it is not one for every point."""
    design: Design | None = None
    """The best design so far, from a search that works on designs: more exact than ``k, m, y``."""

    @classmethod
    def of(cls, designs: Sequence[Design], problem: Problem, progress: float) -> Self:
        """Of a search that works on designs."""
        k, m, y, variance = (
            np.array(column)
            for column in zip(*((d.k, d.m, d.y, problem.value(d)) for d in designs), strict=True)
        )
        return cls(k, m, y, variance, progress)

    def __len__(self) -> int:
        return len(self.variance)


@dataclass(frozen=True, eq=False)
class Trace:
    """A finished search. Arrays have shape ``(n,)``, one row a point, and are read-only."""

    algorithm: str
    problem: Problem
    iteration: NDArray[np.int64]
    """0 … n-1; with gaps once thinned out."""
    k: Array
    m: Array
    y: Array
    variance: Array
    best: Array
    design: Design | None
    """The best design; None where no point was feasible."""
    stop: str
    """Why the search stopped, in words."""
    evaluations: int
    """How often the objective was worked out."""
    seconds: float

    def __post_init__(self) -> None:
        for name in _COLUMNS:
            getattr(self, name).setflags(write=False)

    def __len__(self) -> int:
        return len(self.iteration)

    def __iter__(self) -> Iterator[Step]:
        return (self.step(index) for index in range(len(self)))

    @property
    def feasible(self) -> NDArray[np.bool_]:
        """Which points meet every constraint."""
        return np.isfinite(self.variance)

    @property
    def best_index(self) -> int | None:
        """Row of the first point with the least variance; None where none is feasible."""
        if not len(self) or not np.isfinite(self.best[-1]):
            return None
        return int(np.argmin(self.variance))

    @property
    def improvements(self) -> NDArray[np.int64]:
        """Rows at which the best improves."""
        earlier = np.concatenate(([np.inf], self.best[:-1]))
        return np.flatnonzero(self.best < earlier)

    def step(self, index: int) -> Step:
        """One row."""
        return Step(
            int(self.iteration[index]),
            float(self.k[index]),
            float(self.m[index]),
            float(self.y[index]),
            float(self.variance[index]),
            bool(np.isfinite(self.variance[index])),
            float(self.best[index]),
        )

    def thinned(self, count: int) -> Trace:
        """At most ``count`` (at least 3) rows for playback.

        The first, the last and the best one, then
        improvements, then rows at even distances. ``best`` and ``iteration`` stay as they were.
        """
        count = max(count, 3)
        if len(self) <= count:
            return self
        kept = [0, len(self) - 1]
        if self.best_index is not None:
            kept.append(self.best_index)
        rows = np.unique(kept)
        for candidates, share in ((self.improvements, 0.5), (np.arange(len(self)), 1.0)):
            room = int(count * share) - len(rows)
            rows = np.union1d(rows, _spread(np.setdiff1d(candidates, rows), room))
        return replace(self, **{name: getattr(self, name)[rows] for name in _COLUMNS})


def _spread(rows: NDArray[np.int64], count: int) -> NDArray[np.int64]:
    """At most ``count`` of the rows, evenly."""
    if count <= 0:
        return rows[:0]
    if len(rows) <= count:
        return rows
    return rows[np.linspace(0, len(rows) - 1, count).round().astype(np.int64)]
