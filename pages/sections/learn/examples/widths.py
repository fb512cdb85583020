"""The rectangle on the flat floor: at a given ε one width is the best, and searches find it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from compdp_core.design.design import Design
from compdp_core.design.optimize import Problem, Search, optimize
from compdp_core.mechanisms.composite import CompositeMechanism
from compdp_core.shapes import pair_named
from pages.sections.learn.examples.noise import EPSILONS, INPUTS

PAIR = "A1B1"
LEAST, MOST = 2, 95
"""Widths that can be set (percent of all outputs)."""
SEED = 4
FEW = 14
"""Designs of a search that are shown."""


@dataclass(frozen=True)
class Width:
    """One width, with everything else as ε allows."""

    design: Design

    @property
    def percent(self) -> float:
        """The width (percent of all outputs)."""
        return 100.0 * self.design.mu

    @property
    def error(self) -> float:
        """Root mean square error in the middle of the results (points)."""
        return math.sqrt(self.design.relative_variance()) * (INPUTS[1] - INPUTS[0])


@lru_cache(maxsize=len(EPSILONS))
def problem(epsilon: float) -> Problem:
    return Problem(epsilon, pair_named(PAIR, epsilon))


def at(epsilon: float, width: float) -> Width:
    """The design of that width (percent) which uses up ε."""
    return Width(problem(epsilon).design_of(problem(epsilon).tallest, width / 100.0))


@lru_cache(maxsize=len(EPSILONS))
def best(epsilon: float) -> Width:
    return Width(optimize(epsilon, pair_named(PAIR, epsilon)))


# Of public settings alone: no data reaches these.
@lru_cache(maxsize=512)
def mechanism(epsilon: float, width: float) -> CompositeMechanism:
    """The mechanism with the hill that wide (percent)."""
    return CompositeMechanism.from_design(at(epsilon, width).design, INPUTS)


@lru_cache(maxsize=len(EPSILONS))
def curve(epsilon: float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Widths (percent), the best among them, and the error at each."""
    every = np.unique(np.r_[np.linspace(LEAST, MOST, 94), best(epsilon).percent])
    return tuple(every.tolist()), tuple(at(epsilon, width).error for width in every.tolist())


@dataclass(frozen=True)
class WidthSearch:
    """What a search came by, the best so far each time."""

    widths: tuple[Width, ...]
    looked: int
    excess: float
    """How far the variance at its end is above the least one, as a share."""


@lru_cache(maxsize=32)
def found(epsilon: float, algorithm: str) -> WidthSearch:
    """A few of the designs that were better than all before, the first and last among them."""
    trace = Search(algorithm, problem(epsilon), seed=SEED).run()
    rows = trace.improvements
    rows = rows[np.unique(np.linspace(0, len(rows) - 1, FEW).round().astype(int))]
    steps = [trace.step(int(row)) for row in rows]
    designs = [problem(epsilon).design(step.k, step.m, step.y) for step in steps]
    excess = float(trace.best[-1]) / problem(epsilon).floor - 1.0
    return WidthSearch(tuple(map(Width, designs)), len(trace), excess)
