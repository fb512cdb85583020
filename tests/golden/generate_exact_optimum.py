"""Writes exact_optimum.json: the best designs to 15 digits, by a route of its own.

Shares no code with the library. Every moment is a quadrature of the shape's definition, the
objective is the variance of ``P = H + G`` put together from them, and the minimum is where a
numeric derivative of it vanishes, all at 40 digits. Needs mpmath:

    python -m tests.golden.generate_exact_optimum
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp

from tests.golden.writing import write

mp.mp.dps = 40

Real = Any
"""An mpmath number."""

ACTIVATIONS: dict[str, Callable[[Real], Real]] = {
    "A1": lambda v: mp.mpf(1),
    "A2": lambda v: mp.sin(mp.pi * v),
    "A3": lambda v: 1 - abs(2 * v - 1),
}
POSITION: dict[str, Real] = {"center": mp.mpf(0), "mean": mp.mpf(1) / 3, "worst": mp.mpf(1)}
"""E[(C_p/C)^2] of the input that an objective asks about."""
DIGITS = 15


class Case:
    """One pair at one epsilon with the budget used up; lengths in units of L."""

    def __init__(self, epsilon: str, activation: str, tau: str = "1") -> None:
        self.tau = mp.mpf(tau)
        self.kappa = self.tau * mp.exp(mp.mpf(epsilon)) - 1
        h = ACTIVATIONS[activation]
        halves = [0, mp.mpf(1) / 2, 1]
        self.area = mp.quad(h, halves)
        self.spread = mp.quad(lambda v: (v - mp.mpf(1) / 2) ** 2 * h(v), halves)
        base = self._base
        self.base_area = mp.quad(base, [-1, 0, 1])
        self.base_moment = mp.quad(lambda v: v * v * base(v), [-1, 0, 1])

    def _base(self, v: Real) -> Real:
        return 1 - (1 - self.tau) * v**4

    def masses(self, mu: Real) -> tuple[Real, Real, Real]:
        """``y, S1, S2`` of the density on [-1, 1] whose activation has width m = 2 mu."""
        height = 1 / (self.kappa * self.area * 2 * mu + self.base_area)
        return height, height * self.kappa * self.area * 2 * mu, height * self.base_area

    def fraction(self, mu: Real) -> Real:
        return self.masses(mu)[1] * (1 - mu)

    def variance(self, mu: Real, square: Real) -> Real:
        """Over the squared input width, at an input with (C_p/C)^2 = square."""
        y, s1, s2 = self.masses(mu)
        limit = self.fraction(mu)
        second = y * self.kappa * self.spread * (2 * mu) ** 3 + y * self.base_moment
        # The activation's centre lies at C_p/S1: E[x^2] gains C_p^2/S1, minus the mean squared.
        return (second + square * limit**2 * s2 / s1) / (2 * limit) ** 2


def minimum(f: Callable[[Real], Real]) -> Real:
    """Where the derivative of a function with one minimum on (0, 1) vanishes."""
    low, high = mp.mpf("1e-6"), 1 - mp.mpf("1e-6")
    for _ in range(12):  # a coarse grid narrowed to a bracket around the least value
        grid = [low + (high - low) * i / 10 for i in range(11)]
        best = min(range(11), key=lambda i: f(grid[i]))
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, 10)]
    return mp.findroot(lambda mu: mp.diff(f, mu), (low + high) / 2)


def number(x: Real) -> float:
    return float(mp.nstr(x, DIGITS))


def optimum(epsilon: str, activation: str, base: str, objective: str, tau: str) -> dict[str, Any]:
    case = Case(epsilon, activation, tau)
    mu = minimum(lambda m: case.variance(m, POSITION[objective]))
    _, s1, s2 = case.masses(mu)
    row: dict[str, Any] = {
        "epsilon": float(epsilon), "pair": activation + base, "objective": objective,
        "variance": number(case.variance(mu, POSITION[objective])), "mu": number(mu),
        "h1": number(s2 / s1), "input_fraction": number(case.fraction(mu)),
        "variance_center": number(case.variance(mu, mp.mpf(0))),
        "variance_edge": number(case.variance(mu, mp.mpf(1))),
    }  # fmt: skip
    return row if base == "B1" else {**row, "tau": float(tau)}


def widest(epsilon: str, activation: str) -> dict[str, Any]:
    case = Case(epsilon, activation)
    mu = minimum(lambda m: -case.fraction(m))
    return {
        "epsilon": float(epsilon), "pair": activation + "B1",
        "max_input_fraction": number(case.fraction(mu)), "mu": number(mu),
    }  # fmt: skip


def tables() -> dict[str, Any]:
    """All three tables."""
    epsilons = ["0.1", "0.2", "0.3", "0.4", "0.5", "1", "1.5", "2", "3", "4", "5", "8", "10"]
    return {
        "about": "Best parameters with the budget used up, inputs of width 1. mu = m/2L, "
        "h1 = S2/S1, input_fraction = input width / output width; variance at the objective's "
        "input, at the centre and at the edge, in units of the squared input width.",
        "source": "tests/golden/generate_exact_optimum.py, mpmath at 40 digits",
        "tolerance": "every number is right to 15 significant digits",
        "optimum_B1": [
            optimum(e, a, "B1", o, "1") for e in epsilons for a in ACTIVATIONS for o in POSITION
        ],
        "optimum_B2_at_fixed_tail_ratio": [
            optimum(e, a, "B2", "center", tau)
            for e in ["0.2", "0.5", "1", "2", "5"]
            for a in ACTIVATIONS
            for tau in ["0.9", "0.95", "0.99"]
        ],
        "max_input_fraction": [
            widest(e, a) for e in ["0.1", "0.2", "0.5", "1", "2", "3", "5"] for a in ACTIVATIONS
        ],
    }


if __name__ == "__main__":
    write("exact_optimum.json", tables())
