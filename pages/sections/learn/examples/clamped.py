"""Noise that is clamped into the bounds, beside noise that needs no clamping."""

from __future__ import annotations

import numpy as np
import pandas as pd

from pages.sections.learn.examples.noise import INPUTS, clamped_laplace, composite, laplace

BIN = 5
"""Width of a bar (points)."""


def average(epsilon: float, value: float) -> float:
    """Mean of what comes out when Laplace noise is clamped (points)."""
    return value + float(clamped_laplace(epsilon).bias(value))


def ends(epsilon: float, value: float) -> tuple[float, float]:
    """Chances that plain Laplace noise passes the lower and the upper bound."""
    low, high = INPUTS
    plain = laplace(epsilon)
    below = float(plain.survival(np.array(value - low)))
    return below, float(plain.survival(np.array(high - value)))


def bars(epsilon: float, value: float) -> pd.DataFrame:
    """The chance of each bar, for both mechanisms; what is moved to a bound is told apart."""
    low, high = INPUTS
    mechanism = composite(epsilon)
    first = BIN * np.floor(mechanism.outputs[0] / BIN)
    edges = np.arange(first, mechanism.outputs[1] + BIN, BIN)
    inside = (edges[:-1] >= low) & (edges[1:] <= high)
    passed = laplace(epsilon).survival(edges - value)
    clamped = np.where(inside, passed[:-1] - passed[1:], 0.0)
    below, above = ends(epsilon, value)
    moved = np.where(edges[:-1] == low, below, 0.0) + np.where(edges[1:] == high, above, 0.0)
    reach = np.clip(mechanism.mapping.to_domain(edges), -mechanism.design.L, mechanism.design.L)
    reached = mechanism.density().cdf(reach, mechanism.mapped(value))
    return pd.DataFrame(
        {
            "from": edges[:-1],
            "to": edges[1:],
            "clamped": clamped,
            "moved": moved,
            "composite": np.diff(reached),
        }
    )
