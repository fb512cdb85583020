"""One run: what was searched for and what it looked at, thinned to what pictures need."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from compdp_core.design.design import Design
from compdp_core.design.optimize import ALGORITHMS, Algorithm, Problem, Trace
from compdp_core.shapes import Quartic
from pages.charts.theme import GREY, Role
from pages.sections.optimizer.settings import OBJECTIVE, OBJECTIVES, optimum
from pages.text.wording import brief

# Each hue has a contrast of at least 3 : 1 on both backgrounds, as those of the theme.
_ALGORITHMS = {
    "exact": ("#7B61D1", "diamond"),
    "enumeration": ("#0072B2", "circle"),
    "target": ("#A67C00", "square"),
    "gradient": ("#009E73", "triangle-up"),
    "evolution": ("#B8649A", "x"),
}
_DASHES = ("solid", "dash", "dashdot", "longdash", "dot")
FLOOR = Role(GREY, "dot", "star", "")
"""The exact optimum, which no search can pass."""


def role_of(algorithm: str, number: int) -> Role:
    """Hue and symbol say which algorithm, the dash tells its runs apart."""
    colour, symbol = _ALGORITHMS[algorithm]
    return Role(colour, _DASHES[(number - 1) % len(_DASHES)], symbol, "")


ROWS = 240
"""Rows kept of a search, however many points it looked at: also the frames of its playback."""
UNIT = "Δ²"


@dataclass(frozen=True)
class PlannedSearch:
    algorithm: str
    problem: Problem
    seed: int
    options: tuple[tuple[str, float], ...]


@dataclass(frozen=True, eq=False)
class Run:
    """One search that was run, to its end or until it was cancelled."""

    plan: PlannedSearch
    trace: Trace
    """At most `ROWS` rows of what it looked at."""
    points: int
    """How many points it looked at."""
    feasible: NDArray[np.float64]
    """Share of the points up to each row that met every constraint."""
    path: NDArray[np.float64]
    """k, m and y of the best point up to each row, shape (3, rows); NaN before there is one."""
    number: int = 0

    @classmethod
    def of(cls, plan: PlannedSearch, trace: Trace) -> Run:
        rows = np.arange(len(trace))
        best = np.maximum.accumulate(np.where(np.isin(rows, trace.improvements), rows, 0))
        path = np.array([trace.k[best], trace.m[best], trace.y[best]])
        path[:, ~np.isfinite(trace.best)] = np.nan
        feasible = np.cumsum(trace.feasible) / (rows + 1.0)
        thin = trace.thinned(ROWS)
        at = thin.iteration
        return cls(plan, thin, len(trace), feasible[at], path[:, at])

    @property
    def algorithm(self) -> Algorithm:
        return ALGORITHMS[self.plan.algorithm]

    @property
    def problem(self) -> Problem:
        return self.plan.problem

    @property
    def title(self) -> str:
        return f"{self.number} · {short(self.algorithm)}"

    @cached_property
    def optimum(self) -> Design:
        return optimum(self.problem)

    @property
    def setting(self) -> str:
        """What was searched for, told apart from every other problem."""
        problem = self.problem
        parts = [problem.pair.name, f"ε = {brief(problem.epsilon)}"]
        if problem.free_tail:
            parts.append("τ free")
        elif isinstance(problem.pair.base, Quartic):
            parts.append(f"τ = {brief(problem.pair.base.tau)}")
        if problem.objective != OBJECTIVE.default:
            parts.append(OBJECTIVES[problem.objective])
        return ", ".join(parts)

    @property
    def role(self) -> Role:
        return role_of(self.plan.algorithm, self.number)

    @property
    def best(self) -> float:
        return float(self.trace.best[-1])

    @cached_property
    def excess(self) -> NDArray[np.float64]:
        """The best so far over the exact optimum, less 1; never below 0 but for rounding."""
        return np.maximum(self.trace.best / self.problem.floor - 1.0, 0.0)

    @property
    def looks(self) -> NDArray[Any]:
        return self.trace.iteration + 1

    @cached_property
    def way(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Width m and base height y of each new best point, brought to the scale k + y = 1."""
        k, m, y = self.path
        new = self.trace.improvements
        scale = k[new] + y[new]
        return m[new] * scale, y[new] / scale

    @property
    def cost(self) -> float:
        return self.trace.evaluations / self.points


def short(algorithm: Algorithm) -> str:
    return algorithm.title.partition(" (")[0]
