"""What a design is measured by: its laws by quadrature, and what is minimised."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.integrate import fixed_quad

from compdp_core.design.density import Density
from compdp_core.design.design import Design

TOLERANCE = 1e-10
Function = Callable[[Any], Any]


def gauss(
    f: Function, breakpoints: tuple[float, ...], low: float = -math.inf, high: float = math.inf
) -> float:
    """Gauss-Legendre between jumps and bends, where every piece is smooth: exact to rounding."""
    low, high = max(low, breakpoints[0]), min(high, breakpoints[-1])
    ends = itertools.pairwise([low, *(b for b in breakpoints if low < b < high), high])
    return math.fsum(float(fixed_quad(f, a, b, n=24)[0]) for a, b in ends)


def broken_laws(
    density: Density, c_p: float, integral: Callable[[Function, tuple[float, ...]], float] = gauss
) -> list[str]:
    """Which laws the density breaks for one input, judged by quadrature of its pdf alone."""
    d, cuts = density.design, density.breakpoints(c_p)
    mass = integral(lambda x: density.pdf(x, c_p), cuts)
    mean = integral(lambda x: x * density.pdf(x, c_p), cuts)
    # Around the mean that is claimed; if that one is wrong, both laws say so.
    variance = integral(lambda x: (x - c_p) ** 2 * density.pdf(x, c_p), cuts)
    s1 = integral(lambda x: density.activation_pdf(x, c_p), cuts)
    s2 = integral(density.base_pdf, cuts)
    close = {
        "mass": abs(mass - 1.0) < TOLERANCE,
        "mean": abs(mean - c_p) < TOLERANCE * d.L and abs(density.mean(c_p) - c_p) < 1e-14 * d.L,
        "variance": math.isclose(variance, density.variance(c_p), rel_tol=TOLERANCE),
        "S1": math.isclose(s1, d.S1, rel_tol=TOLERANCE),
        "S2": math.isclose(s2, d.S2, rel_tol=TOLERANCE),
        "H1": math.isclose(s2 / s1, d.h1, rel_tol=TOLERANCE),
    }
    return [law for law, holds in close.items() if not holds]


def value(design: Design, objective: str = "center") -> float:
    """The variance over the squared width of the widest inputs, which is quadratic in the place."""
    centre, edge = design.relative_variance(0.0), design.relative_variance(1.0)
    return {"center": centre, "worst": edge, "mean": centre + (edge - centre) / 3.0}[objective]


def fixed_value(design: Design, objective: str, c: float, w: float) -> float:
    """Variance over L² of inputs at ``c ± w`` of the half-width, from the density itself."""
    density = Density(design)
    low, middle, high = (
        density.variance(place * design.L) / design.L**2 for place in (c - w, c, c + w)
    )
    # Simpson's rule is the mean of a square exactly.
    mean = (low + 4.0 * middle + high) / 6.0
    return {"center": middle, "worst": max(low, high), "mean": mean}[objective]


def brute_force(design: Design, distance: float, inputs: int = 121, outputs: int = 401) -> float:
    """The largest log-ratio over a grid of inputs and outputs, from the densities alone.

    Knows nothing of shifts: all pairs of inputs whose mapped values are near enough, all outputs.
    """
    density = Density(design)
    c_ps = np.linspace(-design.C, design.C, inputs)
    edges = [density.breakpoints(c) for c in (c_ps[0], c_ps[-1], 0.0)]
    x = np.unique([*np.linspace(-design.L, design.L, outputs), *np.concatenate(edges)])
    logs = np.log([density.pdf(x, c) for c in c_ps])
    near = np.abs(c_ps[:, None] - c_ps) <= distance * 2.0 * design.C * (1.0 + 1e-12)
    return max(float((logs[i] - logs[near[i]].min(axis=0)).max()) for i in range(inputs))
