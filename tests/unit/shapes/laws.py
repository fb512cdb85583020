"""The laws of activations and bases, and integrals by two routes."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad

from compdp_core.shapes import Activation, Base
from compdp_core.shapes.custom.shapes import OwnShape

GRID = np.linspace(0.0, 1.0, 2001)
NODES, WEIGHTS = np.polynomial.legendre.leggauss(40)


def by_quadrature(f: Callable[[Any], Any], breakpoints: tuple[float, ...]) -> float:
    """Route one: adaptive Gauss-Kronrod between the breakpoints."""
    return math.fsum(
        quad(f, a, b, epsabs=0.0, epsrel=1e-13, limit=400)[0] for a, b in pairwise(breakpoints)
    )


def by_panels(f: Callable[[Any], Any], breakpoints: tuple[float, ...]) -> float:
    """Route two: Gauss-Legendre on panels that shrink towards both ends of every stretch."""
    grading = np.r_[0.0, 0.5 ** np.arange(60, 0, -1)]
    share = np.unique(np.r_[0.5 * grading, np.linspace(0.0, 1.0, 65), 1.0 - 0.5 * grading])
    total = 0.0
    for a, b in pairwise(breakpoints):
        cuts = np.unique(a + (b - a) * share)
        half, middle = 0.5 * np.diff(cuts)[:, None], 0.5 * (cuts[1:] + cuts[:-1])[:, None]
        total += float(np.sum(half * WEIGHTS * f(middle + half * NODES)))
    return total


def faults(shape: Activation | Base, rounding: float = 1e-9) -> list[str]:
    """The laws that a shape breaks; ``rounding`` is what mirrored heights may differ by."""
    activation = isinstance(shape, Activation)
    v = GRID if activation else 2.0 * GRID - 1.0
    mirrored = 1.0 - v if activation else -v
    heights = shape.height(v)
    cuts = np.array(shape.breakpoints)
    # Close to every bend as well, from both sides.
    near = np.clip(np.r_[cuts - 1e-7, cuts + 1e-7], cuts[0], cuts[-1])
    everywhere = np.r_[heights, shape.height(near)]
    rising = shape.integral(v)
    whole = float(shape.integral(cuts[-1]))
    slopes = np.diff(rising) / np.diff(v) - shape.height(0.5 * (v[1:] + v[:-1]))
    laws = {
        "symmetric": np.allclose(heights, shape.height(mirrored), rtol=0.0, atol=rounding),
        "non-negative": bool(np.all(everywhere >= 0.0)),
        "at most 1": bool(np.all(everywhere <= 1.0)),
        "zero outside": not np.any(shape.height([cuts[0] - 1e-9, cuts[-1] + 1e-9, -2.0, 2.0])),
        "integral from 0": float(shape.integral(cuts[0])) == pytest.approx(0.0, abs=1e-14),
        "integral rises": bool(np.all(np.diff(rising) >= -1e-15)),
        "integral is symmetric": np.allclose(rising + shape.integral(mirrored), whole, atol=1e-13),
        "slope of the integral": np.median(np.abs(slopes)) < 1e-3,
        "whole area": whole == pytest.approx(shape.area * (cuts[-1] - cuts[0]), rel=1e-14),
    }
    if isinstance(shape, OwnShape):
        laws["reaches 1"] = abs(shape.fit.curve.highest[0] - 1.0) <= 1e-15
    if isinstance(shape, Activation):
        laws["variance"] = 0.0 < shape.variance <= 0.25
    else:
        laws["above tau"] = 0.0 < shape.tau <= float(everywhere.min())
        laws["second moment"] = 0.0 < shape.second_moment <= shape.area
    return [law for law, holds in laws.items() if not holds]


def wrong_moments(shape: Activation | Base, digits: float) -> list[str]:
    """Which moments another route to them does not find, to a relative ``digits``."""
    wrong: list[str] = []
    for route in (by_quadrature, by_panels):
        mass = route(shape.height, shape.breakpoints)
        if isinstance(shape, Activation):
            spread = route(lambda v: (v - 0.5) ** 2 * shape.height(v), shape.breakpoints)
            found = {"area": (shape.area, mass), "variance": (shape.variance, spread / mass)}
        else:
            spread = route(lambda v: v * v * shape.height(v), shape.breakpoints)
            found = {
                "area": (shape.area, 0.5 * mass),
                "second moment": (shape.second_moment, 0.5 * spread),
            }
        wrong += [n for n, (a, b) in found.items() if not math.isclose(a, b, rel_tol=digits)]
    return wrong
