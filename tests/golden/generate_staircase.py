"""Writes staircase.json: the best staircases to 15 digits, by a route of their own.

Shares no code with the library. A staircase is written down as a list of levels with their ends
and heights; mass, mean and variance are sums of integrals over them. The numbers of steps are all
scanned in floats; those that matter are then refined at 40 digits. Takes some minutes and needs
mpmath:

    python -m tests.golden.generate_staircase
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import mpmath as mp

from tests.golden.writing import write

mp.mp.dps = 40

Real = Any
"""An mpmath number, or a float in the scan."""

DIGITS = 15
EPSILONS = ["0.1", "0.5", "1", "2", "4", "10"]
RATIOS = ["1", "0.5", "0.2", "0.1", "0.03", "0.01", "0.001", "0.000001"]
TOLERANCE = mp.mpf("0.005")
POSITION = {"center": 0.0, "mean": 1.0 / 3.0, "worst": 1.0}
"""E[(x / half-width)^2] of the input that an objective asks about."""


class Shape:
    """One staircase on ``[-1, 1]``, from the definition, in the arithmetic of its arguments."""

    def __init__(self, epsilon: Real, shift: Real, steps: int, gamma: Real, exp: Any) -> None:
        # Heights over the base, all times e^(-eps K): the top level is 1 and nothing overflows.
        self.base = exp(-epsilon * steps)
        self.reach = shift * (gamma + steps - 1)
        start, mass, moment = 0 * gamma, 0 * gamma, 0 * gamma
        for level in range(steps):
            end = shift * (gamma + level)
            height = exp(-epsilon * level) - self.base
            mass += 2 * height * (end - start)
            moment += 2 * height * (end**3 - start**3) / 3
            start = end
        total = mass + 2 * self.base
        self.share = mass / total
        self.base_mass = 2 * self.base / total
        self.second = (moment + 2 * self.base / 3) / total
        self.limit = self.share * (1 - self.reach)

    def variance(self, square: Real) -> Real:
        """At inputs with ``E[C_p^2] = square``: E[x^2] gains C_p^2/S1, minus the mean squared."""
        return self.second + square * self.base_mass / self.share


def derived(epsilon: Real, ratio: Real, steps: int, gamma: Real, exp: Any) -> tuple[Shape, Real]:
    """The shape whose inputs just fit, and its shift.

    Inputs of width R are mapped onto ``[-C, C]``; those Δ apart move the centre by
    ``2 C ratio / S1``, which has to be the shift: ``C/S1 = 1 - reach`` makes that linear.
    """
    shift = 2 * ratio / (1 + 2 * ratio * (gamma + steps - 1))
    return Shape(epsilon, shift, steps, gamma, exp), shift


def value(epsilon: Real, ratio: Real, steps: int, gamma: Real, weight: Real, exp: Any) -> Real:
    """Variance in units of Δ²."""
    shape, shift = derived(epsilon, ratio, steps, gamma, exp)
    return shape.variance(weight * shape.limit**2) / (shift * shape.share) ** 2


def fixed_value(epsilon: Real, ratio: Real, steps: int, gamma: Real, place: Any, exp: Any) -> Real:
    """Variance over the squared half-width of given outputs; infinite where inputs do not fit.

    ``place`` is (centre, half-width, objective) of the inputs; ``ratio`` is Δ over the outputs'
    half-width. The shift solves ``shift S1(shift) = ratio`` by bisection.
    """
    centre, half, objective = place
    low, high = ratio, 1 + 0 * ratio
    if Shape(epsilon, high, steps, gamma, exp).share * high < ratio:
        return mp.inf
    for _ in range(60 if isinstance(gamma, float) else 140):
        middle = (low + high) / 2
        if Shape(epsilon, middle, steps, gamma, exp).share * middle < ratio:
            low = middle
        else:
            high = middle
    shape = Shape(epsilon, high, steps, gamma, exp)
    if shape.limit < abs(centre) + half:
        return mp.inf
    square = {
        "center": centre**2,
        "mean": centre**2 + half**2 / 3,
        "worst": (abs(centre) + half) ** 2,
    }
    return shape.variance(square[objective])


def refined(f: Callable[[Real], Real], guess: float, width: float) -> Real:
    """The γ of least value near a guess, by closer and closer grids: where the derivative vanishes,
    at the end 1, or where inputs just fit.
    """
    low, high = mp.mpf(max(guess - width, 1e-12)), mp.mpf(min(guess + width, 1.0))
    for _ in range(28):
        grid = [low + (high - low) * i / 8 for i in range(9)]
        best = min(range(9), key=lambda i: f(grid[i]))
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, 8)]
    return grid[best]


def sought(f: Callable[[float], float]) -> tuple[float, float]:
    """The least value of a function with one minimum in γ, and where: a golden section."""
    ratio = (math.sqrt(5.0) - 1.0) / 2.0
    low, high = math.log(1e-5), 0.0
    while high - low > 1e-5:
        left, right = high - ratio * (high - low), low + ratio * (high - low)
        if f(math.exp(left)) < f(math.exp(right)):
            high = right
        else:
            low = left
    gamma = math.exp((low + high) / 2.0)
    return f(gamma), gamma


def number(x: Real) -> float:
    return float(mp.nstr(x, DIGITS))


def least(
    f: Callable[[int, Real], Real], coarse: list[tuple[float, float]]
) -> tuple[int, Real, Real, Real]:
    """Smallest number of steps within the tolerance, its γ and value, and the best value."""
    exact: dict[int, tuple[Real, Real]] = {}

    def at(steps: int) -> tuple[Real, Real]:
        if steps not in exact:
            guess = coarse[steps - 1][1]
            gamma = refined(lambda g: f(steps, g), guess, 1e-3 * guess)
            exact[steps] = f(steps, gamma), gamma
        return exact[steps]

    near = sorted(range(1, len(coarse) + 1), key=lambda k: coarse[k - 1][0])[:2]
    best = min(at(k)[0] for k in near)
    # The floats of the scan are good to 1e-8: what they leave open is settled exactly.
    limit = float(best * (1 + TOLERANCE)) * (1.0 + 1e-8)
    for steps in range(1, len(coarse) + 1):
        if coarse[steps - 1][0] <= limit and at(steps)[0] <= best * (1 + TOLERANCE):
            return steps, at(steps)[1], at(steps)[0], best
    raise AssertionError("the best is within the tolerance of itself")


def derived_row(epsilon: str, ratio: str, objective: str = "center") -> dict[str, Any]:
    e, r, weight = float(epsilon), float(ratio), POSITION[objective]
    most = max(2, math.ceil((36.0 - 3.0 * math.log(r)) / e))
    coarse = [
        sought(partial(lambda k, g: value(e, r, k, g, weight, math.exp), k))
        for k in range(1, most + 1)
    ]
    me, mr = mp.mpf(epsilon), mp.mpf(ratio)
    mw = mp.mpf(1) / 3 if objective == "mean" else mp.mpf(weight)
    steps, gamma, variance, best = least(lambda k, g: value(me, mr, k, g, mw, mp.exp), coarse)
    shape, _ = derived(me, mr, steps, gamma, mp.exp)
    return {
        "epsilon": e, "ratio": r, "objective": objective, "steps": steps,
        "gamma": number(gamma), "variance": number(variance), "best_variance": number(best),
        "input_fraction": number(shape.limit), "base_mass": number(shape.base_mass),
    }  # fmt: skip


def fixed_row(epsilon: str, ratio: str, centre: str, half: str, objective: str) -> dict[str, Any]:
    e, r = float(epsilon), float(ratio)
    place = (float(centre), float(half), objective)
    most = math.ceil(1.0 / r) + 1  # more do not fit
    # Inputs may fit at few γ only: a grid, where a golden section would see nothing but infinity.
    grid = [(i + 1) / 48 for i in range(48)]
    coarse = [
        min((float(fixed_value(e, r, k, g, place, math.exp)), g) for g in grid)
        for k in range(1, most + 1)
    ]
    me, mr = mp.mpf(epsilon), mp.mpf(ratio)
    precise = (mp.mpf(centre), mp.mpf(half), objective)

    def f(k: int, g: Real) -> Real:
        return fixed_value(me, mr, k, g, precise, mp.exp)

    steps = 1 + min(range(most), key=lambda k: coarse[k][0])
    gamma = refined(lambda g: f(steps, g), coarse[steps - 1][1], 1.0 / 48)
    return {
        "epsilon": e, "ratio": r, "centre": place[0], "half": place[1], "objective": objective,
        "best_steps": steps, "best_gamma": number(gamma), "best_variance": number(f(steps, gamma)),
    }  # fmt: skip


def tables() -> dict[str, Any]:
    return {
        "about": "Best staircases A4B1 with outputs derived from the inputs (variances in units of "
        "the squared sensitivity; ratio = sensitivity / input width; steps = the fewest within 0.5 "
        "percent of the best of all) and within fixed outputs (lengths in units of their "
        "half-width; the best of all steps).",
        "source": "tests/golden/generate_staircase.py, mpmath at 40 digits",
        "tolerance": "variances are right to 14 significant digits, gamma to 12",
        "derived": [derived_row(e, r) for e in EPSILONS for r in RATIOS]
        + [
            derived_row(e, r, o)
            for e in ["0.1", "1", "4"]
            for r in ["0.5", "0.03"]
            for o in ["mean", "worst"]
        ],
        "fixed": [
            fixed_row(*place, objective)
            for place in [
                ("1", "0.1", "0", "0.4"),
                ("1", "0.1", "0.2", "0.3"),
                ("1", "0.02", "-0.1", "0.6"),
                ("4", "0.3", "0", "0.5"),
                ("0.1", "0.02", "0.05", "0.1"),
            ]
            for objective in POSITION
        ],
    }


if __name__ == "__main__":
    write("staircase.json", tables())
